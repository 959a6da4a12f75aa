"""Reading a hint: does it say "play these", "keep these", "later", or "keep what is older"?

    save    it touches the card that its receiver would discard next, which may be the last copy
    play    it touches a card that may be playable: play these, certain ones first, newest first
    later   nothing that it touches is playable yet: behind plays of the same colour, or kept
    junk    everything that it touches is trash: keep what is older

A play hint on the next discard is recognised by its manner (``is_plainly_play``). All of it follows
from common knowledge; only who is meant by a finesse does not.
"""

import numpy as np

from tamaya.agents.fireflower.beliefs import add, attach, member, new_group
from tamaya.agents.fireflower.finesse import finesse
from tamaya.agents.fireflower.knowledge import note_words
from tamaya.agents.fireflower.mind import (
    COMMON,
    NOTHING,
    ORDER_BIT,
    PLAY,
    SAVE,
    is_one,
    order_at,
    possible,
)
from tamaya.agents.fireflower.questions import (
    AT_ONCE,
    expected_plays,
    is_new,
    next_discard,
    only_colour,
)
from tamaya.cards import BIT, COLOUR_MASK, RANK_MASK
from tamaya.compiled import hot
from tamaya.game_kernels import SLOT_BIT

# Bits of ``reading``: which conventions a move followed.
SAVE_HINT, PLAY_HINT, LATER_HINT, JUNK_HINT, CHAIN = 1, 2, 4, 8, 16


@hot
def hint_mask(value, is_rank):
    """The cards that a hint of a rank or colour names."""
    return np.int64(RANK_MASK[value] if is_rank else COLOUR_MASK[value])


@hot
def touched_slots(mind, seat, hint):
    """Slots of a hand in sight that a hint names."""
    slots = np.int64(0)
    for slot in range(mind.n_cards[seat]):
        card = mind.face[mind.hand[seat, slot]]
        if card >= 0 and BIT[card] & hint != 0:
            slots |= SLOT_BIT[slot]
    return slots


@hot
def plays_at_table(mind):
    """Orders of all cards that are recognised as playable by everybody, or are to be played."""
    orders = np.int64(0)
    for seat in range(mind.players):
        for slot in range(mind.n_cards[seat]):
            order = order_at(mind, seat, slot)
            mask = possible(mind, COMMON, order)
            if mind.kind[order] == PLAY or (is_one(mask) and mask & mind.playable != 0):
                orders |= ORDER_BIT[order]
    return orders


@hot
def read_hint(mind, ledger, seat, value, is_rank, touched):
    """Read a hint of a value to a seat, after the token is spent."""
    before = expected_plays(mind, seat, COMMON, AT_ONCE)
    plays = plays_at_table(mind)
    note_words(mind, seat, hint_mask(value, is_rank), touched)
    discard, _ = next_discard(mind, seat, COMMON)
    may_save = (
        touched & SLOT_BIT[discard] != 0
        and possible(mind, COMMON, order_at(mind, seat, discard)) & mind.danger != 0
    )
    exposes = shows_danger(mind, seat, before)
    is_save = (may_save or exposes) and (before == 0 or before & touched != 0)
    if is_save and touched & ~before != 0:
        was_safe = may_save and was_spared(mind, seat, discard) and not exposes
        is_save = not (was_safe or is_plainly_play(mind, seat, value, is_rank, touched))
    if is_save:
        mind.reading |= SAVE_HINT
        attach_touched(mind, ledger, SAVE, seat, touched)
    else:
        read_by_content(mind, ledger, seat, touched, plays)


@hot
def shows_danger(mind, seat, slots):
    """Whether one of some slots surely holds the last copy of a card."""
    for slot in range(mind.n_cards[seat]):
        if slots & SLOT_BIT[slot] != 0:
            if possible(mind, COMMON, order_at(mind, seat, slot)) & ~mind.danger == 0:
                return True
    return False


@hot
def was_spared(mind, seat, discard):
    """Whether the seat before let this very card be discarded, and it is no more in danger now."""
    giver = seat - 1 if seat > 0 else mind.players - 1
    order = order_at(mind, seat, discard)
    if mind.kind[order] != NOTHING or mind.spared[giver] != order:
        return False
    danger = mind.danger & mind.unseen[COMMON] & ~mind.spared_danger[giver]
    return possible(mind, COMMON, order) & danger == 0


@hot
def newest_slot(slots):
    """The newest of some slots, or -1."""
    for slot in range(7, -1, -1):
        if slots & SLOT_BIT[slot] != 0:
            return slot
    return -1


@hot
def is_plainly_play(mind, seat, value, is_rank, touched):
    """Whether the manner of a hint says "play" although it touches the next discard."""
    newest = newest_slot(touched)
    has_new = is_new(mind, seat, order_at(mind, seat, newest))
    if is_rank:
        return is_plain_rank(mind, seat, value, touched, has_new)
    if newest == mind.n_cards[seat] - 1 and others_are_saved(mind, seat, newest):
        return True
    return has_new and is_safe_colour(mind, seat, touched)


@hot
def is_plain_rank(mind, seat, rank, touched, has_new):
    """Whether a rank is hinted to cards that are playable, for all one can count."""
    n_plays = 0
    for slot in range(mind.n_cards[seat]):
        if touched & SLOT_BIT[slot] == 0:
            continue
        mask = possible(mind, COMMON, order_at(mind, seat, slot))
        if mask & mind.playable != 0:
            n_plays += 1
        elif mask & ~mind.trash != 0 and not is_one(mask):
            return False
    n_wanting, n_waiting = 0, 0  # fireworks below the rank, and those that cannot take it yet
    for colour in range(mind.colours):
        if mind.firework[colour] <= rank:
            n_wanting += 1
        if mind.firework[colour] < rank:
            n_waiting += 1
    return n_plays > n_wanting or n_waiting == 0 or (has_new and n_plays >= n_waiting)


@hot
def others_are_saved(mind, seat, newest):
    """Whether all cards of a hand but the newest are saved."""
    n_saved = 0
    for slot in range(newest):
        if mind.kind[mind.hand[seat, slot]] == SAVE:
            n_saved += 1
    return n_saved == newest


@hot
def is_safe_colour(mind, seat, touched):
    """Whether no touched card needs saving, but for cards that exist once from the start."""
    safe = mind.singles | ~mind.danger | mind.playable
    for slot in range(mind.n_cards[seat]):
        if touched & SLOT_BIT[slot] != 0:
            mask = possible(mind, COMMON, order_at(mind, seat, slot))
            if mask & ~safe != 0 and not is_one(mask):
                return False
    return True


@hot
def attach_touched(mind, ledger, kind, seat, touched):
    """Believe something of all touched cards, newest first."""
    group = new_group(mind, ledger)
    for slot in range(mind.n_cards[seat] - 1, -1, -1):
        if touched & SLOT_BIT[slot] != 0:
            add(ledger, group, order_at(mind, seat, slot))
    attach(mind, ledger, kind, group)


@hot
def read_by_content(mind, ledger, seat, touched, plays):
    """Read a hint that is not about saving: as play, later or junk hint."""
    n_plays, n_trash, n = 0, 0, 0
    for slot in range(mind.n_cards[seat]):
        if touched & SLOT_BIT[slot] != 0:
            mask = possible(mind, COMMON, order_at(mind, seat, slot))
            n += 1
            if mask & mind.playable != 0:
                n_plays += 1
            elif mask & ~mind.trash == 0:
                n_trash += 1
    if n_plays > 0:
        mind.reading |= PLAY_HINT
        group = new_group(mind, ledger)
        certain = certain_plays(mind, seat) & touched
        for slot in range(mind.n_cards[seat] - 1, -1, -1):
            if certain & SLOT_BIT[slot] != 0:
                add(ledger, group, order_at(mind, seat, slot))
        chain(mind, ledger, group, seat, touched & ~certain, plays)
        attach(mind, ledger, PLAY, group)
        finesse(mind, ledger, seat, touched)
    elif n_trash == 0:
        mind.reading |= LATER_HINT
        finesse(mind, ledger, seat, touched)
        group = new_group(mind, ledger)
        chain(mind, ledger, group, seat, touched, plays)
        attach(mind, ledger, SAVE, group)
    elif n_trash == n:
        mind.reading |= JUNK_HINT
        attach_touched(mind, ledger, SAVE, seat, (touched & -touched) - 1)


@hot
def certain_plays(mind, seat):
    """Slots of which everybody knows that they can be played."""
    slots = np.int64(0)
    for slot in range(mind.n_cards[seat]):
        if possible(mind, COMMON, order_at(mind, seat, slot)) & ~mind.playable == 0:
            slots |= SLOT_BIT[slot]
    return slots


@hot
def useful_colour(mind, order):
    """The colour of a card if it is useful, from common knowledge, or -1."""
    return only_colour(possible(mind, COMMON, order) & mind.useful)


@hot
def chain(mind, ledger, group, seat, touched, plays):
    """Queue touched cards behind plays of their colour anywhere, and add the others to a group."""
    for slot in range(mind.n_cards[seat] - 1, -1, -1):
        if touched & SLOT_BIT[slot] == 0:
            continue
        order = order_at(mind, seat, slot)
        colour = useful_colour(mind, order)
        earlier = play_of_colour(mind, plays & ~ORDER_BIT[order], colour) if colour >= 0 else -1
        if earlier < 0:
            add(ledger, group, order)
        else:
            mind.reading |= CHAIN
            queue_behind(mind, ledger, earlier, colour, order)


@hot
def play_of_colour(mind, plays, colour):
    """The first card of some plays that has a colour if it is useful, or -1."""
    for seat in range(mind.players):
        for slot in range(mind.n_cards[seat] - 1, -1, -1):
            order = order_at(mind, seat, slot)
            if plays & ORDER_BIT[order] != 0 and useful_colour(mind, order) == colour:
                return order
    return -1


@hot
def queue_behind(mind, ledger, earlier, colour, order):
    """Believe that a card is to be played after those of its colour in the group of another."""
    group = new_group(mind, ledger)
    if mind.kind[earlier] == PLAY:
        old = np.int64(mind.group[earlier])
        for place in range(ledger.n_members[old]):
            other = member(ledger, old, place)
            if other == earlier or useful_colour(mind, other) == colour:
                add(ledger, group, other)
    else:
        add(ledger, group, earlier)
    add(ledger, group, order)
    attach(mind, ledger, PLAY, group)
