"""Agents of runs as guests: immutable copies with unique names.

A run in progress replaces its network every few minutes, and a partner must not change in the
middle of a game. So an agent is copied before it takes a seat, into a folder of the server, and
named after the run and its content. Servers and engines find it by that name; if the copy is
deleted, the agent is unknown, and the host gives its seat to another.
"""

import re
from hashlib import sha256
from pathlib import Path

from tamaya.atomic import write_atomically
from tamaya.cache_places import cache_root
from tamaya.checked_files import FileError, check_unpacked
from tamaya.lookup import find_agent
from tamaya.player import AgentError, Player
from tamaya.registry import register, registered

MOST_BYTES, MOST_UNPACKED = 64 << 20, 256 << 20  # of a network
_LONGEST = 28  # characters of a run's part of the name
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_+-]{0,27}-[0-9a-f]{8}")
SUFFIXES = (".rules", ".npz")


def snapshot_folder() -> Path:
    """Where the copies are."""
    return cache_root() / "guests"


def keep_rules(run: str, text: str) -> str:
    """Copy a rule list; returns the name of its agent, AgentError says why it is none."""
    content = text.encode()
    return _kept(_name(run, content), {".rules": content})


def keep_network(run: str, path: Path) -> str:
    """Copy a network that was checked; returns the name of its agent."""
    parts = {".json": path.with_suffix(".json"), ".npz": path}  # the weights last: they make it one
    try:
        if path.stat().st_size > MOST_BYTES:
            raise AgentError(f"{path.name} has more than {MOST_BYTES >> 20} MB")
        check_unpacked(path, MOST_UNPACKED)
        contents = {suffix: part.read_bytes() for suffix, part in parts.items()}
    except OSError as error:
        raise AgentError(f"{path.name}: {error.strerror or error}") from None
    except FileError as error:
        raise AgentError(str(error)) from None
    return _kept(_name(run, b"".join(contents.values())), contents)


def _name(run: str, content: bytes) -> str:
    slug = re.sub(r"[^A-Za-z0-9_+]+", "-", run).strip("-_+")[:_LONGEST].rstrip("-") or "run"
    return f"{slug}-{sha256(content).hexdigest()[:8]}"


def _kept(name: str, contents: dict[str, bytes]) -> str:
    folder = snapshot_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for suffix, content in contents.items():
            path = folder / f"{name}{suffix}"
            if not path.exists():
                write_atomically(path, content)
    except OSError as error:
        raise AgentError(f"{name} cannot be copied: {error.strerror or error}") from None
    try:
        find_snapshot(name)
    except AgentError:
        for suffix in contents:
            (folder / f"{name}{suffix}").unlink(missing_ok=True)
        raise
    return name


def find_snapshot(name: str) -> Player | None:
    """Make the agent of a copy known by its name; None if there is no such copy."""
    if not _NAME.fullmatch(name):
        return None
    for suffix in SUFFIXES:
        path = snapshot_folder() / f"{name}{suffix}"
        if path.is_file():
            return registered().get(name) or register(find_agent(str(path)))
    return None


def known_agent(text: str) -> Player:
    """The agent of a text, which may name a copy; AgentError says what is wrong with it."""
    find_snapshot(text.partition(":")[0])
    return find_agent(text)
