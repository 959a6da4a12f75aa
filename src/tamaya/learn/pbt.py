"""Selection and variation of population-based training (Jaderberg et al. 2017), and its record.

`population.jsonl` has a line per generation: the score of every member, who took over whose
network, and what every member goes on with. So what was found can be followed, and done again.
"""

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

Values = dict[str, float]  # evolved settings by name
Priors = dict[str, tuple[float, float]]  # bounds between which logarithms are uniform

SHARE = 0.25  # of the members, at the bottom, that take over networks of as many at the top
FACTORS = (0.8, 1.2)
RESAMPLED = 0.25  # chance of a value to be drawn anew instead


@dataclass(frozen=True)
class Takeover:
    """A member that goes on with another one's network."""

    member: int  # from 0
    source: int
    values: Values  # that it goes on with


@dataclass(frozen=True)
class Generation:
    """What was decided when all members had played so many turns each."""

    number: int
    turns: int  # of a member
    scores: list[float]  # none at the beginning
    takeovers: list[Takeover]
    values: list[Values]  # with which the members go on


def first_values(size: int, priors: Priors, seed: int) -> list[Values]:
    """What members begin with: of each prior, one value from each of as many equal parts."""
    rng = np.random.default_rng([seed % 2**64, 0])
    columns = {}
    for name, bounds in priors.items():
        low, high = np.log(bounds)
        parts = (rng.permutation(size) + rng.random(size)) / size
        columns[name] = np.exp(low + (high - low) * parts)
    return [{name: float(column[k]) for name, column in columns.items()} for k in range(size)]


def explored(values: Values, priors: Priors, rng: np.random.Generator) -> Values:
    """Values a little larger or smaller, or drawn anew."""
    result = {}
    for name, value in values.items():
        if rng.random() < RESAMPLED:
            low, high = np.log(priors[name])
            result[name] = float(np.exp(rng.uniform(low, high)))
        else:
            result[name] = value * FACTORS[int(rng.integers(len(FACTORS)))]
    return result


def select(before: Generation, turns: int, scores: list[float], priors: Priors, seed: int
           ) -> Generation:  # fmt: skip
    """The next generation: the worst take over from the best, if those are better at all."""
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
    return Generation(number, turns, scores, takeovers, values)


def schedule(history: list[Generation], member: int) -> list[dict[str, float]]:
    """What led to a member's network: from how many turns on it learned with which values."""
    rows: list[dict[str, float]] = []
    for generation in reversed(history):
        rows.insert(0, {"turns": generation.turns, **generation.values[member]})
        for takeover in generation.takeovers:
            if takeover.member == member:
                member = takeover.source
                break
    return [row for k, row in enumerate(rows)
            if k == 0 or {**row, "turns": 0} != {**rows[k - 1], "turns": 0}]  # fmt: skip


def write_history(folder: Path, history: list[Generation]) -> None:
    """Put all decisions down for good, before the last is carried out."""
    partial = folder / "population.partial"
    with open(partial, "w", encoding="utf-8") as file:
        file.writelines(json.dumps(asdict(each)) + "\n" for each in history)
        file.flush()
        os.fsync(file.fileno())
    partial.replace(folder / "population.jsonl")


def read_history(folder: Path) -> list[Generation]:
    """All generations so far."""
    path = folder / "population.jsonl"
    rows: list[dict[str, Any]] = []
    if path.exists():
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [Generation(**{**row, "takeovers": [Takeover(**each) for each in row["takeovers"]]})
            for row in rows]  # fmt: skip
