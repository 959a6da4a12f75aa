"""Exact expectations equal those of playing every deal by itself."""

from collections import Counter
from itertools import permutations

import numpy as np
import pytest

from search.positions import NOTING, view_of
from support import scaled
from tamaya.registry import find_agent
from tamaya.rules import Rules
from tamaya.search.belief.blueprints import blueprint_for
from tamaya.search.belief.contest import Contest, Terms
from tamaya.search.belief.support import Believing, support_of
from tamaya.search.endgame.orders import next_order
from tamaya.seat import Seat
from tamaya.table import play

TINY = Rules(players=2, colours=2, ranks=3, hand_size=2)
assert NOTING  # registered


def played_out(game, blueprint, move):
    """Score if a move is made and every seat follows the blueprint with its own eyes."""
    again = game.at(0)
    seats = [Seat(blueprint, again, seat) for seat in range(again.rules.players)]
    for turn in range(10**6):
        if again.is_over:
            return again.score
        known = [*game.moves, move]
        again.apply(known[turn] if turn < len(known) else seats[again.mover].act())
        for seat in seats:
            seat.observe()


def late_position(name, seed, deck_size):
    """A position with so many cards left in the deck, after a game of an agent with itself."""
    whole = play(name, TINY, 1, seed=seed, record=True).game(0)
    for turn in range(whole.turn, -1, -1):
        game = whole.at(turn)
        if int(game.record.deck_size) >= deck_size and not game.is_over:
            return game
    raise AssertionError("no such position")


@pytest.mark.parametrize("name", ["smartbot", "example", "notes-of-all", "hat-recommendation"])
def test_expectations_are_those_of_all_deals(name):
    blueprint = find_agent(name)
    n_compared = 0
    for seed in range(scaled(4)):
        game = late_position(name, seed, 2 + seed % 2)
        view = view_of(game)
        support = support_of(view, blueprint_for(blueprint), Believing())
        contest = Contest(view, blueprint_for(blueprint), support, Terms(samples=10**6))
        outcome = contest.run(sum(1 << move for move in game.legal_moves))
        assert outcome.is_exact
        totals, weights = Counter(), 0.0
        first = TINY.deck_size - int(view.deck_size)
        for hand, weight in zip(support.hands.tolist(), support.weights.tolist(), strict=True):
            left = support.sight.unseen.copy()
            deck = game.deck
            for place, order in enumerate(support.sight.orders.tolist()):
                card = hand >> 5 * (support.n_cards - 1 - place) & 31
                deck[order] = card
                left[card] -= 1
            orders = set(permutations(np.repeat(np.arange(25), left).tolist()))
            for order in orders:
                deck[first:] = order
                other = type(game)(TINY, deck=deck, start=int(game.record.start))
                for move in game.moves:
                    other.apply(move)
                for move in game.legal_moves:
                    totals[move] += weight / len(orders) * played_out(other, blueprint, move)
            weights += weight
        for move in game.legal_moves:
            arm = outcome.arms[move]
            assert arm.total / arm.n == pytest.approx(totals[move] / weights)
            n_compared += 1
    assert n_compared > 0


def test_orders_are_listed_once_each():
    deck = np.array([7, 7, 1, 1, 2, 3], np.int8)
    seen = [tuple(deck[2:])]
    while next_order(deck, 2, 6) >= 0:
        seen.append(tuple(deck[2:]))
    assert len(seen) == len(set(seen)) == 12
    assert set(seen) == set(permutations([1, 1, 2, 3]))
    assert next_order(deck, 2, 6) == -1
