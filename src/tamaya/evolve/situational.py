"""Agents specialised by number of players: one run per group, combined into one agent."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from tamaya.agent import parse_players
from tamaya.agents.rules.language import SIZES
from tamaya.atomic import write_atomically
from tamaya.checked_files import blaming, checked, read_json
from tamaya.evolve.folder import read_run
from tamaya.run_folder import RunError, make_folder

if TYPE_CHECKING:  # reading parts does not need the evolution libraries
    from tamaya.evolve.genetic import Config

PARTS = "parts.json"


def split_sizes(text: str, players: Sequence[int]) -> dict[str, tuple[int, ...]]:
    """Groups of sizes by name: ``each`` size separately, or ``2,3-5``; ``no`` for one group."""
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


def specialised(config: "Config", sizes: Sequence[int]) -> "Config":
    """The same run for some numbers of players only."""
    return replace(config, protocol=replace(config.protocol, players=tuple(sizes)))


def write_parts(folder: Path, groups: dict[str, tuple[int, ...]]) -> None:
    """Record which runs make up an agent."""
    make_folder(folder)
    write_atomically(folder / PARTS, json.dumps({name: list(s) for name, s in groups.items()}))


def read_parts(folder: Path) -> dict[str, tuple[int, ...]] | None:
    """The groups of a folder with several runs, None for a single run."""
    path = folder / PARTS
    if not path.exists():
        return None
    document = read_json(path)
    with blaming(path):
        if not document:
            raise ValueError("there are no parts")
        return {name: tuple(checked(size, int, "a number of players")
                            for size in checked(sizes, list, repr(name)))
                for name, sizes in document.items()}  # fmt: skip


def agreed_parts(
    folder: Path, split: str | None, players: Sequence[int]
) -> dict[str, tuple[int, ...]]:
    """The groups of an existing folder, or those of a new one; a different split is refused."""
    kept = read_parts(folder)
    if kept is None and read_run(folder) is None:
        return split_sizes(split or "no", players)
    kept = kept or {"": tuple(players)}
    covered = sorted(size for sizes in kept.values() for size in sizes)
    if sorted(players) != covered or (split and split_sizes(split, players) != kept):
        how = f"split into {', '.join(kept)}" if "" not in kept else "not split"
        raise RunError(f"{folder} contains another run: it is {how}")
    return kept


def combine(folder: Path, groups: dict[str, tuple[int, ...]]) -> str:
    """Combine the best of every part into one agent, written to ``best.rules`` of the folder.

    A size that no part covers gets the list of the nearest.
    """
    heads: list[str] = []
    bodies: list[str] = []
    lists: dict[int, list[str]] = {}
    for name, sizes in groups.items():
        lines = (folder / name / "best.rules").read_text(encoding="utf-8").splitlines()
        heads += [line for line in lines if line.startswith("#")]
        rules = [line for line in lines if line[:1].isupper()]
        bodies += [f"[{name}]", *rules]
        options = [line for line in lines if line[:1].islower()]
        lists |= dict.fromkeys(sizes, rules)
    for size in SIZES:
        if size not in lists:
            nearest = min(lists, key=lambda other: abs(other - size))
            bodies += [f"[{size}]", *lists[nearest]]
    text = "\n".join([*heads, *options, *bodies]) + "\n"
    write_atomically(folder / "best.rules", text)
    return text
