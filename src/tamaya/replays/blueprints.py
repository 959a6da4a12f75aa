"""Blueprints to choose from: the agent that is assumed to play on when a move is valued.

Values depend on which agent plays on in all seats. For a game of a known agent it is that agent;
people are represented by a rule player whose hints mean what they say. A blueprint that uses a code
reads a person's hints as numbers that nobody meant, so it comes with a warning.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tamaya.adapt.player import AdaptiveAgent
from tamaya.agent import AgentError, Player
from tamaya.lookup import find_agent
from tamaya.search.blueprint import USUAL_BLUEPRINT, find_blueprint

CODED = ("agents.hat", "agents.wtfwthat", "agents.learned")  # packages whose hints are numbers
_FILES = re.compile(r"\.(py|rules|npz)\b")  # texts that may name an agent of a file
CHOICES = (USUAL_BLUEPRINT, "piers", "certainty", "smartbot", "fireflower", "hat-information")


@dataclass(frozen=True)
class Blueprint:
    """An agent that can play on in imagined games, and what its values mean."""

    text: str
    meaning: str  # "as if X played on in all seats"
    warning: str  # empty if there is none


def blueprint_of(text: str) -> Blueprint:
    """The blueprint for an agent's text; AgentError says why an agent cannot be one."""
    player = find_blueprint(text)
    warning = ""
    if speaks_code(player):
        warning = (f"{player.name} speaks a code: hints by people and by other agents mean "
                   "something else to it")  # fmt: skip
    return Blueprint(text, f"as if {text} played on in all seats", warning)


def blueprints_for(players: int) -> list[Blueprint]:
    """The choices for a number of players, the usual one first."""
    return [blueprint_of(text) for text in CHOICES if find_agent(text).plays_with(players)]


def default_blueprint(agents: Sequence[str], players: int) -> str:
    """The blueprint for a game whose agents are known, with an empty text for each person.

    The agent that sat in all seats, if it is fast enough for thousands of imagined games; otherwise
    the usual one.
    """
    known = {text for text in agents if text}
    if len(known) == 1:
        (text,) = known
        try:
            player = find_blueprint(text)
            if player.plays_with(players) and not player.is_slow:
                return text
        except AgentError:
            pass  # no longer exists, or cannot be a blueprint
    return USUAL_BLUEPRINT


def saved_blueprint(agents: Sequence[str], players: int) -> str:
    """The default blueprint for a saved game that names its agents.

    Loading an agent from a file runs code, which an imported game must not trigger: such agents are
    used only if the user names them as a blueprint.
    """
    if any(_FILES.search(text) for text in agents):
        return USUAL_BLUEPRINT
    return default_blueprint(agents, players)


def caution(text: str, agents: Sequence[str]) -> str:
    """A caution about values by a blueprint; empty if it sat in all seats."""
    if agents and set(agents) == {text}:
        return ""
    return blueprint_of(text).warning or (
        "a move by a convention that the blueprint does not know counts as a loss: marks follow "
        "its reading of hints, and what people agreed on may be worth more"
    )


def speaks_code(player: Player) -> bool:
    """Whether its hints use a code that only agents of its kind understand.

    An agent that may recognise players of codes speaks none until it knows that it plays with one.
    """
    if isinstance(player, AdaptiveAgent) and not player.params.is_settled:
        return False
    room = player.act_function.__module__.removeprefix("tamaya.")
    return room.startswith(CODED) or any(speaks_code(find_agent(t)) for t in player.depends_on)
