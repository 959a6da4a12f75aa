"""The games behind a figure: the best, the worst, and one with a score next to the mean.

Tallies know the number of the first game with each score, and a match with its seed and the code of
its agents decides every game, so these are played once more when the page is made. Where the store
has no tally of just this code, nothing is shown rather than other games.
"""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field

from tamaya.agent import AgentError
from tamaya.arena.match import ALL, ONE, Match
from tamaya.arena.rule_texts import rule_text
from tamaya.arena.runner import TallyStore, cover, is_slow
from tamaya.arena.tally import Tally
from tamaya.game import Game
from tamaya.replays.link import REPLAY_ADDRESS, lost_in_a_link, to_link
from tamaya.report.markup import Html, element, fold, join, safe

IMPORT_ADDRESS = "/import#"  # of our own server, which opens the game in the review
MOST_CELLS = 64  # of a crosstable whose games are looked up


@dataclass(frozen=True)
class Found:
    """A game of a match: what it stands for, and where it is."""

    kind: str  # best, typical, worst
    number: int
    score: int
    command: str  # that shows it
    game: Game | None  # None if playing it once more takes too long


def find_games(match: Match, games: int, store: TallyStore) -> list[Found]:
    """The best, a typical and the worst of the first games of a match, each score once."""
    used, gaps = cover(store.chunks(match), (0, games))
    if gaps:
        return []  # played by other code, or kept elsewhere
    tally = sum((part.tally for part in used), Tally())
    there = [score for score, number in enumerate(tally.firsts) if number >= 0]
    if not there:
        return []
    typical = min(there, key=lambda score: (abs(score - tally.mean), -score))
    wanted: dict[int, str] = {}
    for kind, score in (("best", there[-1]), ("typical", typical), ("worst", there[0])):
        wanted.setdefault(score, kind)
    found = [_played(match, kind, tally.firsts[score], score) for score, kind in wanted.items()]
    return [one for one in found if one is not None]


def _played(match: Match, kind: str, number: int, score: int) -> Found | None:
    """A game, played once more; None if its score is another one, as by a clock."""
    command = watch_command(match, number)
    if is_slow(match):
        return Found(kind, number, score, command, None)
    game = match.play(number, 1, record=True, threads=1).game(0)
    return Found(kind, number, score, command, game) if game.score == score else None


def watch_command(match: Match, number: int) -> str:
    """The command that shows a game of a match in the terminal."""
    agents: Sequence[str] = match.agents[:1]
    if match.seating == ONE:
        seat = int(match.seats(number, 1)[0])
        agents = [match.agents[int(place != seat)] for place in range(match.rules.players)]
    elif match.seating != ALL:
        agents = match.agents
    words = ["tamaya", "watch", *agents, "-p", str(match.rules.players), "--seed", str(match.seed),
             "--game", str(number)]  # fmt: skip
    rules = rule_text(match.rules)
    return shlex.join([*words, "--rules", rules] if rules else words)


@dataclass
class ReportGames:
    """Finds the games behind the figures of a page and keeps the boxes that show them."""

    store: TallyStore | None = None
    address: str = REPLAY_ADDRESS  # what a link begins with
    boxes: dict[tuple[Match, int], tuple[str, Html]] = field(default_factory=dict)

    def behind(self, content: object, match: Match, games: int, title: str = "") -> Html:
        """A figure that opens its games when it is clicked, or the figure alone if none are there.

        The same figure may stand at several places of the page.
        """
        key = match, games
        if key not in self.boxes:
            found = self._find(match, games)
            name = f"games-{len(self.boxes) + 1}"
            self.boxes[key] = name, self._box(name, found, games, title) if found else Html("")
        name, box = self.boxes[key]
        if not box:
            return safe(content)
        return element("button", content, type="button", popovertarget=name, class_="figure",
                       aria_label=None, title="games behind this figure")  # fmt: skip

    def all_boxes(self) -> Html:
        """Every box, to stand at the end of the page."""
        return join(box for _, box in self.boxes.values())

    def _find(self, match: Match, games: int) -> list[Found]:
        if self.store is None or any(".py" in text for text in match.agents):
            return []  # a page never runs a user's file
        try:
            return find_games(match, games, self.store)
        except (AgentError, ValueError, OSError):  # an agent that is not here any more
            return []

    def _box(self, name: str, found: Sequence[Found], games: int, title: str) -> Html:
        rows = [
            element(
                "li",
                element("strong", f"{one.kind}: {one.score} points"),
                element("span", f"game {one.number:,}", class_="note"),
                self._links(one),
                element("code", one.command),
            )
            for one in found
        ]
        close = element("button", "Close", type="button", popovertarget=name,
                        popovertargetaction="hide", class_="close")  # fmt: skip
        heading = element("p", element("strong", title or "Games"), f", {games:,} games",
                          id=f"{name}-title")  # fmt: skip
        return element("div", heading, element("ul", *rows), close, popover=True, id=name,
                       class_="games", role="dialog", aria_labelledby=f"{name}-title")  # fmt: skip

    def _links(self, found: Found) -> Html | None:
        """A link to the game or, where rules do not fit into one, its text."""
        if found.game is None:
            return None
        if lost_in_a_link(found.game):
            return fold("The game as text", element("pre", found.game.to_text(), tabindex="0"))
        is_own = self.address.startswith("/")
        away = {} if is_own else {"target": "_blank", "rel": "noreferrer"}
        label = "Review it" if is_own else "hanab.live"
        return element("a", label, href=self.address + to_link(found.game), **away)
