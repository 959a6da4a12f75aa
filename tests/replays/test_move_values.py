"""Values of the moves of a turn: sums of deals add up in any order, and nothing hidden counts."""

from random import Random

import numpy as np
import pytest

from support import permuted, scaled
from tamaya.compiled import JIT
from tamaya.game import Game
from tamaya.replays.move_values import (
    SUMS,
    choice_at,
    move_values,
    new_weights,
    turn_seed,
    weigh,
    weigher,
)
from tamaya.rules import Rules
from tamaya.search.agents.depth_one import compare_moves

N_DEALS = 20 if JIT else 2


@pytest.fixture(scope="module")
def game() -> Game:
    game = Game(Rules(players=2, colours=2), seed=3)
    for _ in range(9):
        game.apply(game.legal_moves[-1])
    return game


def weighed(game: Game, turn: int, *ranges: range, seed: int = 5) -> np.ndarray:
    weights = new_weights()
    for deals in ranges or [range(N_DEALS)]:
        weigh(choice_at(game, turn), weigher("certainty"), seed, deals, weights)
    return weights


def test_deals_add_up_however_they_are_cut(game):
    n = N_DEALS // 2
    parts = [weighed(game, 7, range(k * n, k * n + n)) for k in range(3)]
    together = weighed(game, 7, range(3 * n))
    backwards = weighed(game, 7, range(n, 3 * n), range(n))
    legal = game.at(6).legal_moves
    for name in SUMS:
        assert (sum(part[name] for part in parts) == together[name]).all()
        assert (backwards[name] == together[name]).all()
        assert parts[0][name].any()
    assert (together["n"][legal] == 3 * n).all()
    assert together["n"].sum() == 3 * n * len(legal)
    assert (parts[0]["total"] != parts[1]["total"]).any()  # other deals


def test_coded_blueprints_add_up_too(game):
    """Hands that agree with a convention are drawn by a sampler that remembers."""
    agent, choice = weigher("hat-information"), choice_at(game, 9)
    together, parts = new_weights(), new_weights()
    weigh(choice, agent, 1, range(30), together)
    for deals in (range(17, 30), range(4), range(4, 17)):
        weigh(choice, agent, 1, deals, parts)
    assert (together == parts).all()


def test_the_deals_are_those_of_the_search_agent(game):
    """The values are those of a race in which nothing is dropped."""
    agent = weigher("certainty").with_params({"samples": N_DEALS})
    choice, found = choice_at(game, 7), new_weights()
    with np.errstate(over="ignore"):
        params = agent.compile().params[0]
        compare_moves(choice.view, turn_seed(5, 7), params, choice.played, found)
    for name in SUMS:
        assert (found[name] == weighed(game, 7)[name]).all()


def test_more_deals_sharpen_the_values(game):
    choice = choice_at(game, 7)
    few, many = (move_values(choice, weighed(game, 7, range(n))) for n in (20, 180))
    assert [value.move for value in few] == [value.move for value in many]
    assert np.mean([v.gain_se for v in many]) < 0.5 * np.mean([v.gain_se for v in few])


@pytest.mark.interpreted
def test_values_agree_with_the_sums(game):
    weights = weighed(game, 7)
    values = move_values(choice_at(game, 7), weights)
    played = next(value for value in values if value.gain_se == 0)
    for move, value in zip(game.at(6).legal_moves, values, strict=True):
        assert value.samples == N_DEALS
        assert value.mean == pytest.approx(weights[move]["total"] / N_DEALS)
        assert value.gain == pytest.approx(value.mean - played.mean)
        # Equal on a few deals is not surely equal.
        assert value is played or value.gain_se >= 1 / N_DEALS


def test_turns_have_seeds_of_their_own():
    seeds = [turn_seed(seed, turn) for seed in (0, 1, -1, 2**64) for turn in range(1, 90)]
    assert len(set(map(int, seeds))) == 3 * 89  # 2**64 wraps to 0


def test_turns_are_those_of_the_game(game):
    for turn in (0, game.turn + 1):
        with pytest.raises(ValueError, match=f"turn {turn} is not one of this game: it has 1 to"):
            choice_at(game, turn)


def test_what_the_mover_cannot_see_changes_nothing(game):
    rng = Random(1)
    for turn in (3, 8):
        stopped = game.at(turn - 1)
        for _ in range(scaled(3)):
            other = permuted(stopped, stopped.mover, rng)
            other.apply(game.moves[turn - 1])
            assert (weighed(other, turn) == weighed(game, turn)).all()
            assert choice_at(other, turn).digest == choice_at(game, turn).digest


@pytest.mark.interpreted
def test_a_forced_move_has_no_values():
    game = Game(Rules(players=2, colours=1, ranks=2, hand_size=1, tokens=0), seed=1)
    assert len(game.legal_moves) == 1  # no token to hint with, none to gain by a discard
    game.apply(game.legal_moves[0])
    assert choice_at(game, 1).is_forced
    assert weighed(game, 1)["n"].sum() == 0
    (value,) = move_values(choice_at(game, 1), weighed(game, 1))
    assert (value.samples, value.gain, value.gain_se) == (0, 0, 0)


def test_choices_are_told_apart_by_view_and_move(game):
    digests = {choice_at(game, turn).digest for turn in range(1, game.turn + 1)}
    assert len(digests) == game.turn
    other = game.at(6)
    other.apply(next(move for move in other.legal_moves if move != game.moves[6]))
    assert choice_at(other, 7).digest not in digests
    assert choice_at(other, 6).digest in digests  # a branch shares what came before
    assert choice_at(Game.parse(game.to_text()), 7).digest in digests
