"""Public tables: what everybody knows of every card in a hand, and which card a hint speaks about.

``memory.excluded[order]`` is the set of cards that the card at a place of the deck is publicly
known not to be; nothing at the deal. The table is closed when no more follows from counting: a card
of which every copy has been played, discarded or publicly recognised in a hand is nowhere else.
"""

import numpy as np

from tamaya.agents.rules.facts import n_copies
from tamaya.cards import BIT, COLOUR_MASK, DECK_SIZE, RANK_MASK
from tamaya.compiled import hot, popcount
from tamaya.game_kernels import SLOT_BIT
from tamaya.moves import HINT_COLOUR, kind_of, value_of

MEMORY = [("excluded", np.int32, DECK_SIZE)]  # [order] -> mask, common knowledge

# Cards are listed by rank, then colour: those that can be played first come first.
BY_RANK = np.array([5 * colour + rank for rank in range(5) for colour in range(5)], np.int8)
BEFORE = np.array(
    [BIT[BY_RANK[: list(BY_RANK).index(card)]].sum() for card in range(25)], np.int32
)  # [card] -> the cards listed before it


@hot
def public_set(view, memory, seat, slot):
    """What the card in a slot can be for everybody; 0 for an empty slot."""
    order = view.order[seat, slot]
    return view.all_cards & ~memory.excluded[order] if order >= 0 else 0


@hot
def is_one(mask):
    """Whether a set has exactly one card."""
    return mask != 0 and mask & (mask - 1) == 0


@hot
def unrecognised(view, memory, ones, twos):
    """Numbers of copies less the cards that are publicly recognised in hands."""
    for seat in range(view.players):
        for slot in range(view.hand_size):
            mask = public_set(view, memory, seat, slot)
            if is_one(mask):
                ones ^= mask
                twos ^= mask & ones  # the borrow
    return ones, twos


@hot
def close_table(view, memory, ones, twos):
    """Draw all conclusions from counting; the copies are those neither played nor discarded."""
    ones, twos = unrecognised(view, memory, ones, twos)
    gone = view.all_cards & ~(ones | twos)
    checked = 0
    while gone != checked:  # each round excludes only what has become impossible since the last
        news = gone & ~checked
        checked = gone
        for seat in range(view.players):
            for slot in range(view.hand_size):
                mask = public_set(view, memory, seat, slot)
                if mask & news and not is_one(mask):
                    memory.excluded[view.order[seat, slot]] |= news
                    mask &= ~news
                    if is_one(mask):
                        ones ^= mask
                        twos ^= mask & ones
        gone = view.all_cards & ~(ones | twos)


@hot
def apply_words(view, event, memory):
    """Exclude what the words of a hint exclude."""
    value = value_of(view, event.move)
    hint = COLOUR_MASK[value] if kind_of(view, event.move) == HINT_COLOUR else RANK_MASK[value]
    for slot in range(view.hand_size):
        order = view.order[event.target, slot]
        if order >= 0:
            memory.excluded[order] |= ~hint if event.touched & SLOT_BIT[slot] else hint


@hot
def target_slot(view, memory, seat, playable, ones, twos):
    """Slot that a hint speaks about: not recognised and most likely playable; slot 0 if none is.

    Weights are the copies that are not recognised; the oldest of equals.
    """
    best, best_good, best_total = 0, 0, 1
    for slot in range(view.hand_size):
        mask = public_set(view, memory, seat, slot)
        if mask & playable and not is_one(mask):
            good, total = n_copies(ones, twos, mask & playable), n_copies(ones, twos, mask)
            if good * best_total > best_good * total:
                best, best_good, best_total = slot, good, total
    return best


@hot
def n_single(n_classes, n_members):
    """Classes of one member each, as many as leave room for the rest in classes of eight."""
    for n in range(n_classes, 0, -1):
        if n + 8 * (n_classes - n) >= n_members:
            return n
    return 0


@hot
def recognised_own(view, memory, ones, twos):
    """Cards that the viewer recognises in its own hand, and the copies that it cannot place.

    ``ones`` and ``twos`` are the copies it does not see. The cards come six bits per slot, one more
    than the card, 0 for none: a number, because kernels allocate no arrays.
    """
    found, n_found, n_before = 0, 0, -1
    while n_found != n_before:
        n_before = n_found
        for slot in range(view.hand_size):
            if found >> (6 * slot) & 63:
                continue
            mask = public_set(view, memory, view.seat, slot)
            if not is_one(mask):
                mask &= ones | twos
            if is_one(mask):
                found |= (popcount(mask - 1) + 1) << (6 * slot)
                n_found += 1
                ones ^= mask
                twos ^= mask & ones
    return found, ones, twos


@hot
def class_at(place, n_classes, n_members):
    """Class of the member at a place of the list: single ones first, then eight at a time."""
    n = n_single(n_classes, n_members)
    if place < n:
        return place
    return min(n + (place - n) // 8, n_classes - 1)


@hot
def class_of(card, mask, dead, n_classes):
    """Class of a card in the partition of a set: dead cards together, the others as listed."""
    n_dead = 1 if mask & dead else 0
    if BIT[card] & dead:
        return 0
    live = mask & ~dead
    place = n_dead + popcount(live & BEFORE[card])
    return class_at(place, n_classes, n_dead + popcount(live))


@hot
def class_members(number, mask, dead, n_classes):
    """The cards of a set in one class of its partition."""
    live = mask & ~dead
    place = 1 if mask & dead else 0
    n_members = place + popcount(live)
    members = mask & dead if place and number == 0 else 0
    for k in range(25):
        bit = BIT[BY_RANK[k]]
        if live & bit:
            if class_at(place, n_classes, n_members) == number:
                members |= bit
            place += 1
    return members
