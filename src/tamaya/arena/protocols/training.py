"""Training: the learning curves of some runs, side by side.

Nothing is played here: the curves were recorded while the runs trained, and are read by
``tamaya.learn.curves``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tamaya.arena.protocols.documents import document_of, record_of
from tamaya.arena.protocols.protocol import (
    ProtocolConfig,
    ProtocolResult,
    RegisteredProtocol,
    Row,
    config_of,
)
from tamaya.arena.rule_texts import rule_text
from tamaya.arena.runner import Runner
from tamaya.rules import Rules


@dataclass(frozen=True)
class Curve:
    """Validation scores of a run by turns, and the test score of its network if it has one."""

    name: str
    algorithm: str
    preset: str
    rules: str
    seed: int
    turns: int
    cpu_seconds: float
    points: tuple[tuple[int, float], ...]  # turns and mean score on the validation deals
    test: dict[str, Any] | None = None  # games, mean, se, ... of `tamaya export-agent`

    @property
    def best(self) -> float:
        """The highest validation score."""
        return max(mean for _, mean in self.points)

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {**document_of(self), "best": self.best}


@dataclass(frozen=True)
class Config(ProtocolConfig):
    """Runs whose curves are shown."""

    sources: tuple[str, ...]  # folders of runs, files of networks, or learned agents

    @property
    def title(self) -> str:
        """The names of the sources."""
        return " ".join(Path(source).stem for source in self.sources)

    @property
    def games_text(self) -> str:
        """Every run has its own number of turns."""
        return "see the table"

    def n_games(self) -> int:
        """Nothing is played."""
        return 0

    def arguments(self) -> list[object]:
        """`tamaya curves` with the same sources."""
        return ["curves", *self.sources]


@dataclass(frozen=True)
class Result(ProtocolResult):
    """The curves of all runs."""

    config: Config
    curves: tuple[Curve, ...]
    seconds: float  # of CPU time, of all runs

    def to_document(self) -> dict[str, Any]:
        """For JSON and the store."""
        return {"curves": [curve.as_dict() for curve in self.curves]}

    @classmethod
    def from_document(cls, document: Mapping[str, Any], config: Mapping[str, Any]) -> "Result":
        """Reads ``to_document`` back."""
        curves = [record_of(Curve, curve) for curve in document["curves"]]
        known = config_of(Config, config, sources=[curve.name for curve in curves])
        return run(known, None, curves)

    def rows(self) -> list[Row]:
        """A row for each run, with its test score, and one for each point of its curve."""
        rows: list[Row] = []
        for curve in self.curves:
            rules = Rules.parse(curve.rules)
            head = {"row": curve.name, "seed": curve.seed, "rules": rule_text(rules),
                    "players": rules.players, "hand_size": rules.hand_size,
                    "algorithm": curve.algorithm, "preset": curve.preset}  # fmt: skip
            test = dict(curve.test or {})
            if "histogram" in test:
                test["histogram"] = " ".join(map(str, test["histogram"]))
            if "seed" in test:
                test["test_seed"] = test.pop("seed")
            rows.append({"figure": "run", **head, **test, "turns": curve.turns,
                         "cpu_seconds": curve.cpu_seconds,
                         "best_validation": curve.best})  # fmt: skip
            rows += [{"figure": "validation", **head, "turns": turns, "mean": mean}
                     for turns, mean in curve.points]  # fmt: skip
        return rows


def run(config: Config, runner: Runner | None, curves: Sequence[Curve]) -> Result:
    """Collect curves that were read elsewhere."""
    return Result(config, tuple(curves), sum(curve.cpu_seconds for curve in curves))


PROTOCOL = RegisteredProtocol("training", Config, Result, run)
