"""The folder of a run: its settings are recorded, and a different run is refused."""

import json
from pathlib import Path
from typing import Any

from tamaya.atomic import write_atomically
from tamaya.checked_files import blaming, checked, entry, read_json
from tamaya.run_folder import RunError, make_folder

PLAN = "run.json"

_KINDS: dict[str, type] = {
    "faithful": bool, "variation": str, "crossover": float, "mutation": float,
    **dict.fromkeys(("population", "generations", "games", "elite", "tournament", "finalists",
                     "final_games", "seed", "length", "cells", "random", "variants"), int),
}  # fmt: skip


def read_run(folder: Path) -> dict[str, Any] | None:
    """The settings of the run in a folder, None if there is none."""
    path = folder / PLAN
    if not path.exists():
        return None
    document = read_json(path)
    if "algorithm" in document and "genes" not in document:  # runs of elites have both
        raise RunError(f"{folder} contains a training run ({document['algorithm']}), not one of "
                       "evolution: choose another folder")  # fmt: skip
    with blaming(path):
        _check(document)
    return document


def _check(document: dict[str, Any]) -> None:
    """Refuse a document that does not describe a run."""
    entry(document, "code", str)
    for name in ("genes", "known"):
        for text in entry({"known": [], **document}, name, list):
            checked(text, str, f"an entry of {name!r}")
    for name in _KINDS.keys() & document.keys():
        entry(document, name, _KINDS[name])
    protocol = entry(document, "protocol", dict)
    for name in ("kind", "pool", "rules"):
        entry(protocol, name, str)
    for size in entry(protocol, "players", list):
        checked(size, int, "a number of players")


def check_or_write(folder: Path, document: dict[str, Any], made_with: dict[str, str]) -> None:
    """Record a new run; refuse a folder with a different run, or one made by different code."""
    make_folder(folder)
    document = json.loads(json.dumps(document))
    before = read_run(folder)
    if before is None:
        write_atomically(folder / PLAN, json.dumps({**document, **made_with}, indent=1))
        return
    were = _flat(before)
    if were.get("algorithm") != document.get("algorithm"):
        kinds = "elites" if "algorithm" in were else "evolve"
        raise RunError(f"{folder} contains a run of `tamaya {kinds}`: choose another folder")
    for key, value in _flat(document).items():
        if were.get(key) != value:
            raise RunError(f"{folder} contains another run: its {key} is "
                           f"{_short(were.get(key))}, not {_short(value)}")  # fmt: skip
    if before["code"] != made_with["code"]:
        raise RunError(f"{folder} was made by different code (version {before.get('version')}): "
                       "choose another folder")  # fmt: skip


def _flat(document: dict[str, Any]) -> dict[str, Any]:
    """A document merged with the entries of its protocol."""
    return {**document, **document["protocol"], "protocol": None}


def _short(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 60 else text[:57] + "..."
