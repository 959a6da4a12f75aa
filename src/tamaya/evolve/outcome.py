"""Reading the folder of an evolution run, during the run or afterwards.

Nothing here imports the evolution libraries, so that a server can show runs without them.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tamaya.agents.rules.language import parse_rules
from tamaya.checked_files import blaming, checked, entry, read_json, read_json_lines

CURVES, TOP = "generations.jsonl", "top.json"


@dataclass(frozen=True)
class Finalist:
    """An individual of the last generation, played again."""

    mean: float
    se: float
    games: int
    cells: list[float]
    chromosome: list[int]
    rules: str  # those that made a move
    fitness: float  # in the last generation

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return self.__dict__.copy()


def generations_in(folder: Path) -> list[dict[str, Any]]:
    """The curves of the run in a folder, up to its last generation so far."""
    path = folder / CURVES
    rows = read_json_lines(path) if path.exists() else []
    for number, row in enumerate(rows):
        with blaming(path, f"line {number + 1}"):
            if entry(row, "generation", int) != number:
                raise ValueError(f"generation {number} should follow, not {row['generation']}")
            for name in ("best", "mean", "sd", "seconds"):
                entry(row, name, float)
    return rows


def finalists_in(folder: Path) -> list[Finalist]:
    """The finalists of a finished run in a folder."""
    path = folder / TOP
    documents = read_json(path, list)
    with blaming(path):
        if not documents:
            raise ValueError("there are no finalists")
        return [_finalist(checked(document, dict, "a finalist")) for document in documents]


def _finalist(document: dict[str, Any]) -> Finalist:
    """The finalist of a document."""
    kinds = {"mean": float, "se": float, "games": int, "cells": list, "chromosome": list,
             "rules": str, "fitness": float}  # fmt: skip
    finalist = Finalist(**{name: entry(document, name, kind) for name, kind in kinds.items()})
    for mean in finalist.cells:
        checked(mean, float, "an entry of 'cells'")
    parse_rules(finalist.rules)
    return finalist
