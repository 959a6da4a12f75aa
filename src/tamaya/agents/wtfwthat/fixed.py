"""Questions fixed in advance, as in the version of 2018: no answer changes a later question.

If no card is known to be playable, each open card with a probability of at least 1/5 is asked
whether it is playable, the likeliest first; then each open card for its identity, while there is
room. The first answer is the highest digit of the hat.
"""

import numpy as np

from tamaya.agents.wtfwthat.public_state import chance, free_copies
from tamaya.agents.wtfwthat.questions import (
    IDENTITY,
    IS_PLAYABLE,
    answer_of,
    is_open,
    n_classes,
    narrow,
)
from tamaya.compiled import hot
from tamaya.knowledge.sets import is_subset

PLAY_CHANCE = 0.2


@hot
def list_questions(view, state, budget):
    """Write the questions as items: 8 room + slot for an identity, else the slot.

    The sets before any answer are stored, because questions about identities refer to them.
    """
    has_playable, copies = False, free_copies(state)
    for slot in range(view.hand_size):
        mask = state.hand[slot]
        state.before[slot] = mask
        has_playable = has_playable or is_subset(mask, state.playable)
        state.p_playable[slot] = chance(copies, mask, state.playable)
    state.n_items = 0
    room = budget
    if not has_playable:
        room = list_kind(view, state, room, np.int64(IS_PLAYABLE))
    list_kind(view, state, room, np.int64(IDENTITY))


@hot
def list_kind(view, state, room, kind):
    """Add the questions of a kind, likely playable cards first; returns the room left."""
    asked = 0
    while room > 1:
        best = -1
        for slot in range(view.hand_size):
            if asked >> slot & 1 or not is_open(state.before[slot], state.dead):
                continue
            if best < 0 or state.p_playable[slot] > state.p_playable[best]:
                best = slot
        if best < 0 or (kind == IS_PLAYABLE and state.p_playable[best] < PLAY_CHANCE):
            break
        asked |= 1 << best
        state.items[state.n_items] = best + (8 * room if kind == IDENTITY else 0)
        state.n_items += 1
        room //= n_classes(state.before[best], state.dead, room) if kind == IDENTITY else 2
    return room


@hot
def put_question(state, k):
    """Ask the k-th question, of the hand as it was before."""
    room = state.items[k] // 8
    state.slot = state.items[k] % 8
    state.room = room
    state.kind = IDENTITY if room else IS_PLAYABLE
    state.n_answers = n_classes(state.before[state.slot], state.dead, room) if room else 2


@hot
def conclude(state, answer):
    """Narrow a card by an answer about what it could be before all answers."""
    known = state.hand[state.slot]
    state.hand[state.slot] = state.before[state.slot]
    narrow(state, answer)
    if state.hand[state.slot] & known:
        state.hand[state.slot] &= known
    else:
        state.hand[state.slot] = known


@hot
def fixed_hat(view, state, seat, budget):
    """The hat of the hand in question, which its answers narrow."""
    list_questions(view, state, budget)
    hat = 0
    for k in range(state.n_items):
        put_question(state, k)
        known = state.hand[state.slot]
        state.hand[state.slot] = state.before[state.slot]
        answer = answer_of(view, state, seat)
        state.hand[state.slot] = known
        conclude(state, answer)
        hat = hat * state.n_answers + answer
    return hat


@hot
def read_fixed_hat(view, state, hat, budget):
    """Narrow the hand in question by its hat."""
    list_questions(view, state, budget)
    for k in range(state.n_items - 1, -1, -1):
        put_question(state, k)
        conclude(state, hat % state.n_answers)
        hat //= state.n_answers
