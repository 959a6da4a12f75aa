"""What players ask of a mind: who would play what, who would discard what, what a card is.

Sets of slots are masks. With ``COMMON`` knowledge the answers are everybody's; with ``MINE`` they
count what this player sees.
"""

import numpy as np

from tamaya.agents.fireflower.beliefs import member
from tamaya.agents.fireflower.mind import (
    JUNK,
    MINE,
    PLAY,
    SAVE,
    UNKNOWN,
    is_one,
    order_at,
    possible,
)
from tamaya.cards import BIT, COLOUR_MASK
from tamaya.compiled import hot, popcount
from tamaya.game_kernels import SLOT_BIT

# How good a discard is, from a card that surely is the last of its kind to certain trash.
SURELY_LAST, MAYBE_LAST, ORDINARY, BELIEVED_JUNK, CERTAIN_TRASH = np.array([0, 1, 4, 5, 6])
AT_ONCE, IN_TURN = np.int64(0), np.int64(1)


@hot
def expected_plays(mind, seat, whose, when):
    """Slots that a seat is expected to play at once, or each in its turn."""
    playable = mind.playable
    slots = np.int64(0)
    for slot in range(mind.n_cards[seat]):
        order = order_at(mind, seat, slot)
        mask = possible(mind, whose, order)
        if mask & playable == 0:
            continue
        kind = mind.kind[order]
        if (
            mask & ~playable == 0
            or (kind == PLAY and (when == IN_TURN or mind.place[order] == 0))
            or (kind == SAVE and mask & ~(playable | mind.trash) == 0)
        ):
            slots |= SLOT_BIT[slot]
    return slots


@hot
def next_discard(mind, seat, whose):
    """The slot that a seat would discard and how good that is; the oldest of equals."""
    best, grade = np.int64(0), SURELY_LAST
    for slot in range(mind.n_cards[seat]):
        order = order_at(mind, seat, slot)
        mask = possible(mind, whose, order)
        if mask & ~mind.trash == 0:
            return slot, CERTAIN_TRASH
        kind = mind.kind[order]
        if kind == JUNK and mask & mind.trash != 0:
            here = BELIEVED_JUNK
        elif kind != SAVE and kind != PLAY:
            here = ORDINARY
        elif mask & ~mind.danger != 0:
            here = MAYBE_LAST
        else:
            here = SURELY_LAST
        if here > grade:
            best, grade = slot, here
    return best, grade


@hot
def newest_possible(mind, seat, whose, wanted):
    """The newest slot of a seat that may hold a card of a set, or -1."""
    for slot in range(mind.n_cards[seat] - 1, -1, -1):
        if possible(mind, whose, order_at(mind, seat, slot)) & wanted != 0:
            return slot
    return -1


@hot
def only_colour(mask):
    """The colour of all cards of a set, or -1 if they have several or there are none."""
    if mask == 0:
        return -1
    colour = popcount((mask & -mask) - 1) // 5
    return colour if mask & ~COLOUR_MASK[colour] == 0 else -1


@hot
def only_card(mask):
    """The card of a set of one, else UNKNOWN."""
    return popcount(mask - 1) if is_one(mask) else UNKNOWN


@hot
def guess(mind, order):
    """What this player takes a card for, from sight or from beliefs, else UNKNOWN."""
    mask = possible(mind, MINE, order)
    if is_one(mask):
        return only_card(mask)
    if mind.kind[order] != PLAY:
        return UNKNOWN
    if mind.place[order] == 0:
        return only_card(mask & mind.playable)
    if mind.players > 2:
        return UNKNOWN
    colour = only_colour(mask & mind.useful)
    if colour < 0:
        return UNKNOWN
    rank = mind.firework[colour]
    for _ in range(mind.place[order]):
        if rank < mind.ranks and mask & BIT[5 * colour + rank] != 0:
            rank += 1
    if rank < mind.ranks and mask & mind.useful & BIT[5 * colour + rank] != 0:
        return 5 * colour + rank
    return UNKNOWN


@hot
def plays_fine(mind, ledger, order):
    """Whether a card that is to be played will be playable in its turn, as far as one can tell."""
    if mind.kind[order] != PLAY:
        return False
    if mind.place[order] == 0:
        card = guess(mind, order)
        if card >= 0:
            return BIT[card] & mind.playable != 0
        return mind.players <= 3 and possible(mind, MINE, order) & ~mind.playable == 0
    group = np.int64(mind.group[order])
    reached = mind.played
    is_fine = False
    for place in range(mind.place[order] + 1):
        card = guess(mind, member(ledger, group, place))
        if card < 0:
            return False
        is_fine = False
        if BIT[card] & reached == 0:
            if card % 5 == 0 or BIT[card - 1] & reached != 0:
                reached |= BIT[card]
                is_fine = True
            elif mind.players > 3:
                return False
    return is_fine


@hot
def is_new(mind, holder, order):
    """Whether nobody has yet had tokens to hint a card and chosen to discard instead."""
    return order >= mind.seen_until[holder]
