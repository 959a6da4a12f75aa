"""What tests of training share: runs that are stopped, and comparisons of what they come to."""

from pathlib import Path
from typing import Any

import torch

from tamaya.learn.journal import read_journal
from tamaya.learn.run import Plan, Run


def train(folder: Path, plan: Plan, stop_at: int | None = None) -> Run:
    """Train, and stop after so many turns if told."""
    run = Run(folder, plan)

    def watch(row: dict[str, Any]) -> None:
        run.wants_to_stop = stop_at is not None and row["turns"] >= stop_at

    run.train(on_progress=watch)
    return run


def train_twice(folder: Path, plan: Plan, *stops: int) -> tuple[Run, list[dict[str, Any]]]:
    """A run at once and the same in parts, which must come to the same; gives it and its log."""
    whole = train(folder / "whole", plan)
    for stop in stops:
        train(folder / "parts", plan, stop)
    parts = train(folder / "parts", plan)
    assert parts.learner.turns == whole.learner.turns >= plan.turns
    assert_equal(whole.learner.state(), parts.learner.state())
    one, other = (timeless(folder / name) for name in ("whole", "parts"))
    assert one == other
    return whole, one


def timeless(folder: Path) -> list[dict[str, Any]]:
    """Lines of a run's log without what differs from run to run."""
    return [{name: value for name, value in row.items()
             if "seconds" not in name and "share" not in name}
            for row in read_journal(folder)]  # fmt: skip


def assert_equal(one: Any, other: Any, path: str = "state") -> None:
    """The same states, all the way down."""
    assert type(one) is type(other), path
    if isinstance(one, dict):
        assert one.keys() == other.keys(), path
        for key in one:
            assert_equal(one[key], other[key], f"{path}/{key}")
    elif isinstance(one, list | tuple):
        assert len(one) == len(other), path
        for k, (mine, theirs) in enumerate(zip(one, other, strict=True)):
            assert_equal(mine, theirs, f"{path}/{k}")
    elif torch.is_tensor(one):
        assert torch.equal(one, other), path
    else:
        assert one == other, path
