"""What tests of training share: runs that are stopped, and comparisons of what they come to."""

from pathlib import Path
from typing import Any

import torch

from tamaya.learn.checkpoint import read_learner
from tamaya.learn.journal import read_journal
from tamaya.learn.pbt import read_history
from tamaya.learn.plan import TrainingPlan
from tamaya.learn.run import TrainingRun

# A run of PPO on a small game, of ten batches.
TINY_SETTINGS = (("games", 16), ("turns", 4), ("minibatch", 32), ("width", 16))
TINY_PLAN = TrainingPlan(
    rules="players=2 colours=2 hand_size=2 tokens=3 lives=1", turns=640, settings=TINY_SETTINGS,
    log_every=200, validate_every=300, validation_games=20,
)  # fmt: skip
# And one of Rainbow.
TINY_RAINBOW = TrainingPlan(
    "rainbow", rules=TINY_PLAN.rules, turns=800, log_every=200, validate_every=400,
    validation_games=20,
    settings=(("width", 16), ("capacity", 300), ("games", 4), ("turns", 40), ("warm_up", 50),
              ("batch", 8), ("learning_rate", 0.001)),
)  # fmt: skip
# And of the others.
_OFTEN = {"log_every": 200, "validate_every": 300, "validation_games": 20}
TINY_ACHA = TrainingPlan(
    "acha", rules=TINY_PLAN.rules, turns=640, **_OFTEN,
    settings=(("width", 16), ("games", 16), ("unroll", 4), ("batch", 8)),
)  # fmt: skip
TINY_BAD = TrainingPlan("bad", rules=TINY_PLAN.rules, turns=640, **_OFTEN, settings=TINY_SETTINGS)
TINY_PLANS = [TINY_RAINBOW, TINY_PLAN, TINY_ACHA, TINY_BAD]
TINY_OPTIONS = [word for name, value in TINY_SETTINGS for word in ("--set", f"{name}={value}")]


def train(folder: Path, plan: TrainingPlan, stop_at: int | None = None) -> TrainingRun:
    """Train, and stop after so many turns if told."""
    run = TrainingRun(folder, plan)

    def watch(row: dict[str, Any]) -> None:
        run.wants_to_stop = stop_at is not None and row["turns"] >= stop_at

    run.train(on_progress=watch)
    return run


def train_twice(
    folder: Path, plan: TrainingPlan, *stops: int
) -> tuple[TrainingRun, list[dict[str, Any]]]:
    """A run at once and the same in parts, which must come to the same; returns it and its log."""
    whole = train(folder / "whole", plan)
    for stop in stops:
        train(folder / "parts", plan, stop)
    parts = train(folder / "parts", plan)
    assert parts.learner.turns == whole.learner.turns >= plan.turns
    assert_equal(whole.learner.state(), parts.learner.state())
    one, other = (timeless(folder / name) for name in ("whole", "parts"))
    assert one == other
    return whole, one


def blank_state(n: int, width: int) -> tuple[torch.Tensor, torch.Tensor]:
    """States of recurrent networks before a game."""
    return torch.zeros(2, n, width), torch.zeros(2, n, width)


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


def population_outcome(folder: Path) -> tuple[Any, ...]:
    """What a population came to: history, logs and networks."""
    history = read_history(folder)
    homes = [folder / f"member-{k + 1}" for k in range(len(history[0].values))]
    states = [read_learner(home / "checkpoint.pt") for home in homes]
    networks = [state["network"]["first.weight"].tolist() for state in states]
    return history, [timeless(home) for home in homes], networks
