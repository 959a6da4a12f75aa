"""BAD: runs go on bit for bit, mistakes are explained, and moves tell cards."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs torch, the extra `learn`")

from tamaya.agents.learned.beliefs import V1, believe
from tamaya.agents.learned.files import read_metadata
from tamaya.cli.main import app
from tamaya.learn.bad import PRESETS, Learner, Settings
from tamaya.learn.plan import TrainingPlan
from tamaya.rules import Rules
from training import train_twice

torch.set_num_threads(1)
TINY = Settings(games=8, turns=4, minibatch=16, width=16, hands=16)
SMALL = Settings(**PRESETS["small"])
VERY_SMALL_TURNS = 400_000


def test_learning_goes_on_bit_for_bit(tmp_path):
    settings = (("games", 8), ("turns", 4), ("minibatch", 16), ("width", 16), ("hands", 8))
    plan = TrainingPlan("bad", Rules.preset("small").to_text(), turns=320, settings=settings,
                        log_every=100, validate_every=160, validation_games=10)  # fmt: skip
    train_twice(tmp_path, plan, 64, 200)
    for name in ("latest", "best"):
        assert (tmp_path / "parts" / f"{name}.npz").exists()


@pytest.mark.parametrize(
    ("rules", "changes", "message"),
    [
        ("players=3", {}, "BAD is for 2 players, not 3"),
        ("observation=minimal", {}, "BAD needs the usual observation, not 'minimal'"),
        ("players=2", {"belief": "V3"}, "belief must be one of V0, V1, V2, not 'V3'"),
        ("players=2", {"width": 400}, "width of BAD's network is at most 384, not 400"),
    ],
)
def test_mistakes_are_explained(rules, changes, message):
    with pytest.raises(ValueError, match=message):
        Learner(Rules.parse(rules), replace(TINY, **changes), 1, 1000)


def test_a_run_that_cannot_begin_leaves_nothing(tmp_path):
    with pytest.raises(ValueError, match="BAD is for 2 players, not 4"):
        app(["train", "bad", str(tmp_path / "run"), "-p", "4"], standalone_mode=False)
    assert not (tmp_path / "run").exists()


def test_the_command_trains_bad(tmp_path, capsys):
    options = ["games=8", "turns=4", "minibatch=16", "width=16", "hands=8", "belief=V1"]
    words = [word for option in options for word in ("--set", option)]
    app(["train", "bad", str(tmp_path / "run"), "--turns", "64", "--rules",
         "colours=2 hand_size=2 tokens=3 lives=1", *words], standalone_mode=False)  # fmt: skip
    assert "96 of 64 turns" in capsys.readouterr().out  # batches double in the second half
    metadata = read_metadata(tmp_path / "run" / "best.npz")
    assert (metadata["kind"], metadata["belief"], metadata["algorithm"]) == ("bad", "V1", "bad")


@pytest.mark.slow
def test_moves_tell_cards():
    """After learning, true cards are believed more than in V1."""
    rules = Rules.preset("very-small")
    learner = Learner(rules, SMALL, 1, VERY_SMALL_TURNS)
    while learner.turns < VERY_SMALL_TURNS:
        learner.step()
    rollouts, gains = learner.rollouts, []
    rollouts.brain["version"] = V1
    plain, ones = np.zeros((2, 8, 25), np.float32), np.ones((2, 8, 25), np.float32)
    for lane in range(SMALL.games):
        game = rollouts.env.games[lane]
        believe(game, ones, rollouts.brain[0], plain)
        for seat, slot in product(range(2), range(2)):
            card = int(game.card[seat, slot])
            if card >= 0:
                gains.append(
                    rollouts.memories[lane].belief[seat, slot, card] - plain[seat, slot, card]
                )
    assert np.mean(gains) > 4 * np.std(gains) / len(gains) ** 0.5 > 0
