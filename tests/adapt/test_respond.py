"""Responding to a model: probabilities, the weights of hands, and what comes of it."""

import numpy as np
import pytest

from support import scaled
from tamaya.adapt.features import N_WEIGHTS
from tamaya.adapt.model import N_MOVES, NEVER, fitted, weights_text
from tamaya.adapt.respond import clearly_best, drawn_move, log_prob
from tamaya.compiled import JIT
from tamaya.game_kernels import MOVE_BIT
from tamaya.registry import find_agent
from tamaya.rules import Rules
from tamaya.search.workspace import GENERATOR
from tamaya.table import play

HOW = find_agent("adaptive").params.record()[0]


def some_logits() -> np.ndarray:
    """Logits of three moves."""
    logits = np.full(N_MOVES, NEVER)
    logits[[2, 5, 9]] = 0.0, np.log(2.0), np.log(5.0)
    return logits


def test_probabilities_have_noise_and_add_up():
    probs = [np.exp(log_prob(some_logits(), move, 0.1)) for move in (2, 5, 9)]
    assert probs == pytest.approx([0.9 * x / 8 + 0.1 / 3 for x in (1, 2, 5)])
    assert sum(probs) == pytest.approx(1)


def test_moves_are_drawn_by_their_probabilities():
    dice, n = np.zeros(1, GENERATOR)[0], 4000
    drawn = [drawn_move(some_logits(), dice) for _ in range(n)]
    for move, share in ((2, 1 / 8), (5, 2 / 8), (9, 5 / 8)):
        error = (share * (1 - share) / n) ** 0.5
        assert drawn.count(move) / n == pytest.approx(share, abs=4 * error)


def test_only_a_clear_gain_replaces_the_usual_move():
    moves = MOVE_BIT[1] | MOVE_BIT[2] | MOVE_BIT[3]
    gains, squares = np.zeros(N_MOVES), np.zeros(N_MOVES)
    gains[[2, 3]], squares[[2, 3]] = (0.5, 1.0), (0.26, 1.5 * HOW.samples)
    assert clearly_best(gains, squares, moves, 1, HOW) == 2  # move 3 may be luck
    gains[2] = 0.05
    assert clearly_best(gains, squares, moves, 1, HOW) == 1


@pytest.mark.skipif(not JIT, reason="too slow without the compiler")
def test_it_plays_well_with_a_stranger():
    samples = [play("van-den-bergh", Rules(players=2), 10, seed=3, record=True).game(k)
               for k in range(10)]  # fmt: skip
    model = weights_text(fitted(samples))
    few = f"adaptive:model={model},draws=60,samples=8"
    n = scaled(40)
    scores = play([few, "van-den-bergh"], Rules(players=2), n, seed=8).results["score"]
    alone = play("van-den-bergh", Rules(players=2), 500, seed=8).results["score"]
    error = np.hypot(scores.std() / n**0.5, alone.std() / 500**0.5)
    assert scores.mean() > alone.mean() - 4 * error


def test_without_a_model_all_moves_are_alike_and_legal():
    text = f"adaptive:model={weights_text(np.zeros(N_WEIGHTS))},draws=4,samples=2,rollout=2"
    for rules in ("players=3", "players=2 colours=3 ranks=4 hand_size=3", "players=2 hand_size=8"):
        play(text, Rules.parse(rules), scaled(4), seed=1)
