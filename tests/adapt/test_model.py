"""The model of a partner: its features, its likelihood, and how well it predicts."""

import numpy as np
import pytest

from support import scaled
from tamaya.adapt.features import BLOCK, N_WEIGHTS, ROW, TABLES
from tamaya.adapt.hints import HINTS, note
from tamaya.adapt.model import (
    N_MOVES,
    NEVER,
    Prior,
    choices_of,
    fit,
    fitted,
    likelihood,
    log_likelihood,
    minimum,
    move_share,
    part_of,
    weights_of,
    weights_text,
    write_logits,
)
from tamaya.adapt.position import FACTS
from tamaya.compiled import JIT
from tamaya.game import Game
from tamaya.player import AgentError
from tamaya.rules import Rules
from tamaya.table import play


def games_of(name: str, players: int, n: int, seed: int = 3) -> list[Game]:
    """Self-play games of an agent."""
    played = play(name, Rules(players=players), n, seed=seed, record=True, threads=1)
    return [played.game(k) for k in range(n)]


def some_weights(seed: int = 1) -> np.ndarray:
    """Random weights."""
    return np.random.default_rng(seed).normal(0, 0.3, N_WEIGHTS)


@pytest.mark.parametrize("players", [2, 4])
def test_choices_are_what_the_model_sees_move_by_move(players):
    game, weights = games_of("piers", players, 1)[0], some_weights()
    choices = choices_of([game])
    hints, facts, row = (np.zeros(1, kind)[0] for kind in (HINTS, FACTS, ROW))
    now, logits, total = game.at(0), np.zeros(N_MOVES), 0.0
    for d, move in enumerate(game.moves):
        write_logits(now.view(), hints, facts, row, weights, logits)
        legal = now.legal_moves
        assert np.flatnonzero(logits > NEVER).tolist() == legal
        assert choices.first[d + 1] - choices.first[d] == len(legal)
        assert choices.chosen[d] - choices.first[d] == legal.index(move)
        probs = np.exp(logits[legal] - logits[legal].max())
        total += np.log(probs[legal.index(move)] / probs.sum())
        now.apply(move)
        note(now.record, now.events[-1], hints)
    assert log_likelihood(choices, weights) == pytest.approx(total / game.turn)


def test_the_gradient_is_that_of_the_likelihood():
    choices, weights = choices_of(games_of("smartbot", 2, 1)), some_weights()
    gradient, logits = np.zeros(N_WEIGHTS), np.zeros(len(choices.start))
    likelihood(choices, weights, gradient, logits)
    for place in (0, 1, 6, BLOCK, 2 * BLOCK + 1, *np.unique(choices.place)[::40]):
        ends = []
        for step in (1e-4, -1e-4):
            other = weights.copy()
            other[place] += step
            ends.append(likelihood(choices, other, np.zeros(N_WEIGHTS), logits))
        assert gradient[place] == pytest.approx((ends[0] - ends[1]) / 2e-4, abs=1e-3)


def test_blocks_and_tables_do_not_overlap():
    choices = choices_of(games_of("iggi", 3, 2) + games_of("smartbot", 3, 2))
    assert choices.place.min() >= 0
    assert choices.place.max() < N_WEIGHTS
    entries = choices.value[choices.place >= TABLES]
    assert set(entries.tolist()) == {1.0}
    assert np.abs(choices.value).max() <= 1


def test_the_minimum_of_a_bowl_is_found():
    scale = np.array([1.0, 10.0, 100.0])

    def bowl(place):
        return float(scale @ (place - 2) ** 2), 2 * scale * (place - 2)

    assert minimum(bowl, np.zeros(3), 200) == pytest.approx([2, 2, 2], abs=0.02)


def test_a_narrow_prior_keeps_the_mean():
    choices, mean = choices_of(games_of("iggi", 2, 1)), some_weights()
    variance = np.full(N_WEIGHTS, 1e-9)
    assert fit(choices, Prior(mean, variance)) == pytest.approx(mean, abs=1e-4)
    assert fit(choices, Prior(mean, variance), width=1e9) != pytest.approx(mean, abs=0.1)


def test_parts_of_decisions_add_up():
    choices, weights = choices_of(games_of("smartbot", 2, 2)), some_weights()
    n = len(choices.chosen)
    mask = np.arange(n) % 3 == 0
    parts = [part_of(choices, mask), part_of(choices, ~mask)]
    assert [len(part.chosen) for part in parts] == [mask.sum(), n - mask.sum()]
    total = sum(log_likelihood(part, weights) * len(part.chosen) for part in parts)
    assert total == pytest.approx(log_likelihood(choices, weights) * n)


@pytest.mark.skipif(not JIT, reason="too slow without the compiler")
@pytest.mark.parametrize(("name", "most"), [("piers", 0.6), ("smartbot", 1.2)])
def test_a_fitted_model_predicts_other_games(name, most):
    games, others = games_of(name, 2, 10), choices_of(games_of(name, 2, scaled(20), seed=4))
    uniform = -log_likelihood(others, np.zeros(N_WEIGHTS))
    assert 2.0 < uniform < 3.2
    surprise = [-log_likelihood(others, fitted(games[:n])) for n in (1, 10)]
    assert surprise[1] < most
    assert surprise[1] < surprise[0] < uniform


def test_weights_are_kept_in_a_text():
    weights = some_weights()
    text = weights_text(weights)
    assert weights_of(text) == pytest.approx(weights, abs=1e-3)
    assert not set(text) & set(",:()=./+")
    with pytest.raises(AgentError, match=r"'nonsense'... is not a fitted model"):
        weights_of("nonsense")


def test_probabilities_of_moves_are_those_of_their_logits():
    logits = np.full(64, NEVER)
    logits[[1, 2]] = 0.0, np.log(3.0)
    assert move_share(logits, 2) == pytest.approx(0.75)


def test_games_that_are_left_out_decide_between_priors():
    games = games_of("piers", 2, 4)
    near = Prior(fitted(games_of("piers", 2, 10, seed=9)), np.full(N_WEIGHTS, 0.01))
    far = Prior(some_weights(), np.full(N_WEIGHTS, 0.01))
    assert np.array_equal(fitted(games, far, others=[near]), fitted(games, near))
    assert np.array_equal(fitted(games, near, others=[far]), fitted(games, near))
