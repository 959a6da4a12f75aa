"""Queries of a belief state: who would play what, who would discard what, what a card is.

Sets of slots are masks. With ``COMMON`` the answers are common knowledge; with ``MINE`` they
include what this player sees.
"""

import numpy as np

from tamaya.agents.fireflower.belief_state import (
    JUNK,
    MINE,
    PLAY,
    SAVE,
    UNKNOWN,
    order_at,
    possible,
)
from tamaya.agents.fireflower.beliefs import member
from tamaya.cards import BIT
from tamaya.compiled import hot
from tamaya.game_kernels import SLOT_BIT
from tamaya.knowledge.sets import is_one, known_colour, lowest_card

# How good a discard is, from a card that is surely the last copy to certain trash.
SURELY_LAST, MAYBE_LAST, ORDINARY, BELIEVED_JUNK, CERTAIN_TRASH = np.array([0, 1, 4, 5, 6])
AT_ONCE, IN_TURN = np.int64(0), np.int64(1)


@hot
def expected_plays(state, seat, whose, when):
    """Slots that a seat is expected to play at once, or each in its turn."""
    playable = state.playable
    slots = np.int64(0)
    for slot in range(state.n_cards[seat]):
        order = order_at(state, seat, slot)
        mask = possible(state, whose, order)
        if mask & playable == 0:
            continue
        kind = state.kind[order]
        if (
            mask & ~playable == 0
            or (kind == PLAY and (when == IN_TURN or state.place[order] == 0))
            or (kind == SAVE and mask & ~(playable | state.trash) == 0)
        ):
            slots |= SLOT_BIT[slot]
    return slots


@hot
def next_discard(state, seat, whose):
    """The slot that a seat would discard and how good that is; ties go to the oldest."""
    best, grade = np.int64(0), SURELY_LAST
    for slot in range(state.n_cards[seat]):
        order = order_at(state, seat, slot)
        mask = possible(state, whose, order)
        if mask & ~state.trash == 0:
            return slot, CERTAIN_TRASH
        kind = state.kind[order]
        if kind == JUNK and mask & state.trash != 0:
            here = BELIEVED_JUNK
        elif kind != SAVE and kind != PLAY:
            here = ORDINARY
        elif mask & ~state.danger != 0:
            here = MAYBE_LAST
        else:
            here = SURELY_LAST
        if here > grade:
            best, grade = slot, here
    return best, grade


@hot
def newest_possible(state, seat, whose, wanted):
    """The newest slot of a seat that may hold a card of a set, or -1."""
    for slot in range(state.n_cards[seat] - 1, -1, -1):
        if possible(state, whose, order_at(state, seat, slot)) & wanted != 0:
            return slot
    return -1


@hot
def only_card(mask):
    """The card of a set of one, else UNKNOWN."""
    return lowest_card(mask) if is_one(mask) else UNKNOWN


@hot
def guess(state, order):
    """What this player takes a card to be, from sight or from beliefs, else UNKNOWN."""
    mask = possible(state, MINE, order)
    if is_one(mask):
        return only_card(mask)
    if state.kind[order] != PLAY:
        return UNKNOWN
    if state.place[order] == 0:
        return only_card(mask & state.playable)
    if state.players > 2:
        return UNKNOWN
    colour = known_colour(mask & state.useful)
    if colour < 0:
        return UNKNOWN
    rank = state.firework[colour]
    for _ in range(state.place[order]):
        if rank < state.ranks and mask & BIT[5 * colour + rank] != 0:
            rank += 1
    if rank < state.ranks and mask & state.useful & BIT[5 * colour + rank] != 0:
        return 5 * colour + rank
    return UNKNOWN


@hot
def plays_fine(state, ledger, order):
    """Whether a card that is to be played will be playable in its turn, as far as is known."""
    if state.kind[order] != PLAY:
        return False
    if state.place[order] == 0:
        card = guess(state, order)
        if card >= 0:
            return BIT[card] & state.playable != 0
        return state.players <= 3 and possible(state, MINE, order) & ~state.playable == 0
    group = np.int64(state.group[order])
    reached = state.played
    is_fine = False
    for place in range(state.place[order] + 1):
        card = guess(state, member(ledger, group, place))
        if card < 0:
            return False
        is_fine = False
        if BIT[card] & reached == 0:
            if card % 5 == 0 or BIT[card - 1] & reached != 0:
                reached |= BIT[card]
                is_fine = True
            elif state.players > 3:
                return False
    return is_fine


@hot
def is_new(state, holder, order):
    """Whether nobody has yet discarded when they could have hinted this card."""
    return order >= state.seen_until[holder]
