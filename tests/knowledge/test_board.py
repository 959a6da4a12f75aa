"""The board in one pass, against a naive account, now and before the last move."""

import pytest

from knowledge import naive
from knowledge.test_copies import counted
from support import replay, scaled
from tamaya.knowledge.board import (
    Board,
    board_before,
    board_now,
    critical_mask,
    dead_mask,
    is_playable,
    lowest_firework,
    n_discarded,
    n_to_come,
    playable_mask,
    reachable_rank,
)

pytestmark = [pytest.mark.checked, pytest.mark.interpreted]

SEEDS = range(scaled(20))


def naive_board(game) -> Board:
    """The board by naive questions."""
    parts = naive.playable, naive.played, naive.dead, naive.critical
    return Board(*(naive.mask_of(part(game)) for part in parts))


@pytest.mark.parametrize("seed", SEEDS)
def test_the_board_now(seed):
    for game in naive.positions(seed, 10):
        record = game.record
        expected = naive_board(game)
        assert board_now(record) == expected
        assert playable_mask(record) == expected.playable
        assert dead_mask(record) == expected.dead
        assert critical_mask(record) == expected.critical
        for card in naive.all_cards(game):
            assert is_playable(record, card) == (card in naive.playable(game))


@pytest.mark.parametrize("seed", SEEDS)
def test_the_board_before_the_last_move(seed):
    for game in naive.positions(seed, 10):
        if game.turn > 0:
            before = replay(game, turns=game.turn - 1)
            left, board = board_before(game.record, game.record.history[game.turn - 1])
            assert counted(left) == naive.left(before)
            assert board == naive_board(before)


@pytest.mark.parametrize("seed", SEEDS)
def test_numbers_of_the_board(seed):
    for game in naive.positions(seed, 10):
        record = game.record
        dead = naive.dead(game)
        assert lowest_firework(record) == min(naive.heights(game))
        assert n_discarded(record) == naive.discards(game).total()
        assert n_to_come(record, naive.mask_of(dead)) == len(naive.all_cards(game)) - len(dead)
        for colour, height in enumerate(naive.heights(game)):
            alive = [card for card in naive.all_cards(game)
                     if card // 5 == colour and card not in dead]  # fmt: skip
            assert reachable_rank(record, colour) == height + len(alive)
