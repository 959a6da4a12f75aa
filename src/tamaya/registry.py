"""Finding agents by text: a registered name, a name with parameters, or a user's file.

certainty
family:key=value,key=value
path/to/file.py:name
path/to/file.py:name:key=value
path/to/file.rules
path/to/network.npz
"""

import hashlib
import importlib
import importlib.util
import pkgutil
import re
import sys
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import TypeVar

from tamaya.agent import AgentError, Player

SomePlayer = TypeVar("SomePlayer", bound=Player)

_agents: dict[str, Player] = {}
# A file that an agent's text begins with; colons belong to drives of Windows only.
_FILE = re.compile(r"(?:[A-Za-z]:[\\/])?[^:(]+?\.(?:py|rules|npz)(?=:|$)")


def register(player: SomePlayer) -> SomePlayer:
    """Make an agent known by its name; the agents of this package cannot be replaced."""
    known = _agents.get(player.name)
    if known is None or not _is_ours(known):
        _agents[player.name] = player
    elif _is_ours(player):
        raise AgentError(f"two agents of the package are called {player.name!r}")
    return player


def _is_ours(player: Player) -> bool:
    return player.act_function.__module__.startswith("tamaya.")


@cache
def _import_agents() -> None:
    for room in ("tamaya.agents", "tamaya.search"):
        package = importlib.import_module(room)
        for module in pkgutil.walk_packages(package.__path__, f"{room}."):
            importlib.import_module(module.name)


def all_agents() -> list[Player]:
    """Every registered agent, by name."""
    _import_agents()
    return [_agents[name] for name in sorted(_agents)]


def find_agent(text: str) -> Player:
    """The agent of a text; AgentError names what is wrong with it."""
    file = _FILE.match(text)
    if file is not None:
        loaders = {".py": _from_file, ".rules": _from_rules, ".npz": _from_network}
        return loaders[Path(file[0]).suffix](Path(file[0]), text[file.end() :].removeprefix(":"))
    name, _, parameters = text.partition(":")
    _import_agents()
    if name not in _agents:
        close = get_close_matches(name, _agents, 1)
        hint = f", did you mean {close[0]!r}?" if close else "; `tamaya agents` lists all"
        raise AgentError(f"unknown agent {name!r}{hint}")
    return _agents[name].with_text(parameters) if parameters else _agents[name]


def agent_file(text: str) -> Path | None:
    """The file that a text names an agent of, if it does."""
    file = _FILE.match(text)
    return Path(file[0]) if file else None


def _from_file(path: Path, rest: str) -> Player:
    """An agent of a user's file; its name may be left out if the file has only one."""
    players = _load_file(path.resolve())
    name, _, parameters = rest.partition(":")
    if not name and len(players) == 1:
        name = next(iter(players))
    if name not in players:
        found = ", ".join(players) or "none"
        wanted = f"no agent {name!r}" if name else "no single agent"
        raise AgentError(f"{path} has {wanted}: its agents are {found}")
    return players[name].with_text(parameters) if parameters else players[name]


def _from_rules(path: Path, options: str) -> Player:
    """The rule agent of a text file."""
    from tamaya.agents.rules.family import rule_file

    return rule_file(path).with_text(options) if options else rule_file(path)


def _from_network(path: Path, options: str) -> Player:
    """The agent of a file of weights."""
    from tamaya.agents.learned.kinds import network_file

    return network_file(path).with_text(options) if options else network_file(path)


@cache
def _load_file(path: Path) -> dict[str, Player]:
    if not path.is_file():
        raise AgentError(f"agent file {path} does not exist")
    name = f"tamaya_file_{path.stem}_{hashlib.sha1(str(path).encode()).hexdigest()[:8]}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise AgentError(f"agent file {path} cannot be loaded")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    sys.path.insert(0, str(path.parent))
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        sys.modules.pop(name, None)
        line = _line_in(path, error)
        raise AgentError(f"agent file {path}{line}: {type(error).__name__}: {error}") from error
    finally:
        sys.path.remove(str(path.parent))
    return {
        value.name: value
        for value in vars(module).values()
        if isinstance(value, Player) and value.act_function.__module__ == name
    }


def _line_in(path: Path, error: Exception) -> str:
    """The line of a file in which an exception arose, as `` line 3``."""
    import traceback

    if isinstance(error, SyntaxError) and error.lineno:
        return f", line {error.lineno}"
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == str(path)]
    return f", line {lines[-1]}" if lines else ""
