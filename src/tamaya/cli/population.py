"""`tamaya train --population`: runs that evolve together, in one folder."""

import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tamaya.cli.options import print_table
from tamaya.cli.training_bar import TrainingBar

if TYPE_CHECKING:
    from tamaya.learn.plan import TrainingPlan
    from tamaya.learn.population import Population, PopulationConfig


@dataclass(frozen=True)
class Workers:
    """Where a population trains."""

    on: str  # processes or ray
    n: int
    address: str | None  # of a Ray cluster

    def __post_init__(self) -> None:
        if self.on not in ("processes", "ray"):
            raise ValueError(f"--on must be processes or ray, not {self.on!r}")


def agreed_config(
    before: "tuple[PopulationConfig, TrainingPlan] | None",
    size: int | None,
    interval: int | None,
    folder: Path,
) -> "PopulationConfig":
    """The config of an existing population, which must agree with the options, or a new one."""
    from tamaya.learn.population import PopulationConfig

    given = {key: value for key, value in (("size", size), ("interval", interval)) if value}
    if before is None:
        return replace(PopulationConfig(), **given)
    for key, value in given.items():
        if getattr(before[0], key) != value:
            there = getattr(before[0], key)
            raise ValueError(f"the population in {folder} has {key} {there}, not {value}")
    return before[0]


def train_population(population: "Population", workers: Workers, hours: float) -> dict[str, Any]:
    """Train a population with progress on standard error; returns a document about it."""
    size, turns = population.config.size, population.plan.turns
    with _Bar(population.folder.name, size, turns) as show:
        if workers.on == "ray":
            from tamaya.learn.on_ray import train_on_ray

            train_on_ray(population, workers.n, workers.address, hours, show)
        else:
            population.train(workers.n, hours, show)
    return _document(population)


class _Bar(TrainingBar):
    """Progress of all members together."""

    def __init__(self, label: str, size: int, turns: int) -> None:
        super().__init__(label, turns)
        self.turns, self.scores = [0] * size, ["-"] * size

    def show(self, member: int, row: dict[str, Any]) -> None:
        """Show the progress of a member after a batch."""
        self.turns[member] = row["turns"]
        news = ""
        if "validation" in row:
            self.scores[member] = f"{row['validation']['mean']:.2f}"
            speed = row.get("turns_per_second")
            pace = f"{speed:,.0f} per second, " if speed is not None else ""
            news = (f"member {member + 1}: score {self.scores[member]}, {row['turns'] / 1e6:.1f}M "
                    f"turns, {pace}learning rate {row['learning_rate']:.1e}, "
                    f"entropy weight {row['entropy_weight']:.1e}")  # fmt: skip
        done = sum(self.turns)
        self.move(done, f"scores {' '.join(self.scores)}, {done / 1e6:.1f}M turns", news)


def _document(population: "Population") -> dict[str, Any]:
    from tamaya.learn.curves import validation_points

    agent = population.folder / "best.npz"
    members = range(population.config.size)
    return {
        "folder": str(population.folder),
        "turns": sum(map(population.n_turns, members)),
        "planned_turns": population.plan.turns,
        "generations": len(population.history) - 1,
        "members": [{"folder": str(population.home(k)), **population.history[-1].values[k],
                     "curve": validation_points(population.home(k))} for k in members],
        "agent": str(agent) if agent.exists() else None,
    }  # fmt: skip


def print_population(document: dict[str, Any]) -> None:
    """Show the members and where the best network is."""
    rows = []
    for number, member in enumerate(document["members"], 1):
        means = [mean for _, mean in member["curve"]]
        last, best = (f"{means[-1]:.2f}", f"{max(means):.2f}") if means else ("-", "-")
        rate, entropy = member["learning_rate"], member["entropy"]
        rows.append([str(number), last, best, f"{rate:.1e}", f"{entropy:.1e}"])
    print_table(
        f"{document['turns']:,} of {document['planned_turns']:,} turns, "
        f"{document['generations']} generations",
        ["member", "last score", "best score", "learning rate", "entropy weight"],
        rows,
        left=1,
    )
    if document["agent"]:
        sys.stdout.write(f"The best is an agent: tamaya selfplay {document['agent']}\n")
