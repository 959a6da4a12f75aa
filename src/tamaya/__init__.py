"""Tamaya: a Hanabi laboratory, and a web table to play at.

Names are imported at first use, so that the command line starts quickly.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from tamaya import old_names, registry

if TYPE_CHECKING:
    from tamaya.agent import Agent, AgentError, AgentFault, BatchAgent, Player
    from tamaya.compiled import hot
    from tamaya.game import Game
    from tamaya.lookup import all_agents, find_agent
    from tamaya.rules import Rules
    from tamaya.table import play

old_names.install()
registry.install_lookup(lambda: import_module("tamaya.lookup"))

_HOMES = {
    "Agent": "agent",
    "AgentError": "agent",
    "AgentFault": "agent",
    "BatchAgent": "agent",
    "Game": "game",
    "Player": "agent",
    "Rules": "rules",
    "all_agents": "lookup",
    "find_agent": "lookup",
    "hot": "compiled",
    "play": "table",
}

__all__ = [
    "Agent",
    "AgentError",
    "AgentFault",
    "BatchAgent",
    "Game",
    "Player",
    "Rules",
    "all_agents",
    "find_agent",
    "hot",
    "play",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("tamaya")
    if name not in _HOMES:
        raise AttributeError(f"module 'tamaya' has no attribute {name!r}")
    return getattr(import_module(f"tamaya.{_HOMES[name]}"), name)
