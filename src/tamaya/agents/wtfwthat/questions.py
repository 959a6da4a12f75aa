"""Questions: what a hand is asked, how its cards answer, and what an answer leaves possible.

The question follows from what everybody knows about the hand and from its answers in the same
message, so everybody asks the same. With room for R answers:

1. If no card is known to be playable: a list of cards that may be playable, then, if none is known
   to be dead, of cards that may be dead; the answer is the first that is. Unlikely ones come first,
   because an answer also rules out those before it.
2. Otherwise whether the card that is playable with a probability of about 0.7 is playable.
3. Otherwise the identity of the card least likely to be dead: live cards are dealt into classes in
   turn, dead ones share a class.
"""

import numpy as np

from tamaya.agents.wtfwthat.public_state import chance, free_copies
from tamaya.cards import BIT
from tamaya.compiled import hot, popcount
from tamaya.knowledge.copies import n_copies
from tamaya.knowledge.sets import is_one, is_subset, listed_before
from tamaya.rules import MAX_HAND

NOTHING, LIST, IS_PLAYABLE, IDENTITY = 0, 1, 2, 3

# The original sorts colours by their letters.
COLOUR_ORDER = np.array([4, 2, 0, 3, 1], np.int8)
BY_COLOUR = np.array([5 * colour + rank for colour in COLOUR_ORDER for rank in range(5)], np.int64)
BEFORE = listed_before(BY_COLOUR)


def _distances() -> np.ndarray:
    """[n playable, n all] -> how far a probability is from 0.7, or 2 outside 1/2 to 9/10.

    In the original's precision, which decides between probabilities equally far from 0.7.
    """
    distances = np.full((51, 51), 2.0, np.float32)
    for total in range(1, 51):
        for good in range(total + 1):
            if 2 * good >= total and 10 * good <= 9 * total:
                share = np.float32(good) / np.float32(total)
                distances[good, total] = abs(share - np.float32(0.7))
    return distances


DISTANCE = _distances()


@hot
def is_open(mask, dead):
    """Whether something useful can still be learnt about a card."""
    return mask & ~dead != 0 and not is_one(mask)


@hot
def ask(view, state, room):
    """Put the next question to the hand in question; returns the number of answers, 0 for none."""
    has_playable, has_dead = False, False
    playable, dead = state.asked_playable, state.asked_dead
    for slot in range(view.hand_size):
        mask = state.hand[slot]
        has_playable = has_playable or is_subset(mask, playable)
        has_dead = has_dead or is_subset(mask, dead)
    state.kind = NOTHING
    state.n_answers = 0
    if not has_playable:
        state.n_items = 0
        fill_chances(view, state, playable, state.p_playable)
        list_items(view, state, state.p_playable, np.int64(0), room)
        if not has_dead and state.n_items < room - 1:
            fill_chances(view, state, dead, state.p_dead)
            list_items(view, state, state.p_dead, np.int64(MAX_HAND), room)
        if state.n_items > 0:
            state.kind = LIST
            state.n_answers = state.n_items + 1
            return state.n_answers
    if not ask_if_playable(view, state):
        fill_chances(view, state, dead, state.p_dead)
        ask_identity(view, state, room)
    return state.n_answers


@hot
def fill_chances(view, state, wanted, chances):
    """Fill the probabilities that the open cards of the hand in question are in a set."""
    copies = free_copies(state)
    for slot in range(view.hand_size):
        mask = state.hand[slot]
        if is_open(mask, state.asked_dead):
            chances[slot] = chance(copies, mask, wanted)


@hot
def list_items(view, state, chances, mark, room):
    """Add open slots to the list: the likely ones if there is no room for all, ascending."""
    first = state.n_items
    kept = 0
    for slot in range(view.hand_size):
        if is_open(state.hand[slot], state.asked_dead) and chances[slot] > 0.0:
            kept |= 1 << slot
    while popcount(kept) > room - 1 - first:
        worst = -1
        for slot in range(view.hand_size):
            if kept >> slot & 1 and (worst < 0 or chances[slot] <= chances[worst]):
                worst = slot
        kept ^= 1 << worst
    while kept:
        least = -1
        for slot in range(view.hand_size):
            if kept >> slot & 1 and (least < 0 or chances[slot] < chances[least]):
                least = slot
        kept ^= 1 << least
        state.items[state.n_items] = mark + least
        state.n_items += 1


@hot
def ask_if_playable(view, state):
    """Ask about a card that may well be playable; returns whether there is one."""
    best, nearest, copies = -1, 1.0, free_copies(state)
    for slot in range(view.hand_size):
        mask = state.hand[slot]
        if is_open(mask, state.asked_dead):
            good = n_copies(copies, mask & state.asked_playable)
            distance = DISTANCE[good, n_copies(copies, mask)]
            if distance < nearest:
                best, nearest = slot, distance
    if best < 0:
        return False
    state.kind = IS_PLAYABLE
    state.slot = best
    state.n_answers = 2
    return True


@hot
def ask_identity(view, state, room):
    """Ask for the class of the open card least likely to be dead, if there is one."""
    best = -1
    for slot in range(view.hand_size):
        if is_open(state.hand[slot], state.asked_dead):
            if best < 0 or state.p_dead[slot] < state.p_dead[best]:
                best = slot
    if best >= 0:
        state.kind = IDENTITY
        state.slot = best
        state.room = room
        state.n_answers = n_classes(state.hand[best], state.asked_dead, room)


@hot
def n_live_classes(mask, dead, room):
    """Number of classes for the live cards of a set."""
    return min(room - 1 if mask & dead else room, popcount(mask & ~dead))


@hot
def n_classes(mask, dead, room):
    """Number of classes of a set, with room for at most that many."""
    return n_live_classes(mask, dead, room) + (1 if mask & dead else 0)


@hot
def class_of(card, mask, dead, room):
    """Class of a card of a set."""
    n_live = n_live_classes(mask, dead, room)
    if BIT[card] & dead:
        return n_live
    return popcount(mask & ~dead & BEFORE[card]) % n_live


@hot
def class_members(number, mask, dead, room):
    """The cards of a set in one class."""
    n_live = n_live_classes(mask, dead, room)
    if number >= n_live:
        return mask & dead
    live, members, place = mask & ~dead, 0, 0
    for k in range(25):
        bit = BIT[BY_COLOUR[k]]
        if live & bit:
            if place % n_live == number:
                members |= bit
            place += 1
    return members


@hot
def answer_of(view, state, seat):
    """What the cards of a seat answer."""
    if state.kind == LIST:
        for k in range(state.n_items):
            item = state.items[k]
            wanted = state.asked_playable if item < MAX_HAND else state.asked_dead
            if BIT[view.card[seat, item % MAX_HAND]] & wanted:
                return k + 1
        return 0
    card = view.card[seat, state.slot]
    if state.kind == IS_PLAYABLE:
        return 1 if BIT[card] & state.asked_playable else 0
    return class_of(card, state.hand[state.slot], state.asked_dead, state.room)


@hot
def keep(state, slot, wanted):
    """Narrow what a card can be; an answer that would leave nothing is ignored."""
    if state.hand[slot] & wanted:
        state.hand[slot] &= wanted


@hot
def narrow(state, answer):
    """Draw the conclusions from an answer."""
    if state.kind == LIST:
        for k in range(state.n_items):
            item = state.items[k]
            wanted = state.asked_playable if item < MAX_HAND else state.asked_dead
            if k + 1 == answer:
                keep(state, item % MAX_HAND, wanted)
                return
            keep(state, item % MAX_HAND, ~wanted)
    elif state.kind == IS_PLAYABLE:
        keep(state, state.slot, state.asked_playable if answer else ~state.asked_playable)
    else:
        mask = state.hand[state.slot]
        keep(state, state.slot, class_members(answer, mask, state.asked_dead, state.room))
