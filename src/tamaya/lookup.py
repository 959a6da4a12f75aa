"""Finding agents by text: a registered name, a name with parameters, or a file.

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
import traceback
from collections.abc import Iterable
from contextvars import ContextVar
from difflib import get_close_matches
from functools import cache
from pathlib import Path

from tamaya.params import shortened
from tamaya.player import AgentError, Player
from tamaya.registry import Loader, loader_of, registered

FAMILIES = "tamaya.agents"
ROOMS = (FAMILIES, "tamaya.search", "tamaya.adapt")  # where agents register themselves
MAX_TEXT = 20_000  # characters; the longest rule lists have fewer
MAX_DEPTH = 20  # agents that name agents that name agents ...

# A file that an agent's text begins with; colons belong to drives of Windows only.
_FILE = re.compile(r"(?:[A-Za-z]:[\\/])?[^:(]+?(\.\w+)(?=:|$)")
_depth: ContextVar[int] = ContextVar("depth", default=0)


def all_agents() -> list[Player]:
    """Every registered agent, by name."""
    _import_agents()
    return sorted(registered().values(), key=lambda player: player.name)


def find_agent(text: str) -> Player:
    """Find the agent that a text names; AgentError says what is wrong with it."""
    if not isinstance(text, str):
        raise TypeError(f"an agent is found by a text such as 'certainty', not by {text!r}")
    if len(text) > MAX_TEXT:
        raise AgentError(f"an agent's text has at most {MAX_TEXT:,} characters, not {len(text):,}: "
                         f"{shortened(text)!r}")  # fmt: skip
    depth = _depth.get()
    if depth >= MAX_DEPTH:
        raise AgentError(f"agents that name agents go at most {MAX_DEPTH} deep: "
                         f"{shortened(text)!r}")  # fmt: skip
    token = _depth.set(depth + 1)
    try:
        return _find(text)
    finally:
        _depth.reset(token)


def _find(text: str) -> Player:
    file = agent_file(text)
    if file is None:
        name, _, parameters = text.partition(":")
        player = _registered_agent(name)
    else:
        player, parameters = _agent_in(file, text[len(_file_text(text)) :].removeprefix(":"))
    is_empty_list = text == "rules:"  # a mistake, not a request for the default
    return player.with_text(parameters) if parameters or is_empty_list else player


def agent_file(text: str) -> Path | None:
    """The agent file that a text names, if any."""
    name = _file_text(text)
    return Path(name) if name else None


def _file_text(text: str) -> str:
    """The beginning of a text that names a file, empty if there is none."""
    file = _FILE.match(text)
    return file[0] if file and (file[1] == ".py" or _loader(file[1])) else ""


def _registered_agent(name: str) -> Player:
    _import_agents()
    agents = registered()
    if name not in agents:
        raise AgentError(_why_unknown(name, agents))
    return agents[name]


def _why_unknown(name: str, agents: Iterable[str]) -> str:
    """What is wrong with a name: what it refers to instead, or similar names."""
    path = Path(name)
    if name and _is_folder(path):
        found = [path / file for file in ("best.npz", "best.rules") if (path / file).is_file()]
        hint = f": its agent is {found[0]}" if found else ", not an agent"
        return f"{name!r} is a folder{hint}"
    close = get_close_matches(name, agents, 1)
    if close:
        return f"unknown agent {shortened(name)!r}, did you mean {close[0]!r}?"
    if "/" in name or "\\" in name:
        return f"unknown agent {shortened(name)!r}: there is no such file or folder"
    return f"unknown agent {shortened(name)!r}; `tamaya agents` lists all"


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):  # too long for a path, or not valid in one
        return False


def _agent_in(file: Path, rest: str) -> tuple[Player, str]:
    """The agent of a file, and the part of a text with its parameters."""
    if file.suffix == ".py":
        name, _, parameters = rest.partition(":")
        return _agent_of_module(file, name), parameters
    load = _loader(file.suffix)
    assert load is not None
    return load(file), rest


@cache
def _import_agents() -> None:
    for room in ROOMS:
        package = importlib.import_module(room)
        for module in pkgutil.walk_packages(package.__path__, f"{room}."):
            importlib.import_module(module.name)


def _loader(suffix: str) -> Loader | None:
    """The loader for agent files with a suffix; packages of families register it."""
    _import_families()
    return loader_of(suffix)


@cache
def _import_families() -> None:
    families = importlib.import_module(FAMILIES)
    for module in pkgutil.iter_modules(families.__path__, f"{FAMILIES}."):
        if module.ispkg:
            importlib.import_module(module.name)


def _agent_of_module(path: Path, name: str) -> Player:
    """An agent of a user's file; its name may be omitted if the file has only one."""
    players = _load_module(path.resolve())
    if not name and len(players) == 1:
        name = next(iter(players))
    if name not in players:
        if not players:
            raise AgentError(f"{path} has no agent: decorate a function with @agent")
        wanted = f"no agent {name!r}: its agents are" if name else "several agents:"
        found, first = ", ".join(players), next(iter(players))
        raise AgentError(f"{path} has {wanted} {found}; name one, as in {path}:{first}")
    return players[name]


@cache
def _load_module(path: Path) -> dict[str, Player]:
    if not path.is_file():
        raise AgentError(f"agent file {path} does not exist")
    name = f"tamaya_file_{path.stem}_{hashlib.sha1(str(path).encode()).hexdigest()[:8]}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise AgentError(f"agent file {path} cannot be loaded")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    sys.path.insert(0, str(path.parent))
    # Python's bytecode cache misses an edit of the same length within the same second; kernels of
    # the old code would then be cached as those of the new.
    writes_no_bytecode, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        sys.modules.pop(name, None)
        line = _line_in(path, error)
        raise AgentError(f"agent file {path}{line}: {type(error).__name__}: {error}") from error
    finally:
        sys.dont_write_bytecode = writes_no_bytecode
        sys.path.remove(str(path.parent))
    return {
        value.name: value
        for value in vars(module).values()
        if isinstance(value, Player) and value.act_function.__module__ == name
    }


def _line_in(path: Path, error: Exception) -> str:
    """The line of a file that raised an exception, as `` line 3``."""
    if isinstance(error, SyntaxError) and error.lineno:
        return f", line {error.lineno}"
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == str(path)]
    return f", line {lines[-1]}" if lines else ""
