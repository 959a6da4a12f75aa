"""The agents known by name, and the loaders of agents' files: two dictionaries.

Finding an agent by text, file or network is the work of ``tamaya.lookup``, which stands above the
agents. Tables and searches, which stand below it, take texts too: they ask ``find_agent`` here,
and it asks the lookup that the package installed when it was imported.
"""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

if TYPE_CHECKING:  # the package imports this module, and is to be imported quickly
    from tamaya.player import Player

SomePlayer = TypeVar("SomePlayer", bound="Player")
Loader = Callable[[Path], "Player"]

_agents: dict[str, "Player"] = {}
_loaders: dict[str, Loader] = {}  # by suffix


class Lookup(Protocol):
    """What finds agents: ``tamaya.lookup``."""

    def find_agent(self, text: str) -> "Player":
        """The agent of a text."""
        ...


_lookups: list[Callable[[], Any]] = []  # the one installed last counts


def register(player: SomePlayer) -> SomePlayer:
    """Make an agent known by its name; the agents of this package cannot be replaced."""
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
    """Have the agents of files with a suffix such as ``.rules`` made by a function."""
    _loaders[suffix] = load


def loader_of(suffix: str) -> Loader | None:
    """The function that makes the agents of files with a suffix, if a family has one."""
    return _loaders.get(suffix)


def install_lookup(lookup: Callable[[], Any]) -> None:
    """Name a function that returns the ``Lookup``; it is called when an agent is looked for."""
    _lookups.append(lookup)


def find_agent(text: str) -> "Player":
    """The agent of a text, for those below ``tamaya.lookup``, which finds it."""
    found: Lookup = _lookups[-1]()
    return found.find_agent(text)


def __getattr__(name: str) -> Any:
    """What moved to ``tamaya.lookup``, for files that import it from here."""
    if name in ("all_agents", "agent_file"):
        return getattr(_lookups[-1](), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
