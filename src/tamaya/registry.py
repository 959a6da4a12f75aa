"""The agents known by name, and the loaders of agents' files: two dictionaries.

``tamaya.lookup``, which is above the agents, finds agents by text, file or network. Tables and
searches, which are below it, accept texts too: they call ``find_agent`` here, which calls the
lookup that the package installed when it was imported.
"""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

if TYPE_CHECKING:  # the package imports this module and must load quickly
    from tamaya.player import Player

SomePlayer = TypeVar("SomePlayer", bound="Player")
Loader = Callable[[Path], "Player"]

_agents: dict[str, "Player"] = {}
_loaders: dict[str, Loader] = {}  # by suffix


class Lookup(Protocol):
    """The module that finds agents: ``tamaya.lookup``."""

    def find_agent(self, text: str) -> "Player":
        """The agent of a text."""
        ...


_lookups: list[Callable[[], Any]] = []  # the one installed last counts


def register(player: SomePlayer) -> SomePlayer:
    """Register an agent by its name; the agents of this package cannot be replaced."""
    known = _agents.get(player.name)
    if known is None or not _is_ours(known):
        _agents[player.name] = player
    elif _is_ours(player):
        raise ValueError(f"two agents of the package are called {player.name!r}")
    return player


def _is_ours(player: "Player") -> bool:
    return player.act_function.__module__.startswith("tamaya.")


def registered() -> dict[str, "Player"]:
    """The agents that have been registered so far, by name."""
    return dict(_agents)


def register_loader(suffix: str, load: Loader) -> None:
    """Register the function that loads agents from files with a suffix such as ``.rules``."""
    _loaders[suffix] = load


def loader_of(suffix: str) -> Loader | None:
    """The function that loads agents from files with a suffix, if there is one."""
    return _loaders.get(suffix)


def install_lookup(lookup: Callable[[], Any]) -> None:
    """Set the function that returns the ``Lookup``; it is called when an agent is looked up."""
    _lookups.append(lookup)


def find_agent(text: str) -> "Player":
    """The agent of a text, for modules below ``tamaya.lookup``, which finds it."""
    found: Lookup = _lookups[-1]()
    return found.find_agent(text)


def __getattr__(name: str) -> Any:
    """Names that moved to ``tamaya.lookup``, for files that import them from here."""
    if name in ("all_agents", "agent_file"):
        return getattr(_lookups[-1](), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
