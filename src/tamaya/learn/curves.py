"""How training went: curves of runs, of whole folders of them, and of agents from their cards.

Reads what is on disk; torch is not needed.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tamaya.agents.learned.files import Network, read_card
from tamaya.learn.journal import read_journal


@dataclass(frozen=True)
class Curve:
    """The scores of a run along its turns, and of the network that was kept if it was tested."""

    name: str
    algorithm: str
    preset: str
    rules: str
    seed: int
    turns: int
    cpu_seconds: float
    points: tuple[tuple[int, float], ...]  # turns and mean score on the validation deals
    test: dict[str, Any] | None = None  # games, mean, se, perfect, histogram, ... of `tamaya ship`

    @property
    def best(self) -> float:
        """The highest validation score."""
        return max(mean for _, mean in self.points)

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {**asdict(self), "best": self.best}


def validation_points(folder: Path) -> list[tuple[int, float]]:
    """Validation means of a run by turns."""
    rows = (row for row in read_journal(folder) if "validation" in row)
    return [(row["turns"], round(row["validation"]["mean"], 3)) for row in rows]


def curves_of(text: str) -> list[Curve]:
    """The curves of a run's folder, of the runs in a folder, of a network's file or an agent."""
    path = Path(text)
    if path.is_dir():
        found = [*_runs_in(path)]
        if not found:
            raise ValueError(f"{text} holds no training run with a validated network yet")
        return found
    if path.suffix == ".npz":
        return _card_curves(path.stem, read_card(path))
    return _agent_curves(text)


def _runs_in(folder: Path) -> Iterator[Curve]:
    """The run of a folder, or those of the folders in it."""
    plans = [folder / "run.json"]
    if not plans[0].exists():
        plans = sorted(folder.glob("*/run.json"))
    for plan in plans:
        points = validation_points(plan.parent)
        if not points:
            continue
        document, last = json.loads(plan.read_text("utf-8")), read_journal(plan.parent)[-1]
        yield Curve(plan.parent.name, document["algorithm"], document["preset"],
                    document["rules"], document["seed"], last["turns"], last["cpu_seconds"],
                    tuple(points))  # fmt: skip


def _agent_curves(name: str) -> list[Curve]:
    """The curves that the cards of an agent's networks hold."""
    from tamaya.registry import find_agent

    networks: dict[int, Network] = getattr(find_agent(name), "networks", {})
    if not networks:
        raise ValueError(f"{name} was not trained: give folders of runs or learned agents")
    return [curve for network in networks.values() for curve in _card_curves(name, network.card)]


def _card_curves(name: str, card: dict[str, Any]) -> list[Curve]:
    """The curve of a card, and those of the other members if it comes of a population."""
    rows = [{**card, "name": name}, *card.get("others", ())]
    return [
        Curve(row["name"], row["algorithm"], row["preset"], card["rules"], row["seed"],
              row["turns"], row["cpu_seconds"],
              tuple((turns, mean) for turns, mean in row["curve"]), row.get("score"))
        for row in rows
        if row.get("curve")
    ]  # fmt: skip
