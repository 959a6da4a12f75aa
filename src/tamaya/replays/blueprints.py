"""Blueprints to choose from: as if whom played on is a move valued?

Values depend on who is imagined to play on in all seats. Where the agents at a table are known,
that is they; people are imagined as a rule player whose hints mean what they say. A blueprint that
speaks a code of its own reads a person's hints as numbers that nobody meant, so it comes with a
warning.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tamaya.agent import AgentError, Player
from tamaya.lookup import find_agent
from tamaya.search.blueprint import USUAL_BLUEPRINT, find_blueprint

CODED = ("agents.hat", "agents.wtfwthat", "agents.learned")  # rooms whose hints are numbers
_FILES = re.compile(r"\.(py|rules|npz)\b")  # texts that may name an agent of a file
CHOICES = (USUAL_BLUEPRINT, "piers", "certainty", "smartbot", "fireflower", "hat-information")


@dataclass(frozen=True)
class Blueprint:
    """An agent that may be imagined to play on, and what values by it mean."""

    text: str
    meaning: str  # "as if X played on in all seats"
    warning: str  # empty if there is none


def blueprint_of(text: str) -> Blueprint:
    """A blueprint by the text of its agent; AgentError says why an agent cannot be one."""
    player = find_blueprint(text)
    warning = ""
    if speaks_code(player):
        warning = (f"{player.name} speaks a code of its own: hints of people, and of other agents, "
                   "mean something else to it")  # fmt: skip
    return Blueprint(text, f"as if {text} played on in all seats", warning)


def blueprints_for(players: int) -> list[Blueprint]:
    """Those to choose from at a table of some size, the usual one first."""
    return [blueprint_of(text) for text in CHOICES if find_agent(text).plays_with(players)]


def default_blueprint(agents: Sequence[str], players: int) -> str:
    """The blueprint for a table whose agents are known, with an empty text for each person.

    The one agent that sits there, if thousands of games can be imagined with it; otherwise the
    usual one.
    """
    known = {text for text in agents if text}
    if len(known) == 1:
        (text,) = known
        try:
            player = find_blueprint(text)
            if player.plays_with(players) and not player.is_slow:
                return text
        except AgentError:
            pass  # not here any more, or nobody to be imagined
    return USUAL_BLUEPRINT


def saved_blueprint(agents: Sequence[str], players: int) -> str:
    """The default blueprint for a saved game that names its agents.

    Loading an agent from a file runs code, which a game from somewhere must not decide on: such
    agents are left to whoever names them as a blueprint.
    """
    if any(_FILES.search(text) for text in agents):
        return USUAL_BLUEPRINT
    return default_blueprint(agents, players)


def caution(text: str, agents: Sequence[str]) -> str:
    """What to bear in mind about values by a blueprint; nothing if it sat in all seats."""
    if agents and set(agents) == {text}:
        return ""
    return blueprint_of(text).warning or (
        "a move by a convention that the blueprint does not know counts as a loss: marks follow "
        "its reading of hints, and what people agreed on may be worth more"
    )


def speaks_code(player: Player) -> bool:
    """Whether its hints mean something that only its fellows understand."""
    room = player.act_function.__module__.removeprefix("tamaya.")
    return room.startswith(CODED) or any(speaks_code(find_agent(t)) for t in player.depends_on)
