"""Bouzy's assignments: the cheapest, and every hand that fits."""

from itertools import permutations
from random import Random

import numpy as np
import pytest

from search.positions import view_of
from support import GENERATOR, scaled
from tamaya.compiled import hot
from tamaya.game import Game
from tamaya.records import GAME
from tamaya.rules import Rules
from tamaya.search.sampling.assignment import assign, assign_hand, fits_any, new_costs
from tamaya.search.sampling.determinize import fill_game

pytestmark = [pytest.mark.checked, pytest.mark.interpreted]


@hot
def assigned_decks(view, masks, memory, decks):
    """Decks of many assignments with random costs."""
    games, costs = np.zeros(1, GAME), new_costs()
    fill_game(view, games[0])
    for k in range(len(decks)):
        assign_hand(games[0], view.seat, masks, costs, memory)
        decks[k] = games[0].deck


@hot
def fits(view, masks, game):
    fill_game(view, game)
    return fits_any(game, view.seat, masks, new_costs())


@hot
def cheapest(matrix):
    """The least cost of an assignment of all rows."""
    costs = new_costs()
    n_rows, n = matrix.shape
    for row in range(n_rows):
        for column in range(n):
            costs.cost[row, column] = matrix[row, column]
    assign(costs, n_rows, n)
    total = 0.0
    for column in range(n):
        if costs.row_of[column] >= 0:
            total += matrix[costs.row_of[column], column]
    return total


def test_the_assignment_is_the_cheapest():
    rng = np.random.default_rng(1)
    for _ in range(scaled(60)):
        n_rows, n = int(rng.integers(1, 5)), int(rng.integers(5, 7))
        matrix = rng.random((n_rows, n))
        least = min(sum(matrix[row, column] for row, column in enumerate(columns))
                    for columns in permutations(range(n), n_rows))  # fmt: skip
        assert abs(cheapest(matrix) - least) < 1e-9


@pytest.mark.parametrize("seed", range(6))
def test_assignments_give_every_hand_that_fits_and_no_other(seed):
    rules = Rules(players=2, colours=2, ranks=3, hand_size=3)
    game, rng = Game(rules, seed=seed), Random(seed)
    view = view_of(game)
    masks = np.zeros(8, np.int64)
    masks[:3] = [sum(1 << card for card in (0, 1, 2, 5, 6, 7) if rng.random() < 0.5)
                 for _ in range(3)]  # fmt: skip
    hidden = [game.deck[order] for order in (0, 1, 2, *range(6, rules.deck_size))]
    fitting = {cards for cards in permutations(hidden, 3)
               if all(int(masks[k]) >> card & 1 for k, card in enumerate(cards))}  # fmt: skip
    assert fits(view, masks, np.zeros(1, GAME)[0]) == bool(fitting)
    if fitting:
        memory, decks = np.zeros(1, GENERATOR)[0], np.zeros((scaled(4000), 50), np.int8)
        assigned_decks(view, masks, memory, decks)
        found = {tuple(int(card) for card in deck[:3]) for deck in decks}
        assert found <= fitting
        assert found == fitting or len(decks) < 4000
        assert all(sorted(deck[: rules.deck_size]) == sorted(game.deck) for deck in decks[:50])
