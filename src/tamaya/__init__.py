"""Tamaya: a Hanabi laboratory and table.

Names are imported at first use, so that the command line starts quickly.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from tamaya import old_names

if TYPE_CHECKING:
    from tamaya.agent import Agent, BatchAgent
    from tamaya.compiled import hot
    from tamaya.game import Game
    from tamaya.registry import all_agents, find_agent
    from tamaya.rules import Rules
    from tamaya.table import play

old_names.install()

_HOMES = {
    "Agent": "agent",
    "BatchAgent": "agent",
    "Game": "game",
    "Rules": "rules",
    "all_agents": "registry",
    "find_agent": "registry",
    "hot": "compiled",
    "play": "table",
}

__all__ = [
    "Agent",
    "BatchAgent",
    "Game",
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
