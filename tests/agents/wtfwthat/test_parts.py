"""The parts by themselves: classes of cards, the first questions, the search of the last turns."""

import numpy as np
import pytest

from agents.stacking import cards, table_seats
from support import scaled
from tamaya.agents.wtfwthat.endgame import HINT_IS_BETTER, best_end
from tamaya.agents.wtfwthat.hats import foresee, take_hand
from tamaya.agents.wtfwthat.hints import goodness
from tamaya.agents.wtfwthat.public_state import PUBLIC_STATE, fill_now
from tamaya.agents.wtfwthat.questions import LIST, ask, class_members, class_of, n_classes
from tamaya.agents.wtfwthat.settings import OPTIONS
from tamaya.agents.wtfwthat.slots import nth_slot, useless_slots
from tamaya.cards import BIT, COLOUR_MASK, RANK_MASK, CardSet
from tamaya.game import Game
from tamaya.game_kernels import holds_any
from tamaya.registry import find_agent
from tamaya.rules import Rules

pytestmark = [pytest.mark.checked, pytest.mark.interpreted]


def mask_of(text: str) -> int:
    """The set of cards of names such as ``R1 Y2``."""
    return int(sum(BIT[card] for card in set(cards(text))))


def test_every_card_is_in_its_class():
    rng = np.random.default_rng(1)
    for _ in range(scaled(300)):
        mask, dead = (int(bits) for bits in rng.integers(1, 2**25, 2))
        live, room = mask & ~dead, int(rng.integers(2, 17))
        if live == 0:
            continue
        n = int(n_classes(mask, dead, room))
        assert n <= room
        classes = [int(class_members(number, mask, dead, room)) for number in range(n)]
        assert all(classes) and sum(classes) == mask  # none empty, none shared
        for card in range(25):
            if mask & BIT[card]:
                assert classes[int(class_of(card, mask, dead, room))] & BIT[card]


def test_a_fresh_hand_is_asked_which_card_is_playable():
    view = Game(Rules(players=3)).view()
    states, options = np.zeros(1, PUBLIC_STATE), np.zeros(1, OPTIONS)
    memory = find_agent("wtfwthat").new_memory()
    fill_now(view, memory, states[0], False)
    foresee(view, states[0], 0, options[0])
    take_hand(view, states[0], np.int64(1))
    assert ask(view, states[0], 4) == 4
    assert states[0].kind == LIST
    assert list(states[0].items[:3]) == [0, 1, 2]  # equally likely, so in order


def naive_goodness(view, state, seat: int, hint: int, number: type) -> float:
    """How much a hint tells, in floats of a kind."""
    left = [int(n) - int(gone) for n, gone in zip(view.copies, view.discarded, strict=True)]
    for colour in range(5):
        for rank in range(view.firework[colour]):
            left[5 * colour + rank] -= 1
    worth = number(1)
    for slot in range(view.hand_size):
        before = set(CardSet(int(state.sets[seat, slot])))
        named, dead = set(CardSet(hint)), set(CardSet(int(state.dead)))
        if len(before) == 1 or before <= dead:
            continue
        after = before & named if int(view.card[seat, slot]) in named else before - named
        n_before, n_after = (number(sum(left[card] for card in set_)) for set_ in (before, after))
        bonus = 2 if len(after) == 1 or after <= dead else 1
        worth *= number(bonus) * (n_before / n_after)
    return float(worth)


def test_how_much_a_hint_tells_in_both_precisions():
    states, options = np.zeros(1, PUBLIC_STATE), np.zeros(1, OPTIONS)
    differing = 0
    for position, seats in table_seats("wtfwthat", Rules(players=3), scaled(5)):
        view = seats[position.mover].view()
        fill_now(view, seats[0].memory[0], states[0], False)
        foresee(view, states[0], view.seat, options[0])
        seat = np.int64((position.mover + 1) % 3)
        take_hand(view, states[0], seat)
        for hint in (*RANK_MASK, *COLOUR_MASK):
            if holds_any(view, seat, hint):
                expected = [naive_goodness(view, states[0], int(seat), int(hint), number)
                            for number in (np.float32, np.float64)]  # fmt: skip
                found = [float(goodness(view, states[0], seat, hint, in_double))
                         for in_double in (False, True)]  # fmt: skip
                assert found == expected
                differing += expected[0] != expected[1]
    assert differing > 100


def test_useless_slots_are_dead_or_held_twice():
    view = Game(Rules(players=2)).view()
    sets = np.array([mask_of(text) for text in ("R1", "Y3", "R1 Y1", "Y3", "B5")], np.int64)
    slots = int(useless_slots(view, sets, mask_of("R1 Y1")))
    assert slots == 0b01111
    assert [int(nth_slot(0b01101, n)) for n in range(3)] == [0, 2, 3]


@pytest.mark.parametrize(
    ("deck_size", "tokens", "expected"),
    [
        (1, 1, HINT_IS_BETTER),  # so that seat 1 plays its 4 before the last card is drawn
        (1, 0, 0),
        (3, 1, 0),  # time enough
    ],
)
def test_who_has_two_cards_to_play_begins(deck_size, tokens, expected):
    """Seat 0 holds R5, seat 1 holds Y4 and Y5, all else is dead."""
    view, states = Game(Rules(players=3)).view().copy(), np.zeros(1, PUBLIC_STATE)
    view.deck_size, view.tokens = deck_size, tokens
    view.card[1:, :5] = cards("R1")[0]
    view.card[1, :2] = cards("Y4 Y5")
    state = states[0]
    state.playable = mask_of("R5 Y4")
    state.own[0] = mask_of("R5")
    assert best_end(view, state) == expected
