"""The games behind a figure: the best, the worst, and one with a score next to the mean.

Tallies contain the number of the first game with each score, and a match with its seed and the code
of its agents determines every game, so these games are replayed when the page is built. If the
store has no tally of exactly this code, no games are shown.
"""

import shlex
from base64 import b32encode
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from tamaya.agent import AgentError
from tamaya.arena.match import ALL, ONE, Match
from tamaya.arena.rule_texts import rule_text
from tamaya.arena.runner import TallyStore, cover, is_slow
from tamaya.arena.tally import Tally
from tamaya.game import Game
from tamaya.replays.link import REPLAY_ADDRESS, lost_in_a_link, to_link
from tamaya.report.markup import Html, element, fold, join, safe

REVIEWS = "/g/"  # of our own server


@dataclass(frozen=True)
class Found:
    """A game of a match: what it stands for, and where it is."""

    kind: str  # best, typical, worst
    number: int
    score: int
    command: str  # command that shows it
    game: Game | None  # None if replaying it takes too long


def find_games(match: Match, games: int, store: TallyStore) -> list[Found]:
    """The best, a typical and the worst of the first games of a match, each score once."""
    used, gaps = cover(store.chunks(match), (0, games))
    if gaps:
        return []  # played by different code, or not in this store
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
    """A game, played again; None if its score differs, as with time limits."""
    command = watch_command(match, number)
    if is_slow(match):
        return Found(kind, number, score, command, None)
    game = match.play(number, 1, record=True, threads=1).game(0)
    return Found(kind, number, score, command, game) if game.score == score else None


def agents_at(match: Match, number: int) -> Sequence[str]:
    """Who sits where in a game of a match."""
    seats = range(match.rules.players)
    if match.seating == ONE:
        first = int(match.seats(number, 1)[0])
        return [match.agents[int(seat != first)] for seat in seats]
    return [match.agents[0]] * len(seats) if match.seating == ALL else match.agents


def game_id(match: Match, number: int) -> str:
    """The id of a game on our own server; the same game always has the same id."""
    digest = sha256(f"{match.key} {number}".encode()).digest()
    return b32encode(digest[:10]).decode().lower()


def watch_command(match: Match, number: int) -> str:
    """The command that shows a game of a match in the terminal."""
    agents = agents_at(match, number)
    agents = agents if len(set(agents)) > 1 else agents[:1]
    words = ["tamaya", "watch", *agents, "-p", str(match.rules.players), "--seed", str(match.seed),
             "--game", str(number)]  # fmt: skip
    rules = rule_text(match.rules)
    return shlex.join([*words, "--rules", rules] if rules else words)


@dataclass(frozen=True)
class ServedGame:
    """A game behind a figure, in the form that our own server imports."""

    agents: tuple[str, ...]  # by seat
    seed: int
    number: int
    text: str


@dataclass
class ReportGames:
    """Finds the games behind the figures of a page and collects the boxes that show them."""

    store: TallyStore | None = None
    is_served: bool = False  # on our own server, where games open in the review
    served: dict[str, ServedGame] = field(default_factory=dict)  # by id, if so
    boxes: dict[tuple[Match, int], tuple[str, Html]] = field(default_factory=dict)

    def behind(self, content: object, match: Match, games: int, title: str = "") -> Html:
        """A figure that opens its games when it is clicked, or the figure alone if there are none.

        The same figure may occur in several places of the page.
        """
        key = match, games
        if key not in self.boxes:
            found = self._find(match, games)
            name = f"games-{len(self.boxes) + 1}"
            box = self._box(name, match, found, games, title) if found else Html("")
            self.boxes[key] = name, box
        name, box = self.boxes[key]
        if not box:
            return safe(content)
        return element("button", content, type="button", popovertarget=name, class_="figure",
                       aria_label=None, title="games behind this figure")  # fmt: skip

    def all_boxes(self) -> Html:
        """All boxes, for the end of the page."""
        return join(box for _, box in self.boxes.values())

    def _find(self, match: Match, games: int) -> list[Found]:
        if self.store is None or any(".py" in text for text in match.agents):
            return []  # a page never runs a user's file
        try:
            return find_games(match, games, self.store)
        except (AgentError, ValueError, OSError):  # an agent that no longer exists
            return []

    def _box(self, name: str, match: Match, found: Sequence[Found], games: int, title: str) -> Html:
        rows = [
            element(
                "li",
                element("strong", f"{one.kind}: {one.score} points"),
                element("span", f"game {one.number:,}", class_="note"),
                self._links(match, one),
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

    def _links(self, match: Match, found: Found) -> Html | None:
        """Where the game can be viewed: our own review, or hanab.live and the text itself."""
        game = found.game
        if game is None:
            return None
        if self.is_served:
            name, agents = game_id(match, found.number), tuple(agents_at(match, found.number))
            self.served[name] = ServedGame(agents, match.seed, found.number, game.to_text())
            return element("a", "Review it", href=REVIEWS + name)
        link = None
        if not lost_in_a_link(game):
            link = element("a", "hanab.live", href=REPLAY_ADDRESS + to_link(game),
                           target="_blank", rel="noreferrer")  # fmt: skip
        text = fold("The game as text", element("pre", game.to_text(), tabindex="0"))
        return join((link, text))
