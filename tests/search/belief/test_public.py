"""Both seats search: beliefs equal brute force over all deals, and search is never worse."""

from collections import OrderedDict
from itertools import permutations

import numpy as np
import pytest

from search.belief.test_support import brute_force, hand_of, seen_by
from search.positions import params_of
from support import scaled
from tamaya.compiled import JIT
from tamaya.game import Game
from tamaya.registry import find_agent
from tamaya.rules import Rules
from tamaya.search.agents.sparta import public_game, searching
from tamaya.search.belief.blueprints import blueprint_of
from tamaya.search.belief.public import fits, private_support
from tamaya.seat import Seat

TINY = Rules(players=2, colours=2, ranks=3, hand_size=2)
TINIER = Rules(players=2, colours=2, ranks=2, hand_size=2)  # eight cards
ALL = "sparta:blueprint=smartbot,seats=all,samples=60,margin=0"


def believed(game: Game, seat: int, agent: str):
    """The position as everybody knows it, and what a seat believes in it."""
    params = params_of(agent)
    view, blueprint, agreed = seen_by(game, seat), blueprint_of(params), searching(params)
    position = public_game.position(view, blueprint, agreed)
    return position, private_support(view, position, blueprint, agreed)


def moves_of(agent: str, rules: Rules, seed: int):
    """The positions of a game of an agent with itself."""
    game, player = Game(rules, seed=seed), find_agent(agent)
    while not game.is_over:
        yield game
        game.apply(Seat(player, game, game.mover).act())  # it has no memory but a generator


def test_beliefs_are_brute_force_over_all_deals_after_every_event():
    agent, n_other = f"{ALL},range=100000", 0
    for seed in range(scaled(3)):
        for game in moves_of(agent, TINIER, seed):
            position, support = believed(game, game.mover, agent)
            assert not position.is_behind
            orders = support.sight.orders.tolist()
            expected = brute_force(game, game.mover, orders, find_agent(agent))
            found = dict(zip(support.hands.tolist(), support.weights.tolist(), strict=True))
            assert found == expected
            assert hand_of(game, support) in found
            n_other += expected != brute_force(game, game.mover, orders, find_agent("smartbot"))
    assert n_other > 0  # search was not the blueprint in disguise


def test_the_true_hand_stays_however_far_behind_a_seat_is():
    agent, n_behind, n_ahead = f"{ALL},range=4", 0, 0
    for seed in range(scaled(3)):
        for game in moves_of(agent, TINY, seed):
            for seat in range(2):
                position, support = believed(game, seat, agent)
                assert hand_of(game, support) in support.hands
            n_behind += position.is_behind
            n_ahead += not position.is_behind
    assert n_behind > 0
    assert n_ahead > 0


def test_the_true_hand_stays_where_seats_read_a_searched_move_differently():
    """A code is read wrongly after a move that is not the blueprint's, by each seat in its way."""
    agent = "sparta:blueprint=information,seats=all,samples=60,margin=0,range=20"
    rules, n_exact = Rules(players=2, colours=3, ranks=4, hand_size=3), 0
    for seed in range(scaled(6)):
        for game in moves_of(agent, rules, seed):
            _, support = believed(game, game.mover, agent)
            n_exact += support.is_exact
            assert not support.is_exact or hand_of(game, support) in support.hands
    assert n_exact > 0


def test_it_does_not_matter_who_computes_a_position():
    agent = f"{ALL},range=50"
    for game in moves_of(agent, TINY, 7):
        positions = []
        for seat in range(2):
            public_game.forget()
            positions.append(believed(game, seat, agent)[0])
        one, other = positions
        assert np.array_equal(one.support.hands, other.support.hands)
        assert one.is_behind == other.is_behind
        assert np.array_equal(one.searched, other.searched)


class Forgetful(OrderedDict):
    """A cache from which another thread drops everything between two looks."""

    def get(self, key, default=None):
        found = super().get(key, default)
        self.clear()
        return found

    def __contains__(self, key):
        is_there = super().__contains__(key)
        self.clear()
        return is_there


def test_what_another_thread_drops_is_computed_again(monkeypatch):
    agent = f"{ALL},range=4"
    for game in moves_of(agent, TINY, 7):
        expected = believed(game, game.mover, agent)[0]
        with monkeypatch.context() as patch:
            patch.setattr(public_game, "_known", Forgetful(public_game._known))
            found = believed(game, game.mover, agent)[0]
        assert found.turn == expected.turn
        assert found.is_behind == expected.is_behind
        assert np.array_equal(found.searched, expected.searched)


def test_both_seats_can_search_at_a_table_of_two_only():
    assert find_agent(ALL).players == (2, 2)
    assert find_agent("sparta:blueprint=smartbot").players == (2, 5)


def test_hands_fit_if_the_copies_suffice():
    assert fits([1, 3], [1, 1])
    assert not fits([1, 1], [1, 1])
    assert fits([1, 1], [2, 0])
    assert fits([], [0])


# Exact evaluation: every deck of a game so small that all can be played.


MINIATURES = [
    Rules(players=2, colours=1, ranks=3, hand_size=2, tokens=1),
    Rules(players=2, colours=1, ranks=3, hand_size=1, tokens=2, lives=1),
]
BLUEPRINTS = ["smartbot", "example", "first-legal"]


def exact_mean(agent: str, rules: Rules) -> float:
    """Mean score over all decks of a game, each played once."""
    player, scores = find_agent(agent), []
    for deck in sorted(set(permutations(Game(rules).deck))):
        game = Game(rules, deck=list(deck))
        seats = [Seat(player, game, seat) for seat in range(rules.players)]
        while not game.is_over:
            game.apply(seats[game.mover].act())
            for seat in seats:
                seat.observe()
        scores.append(game.score)
    return float(np.mean(scores))


@pytest.mark.skipif(not JIT, reason="plays every deck")
@pytest.mark.parametrize("rules", MINIATURES, ids=["two cards", "one card"])
@pytest.mark.parametrize("blueprint", BLUEPRINTS)
@pytest.mark.parametrize("seats", ["one", "one,seat=0", "all,range=100000"])
def test_search_is_never_worse_than_its_blueprint_by_exact_evaluation(blueprint, rules, seats):
    searched = exact_mean(f"sparta:blueprint={blueprint},samples=100000,seats={seats}", rules)
    assert searched >= exact_mean(blueprint, rules) - 1e-9


@pytest.mark.skipif(not JIT, reason="plays every deck")
def test_search_gains():
    rules = MINIATURES[0]
    means = [exact_mean(agent, rules) for agent in (
        "first-legal",
        "sparta:blueprint=first-legal,samples=100000",
        "sparta:blueprint=first-legal,samples=100000,seats=all,range=100000",
    )]  # fmt: skip
    assert means[0] < means[1] < means[2]
