"""Measuring: the systems of a case take turns, so that noise affects all of them alike.

Each loop is called until everything is compiled and caches are warm, and only then timed, with a
number of games that takes about the given time. The best repetition counts: noise only slows down.
"""

import gc
import os
import platform
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from statistics import median
from time import perf_counter, process_time
from typing import Any, NamedTuple

from tamaya.bench.cases import CASES, CPU, SYSTEMS, Case, Contender, missing_modules

Row = dict[str, Any]

# Systems that the others are compared with, and in which cases; () means all.
REFERENCES: dict[str, tuple[str, ...]] = {
    "hle": (),
    "openspiel": ("all", "vector-all"),
    "jaxmarl": ("vector", "vector-all"),
}
STARTUP_REPEAT = 3
LONGEST = 3600  # seconds of one measurement
_PACKAGES = ("numpy", "numba", "hanabi-learning-environment", "open-spiel", "pettingzoo",
             "shimmy", "jaxmarl", "jax", "torch")  # fmt: skip


@dataclass(frozen=True)
class Round:
    """A case for one number of players, with its systems."""

    case: Case
    players: int | None
    contenders: tuple[Contender, ...]

    def __str__(self) -> str:
        return self.case.name + (f" with {self.players} players" if self.players else "")


class Audience(NamedTuple):
    """Callbacks for progress and for the next step."""

    on_progress: Callable[[int], None] = lambda n: None
    on_step: Callable[[str], None] = lambda text: None


@dataclass
class Plan:
    """Everything that one run measures, and which systems it skips and why."""

    rounds: list[Round]
    skipped: dict[str, str]

    def n_steps(self, repeat: int) -> int:
        """Calls of ``on_progress`` that the run will make."""
        return sum(
            len(round.contenders) * (1 + n_repetitions(round.case, repeat)) for round in self.rounds
        )


def make_plan(
    cases: Iterable[str] = (), players: Sequence[int] = (2, 5), skip: Iterable[str] = ()
) -> Plan:
    """The rounds of some cases, by default all; ValueError names an unknown case or system."""
    chosen = list(dict.fromkeys(cases)) or list(CASES)
    _check_names("case", chosen, CASES)
    skipped = dict.fromkeys(skip, "not wanted")
    _check_names("system", skipped, SYSTEMS)
    for system in SYSTEMS:
        if missing := missing_modules(system):
            skipped.setdefault(system, f"not installed: {', '.join(missing)}")
    rounds = []
    for case in (CASES[name] for name in chosen):
        wanted = [who for who in case.contenders if who.system not in skipped]
        for count in case.players or tuple(players):
            able = tuple(who for who in wanted if not who.players or count in who.players)
            rounds.append(Round(case, count, able))
    return Plan(rounds, skipped)


def _check_names(kind: str, names: Iterable[str], known: Iterable[str]) -> None:
    for name in names:
        if name not in known:
            raise ValueError(f"unknown {kind} {name!r}: expected one of {', '.join(known)}")


def run_plan(
    plan: Plan,
    seconds: float = 1.0,
    repeat: int = 5,
    on_progress: Callable[[int], None] = lambda n: None,
    on_step: Callable[[str], None] = lambda text: None,
) -> dict[str, Any]:
    """Measure everything in a plan; systems that cannot be imported are skipped.

    ``on_step`` is called with the next step before anything that may take long.
    """
    check_times(seconds, repeat)
    machine = describe_machine()
    rows: list[Row] = []
    for round in plan.rounds:
        rows += _measure_round(round, plan.skipped, seconds, repeat, Audience(on_progress, on_step))
    _add_ratios(rows)
    _add_speedups(rows)
    machine["load_after"] = _load()
    return {"cases": rows, "skipped": plan.skipped, "machine": machine}


def check_times(seconds: float, repeat: int) -> None:
    """Refuse measurements without time or without end."""
    if not 0 < seconds <= LONGEST:
        raise ValueError(f"seconds must be above 0 and at most {LONGEST}, not {seconds}")
    if repeat < 1:
        raise ValueError(f"repeat must be at least 1, not {repeat}")


def _measure_round(
    round: Round,
    skipped: dict[str, str],
    seconds: float,
    repeat: int,
    audience: Audience,
) -> list[Row]:
    n = n_repetitions(round.case, repeat)
    measured: list[tuple[Contender, Callable[[], float], list[float]]] = []
    for contender in round.contenders:
        if contender.system in skipped:  # detected in an earlier round
            audience.on_progress(1 + n)
            continue
        audience.on_step(f"preparing {contender.system} for {round}")
        try:
            loop = contender.prepare(round.players or 0)
        except (ImportError, OSError) as error:
            skipped[contender.system] = f"cannot be imported: {error}"
            audience.on_progress(1 + n)
            continue
        measured.append((contender, _timer(round.case, loop, seconds), []))
        audience.on_progress(1)
    audience.on_step(f"measuring {round}")
    for _ in range(n):
        for _, measure, results in measured:
            results.append(measure())
            audience.on_progress(1)
    return [_row(round, contender, results) for contender, _, results in measured]


def n_repetitions(case: Case, repeat: int) -> int:
    """How often a case is measured; start-up takes long and varies little."""
    return min(repeat, STARTUP_REPEAT) if case.unit == "seconds" else repeat


def _timer(case: Case, loop: Callable[[int], float], seconds: float) -> Callable[[], float]:
    """A function that measures a loop once: its rate, or its seconds in the start-up case."""
    if case.unit == "seconds":
        return lambda: loop(1)
    clock = process_time if case.clock == CPU else perf_counter
    n = _calibrate(loop, clock, seconds)

    def measure() -> float:
        gc.collect()
        started = clock()
        n_done = loop(n)
        return n_done / max(clock() - started, 1e-9)

    return measure


def _calibrate(loop: Callable[[int], float], clock: Callable[[], float], seconds: float) -> int:
    """The number of games that take about that many seconds, once all is compiled and warm."""
    loop(1)  # compiles; not timed
    n = 1
    while True:
        started = clock()
        loop(n)
        elapsed = clock() - started
        if elapsed >= seconds / 5:
            return max(1, round(n * seconds / elapsed))
        n *= 3


def _row(round: Round, contender: Contender, results: list[float]) -> Row:
    is_rate = round.case.unit != "seconds"
    best = max(results) if is_rate else min(results)
    row: Row = {
        "case": round.case.name,
        "players": round.players,
        "system": contender.system,
        "per_second": best if is_rate else None,
        "unit": round.case.unit,
        "median": median(results),
        "lowest": min(results),
        "highest": max(results),
        "clock": round.case.clock,
        **contender.details,
    }
    if not is_rate:
        row["seconds"] = best
    return row


def _add_ratios(rows: list[Row]) -> None:
    """Each rate divided by that of the reference systems in the same case.

    JaxMARL encodes all seats, so its figure in `vector` also serves `vector-all`.
    """
    rates = {(row["case"], row["players"], row["system"]): row["per_second"] for row in rows}
    for row in rows:
        for system, cases in REFERENCES.items():
            if cases and row["case"] not in cases:
                continue
            rate = rates.get((row["case"], row["players"], system))
            if rate is None and system == "jaxmarl":
                rate = rates.get(("vector", row["players"], system))
            ratio = row["per_second"] / rate if rate and row["per_second"] else None
            row[f"ratio_to_{system}"] = ratio


def _add_speedups(rows: list[Row]) -> None:
    """In the `table` case, the rate of each row divided by that on one thread."""
    table = [row for row in rows if row["case"] == "table"]
    single = {row["agent"]: row["per_second"] for row in table if row["threads"] == 1}
    for row in table:
        row["speedup"] = row["per_second"] / single[row["agent"]]


def describe_machine() -> dict[str, Any]:
    """The machine and the versions that were measured."""
    return {
        "python": platform.python_version(),
        **{name: found for name in _PACKAGES if (found := _version(name))},
        "cpu": _cpu_name(),
        "cpus": os.cpu_count(),
        "system": platform.platform(),
        "load": _load(),
    }


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _cpu_name() -> str:
    try:
        with open("/proc/cpuinfo") as lines:
            names = [line.partition(":")[2].strip() for line in lines if "model name" in line]
    except OSError:
        names = []
    return names[0] if names else platform.processor()


def _load() -> list[float] | None:
    """The load of the machine over the last 1, 5 and 15 minutes."""
    return list(os.getloadavg()) if hasattr(os, "getloadavg") else None
