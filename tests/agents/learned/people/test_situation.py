"""Situations: independent of the names of colours, blind to what is hidden, and correct."""

from random import Random

import numpy as np
import pytest

from support import permuted, play_randomly, scaled
from tamaya.agents.learned.people.situation import situation_spec, sizes_of
from tamaya.game import Game
from tamaya.learn.imitation.decisions import Watcher
from tamaya.learn.imitation.games import PersonGame
from tamaya.moves import describe
from tamaya.rules import Rules

pytestmark = pytest.mark.interpreted


def turns_in(game: Game, seat: int, advisers: list[str] | None = None) -> list:
    watcher = Watcher(game.rules, advisers or [])
    return list(watcher.turns(PersonGame(game, (seat,), "somebody", "expert")))


def recoloured(game: Game, order: list[int]) -> Game:
    """The same game with other colours."""
    again = Game(game.rules, deck=[5 * order[card // 5] + card % 5 for card in game.deck])
    for move in game.moves:
        again.apply(recoloured_move(game.rules, move, order))
    return again


def recoloured_move(rules: Rules, move: int, order: list[int]) -> int:
    kind, _, value = describe(rules, move)
    return move - value + order[value] if kind == 2 else move


@pytest.mark.parametrize("players", [2, 3])
def test_other_colours_exchange_the_hints_and_nothing_else(players):
    rules = Rules(players=players, lives=10)
    for seed in range(scaled(10)):
        rng = Random(seed)
        game = play_randomly(Game(rules, seed), rng)
        order = rng.sample(range(5), 5)
        before, after = turns_in(game, 0), turns_in(recoloured(game, order), 0)
        places = [recoloured_move(rules, move, order) - 10 for move in range(10, rules.n_moves)]
        for one, other in zip(before, after, strict=True):
            assert np.array_equal(one[0].context, other[0].context)
            assert np.array_equal(one[0].cards, other[0].cards)
            assert np.array_equal(one[0].hints, other[0].hints[places])
            assert other[2] == recoloured_move(rules, one[2], order)


def test_what_is_hidden_changes_nothing():
    rng = Random(3)
    for seed in range(scaled(10)):
        game = play_randomly(Game(Rules(players=3), seed), rng)
        game = game.at(rng.randrange(game.turn))
        other = permuted(game, game.mover, rng)
        seat = game.mover
        moves = [game.legal_moves[0]] if not game.is_over else []
        for each in (game, other):
            for move in moves:
                each.apply(move)
        for one, two in zip(turns_in(game, seat, ["piers"]), turns_in(other, seat, ["piers"]),
                            strict=True):  # fmt: skip
            for a, b in zip(one[0], two[0], strict=True):
                assert np.array_equal(a, b)


def test_experience_and_advice_come_last_in_the_context():
    game = play_randomly(Game(Rules(players=2), 1), Random(1))
    watcher = Watcher(game.rules, ["piers", "certainty"])
    for said, place in (("new", 0), ("expert", 3)):
        situation, *_ = next(iter(watcher.turns(PersonGame(game, (1,), "somebody", said))))
        end = len(situation.context) - 2 * 5
        assert situation.context[end - 4 : end].tolist() == [k == place for k in range(4)]
        votes = situation.votes
        assert votes[:, :2].sum(axis=0).tolist() == [1, 1]  # each names one move


def test_the_spec_follows_what_situations_consist_of():
    two, three = Rules(players=2), Rules(players=3)
    specs = {situation_spec(rules, names) for rules in (two, three)
             for names in ([], ["piers"], ["iggi"])}  # fmt: skip
    assert len(specs) == 6
    assert sizes_of(three, 0).hints == 20 and sizes_of(two, 3).vote == 7
