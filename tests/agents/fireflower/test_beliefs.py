"""The ledger of beliefs: what promises uncover, what tidying keeps, what a full one does."""

from random import Random

import numpy as np
import pytest

from tamaya.agents.fireflower.belief_state import BELIEF_STATE, JUNK, NOTHING, PLAY, SAVE, UNKNOWN
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

pytestmark = [pytest.mark.checked, pytest.mark.interpreted]


class Held:
    """A state without cards and its ledger; keeps their arrays alive."""

    def __init__(self) -> None:
        self.states, self.ledgers = np.zeros(1, BELIEF_STATE), np.zeros(1, LEDGER)
        self.state, self.ledger = self.states[0], self.ledgers[0]
        self.state.promise[:] = UNKNOWN
        self.state.below[:] = UNKNOWN

    def attach(self, kind: int, *orders: int) -> None:
        group = new_group(self.state, self.ledger)
        for order in orders:
            add(self.ledger, group, order)
        attach(self.state, self.ledger, kind, group)

    def stack(self, order: int) -> list[tuple]:
        """The beliefs of a card that can still show, top first, with the cards of their groups."""
        state, ledger = self.state, self.ledger
        found = []
        top = state.kind[order], state.place[order], state.group[order], state.promise[order]
        below = state.below[order]
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
    held = Held()
    held.attach(PLAY, 7, 3, 7)
    assert held.state.place[7] == 2
    assert held.state.place[3] == 1
    assert held.state.queued[7]


def test_a_promise_uncovers_what_lay_below():
    held = Held()
    held.attach(SAVE, 4, 5)
    held.attach(PLAY, 8, 9)
    attach_promise(held.state, held.ledger, 9, 4, 11)
    assert held.stack(4) == [(PLAY, 1, [8, 4, 9], 11), (SAVE, 0, [4, 5], -1)]
    assert held.stack(9) == [(PLAY, 2, [8, 4, 9], -1)]
    held.attach(PLAY, 4, 9)  # to be played still, so the promise holds
    assert held.stack(4)[0] == (PLAY, 0, [4, 9], 11)
    pop(held.state, held.ledger, 4)
    pop(held.state, held.ledger, 4)
    assert held.stack(4) == [(SAVE, 0, [4, 5], -1)]
    assert not held.state.queued[4]


def test_a_promise_without_a_play_stands_alone():
    held = Held()
    attach_promise(held.state, held.ledger, 9, 4, 11)
    assert held.stack(4) == [(PLAY, 0, [4], 11), ("nothing",)]


def test_a_promised_card_that_the_group_lists_already():
    held = Held()
    held.attach(PLAY, 8, 9, 4)
    held.attach(SAVE, 4)
    attach_promise(held.state, held.ledger, 9, 4, 11)
    assert held.stack(4) == [(PLAY, 1, [8, 4, 9, 4], 11), (PLAY, 1, [8, 4, 9, 4], -1)]


def test_other_beliefs_end_a_promise():
    held = Held()
    attach_promise(held.state, held.ledger, 9, 4, 11)
    held.attach(JUNK, 4)
    assert held.stack(4) == [(JUNK, 0, [4], -1)]


def test_squeezing_keeps_every_stack():
    rng, held = Random(1), Held()
    for _ in range(200):
        orders = rng.sample(range(50), rng.randrange(1, 6))
        if rng.random() < 0.3:
            attach_promise(held.state, held.ledger, orders[0], orders[-1], rng.randrange(25))
        else:
            held.attach(rng.choice([PLAY, SAVE, JUNK]), *orders)
        if rng.random() < 0.2:
            before = [held.stack(order) for order in range(50)]
            n_groups = int(held.state.n_groups)
            squeeze(held.state, held.ledger)
            assert [held.stack(order) for order in range(50)] == before
            assert held.state.n_groups <= min(n_groups, 50 + held.state.n_buried)


def test_a_full_ledger_believes_nothing_more():
    held = Held()
    for _ in range(MAX_GROUPS + 5):
        attach_one(held.state, held.ledger, PLAY, 3)
    held.attach(SAVE, 3)
    assert held.state.kind[3] == PLAY
    attach_promise(held.state, held.ledger, 3, 4, 11)
    assert held.state.kind[4] == NOTHING


def test_a_full_group_takes_no_more_cards():
    held = Held()
    held.attach(PLAY, *range(GROUP_SIZE + 3))
    assert held.state.kind[GROUP_SIZE - 1] == PLAY
    assert held.state.kind[GROUP_SIZE] == NOTHING
