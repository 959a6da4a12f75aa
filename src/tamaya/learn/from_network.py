"""Runs that begin with the network of another run: its weights and turn count, nothing else.

The optimiser starts afresh, and a learner with a replay buffer fills it by playing. The plan of the
run names the network, and so do its log and the metadata of the resulting networks.
"""

from pathlib import Path
from typing import Any, NamedTuple

from tamaya.agents.learned.files import Metadata, Weights, read_network
from tamaya.checked_files import blaming, entry, read_arrays
from tamaya.learn.curves import curves_of
from tamaya.learn.plan import TrainingPlan
from tamaya.learn.validation import full_metadata
from tamaya.rules import Rules


class Source(NamedTuple):
    """The network that a run begins with."""

    path: Path
    metadata: Metadata
    weights: Weights
    curve: list[tuple[int, float]]  # its validation scores by turns, if its metadata have them

    @property
    def turns(self) -> int:
        """Turns that it has learned from."""
        return self.metadata["turns"]

    @property
    def cpu_seconds(self) -> float:
        """CPU seconds that it took, if known."""
        return float(self.metadata.get("cpu_seconds", 0))

    def __str__(self) -> str:
        return f"{self.path.name} after {self.turns:,} turns"


def read_source(path: Path) -> Source:
    """The network of a file; an error names the file and the problem."""
    metadata = read_network(path).metadata
    with blaming(path.with_suffix(".json")):
        entry(metadata, "turns", int, least=0)
        if "cpu_seconds" in metadata:
            entry(metadata, "cpu_seconds", float, least=0)
    curve = list(curves_of(str(path))[0].points) if metadata.get("curve") else []
    return Source(path, metadata, read_arrays(path), curve)


def begin_from(source: Source, plan: TrainingPlan, learner: Any) -> None:
    """Let a learner begin with a network that has the same rules, encoder and shape.

    Some begin with narrower networks too, if all units can become equally many.
    """
    with blaming(source.path):
        if not hasattr(learner, "begin_from"):
            raise ValueError(f"{plan.algorithm} cannot begin from a network")
        own = full_metadata(Rules.parse(plan.rules), learner.metadata)
        for name, wanted in own.items():
            found = source.metadata.get(name)
            is_narrower = name == "width" and getattr(learner, "widens", False)
            if found != wanted and not (is_narrower and wanted % found == 0):
                raise ValueError(f"{name} is {found!r}, but {wanted!r} in this run")
        if source.turns >= plan.turns:
            raise ValueError(f"it has learned from {source.turns:,} turns, and the plan ends at "
                             f"{plan.turns:,}: set more with --turns")  # fmt: skip
        learner.begin_from(source.weights, source.turns)
