"""The ledger of beliefs: what promises uncover, what tidying keeps, what a full one does."""

from random import Random

import numpy as np
import pytest

from tamaya.agents.fireflower.beliefs import (
    GROUP_SIZE,
    LEDGER,
    MAX_GROUPS,
    add,
    attach,
    attach_one,
    attach_promise,
    new_group,
    pop,
    squeeze,
)
from tamaya.agents.fireflower.mind import JUNK, MIND, NOTHING, PLAY, SAVE, UNKNOWN

pytestmark = [pytest.mark.checked, pytest.mark.interpreted]


class Desk:
    """A mind without cards and its ledger; keeps their arrays alive."""

    def __init__(self) -> None:
        self.minds, self.ledgers = np.zeros(1, MIND), np.zeros(1, LEDGER)
        self.mind, self.ledger = self.minds[0], self.ledgers[0]
        self.mind.promise[:] = UNKNOWN
        self.mind.below[:] = UNKNOWN

    def attach(self, kind: int, *orders: int) -> None:
        group = new_group(self.mind, self.ledger)
        for order in orders:
            add(self.ledger, group, order)
        attach(self.mind, self.ledger, kind, group)

    def stack(self, order: int) -> list[tuple]:
        """The beliefs of a card that can still show, top first, with the cards of their groups."""
        mind, ledger = self.mind, self.ledger
        found = []
        top = mind.kind[order], mind.place[order], mind.group[order], mind.promise[order]
        below = mind.below[order]
        while True:
            kind, place, group, promise = (int(part) for part in top)
            if kind == NOTHING:
                found.append(("nothing",))
            else:
                members = ledger.member[group, : ledger.n_members[group]].tolist()
                found.append((kind, place, members, promise))
            if below < 0:
                return found
            top = (ledger.buried_kind[below], ledger.buried_place[below],
                   ledger.buried_group[below], ledger.buried_promise[below])  # fmt: skip
            below = ledger.buried_below[below]


def test_places_follow_the_list_and_the_last_of_two_counts():
    desk = Desk()
    desk.attach(PLAY, 7, 3, 7)
    assert desk.mind.place[7] == 2
    assert desk.mind.place[3] == 1
    assert desk.mind.queued[7]


def test_a_promise_uncovers_what_lay_below():
    desk = Desk()
    desk.attach(SAVE, 4, 5)
    desk.attach(PLAY, 8, 9)
    attach_promise(desk.mind, desk.ledger, 9, 4, 11)
    assert desk.stack(4) == [(PLAY, 1, [8, 4, 9], 11), (SAVE, 0, [4, 5], -1)]
    assert desk.stack(9) == [(PLAY, 2, [8, 4, 9], -1)]
    desk.attach(PLAY, 4, 9)  # to be played still, so the promise holds
    assert desk.stack(4)[0] == (PLAY, 0, [4, 9], 11)
    pop(desk.mind, desk.ledger, 4)
    pop(desk.mind, desk.ledger, 4)
    assert desk.stack(4) == [(SAVE, 0, [4, 5], -1)]
    assert not desk.mind.queued[4]


def test_a_promise_without_a_play_stands_alone():
    desk = Desk()
    attach_promise(desk.mind, desk.ledger, 9, 4, 11)
    assert desk.stack(4) == [(PLAY, 0, [4], 11), ("nothing",)]


def test_a_promised_card_that_the_group_lists_already():
    desk = Desk()
    desk.attach(PLAY, 8, 9, 4)
    desk.attach(SAVE, 4)
    attach_promise(desk.mind, desk.ledger, 9, 4, 11)
    assert desk.stack(4) == [(PLAY, 1, [8, 4, 9, 4], 11), (PLAY, 1, [8, 4, 9, 4], -1)]


def test_other_beliefs_end_a_promise():
    desk = Desk()
    attach_promise(desk.mind, desk.ledger, 9, 4, 11)
    desk.attach(JUNK, 4)
    assert desk.stack(4) == [(JUNK, 0, [4], -1)]


def test_squeezing_keeps_every_stack():
    rng, desk = Random(1), Desk()
    for _ in range(200):
        orders = rng.sample(range(50), rng.randrange(1, 6))
        if rng.random() < 0.3:
            attach_promise(desk.mind, desk.ledger, orders[0], orders[-1], rng.randrange(25))
        else:
            desk.attach(rng.choice([PLAY, SAVE, JUNK]), *orders)
        if rng.random() < 0.2:
            before = [desk.stack(order) for order in range(50)]
            n_groups = int(desk.mind.n_groups)
            squeeze(desk.mind, desk.ledger)
            assert [desk.stack(order) for order in range(50)] == before
            assert desk.mind.n_groups <= min(n_groups, 50 + desk.mind.n_buried)


def test_a_full_ledger_believes_nothing_more():
    desk = Desk()
    for _ in range(MAX_GROUPS + 5):
        attach_one(desk.mind, desk.ledger, PLAY, 3)
    desk.attach(SAVE, 3)
    assert desk.mind.kind[3] == PLAY
    attach_promise(desk.mind, desk.ledger, 3, 4, 11)
    assert desk.mind.kind[4] == NOTHING


def test_a_full_group_takes_no_more_cards():
    desk = Desk()
    desk.attach(PLAY, *range(GROUP_SIZE + 3))
    assert desk.mind.kind[GROUP_SIZE - 1] == PLAY
    assert desk.mind.kind[GROUP_SIZE] == NOTHING
