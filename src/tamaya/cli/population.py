"""`tamaya train --population`: runs that evolve together, in one folder."""

import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tamaya.cli.options import print_table
from tamaya.cli.training_bar import TrainingBar

if TYPE_CHECKING:
    from tamaya.learn.population import Census
    from tamaya.learn.run import Plan


@dataclass(frozen=True)
class Place:
    """Where a population trains."""

    on: str  # processes or ray
    workers: int
    address: str | None  # of a Ray cluster


def agreed_census(
    before: "tuple[Census, Plan] | None", size: int | None, interval: int | None
) -> "Census":
    """What the population that is there was told, which must agree with what is given now."""
    from tamaya.learn.population import Census

    given = {key: value for key, value in (("size", size), ("interval", interval)) if value}
    if before is None:
        return replace(Census(), **given)
    for key, value in given.items():
        if getattr(before[0], key) != value:
            there = getattr(before[0], key)
            raise ValueError(f"the population in this folder has {key} {there}, not {value}")
    return before[0]


def train_population(
    folder: Path, census: "Census", plan: "Plan", place: Place, hours: float
) -> dict[str, Any]:
    """Train a population with progress on standard error; gives what there is to say of it."""
    from tamaya.learn.population import Population

    if place.on not in ("processes", "ray"):
        raise ValueError(f"unknown place {place.on!r}: expected processes or ray")
    population = Population(folder, census, plan)
    with _Bar(folder.name, census, plan) as show:
        if place.on == "ray":
            from tamaya.learn.on_ray import train_on_ray

            train_on_ray(population, place.workers, place.address, hours, show)
        else:
            population.train(place.workers, hours, show)
    return _document(population)


class _Bar(TrainingBar):
    """Progress of all members together."""

    def __init__(self, label: str, census: "Census", plan: "Plan") -> None:
        super().__init__(label, plan.turns)
        self.turns, self.scores = [0] * census.size, ["-"] * census.size

    def show(self, member: int, row: dict[str, Any]) -> None:
        """Show what a batch of a member brought."""
        self.turns[member] = row["turns"]
        news = ""
        if "validation" in row:
            self.scores[member] = f"{row['validation']['mean']:.2f}"
            pace = f"{row['turns_per_second']:,.0f} a second, " if "turns_per_second" in row else ""
            news = (f"member {member + 1}: score {self.scores[member]}, {row['turns'] / 1e6:.1f}M "
                    f"turns, {pace}learning rate {row['learning_rate']:.1e}, "
                    f"entropy weight {row['entropy_weight']:.1e}")  # fmt: skip
        done = sum(self.turns)
        self.move(done, f"scores {' '.join(self.scores)}, {done / 1e6:.1f}M turns", news)


def _document(population: Any) -> dict[str, Any]:
    from tamaya.learn.curves import validation_points

    agent = population.folder / "best.npz"
    members = range(population.census.size)
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
