"""Which card of a hand a hint is about, and the classes that its hat distinguishes.

The hint is about the card most likely to be playable among those that are not publicly recognised.
What that card can be is split into classes: dead cards together, then the likeliest to be played
first one by one, the rest in classes of eight.
"""

import numpy as np

from tamaya.cards import BIT
from tamaya.compiled import hot, popcount
from tamaya.knowledge.copies import cards_in, n_copies, take
from tamaya.knowledge.sets import is_one, listed_before, lowest_card
from tamaya.knowledge.tables import public_set

# Cards are listed by rank, then colour: those that can be played first come first.
BY_RANK = np.array([5 * colour + rank for rank in range(5) for colour in range(5)], np.int8)
BEFORE = listed_before(BY_RANK)


@hot
def target_slot(view, memory, seat, playable, copies):
    """Slot that a hint is about: not recognised and most likely playable; slot 0 if there is none.

    Probabilities use the copies not yet recognised; ties go to the oldest.
    """
    best, best_good, best_total = 0, 0, 1
    for slot in range(view.hand_size):
        mask = public_set(view, memory, seat, slot)
        if mask & playable and not is_one(mask):
            good, total = n_copies(copies, mask & playable), n_copies(copies, mask)
            if good * best_total > best_good * total:
                best, best_good, best_total = slot, good, total
    return best


@hot
def n_single(n_classes, n_members):
    """Number of classes with one member, as many as possible with the rest in classes of eight."""
    for n in range(n_classes, 0, -1):
        if n + 8 * (n_classes - n) >= n_members:
            return n
    return 0


@hot
def recognised_own(view, memory, copies):
    """Cards that the viewer recognises in its own hand, and the copies that it cannot place.

    ``copies`` are those it does not see. The cards are packed six bits per slot, card plus one or
    0 for none: one number, because kernels allocate no arrays.
    """
    found, n_found, n_before = 0, 0, -1
    while n_found != n_before:
        n_before = n_found
        for slot in range(view.hand_size):
            if found >> (6 * slot) & 63:
                continue
            mask = public_set(view, memory, view.seat, slot)
            if not is_one(mask):
                mask &= cards_in(copies)
            if is_one(mask):
                found |= (lowest_card(mask) + 1) << (6 * slot)
                n_found += 1
                copies = take(copies, mask)
    return found, copies


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
