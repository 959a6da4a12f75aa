"""Speed of another checkout and of this one, measured alternately: before and after in one run.

Both sides run `tamaya bench` themselves, each time in a new process: each measures its own code
with its own cases, and rows are compared that are about the same. Compiled code is cached between
the processes, and compile time does not count.
"""

import json
import os
import subprocess
import sys
from collections import defaultdict
from dataclasses import dataclass
from math import inf
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple, TypeAlias

import tamaya
from tamaya.bench.cases import PEERS
from tamaya.bench.measure import (
    Audience,
    Plan,
    Round,
    Row,
    check_times,
    describe_machine,
    n_repetitions,
)

# What a row is about; rows of both sides that agree in all of these are compared.
KEYS = ("case", "players", "system", "what", "agent", "observation", "threads", "unit")
SHOWN = 500  # last characters of what a checkout printed, in an error message

Label: TypeAlias = tuple[Any, ...]


class Found(NamedTuple):
    """What one run of a checkout printed: a figure of each row, and why systems were skipped."""

    figures: dict[Label, float]
    skipped: dict[str, str]


@dataclass(frozen=True)
class Checkout:
    """A checkout as its user names it, and the folder that contains its package."""

    name: str
    source: Path


def checkout_at(path: Path) -> Checkout:
    """The checkout in a folder, or in the parent of its `src`; ValueError says what is missing."""
    if not path.exists():
        raise ValueError(f"there is no checkout {path}")
    for source in (path / "src", path):
        if (source / "tamaya" / "__init__.py").is_file():
            return Checkout(str(path), source.resolve())
    raise ValueError(f"{path} is no checkout: there is no package tamaya in it or in its src")


def this_checkout() -> Checkout:
    """The checkout that is running."""
    source = Path(tamaya.__file__).resolve().parent.parent
    return Checkout(str(source.parent if source.name == "src" else source), source)


def compare(
    plan: Plan, other: Checkout, seconds: float, repeat: int, audience: Audience | None = None
) -> dict[str, Any]:
    """Measure each round of a plan there and here in turns, this package alone.

    ValueError names a checkout whose `tamaya bench` fails, and what it printed.
    """
    check_times(seconds, repeat)
    tell = audience or Audience()
    sides = {"before": other, "after": this_checkout()}
    skipped = {system: why for system, why in plan.skipped.items() if system not in PEERS}
    rows, machine = [], describe_machine()
    for round in rounds_of(plan):
        n = n_repetitions(round.case, repeat)
        measured: dict[str, dict[Label, list[float]]] = {side: defaultdict(list) for side in sides}
        for k in range(n):
            for side, checkout in sides.items():
                tell.on_step(f"measuring {round} in {checkout.name}, {k + 1} of {n}")
                found = _run(checkout, round, seconds)
                for label, figure in found.figures.items():
                    measured[side][label].append(figure)
                for system in _ours(round):
                    if system in found.skipped:
                        skipped.setdefault(system, f"{side}: {found.skipped[system]}")
                tell.on_progress(1)
        labels = dict.fromkeys([*measured["after"], *measured["before"]])
        rows += [_row(label, *(side.get(label) for side in measured.values())) for label in labels]
    names = {side: checkout.name for side, checkout in sides.items()}
    return {**names, "cases": rows, "skipped": skipped, "machine": machine}


def rounds_of(plan: Plan) -> list[Round]:
    """The rounds of a plan in which this package takes part; peers are the same on both sides."""
    return [round for round in plan.rounds if _ours(round)]


def _ours(round: Round) -> set[str]:
    return {who.system for who in round.contenders} - set(PEERS)


def n_runs(plan: Plan, repeat: int) -> int:
    """Calls of ``on_progress`` that a comparison will make."""
    return sum(2 * n_repetitions(round.case, repeat) for round in rounds_of(plan))


def _run(checkout: Checkout, round: Round, seconds: float) -> Found:
    """What one `tamaya bench` of a checkout measures; nothing if it does not have the case."""
    words = _command(round, seconds)
    inherited = filter(None, [os.environ.get("PYTHONPATH")])
    path = os.pathsep.join([str(checkout.source), *inherited])
    # -P: a package in the current folder must not be taken for the one to measure.
    done = subprocess.run(
        [sys.executable, "-P", "-m", "tamaya", *words],
        env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True,
        stdin=subprocess.DEVNULL,
    )  # fmt: skip
    if f"unknown case {round.case.name!r}" in done.stderr:
        return Found({}, {})
    found = None if done.returncode else _found(done.stdout)
    if found is None:
        said = (done.stderr if done.returncode else done.stdout).strip() or "nothing"
        raise ValueError(
            f"{checkout.name}: `tamaya {' '.join(words)}` ended with status {done.returncode} "
            f"and printed: {said[-SHOWN:]}"
        )
    return found


def _found(text: str) -> Found | None:
    """The figures in a document of `tamaya bench`; None if it is no such document."""
    try:
        document = json.loads(text)
        rows = [row for row in document["cases"] if row["system"] not in PEERS]
        figures = {tuple(row.get(key) for key in KEYS): _figure(row) for row in rows}
        return Found(figures, dict(document["skipped"]))
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def _command(round: Round, seconds: float) -> list[str]:
    """The arguments that measure a round once, in words that old checkouts know too."""
    words = ["bench", "--case", round.case.name, "--seconds", str(seconds), "--repeat", "1"]
    if round.players:
        words += ["--players", str(round.players)]
    for system in sorted({who.system for who in round.case.contenders} - _ours(round)):
        words += ["--skip", system]
    return [*words, "--json"]


def _figure(row: Row) -> float:
    """Rate of a row, or its seconds in the start-up case; ValueError if it is not above 0."""
    figure = float(row["seconds"] if row["unit"] == "seconds" else row["per_second"])
    if not 0 < figure < inf:
        raise ValueError(f"no figure: {figure}")
    return figure


def _row(label: Label, before: list[float] | None, after: list[float] | None) -> Row:
    """A row of both sides; what one of them lacks is None, and so are the ratios."""
    about = {key: value for key, value in zip(KEYS, label, strict=True) if value is not None}
    best = min if about["unit"] == "seconds" else max
    row: Row = {**about, "before": None, "after": None, "ratio": None, "ratio_of_medians": None}
    for side, results in (("before", before), ("after", after)):
        if results:
            row[side] = {"best": best(results), "median": median(results),
                         "lowest": min(results), "highest": max(results)}  # fmt: skip
    if before and after:
        for key, figure in (("ratio", "best"), ("ratio_of_medians", "median")):
            ratio = row["after"][figure] / row["before"][figure]
            row[key] = 1 / ratio if about["unit"] == "seconds" else ratio
    return row
