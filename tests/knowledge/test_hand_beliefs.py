"""Beliefs by counting: exact over whole hands, as a list of all hands says."""

from itertools import product
from math import prod
from random import Random

import numpy as np
import pytest
from hypothesis import given

from support import any_game, examples, play_randomly, replay, scaled
from tamaya.game import Game
from tamaya.knowledge.hand_beliefs import beliefs_by_sets, counted_beliefs, weighted_beliefs
from tamaya.rules import Rules
from tamaya.view import count_unseen, own_mask


def listed(view, weights) -> np.ndarray:
    """The same by listing all hands."""
    count_unseen(view)
    size = int(view.hand_size)
    found = np.zeros((size, 25))
    held = [slot for slot in range(size) if view.order[view.seat, slot] >= 0]
    masks = [int(own_mask(view, slot)) for slot in held]
    for hand in product(*([card for card in range(25) if mask >> card & 1] for mask in masks)):
        ways = prod(int(view.unseen[card]) - hand[:k].count(card) for k, card in enumerate(hand))
        if ways > 0:
            weight = ways * prod(weights[slot, card] for slot, card in zip(held, hand, strict=True))
            for slot, card in zip(held, hand, strict=True):
                found[slot, card] += weight
    return found / found.sum(axis=1, where=found > 0, initial=1e-300, keepdims=True)


def small_positions(n: int):
    rng = Random(3)
    for seed in range(n):
        rules = Rules(players=2, colours=2, ranks=rng.choice((3, 5)), hand_size=rng.choice((2, 3)))
        game = play_randomly(Game(rules, seed), rng)
        yield replay(game, turns=rng.randrange(game.turn + 1))


def test_counting_is_what_a_list_of_all_hands_says():
    for game in small_positions(scaled(60)):
        for seat in (0, 1):
            view = game.view(seat)
            expected = listed(view, np.ones((game.rules.hand_size, 25)))
            np.testing.assert_allclose(counted_beliefs(view), expected, atol=1e-12)


def test_weights_multiply_hands():
    rng = np.random.default_rng(1)
    for game in small_positions(scaled(40)):
        weights = rng.random((game.rules.hand_size, 25))
        view = game.view(0)
        np.testing.assert_allclose(
            weighted_beliefs(view, weights), listed(view, weights), atol=1e-9
        )


@given(any_game())
@examples(60)
def test_rows_add_up_and_keep_to_what_is_possible(game):
    for seat in range(game.rules.players):
        view = game.view(seat)
        found = counted_beliefs(view)
        is_held = view.order[seat, : game.rules.hand_size] >= 0
        np.testing.assert_allclose(found.sum(axis=1), is_held, atol=1e-9)
        assert (found >= 0).all()
        for slot in np.flatnonzero(is_held):
            assert found[slot, game.record.card[seat, slot]] > 0
            for card in np.flatnonzero(found[slot]):
                assert int(view.possible[seat, slot]) >> int(card) & 1


def test_a_seer_is_certain():
    game = Game(Rules(observation="seer"), seed=3)
    found = counted_beliefs(game.view(0))
    assert [int(row.argmax()) for row in found] == game.hands[0]
    assert (found.max(axis=1) == 1).all()


def test_sets_narrow_and_one_slot_tells_on_another():
    game = Game(Rules(), seed=4)
    view = game.view(0)
    unseen = next(card for card in range(4, 25, 5) if card not in game.hands[1])  # a five
    everything = int(view.all_cards)
    found = beliefs_by_sets(view, np.array([1 << unseen, *[everything] * 4]))
    assert found[0, unseen] == pytest.approx(1)
    assert (found[1:, unseen] == 0).all()


def test_sets_that_no_hand_fits_give_way_as_little_as_needed():
    game = Game(Rules(), seed=4)
    view = game.view(0)
    five = next(card for card in range(4, 25, 5) if card not in game.hands[1])
    everything = int(view.all_cards)
    found = beliefs_by_sets(view, np.array([1 << five, 1 << five, *[everything] * 3]))
    assert found[0, five] == pytest.approx(0.5, abs=0.01)
    assert found[1, five] == pytest.approx(0.5, abs=0.01)
    np.testing.assert_allclose(found.sum(axis=1), 1)
