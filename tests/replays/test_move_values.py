"""Values of the moves of a turn: sums of slices add up, in any order, and nothing hidden counts."""

from random import Random

import numpy as np
import pytest

from support import permuted, scaled
from tamaya.compiled import JIT
from tamaya.game import Game
from tamaya.replays.move_values import (
    SUMS,
    analyst,
    move_values,
    new_weights,
    slice_seed,
    weigh_turn,
)
from tamaya.rules import Rules

N_DEALS = 20 if JIT else 2


@pytest.fixture(scope="module")
def game() -> Game:
    game = Game(Rules(players=2, colours=2), seed=3)
    for _ in range(9):
        game.apply(game.legal_moves[-1])
    return game


def weighed(game: Game, turn: int, slices: list[int], seed: int = 5) -> np.ndarray:
    weights = new_weights()
    for number in slices:
        seed_of_slice = slice_seed(seed, turn, number)
        weigh_turn(game, analyst("certainty", N_DEALS), turn, seed_of_slice, weights)
    return weights


@pytest.mark.interpreted
def test_slices_add_up_in_any_order(game):
    parts = [weighed(game, 7, [number]) for number in range(3)]
    together = weighed(game, 7, [2, 0, 1])
    legal = game.at(6).legal_moves
    for name in SUMS:
        assert (sum(part[name] for part in parts) == together[name]).all()
        assert parts[0][name].any()
    assert (together["n"][legal] == 3 * N_DEALS).all()
    assert together["n"].sum() == 3 * N_DEALS * len(legal)
    assert (parts[0]["total"] != parts[1]["total"]).any()  # other deals


def test_more_deals_sharpen_the_values(game):
    few, many = (move_values(game, 7, weighed(game, 7, list(range(n)))) for n in (1, 9))
    assert [value.move for value in few] == [value.move for value in many]
    assert np.mean([v.gain_se for v in many]) < 0.5 * np.mean([v.gain_se for v in few])


@pytest.mark.interpreted
def test_values_agree_with_the_sums(game):
    weights = weighed(game, 7, [0])
    values = move_values(game, 7, weights)
    played = next(value for value in values if value.gain_se == 0)
    for move, value in zip(game.at(6).legal_moves, values, strict=True):
        assert value.samples == N_DEALS
        assert value.mean == pytest.approx(weights[move]["total"] / N_DEALS)
        assert value.gain == pytest.approx(value.mean - played.mean)
        # Equal on a few deals is not surely equal.
        assert value is played or value.gain_se >= 1 / N_DEALS


def test_slices_have_seeds_of_their_own():
    seeds = [slice_seed(seed, turn, number)
             for seed in (0, 1, -1, 2**64) for turn in (1, 2) for number in range(50)]  # fmt: skip
    assert len(set(map(int, seeds))) == 3 * 2 * 50  # 2**64 wraps to 0


def test_what_the_mover_cannot_see_changes_nothing(game):
    rng = Random(1)
    for turn in (3, 8):
        stopped = game.at(turn - 1)
        for _ in range(scaled(3)):
            other = permuted(stopped, stopped.mover, rng)
            other.apply(game.moves[turn - 1])
            assert (weighed(other, turn, [0]) == weighed(game, turn, [0])).all()


@pytest.mark.interpreted
def test_a_forced_move_has_no_values():
    game = Game(Rules(players=2, colours=1, ranks=2, hand_size=1, tokens=0), seed=1)
    assert len(game.legal_moves) == 1  # no token to hint with, none to gain by a discard
    game.apply(game.legal_moves[0])
    assert weighed(game, 1, [0, 1])["n"].sum() == 0
    (value,) = move_values(game, 1, weighed(game, 1, [0]))
    assert (value.samples, value.gain, value.gain_se) == (0, 0, 0)
