"""Selection and variation of population-based training (Jaderberg et al. 2017), and its record.

`population.jsonl` has a line per generation: the score of every member, which member copied which,
and the values that every member continues with. So a result can be traced and repeated.
"""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tamaya.atomic import write_atomically
from tamaya.checked_files import blaming, checked, entry, read_json_lines

Values = dict[str, float]  # evolved settings by name
Priors = dict[str, tuple[float, float]]  # bounds between which logarithms are uniform

SHARE = 0.25  # of the members at the bottom, which copy as many at the top
FACTORS = (0.8, 1.2)
RESAMPLED = 0.25  # probability that a value is drawn again instead
HISTORY = "population.jsonl"


@dataclass(frozen=True)
class Takeover:
    """A member that continues with another one's network."""

    member: int  # from 0
    source: int
    values: Values  # that it continues with


@dataclass(frozen=True)
class PopulationGeneration:
    """The decisions after all members have played the same number of turns."""

    number: int
    turns: int  # of a member
    scores: list[float]  # none at the beginning
    takeovers: list[Takeover]
    values: list[Values]  # that the members continue with


def first_values(size: int, priors: Priors, seed: int) -> list[Values]:
    """Initial values of members: stratified draws, one from each equal part of each prior."""
    rng = np.random.default_rng([seed % 2**64, 0])
    columns = {}
    for name, bounds in priors.items():
        low, high = np.log(bounds)
        places = (rng.permutation(size) + rng.random(size)) / size
        columns[name] = np.exp(low + (high - low) * places)
    return [{name: float(column[k]) for name, column in columns.items()} for k in range(size)]


def explored(values: Values, priors: Priors, rng: np.random.Generator) -> Values:
    """Values slightly increased or decreased, or drawn again."""
    result = {}
    for name, value in values.items():
        if rng.random() < RESAMPLED:
            low, high = np.log(priors[name])
            result[name] = float(np.exp(rng.uniform(low, high)))
        else:
            result[name] = value * FACTORS[int(rng.integers(len(FACTORS)))]
    return result


def select(
    before: PopulationGeneration, turns: int, scores: list[float], priors: Priors, seed: int
) -> PopulationGeneration:
    """The next generation: the worst copy the best, if those are better."""
    number = before.number + 1
    rng = np.random.default_rng([seed % 2**64, number])
    n = max(1, int(SHARE * len(scores)))
    ranked = sorted(range(len(scores)), key=lambda member: -scores[member])
    values, takeovers = list(before.values), []
    for member in sorted(ranked[-n:]):
        source = ranked[int(rng.integers(n))]
        changed = explored(before.values[source], priors, rng)
        if scores[source] > scores[member]:
            values[member] = changed
            takeovers.append(Takeover(member, source, changed))
    return PopulationGeneration(number, turns, scores, takeovers, values)


def schedule(history: list[PopulationGeneration], member: int) -> list[dict[str, float]]:
    """The schedule behind a member's network: which values it used from which turn on."""
    rows: list[dict[str, float]] = []
    for generation in reversed(history):
        rows.insert(0, {"turns": generation.turns, **generation.values[member]})
        for takeover in generation.takeovers:
            if takeover.member == member:
                member = takeover.source
                break
    return [row for k, row in enumerate(rows)
            if k == 0 or {**row, "turns": 0} != {**rows[k - 1], "turns": 0}]  # fmt: skip


def write_history(folder: Path, history: list[PopulationGeneration]) -> None:
    """Store all decisions before the last one is carried out."""
    lines = (json.dumps(asdict(each)) + "\n" for each in history)
    write_atomically(folder / HISTORY, "".join(lines))


def read_history(folder: Path) -> list[PopulationGeneration]:
    """All generations so far; they must have the members and the evolved values of the first."""
    path = folder / HISTORY
    rows = read_json_lines(path) if path.exists() else []
    history: list[PopulationGeneration] = []
    for number, row in enumerate(rows):
        with blaming(path, f"line {number + 1}"):
            history.append(_generation(row, history))
    return history


def _generation(row: dict[str, Any], before: list[PopulationGeneration]) -> PopulationGeneration:
    """The generation of a row, which must be the next one."""
    number = len(before)
    if entry(row, "number", int) != number:
        raise ValueError(f"generation {number} should follow, not {row['number']}")
    scores = [checked(score, float, "a score") for score in entry(row, "scores", list)]
    values = [_values(each) for each in entry(row, "values", list)]
    size = len(before[0].values) if before else len(values)
    if len(values) != size or len(scores) != (size if before else 0):
        raise ValueError(f"{len(values)} values and {len(scores)} scores of {size} members")
    takeovers = [_takeover(each, size) for each in entry(row, "takeovers", list)]
    names = (before[0].values if before else values)[0].keys() if size else set()
    if any(each.keys() != names for each in (*values, *(taken.values for taken in takeovers))):
        raise ValueError(f"a member has other values than {', '.join(names)}")
    return PopulationGeneration(number, entry(row, "turns", int, 0), scores, takeovers, values)


def _takeover(found: Any, size: int) -> Takeover:
    """A takeover between two of some members."""
    document = checked(found, dict, "a takeover")
    member, source = (entry(document, who, int, 0) for who in ("member", "source"))
    if max(member, source) >= size:
        raise ValueError(f"there is no member {max(member, source)} of {size}")
    return Takeover(member, source, _values(document["values"]))


def _values(found: Any) -> Values:
    """The evolved values of a member."""
    values = checked(found, dict, "what a member learns with")
    return {name: checked(value, float, repr(name)) for name, value in values.items()}
