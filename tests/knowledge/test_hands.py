"""Seats and slots, against lists; hands have gaps where they are refilled in place."""

import pytest

from knowledge import naive
from support import scaled
from tamaya.game import Game
from tamaya.knowledge.hands import (
    first_slot,
    has_gap,
    holds,
    last_slot,
    newest_slot,
    oldest_slot,
    seat_after,
    seat_at,
    seat_from,
    slot_of_order,
)
from tamaya.rules import Rules

pytestmark = [pytest.mark.checked, pytest.mark.interpreted]


def test_seats_follow_each_other():
    view = Game(Rules(players=4)).view(2)
    assert [int(seat_at(view, offset)) for offset in range(4)] == [2, 3, 0, 1]
    assert [int(seat_from(view, 3, offset)) for offset in range(4)] == [3, 0, 1, 2]
    assert [int(seat_after(view, seat)) for seat in range(4)] == [1, 2, 3, 0]


@pytest.mark.parametrize("seed", range(scaled(20)))
def test_slots_of_a_hand(seed):
    for game in naive.positions(seed, 10):
        record = game.record
        for seat in range(game.rules.players):
            orders = [int(order) for order in record.order[seat, : game.rules.hand_size]]
            held = [slot for slot, order in enumerate(orders) if order >= 0]
            by_age = sorted(held, key=lambda slot, orders=orders: orders[slot])
            assert oldest_slot(record, seat) == (by_age[0] if held else -1)
            assert newest_slot(record, seat) == (by_age[-1] if held else 0)
            assert first_slot(record, seat) == min(held, default=-1)
            assert last_slot(record, seat) == max(held, default=-1)
            assert has_gap(record, seat) == (len(held) < len(orders))
            for order in range(record.n_all):
                expected = orders.index(order) if order in orders else -1
                assert slot_of_order(record, seat, order) == expected


def test_the_newest_card_is_not_in_the_last_slot_where_gaps_are_refilled():
    game = Game(Rules(refill="in_place"))
    game.apply(6)  # plays slot 1
    assert newest_slot(game.record, 0) == 1
    assert last_slot(game.record, 0) == 4


def test_what_a_slot_holds():
    game = Game(Rules(players=3), 5)
    view = game.view(0)
    for slot, card in enumerate(naive.hand(game, 1)):
        assert holds(view, 1, slot, 1 << card)
        assert not holds(view, 1, slot, ~(1 << card))
        assert not holds(view, 0, slot, (1 << 25) - 1)  # its own cards are not in sight
