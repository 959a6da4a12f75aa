"""Other-play: a recoloured view is the view of the recoloured game."""

from itertools import permutations
from random import Random

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs torch, the extra `learn`")

from support import play_randomly, replay
from tamaya.encoding import encode_bits, encoder_kind, vector_length
from tamaya.game import Game
from tamaya.game_kernels import legal_mask
from tamaya.learn.other_play import (
    Recolouring,
    recolour,
    shown_card,
    shown_move,
    shuffle_colours,
)
from tamaya.learn.rollouts import Rollouts
from tamaya.records import VIEW
from tamaya.rules import Rules
from tamaya.view import fill_view


@pytest.mark.parametrize("text", ["players=2", "players=4", "players=3 colours=3"])
@pytest.mark.parametrize("encoder", ["hle", "derived"])
def test_a_recoloured_view_is_that_of_the_recoloured_game(text, encoder):
    rng = Random(1)
    rules = Rules.parse(text)
    for seed in range(6):
        whole = play_randomly(Game(rules, seed), rng)
        game = replay(whole, turns=rng.randrange(whole.turn))
        order = np.array(rng.sample(range(rules.colours), rules.colours))
        other = Game(rules, deck=[int(shown_card(card, order)) for card in game.deck])
        for move in game.moves:
            other.apply(int(shown_move(game.record, move, order)))
        view = np.zeros(1, VIEW)
        fill_view(game.record, game.mover, view[0])
        recolour(game.record, view[0], order)
        out = np.zeros(vector_length(rules, encoder), np.uint8)
        encode_bits(encoder_kind(encoder), view[0], game.mover, out)
        assert (out == other.vector(game.mover, encoder)).all()
        assert legal_mask(view[0]) == legal_mask(other.record)


def test_moves_are_translated_back():
    rollouts = Rollouts(Rules(players=3), "derived", 8, seed=3, other_play=True)
    recolouring = rollouts.recolouring
    assert isinstance(recolouring, Recolouring)
    for _ in range(30):
        legal = rollouts.legal.numpy()
        games = [rollouts.env.game(lane) for lane in range(8)]
        for lane, game in enumerate(games):
            shown = np.full(8, legal[lane].argmax())
            for move in np.flatnonzero(legal[lane]):
                shown[lane] = move
                true = int(recolouring.true_moves(shown)[lane])
                assert true in game.legal_moves
                assert shown_move(game.record, true, recolouring.orders[lane]) == move
        rollouts.step(torch.from_numpy(legal.argmax(axis=1)))


def test_every_order_of_colours_occurs_and_seats_differ():
    order = np.zeros(3, np.int64)
    seen = set()
    for seed in range(200):
        shuffle_colours(np.uint64(seed), 0, order)
        seen.add(tuple(order.tolist()))
    assert seen == set(permutations(range(3)))
    five = [np.zeros(5, np.int64) for _ in range(4)]
    for seat, mine in enumerate(five):
        shuffle_colours(np.uint64(1), seat, mine)
    assert len({tuple(mine.tolist()) for mine in five}) > 1
