"""Partitions of what a card can be, and the card that a hint speaks about."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from support import examples
from tamaya.agents.hat.classes import class_members, class_of, target_slot
from tamaya.cards import ALL_CARDS, BIT, CardSet
from tamaya.game import Game
from tamaya.knowledge.copies import full_deck
from tamaya.knowledge.sets import is_one
from tamaya.knowledge.tables import TABLE, public_set
from tamaya.records import record
from tamaya.rules import Rules

pytestmark = [pytest.mark.checked, pytest.mark.interpreted]

masks = st.integers(1, ALL_CARDS)


@examples(200)
@given(masks, st.integers(0, ALL_CARDS), st.sampled_from([2, 4, 8, 10, 20, 30, 40]))
def test_classes_are_a_partition(mask, dead, n_classes):
    classes = [int(class_members(k, mask, dead, n_classes)) for k in range(n_classes)]
    assert sum(len(CardSet(members)) for members in classes) == len(CardSet(mask))
    for card in CardSet(mask):
        number = int(class_of(card, mask, dead, n_classes))
        assert classes[number] & int(BIT[card])
    if mask & dead and n_classes > 2:  # with two, each has to hold more
        assert classes[0] == mask & dead


@pytest.mark.parametrize(
    ("n_members", "sizes"),
    [(3, [1, 1, 1]), (8, [1] * 8), (9, [1] * 7 + [2]), (15, [1] * 7 + [8]),
     (16, [1] * 6 + [8, 2]), (22, [1] * 6 + [8, 8]), (25, [1] * 5 + [8, 8, 4])],
)  # fmt: skip
def test_cox_makes_eight_classes(n_members, sizes):
    mask = (1 << n_members) - 1
    found = [len(CardSet(int(class_members(k, mask, 0, 8)))) for k in range(8)]
    assert [size for size in found if size] == sizes


def test_low_ranks_are_told_exactly():
    ones = [int(class_members(k, ALL_CARDS, 0, 8)) for k in range(5)]
    assert ones == [int(BIT[5 * colour]) for colour in range(5)]


def test_a_hint_speaks_about_the_likeliest_card_that_is_not_recognised():
    game = Game(Rules(players=2), 1)
    view = game.view()
    memories = np.zeros(1, record([TABLE]))
    memory, deck = memories[0], full_deck(view)
    playable = sum(1 << 5 * colour for colour in range(5))
    assert target_slot(view, memory, 1, playable, deck) == 0

    def allow(slot: int, mask: int) -> None:
        memory.excluded[view.order[1, slot]] = ALL_CARDS & ~mask

    allow(1, 0b11111)  # red: 3 of 10 copies are ones
    assert target_slot(view, memory, 1, playable, deck) == 0
    allow(3, 0b11)  # R1 or R2: 3 of 5
    assert target_slot(view, memory, 1, playable, deck) == 3
    allow(2, 0b1)  # recognised
    assert is_one(public_set(view, memory, 1, 2))
    assert target_slot(view, memory, 1, playable, deck) == 3
    for slot in range(5):
        allow(slot, 0b10)
    assert target_slot(view, memory, 1, playable, deck) == 0
