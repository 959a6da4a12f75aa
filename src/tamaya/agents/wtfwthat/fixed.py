"""Questions fixed in advance, as in the version of 2018: no answer changes a later question.

If no card is known to be playable, each open card with a chance of at least 1/5 is asked whether it
is playable, the likeliest first; then each open card for its identity, while there is room. The
first answer is the highest digit of the hat.
"""

import numpy as np

from tamaya.agents.wtfwthat.desk import chance, lies_in
from tamaya.agents.wtfwthat.questions import (
    IDENTITY,
    IS_PLAYABLE,
    answer_of,
    is_open,
    n_classes,
    narrow,
)
from tamaya.compiled import hot

PLAY_CHANCE = 0.2


@hot
def list_questions(view, desk, budget):
    """Write down the questions as items: 8 room + slot for an identity, else the slot.

    The sets before any answer are kept, because identities are asked of them.
    """
    has_playable = False
    for slot in range(view.hand_size):
        mask = desk.hand[slot]
        desk.before[slot] = mask
        has_playable = has_playable or lies_in(mask, desk.playable)
        desk.p_playable[slot] = chance(desk.free_ones, desk.free_twos, mask, desk.playable)
    desk.n_items = 0
    room = budget
    if not has_playable:
        room = list_kind(view, desk, room, np.int64(IS_PLAYABLE))
    list_kind(view, desk, room, np.int64(IDENTITY))


@hot
def list_kind(view, desk, room, kind):
    """Add the questions of a kind, likely playable cards first; gives the room left."""
    asked = 0
    while room > 1:
        best = -1
        for slot in range(view.hand_size):
            if asked >> slot & 1 or not is_open(desk.before[slot], desk.dead):
                continue
            if best < 0 or desk.p_playable[slot] > desk.p_playable[best]:
                best = slot
        if best < 0 or (kind == IS_PLAYABLE and desk.p_playable[best] < PLAY_CHANCE):
            break
        asked |= 1 << best
        desk.items[desk.n_items] = best + (8 * room if kind == IDENTITY else 0)
        desk.n_items += 1
        room //= n_classes(desk.before[best], desk.dead, room) if kind == IDENTITY else 2
    return room


@hot
def put_question(desk, k):
    """Ask the k-th question, of the hand as it was before."""
    room = desk.items[k] // 8
    desk.slot = desk.items[k] % 8
    desk.room = room
    desk.kind = IDENTITY if room else IS_PLAYABLE
    desk.n_answers = n_classes(desk.before[desk.slot], desk.dead, room) if room else 2


@hot
def conclude(desk, answer):
    """Narrow a card by an answer about what it could be before all answers."""
    known = desk.hand[desk.slot]
    desk.hand[desk.slot] = desk.before[desk.slot]
    narrow(desk, answer)
    if desk.hand[desk.slot] & known:
        desk.hand[desk.slot] &= known
    else:
        desk.hand[desk.slot] = known


@hot
def fixed_hat(view, desk, seat, budget):
    """The hat of the hand on the desk, which its answers narrow."""
    list_questions(view, desk, budget)
    hat = 0
    for k in range(desk.n_items):
        put_question(desk, k)
        known = desk.hand[desk.slot]
        desk.hand[desk.slot] = desk.before[desk.slot]
        answer = answer_of(view, desk, seat)
        desk.hand[desk.slot] = known
        conclude(desk, answer)
        hat = hat * desk.n_answers + answer
    return hat


@hot
def read_fixed_hat(view, desk, hat, budget):
    """Narrow the hand on the desk by its hat."""
    list_questions(view, desk, budget)
    for k in range(desk.n_items - 1, -1, -1):
        put_question(desk, k)
        conclude(desk, hat % desk.n_answers)
        hat //= desk.n_answers
