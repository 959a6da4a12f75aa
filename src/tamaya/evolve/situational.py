"""Agents specialised by game size: one run for each group of sizes, put together in one agent."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from tamaya.agent import parse_players
from tamaya.evolve.folder import write_atomically
from tamaya.evolve.genetic import Config

PARTS = "parts.json"


def split_sizes(text: str, players: Sequence[int]) -> dict[str, tuple[int, ...]]:
    """Groups of sizes by name: ``each`` size for itself, or ``2,3-5``; ``no`` for one group."""
    if text == "no":
        return {"": tuple(players)}
    if text == "each":
        return {str(size): (size,) for size in players}
    groups = {}
    for part in text.split(","):
        low, high = parse_players(part.strip())
        groups[part.strip()] = tuple(range(low, high + 1))
    covered = sorted(size for sizes in groups.values() for size in sizes)
    if covered != sorted(players):
        raise ValueError(f"the split {text!r} must name each of "
                         f"{', '.join(map(str, players))} players once")  # fmt: skip
    return groups


def specialised(config: Config, sizes: Sequence[int]) -> Config:
    """The same run for some numbers of players only."""
    return replace(config, protocol=replace(config.protocol, players=tuple(sizes)))


def write_parts(folder: Path, groups: dict[str, tuple[int, ...]]) -> None:
    """Note which runs make up an agent."""
    folder.mkdir(parents=True, exist_ok=True)
    write_atomically(folder / PARTS, json.dumps({name: list(s) for name, s in groups.items()}))


def read_parts(folder: Path) -> dict[str, tuple[int, ...]] | None:
    """The groups of a folder that holds several runs, None for a single one."""
    path = folder / PARTS
    if not path.exists():
        return None
    return {name: tuple(sizes) for name, sizes in json.loads(path.read_text()).items()}


def combine(folder: Path, groups: dict[str, tuple[int, ...]]) -> str:
    """One agent of the best of every part, written to ``best.rules`` of the folder."""
    heads: list[str] = []
    bodies: list[str] = []
    for name in groups:
        lines = (folder / name / "best.rules").read_text(encoding="utf-8").splitlines()
        heads += [line for line in lines if line.startswith("#")]
        bodies += [f"[{name}]", *(line for line in lines if line[:1].isupper())]
        options = [line for line in lines if line[:1].islower()]
    text = "\n".join([*heads, *options, *bodies]) + "\n"
    write_atomically(folder / "best.rules", text)
    return text
