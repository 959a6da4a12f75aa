"""Advice and reasons: which agent is asked, for whom, and how its answer is shown.

The adviser plays in the asker's seat, from the asker's view. The choice depends on the team-mate.
Most agents take hints literally, and with those none of ours plays better than the default, which
was evolved for it. But some read more into a hint, by conventions or by a code, and only an agent
of the same kind knows what to tell them. Means for two players, each agent with itself and with
``tamaya-mixed``, standard errors up to 0.23:

    iggi 17.6 18.8   van-den-bergh 13.7 17.7   certainty 15.0 17.4
    smartbot 23.1 15.3   fireflower 22.7 12.2   tamaya-mirror 22.8 18.4   confidence 11.8 10.1
    information 23.6 3.7   ppo 23.4 5.3

    tamaya crossplay tamaya-mixed iggi van-den-bergh certainty smartbot fireflower tamaya-mirror \\
        confidence information ppo --games 2000 --seed 1

Among several persons, or agents of different kinds, hints should mean what they say: the default
again.
"""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from tamaya.agent import Agent
from tamaya.agents.rules.rule import RULES
from tamaya.moves import move_text
from tamaya.player import AgentError, Player
from tamaya.replays.blueprints import speaks_code
from tamaya.rules import Rules
from tamaya.web.engines import DEFAULT_AGENT, Engines, Position, Question
from tamaya.web.events import AGENT, Role, TableError
from tamaya.web.eyes import Scene, check_question, scene_of
from tamaya.web.grounds import CERTAIN, PLAYABLE, grounds_of
from tamaya.web.guests import fits, is_of_package, room_of
from tamaya.web.sight import Detail, Frame, Reasons, reasons_frame
from tamaya.web.snapshots import known_agent
from tamaya.web.table import Table

_CONVENTIONS = ("agents.fireflower", "agents.smartbot", "agents.confidence")
_PROMISES = ("tamaya-mirror",)  # rule lists with their own conventions
# A row of a rule agent.
_RULE = re.compile(r"\d+ (?:If[^:]*:)?(?P<name>\w+)")
# The rules of the default adviser for people who have never seen a rule list.
PLAIN = {
    "DiscardOldestFirst": "nothing better to do: the oldest card has been passed over longest",
    "DiscardProbablyUseless": "of your cards this one is the likeliest to be of no more use",
    "DiscardSafeCard": "by what hints have told, this card is of no more use",
    "DiscardSurelyUseless": "whatever this card is, it is of no more use",
    "DiscardUnidentifiedCard": "nobody has said anything about this card: it is hardly urgent",
    "OsawaDiscard": "by what hints have told, this card is of no more use",
    "PlayFirstHinted": "the last hint was about this card: it is probably meant to be played",
    "PlayJustHinted": "this card was hinted since your last move: it is meant to be played",
    "PlayProbablySafe": "of your cards this one is the likeliest to be playable, and likely enough",
    "PlayPromised": "hints have promised that this card can be played",
    "PlaySafeCard": "whatever this card is, it can be played",
    "TellAnyoneAboutUselessCard": "shows a card that can be thrown away",
    "TellDispensable": "shows a card that can be thrown away",
    "TellFives": "shows a 5, which must not be thrown away",
    "TellHarmless": "nothing urgent: tells something new that leads nobody astray",
    "TellMostInformation": "nothing urgent: tells as much as one hint can",
    "TellPromise": "promises that a card can be played, and nobody was promised it yet",
    "TellRandomly": "nothing urgent: any hint will do",
    "TellSave": "saves a card that is the last of its kind and would be discarded next",
    "TellSteer": "after this hint a team-mate plays the right card, or refrains from a wrong one",
    "TellToSave": "warns of a card that is the last of its kind, so that it is not discarded",
    "TellUnambiguous": "shows a playable card, and the others it touches do not mislead",
    "TryToUnBlock": "without tokens somebody has to discard, and it costs least here",
}
WHY = "why"  # the row of the rule that applies
OnProgress = Callable[[dict[str, Any]], None]
Row = tuple[str, object]
Rows = Sequence[Row]


def adviser_for(table: Table, seat: int | None) -> str:
    """The agent that advises a seat by default."""
    others = [sitter for k, sitter in enumerate(table.seats) if k != seat]
    agents = {sitter.agent for sitter in others}
    if len(agents) != 1 or any(sitter.kind != AGENT for sitter in others):
        return DEFAULT_AGENT
    return _fellow_of(agents.pop(), table.rules)


@lru_cache(maxsize=256)
def _fellow_of(agent: str, rules: Rules) -> str:
    """The adviser for a team-mate: an agent of its kind if no other understands it."""
    try:
        player = known_agent(agent)
        if player.is_slow:  # takes too long; its blueprint will do
            player = known_agent((*player.depends_on, DEFAULT_AGENT)[0])
    except AgentError:  # of a file that is no longer there
        return DEFAULT_AGENT
    explains = isinstance(player, Agent) and player.explain_function is not None
    is_needed = _has_conventions(player) and explains and fits(player, rules)
    return player.spec if is_needed else DEFAULT_AGENT


def _has_conventions(player: Player) -> bool:
    """Whether hints to and from an agent mean more than they say; assumed for agents of files."""
    if not is_of_package(player) or player.name in _PROMISES:
        return True
    return speaks_code(player) or room_of(player).startswith(_CONVENTIONS)


async def advise(
    table: Table, role: Role, turn: int, engines: Engines, *, agent: str = "",
    on_progress: OnProgress | None = None,
) -> Frame:  # fmt: skip
    """What an agent would do in the asker's seat, and why; ``agent`` was admitted."""
    seat = check_question(table, role, turn, None)
    text = agent or adviser_for(table, seat)
    asked = Question(Position.of(table.game, turn), seat, text)
    scene, revision = scene_of(table.game.at(turn), seat), table.revision
    said = await engines.explain(asked, on_progress, choose=True)
    _check_unchanged(table, revision)
    assert said.move is not None
    reasons = told_reasons(scene, text, said.move, said.rows, whose="your")
    return reasons_frame(table, "advise", turn, seat, reasons)


async def why(
    table: Table, role: Role, turn: int, seat: int | None, engines: Engines, *, agent: str = "",
    on_progress: OnProgress | None = None,
) -> Frame:  # fmt: skip
    """Why the agent in a seat moved as it did or, at the last turn, what it thinks now.

    ``agent`` is its text with what it knows, if that is more than the seat shows.
    """
    seat = check_question(table, role, turn, seat)
    sitter = table.seats[seat]
    if sitter.kind != AGENT:
        raise TableError("unavailable", "only agents give their reasons: ask for advice", "seat")
    moves = table.game.moves
    move = move_text(table.rules, moves[turn]) if turn < len(moves) else None
    asked = Question(
        Position.of(table.game, turn), seat, agent or sitter.agent, *table.memory_of(seat, turn)
    )
    scene, revision = scene_of(table.game.at(turn), seat), table.revision
    said = await engines.explain(asked, on_progress)
    _check_unchanged(table, revision)
    reasons = told_reasons(scene, sitter.agent, move, said.rows)
    return reasons_frame(table, "why", turn, seat, reasons)


def _check_unchanged(table: Table, revision: int) -> None:
    """Refuse an answer about a turn that may have been taken back meanwhile."""
    if table.revision != revision:
        raise TableError("stale", "the table has changed meanwhile, ask again", "turn")


def told_reasons(
    scene: Scene, agent: str, move: str | None, rows: Rows, whose: str = "its"
) -> Reasons:
    """What people are told of an agent's reasons for a move, from the scene of its seat."""
    plain, details = plain_rows(rows, whose)
    return Reasons(agent, move, agreeing(grounds_of(scene, move) if move else (), plain), details)


def plain_rows(rows: Rows, whose: str = "your") -> tuple[list[Row], list[Detail]]:
    """Rows for people who are learning, and the details behind them.

    For a rule list, the rule that applies is explained in plain words, and the list itself is a
    detail with what each rule does; rows of other agents are unchanged. ``whose`` seat it is:
    "your" in advice, else "its".
    """
    for reason, value in rows:
        found = _RULE.match(reason)
        if found and value == "applies" and found["name"] in RULES:
            words = _rule_words(found["name"]).replace("your", whose)
            return [(WHY, words)], [(rule, how, _description(rule)) for rule, how in rows]
    return list(rows), []


def _description(reason: str) -> str:
    """What the rule of a row does."""
    found = _RULE.match(reason)
    return RULES[found["name"]].description if found and found["name"] in RULES else ""


def agreeing(grounds: Rows, rows: Rows) -> list[Row]:
    """Grounds and reasons combined; for a certain play, rows about its probability are dropped."""
    likely, certain = ((WHY, PLAIN[name]) for name in ("PlayProbablySafe", "PlaySafeCard"))
    is_certain = (PLAYABLE, CERTAIN) in grounds
    return [*grounds, *(certain if is_certain and row == likely else row for row in rows)]


def _rule_words(name: str) -> str:
    """What a rule is for, in a sentence."""
    return PLAIN.get(name) or RULES[name].description
