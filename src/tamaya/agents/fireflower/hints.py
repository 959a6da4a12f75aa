"""Reading a hint: does it say "play these", "keep these", "later", or "keep what is older"?

    save    it touches the card that its receiver would discard next, which may be the last copy
    play    it touches a card that may be playable: play these, certain ones first, newest first
    later   nothing that it touches is playable yet: behind plays of the same colour, or kept
    junk    everything that it touches is trash: keep what is older

A play hint on the next discard is recognised by its circumstances (``is_plainly_play``). All of
this follows from common knowledge, except who is meant by a finesse.
"""

import numpy as np

from tamaya.agents.fireflower.belief_state import (
    COMMON,
    NOTHING,
    ORDER_BIT,
    PLAY,
    SAVE,
    order_at,
    possible,
)
from tamaya.agents.fireflower.beliefs import add, attach, member, new_group
from tamaya.agents.fireflower.finesse import finesse
from tamaya.agents.fireflower.questions import (
    AT_ONCE,
    expected_plays,
    is_new,
    next_discard,
)
from tamaya.agents.fireflower.recognition import note_words
from tamaya.cards import BIT
from tamaya.compiled import hot
from tamaya.game_kernels import SLOT_BIT
from tamaya.knowledge.hints import touch_mask
from tamaya.knowledge.sets import is_one, known_colour

# Bits of ``reading``: which conventions a move followed.
SAVE_HINT, PLAY_HINT, LATER_HINT, JUNK_HINT, CHAIN = 1, 2, 4, 8, 16


@hot
def named_slots(state, seat, mask):
    """Slots of a hand in sight that a hint names."""
    slots = np.int64(0)
    for slot in range(state.n_cards[seat]):
        card = state.face[state.hand[seat, slot]]
        if card >= 0 and BIT[card] & mask != 0:
            slots |= SLOT_BIT[slot]
    return slots


@hot
def plays_at_table(state):
    """Orders of all cards that everybody recognises as playable or believes to be plays."""
    orders = np.int64(0)
    for seat in range(state.players):
        for slot in range(state.n_cards[seat]):
            order = order_at(state, seat, slot)
            mask = possible(state, COMMON, order)
            if state.kind[order] == PLAY or (is_one(mask) and mask & state.playable != 0):
                orders |= ORDER_BIT[order]
    return orders


@hot
def read_hint(state, ledger, seat, hint, touched):
    """Read the hint of a number to a seat, after the token is spent."""
    before = expected_plays(state, seat, COMMON, AT_ONCE)
    plays = plays_at_table(state)
    note_words(state, seat, touch_mask(state, hint), touched)
    discard, _ = next_discard(state, seat, COMMON)
    may_save = (
        touched & SLOT_BIT[discard] != 0
        and possible(state, COMMON, order_at(state, seat, discard)) & state.danger != 0
    )
    exposes = shows_danger(state, seat, before)
    is_save = (may_save or exposes) and (before == 0 or before & touched != 0)
    if is_save and touched & ~before != 0:
        was_safe = may_save and was_spared(state, seat, discard) and not exposes
        is_save = not (was_safe or is_plainly_play(state, seat, hint, touched))
    if is_save:
        state.reading |= SAVE_HINT
        attach_touched(state, ledger, SAVE, seat, touched)
    else:
        read_by_content(state, ledger, seat, touched, plays)


@hot
def shows_danger(state, seat, slots):
    """Whether one of some slots surely holds the last copy of a card."""
    for slot in range(state.n_cards[seat]):
        if slots & SLOT_BIT[slot] != 0:
            if possible(state, COMMON, order_at(state, seat, slot)) & ~state.danger == 0:
                return True
    return False


@hot
def was_spared(state, seat, discard):
    """Whether the previous seat let this card be discarded, and nothing endangers it since."""
    giver = seat - 1 if seat > 0 else state.players - 1
    order = order_at(state, seat, discard)
    if state.kind[order] != NOTHING or state.spared[giver] != order:
        return False
    danger = state.danger & state.unseen[COMMON] & ~state.spared_danger[giver]
    return possible(state, COMMON, order) & danger == 0


@hot
def newest_of(slots):
    """The newest of some slots, or -1."""
    for slot in range(7, -1, -1):
        if slots & SLOT_BIT[slot] != 0:
            return slot
    return -1


@hot
def is_plainly_play(state, seat, hint, touched):
    """Whether the circumstances of a hint say "play" although it touches the next discard."""
    newest = newest_of(touched)
    has_new = is_new(state, seat, order_at(state, seat, newest))
    if hint < state.ranks:
        return is_plain_rank(state, seat, hint, touched, has_new)
    if newest == state.n_cards[seat] - 1 and others_are_saved(state, seat, newest):
        return True
    return has_new and is_safe_colour(state, seat, touched)


@hot
def is_plain_rank(state, seat, rank, touched, has_new):
    """Whether a rank is hinted to cards that are playable as far as counting shows."""
    n_plays = 0
    for slot in range(state.n_cards[seat]):
        if touched & SLOT_BIT[slot] == 0:
            continue
        mask = possible(state, COMMON, order_at(state, seat, slot))
        if mask & state.playable != 0:
            n_plays += 1
        elif mask & ~state.trash != 0 and not is_one(mask):
            return False
    n_wanting, n_waiting = 0, 0  # fireworks below the rank, and those that cannot take it yet
    for colour in range(state.colours):
        if state.firework[colour] <= rank:
            n_wanting += 1
        if state.firework[colour] < rank:
            n_waiting += 1
    return n_plays > n_wanting or n_waiting == 0 or (has_new and n_plays >= n_waiting)


@hot
def others_are_saved(state, seat, newest):
    """Whether all cards of a hand but the newest are saved."""
    n_saved = 0
    for slot in range(newest):
        if state.kind[state.hand[seat, slot]] == SAVE:
            n_saved += 1
    return n_saved == newest


@hot
def is_safe_colour(state, seat, touched):
    """Whether no touched card needs saving, except cards with a single copy."""
    safe = state.singles | ~state.danger | state.playable
    for slot in range(state.n_cards[seat]):
        if touched & SLOT_BIT[slot] != 0:
            mask = possible(state, COMMON, order_at(state, seat, slot))
            if mask & ~safe != 0 and not is_one(mask):
                return False
    return True


@hot
def attach_touched(state, ledger, kind, seat, touched):
    """Attach a belief to all touched cards, newest first."""
    group = new_group(state, ledger)
    for slot in range(state.n_cards[seat] - 1, -1, -1):
        if touched & SLOT_BIT[slot] != 0:
            add(ledger, group, order_at(state, seat, slot))
    attach(state, ledger, kind, group)


@hot
def read_by_content(state, ledger, seat, touched, plays):
    """Read a hint that is not about saving: as play, later or junk hint."""
    n_plays, n_trash, n = 0, 0, 0
    for slot in range(state.n_cards[seat]):
        if touched & SLOT_BIT[slot] != 0:
            mask = possible(state, COMMON, order_at(state, seat, slot))
            n += 1
            if mask & state.playable != 0:
                n_plays += 1
            elif mask & ~state.trash == 0:
                n_trash += 1
    if n_plays > 0:
        state.reading |= PLAY_HINT
        group = new_group(state, ledger)
        certain = certain_plays(state, seat) & touched
        for slot in range(state.n_cards[seat] - 1, -1, -1):
            if certain & SLOT_BIT[slot] != 0:
                add(ledger, group, order_at(state, seat, slot))
        chain(state, ledger, group, seat, touched & ~certain, plays)
        attach(state, ledger, PLAY, group)
        finesse(state, ledger, seat, touched)
    elif n_trash == 0:
        state.reading |= LATER_HINT
        finesse(state, ledger, seat, touched)
        group = new_group(state, ledger)
        chain(state, ledger, group, seat, touched, plays)
        attach(state, ledger, SAVE, group)
    elif n_trash == n:
        state.reading |= JUNK_HINT
        attach_touched(state, ledger, SAVE, seat, (touched & -touched) - 1)


@hot
def certain_plays(state, seat):
    """Slots that everybody knows can be played."""
    slots = np.int64(0)
    for slot in range(state.n_cards[seat]):
        if possible(state, COMMON, order_at(state, seat, slot)) & ~state.playable == 0:
            slots |= SLOT_BIT[slot]
    return slots


@hot
def useful_colour(state, order):
    """The colour of a card if it is useful, from common knowledge, or -1."""
    return known_colour(possible(state, COMMON, order) & state.useful)


@hot
def chain(state, ledger, group, seat, touched, plays):
    """Queue touched cards behind plays of their colour anywhere, and add the others to a group."""
    for slot in range(state.n_cards[seat] - 1, -1, -1):
        if touched & SLOT_BIT[slot] == 0:
            continue
        order = order_at(state, seat, slot)
        colour = useful_colour(state, order)
        earlier = play_of_colour(state, plays & ~ORDER_BIT[order], colour) if colour >= 0 else -1
        if earlier < 0:
            add(ledger, group, order)
        else:
            state.reading |= CHAIN
            queue_behind(state, ledger, earlier, colour, order)


@hot
def play_of_colour(state, plays, colour):
    """The first card of some plays that has a colour if it is useful, or -1."""
    for seat in range(state.players):
        for slot in range(state.n_cards[seat] - 1, -1, -1):
            order = order_at(state, seat, slot)
            if plays & ORDER_BIT[order] != 0 and useful_colour(state, order) == colour:
                return order
    return -1


@hot
def queue_behind(state, ledger, earlier, colour, order):
    """Believe that a card is to be played after those of its colour in the group of another."""
    group = new_group(state, ledger)
    if state.kind[earlier] == PLAY:
        old = np.int64(state.group[earlier])
        for place in range(ledger.n_members[old]):
            other = member(ledger, old, place)
            if other == earlier or useful_colour(state, other) == colour:
                add(ledger, group, other)
    else:
        add(ledger, group, earlier)
    add(ledger, group, order)
    attach(state, ledger, PLAY, group)
