"""Beliefs: what conventions say about cards, in groups of cards that belong together.

A card has a stack of beliefs, of which the top one counts:

    PLAY    an ordered group, in one hand or several, to be played in this order
    SAVE    a group to be kept
    JUNK    a group that may be thrown away

A group never changes: a changed belief attaches a new group. So groups are only ever appended to a
*ledger*, which imagined and real states share: undoing means resetting ``n_groups``, as copying a
belief state does. Only beliefs promised by a finesse are ever withdrawn again, so only what is
below those is stored ("buried"). When the ledger is full, new beliefs are ignored.
"""

import numpy as np

from tamaya.agents.fireflower.belief_state import NOTHING, PLAY, UNKNOWN
from tamaya.cards import DECK_SIZE
from tamaya.compiled import hot
from tamaya.records import record

MAX_GROUPS = 320
MAX_BURIED = 128
GROUP_SIZE = 24  # more cards are ignored; only aimless hints make such groups
FIRST = np.int64(0)  # place in a group
FULL = np.int64(MAX_GROUPS)  # the group that stands for "no room"

LEDGER = record([
    ("n_members", np.int64, MAX_GROUPS + 1),
    ("member", np.int8, (MAX_GROUPS + 1, GROUP_SIZE)),  # [group, place] -> order
    ("buried_group", np.int16, MAX_BURIED), ("buried_below", np.int16, MAX_BURIED),
    ("buried_kind", np.int8, MAX_BURIED), ("buried_place", np.int8, MAX_BURIED),
    ("buried_promise", np.int8, MAX_BURIED), ("buried_queued", np.int8, MAX_BURIED),
    ("new_name", np.int16, MAX_GROUPS + 1), ("new_grave", np.int16, MAX_BURIED),  # for tidying
])  # fmt: skip


@hot
def new_group(state, ledger):
    """Begin an empty group."""
    group = state.n_groups
    ledger.n_members[group] = 0
    if group < FULL:
        state.n_groups += 1
    return group


@hot
def add(ledger, group, order):
    """Put a card at the end of a group that is not attached yet."""
    n = ledger.n_members[group]
    if n < GROUP_SIZE:
        ledger.member[group, n] = order
        ledger.n_members[group] = n + 1


@hot
def member(ledger, group, place):
    """Order of the card at a place of a group."""
    return np.int64(ledger.member[group, place])


@hot
def push(state, ledger, order, kind, place, group, promise):
    """Put a belief on top of a card's stack."""
    if promise >= 0:
        bury(state, ledger, order)
    else:
        state.below[order] = UNKNOWN
    state.kind[order] = kind
    state.place[order] = place
    state.group[order] = group
    state.promise[order] = promise
    if kind == PLAY and place > 0:
        state.queued[order] = 1


@hot
def bury(state, ledger, order):
    """Store the top of a card's stack, in case what is put on it is withdrawn."""
    n = state.n_buried
    if n == MAX_BURIED:
        state.below[order] = UNKNOWN
        return
    ledger.buried_kind[n] = state.kind[order]
    ledger.buried_place[n] = state.place[order]
    ledger.buried_group[n] = state.group[order]
    ledger.buried_promise[n] = state.promise[order]
    ledger.buried_queued[n] = state.queued[order]
    ledger.buried_below[n] = state.below[order]
    state.below[order] = n
    state.n_buried += 1


@hot
def pop(state, ledger, order):
    """Withdraw a promised belief and uncover the one below."""
    n = state.below[order]
    if n < 0:
        state.kind[order] = NOTHING
        state.promise[order] = UNKNOWN
        return
    state.kind[order] = ledger.buried_kind[n]
    state.place[order] = ledger.buried_place[n]
    state.group[order] = ledger.buried_group[n]
    state.promise[order] = ledger.buried_promise[n]
    state.queued[order] = ledger.buried_queued[n]
    state.below[order] = ledger.buried_below[n]


@hot
def attach(state, ledger, kind, group):
    """Believe a group; a card to be played keeps what it was promised to be."""
    if group == FULL:
        return
    for place in range(ledger.n_members[group]):
        order = member(ledger, group, place)
        promise = np.int64(state.promise[order]) if kind == PLAY else UNKNOWN
        push(state, ledger, order, kind, place, group, promise)


@hot
def attach_one(state, ledger, kind, order):
    """Believe a group of one card."""
    group = new_group(state, ledger)
    add(ledger, group, order)
    attach(state, ledger, kind, group)


@hot
def attach_without(state, ledger, group, order):
    """Believe that a group is to be played without one of its cards."""
    rest = new_group(state, ledger)
    for place in range(ledger.n_members[group]):
        if ledger.member[group, place] != order:
            add(ledger, rest, member(ledger, group, place))
    attach(state, ledger, PLAY, rest)


@hot
def attach_again(state, ledger, kind, group):
    """Attach another belief to all cards of a group."""
    again = new_group(state, ledger)
    for place in range(ledger.n_members[group]):
        add(ledger, again, member(ledger, group, place))
    attach(state, ledger, kind, again)


@hot
def attach_promise(state, ledger, base, order, card):
    """Believe that a card is promised to be another one.

    If a base card is to be played, it comes just before that; otherwise it stands alone.
    """
    group = new_group(state, ledger)
    if group == FULL:
        return
    if state.kind[base] != PLAY:
        add(ledger, group, order)
        push(state, ledger, order, PLAY, FIRST, group, card)
        return
    place, old = np.int64(state.place[base]), np.int64(state.group[base])
    last = place
    for k in range(ledger.n_members[old]):
        if k == place:
            add(ledger, group, order)
        if ledger.member[old, k] == order:
            last = ledger.n_members[group]
        add(ledger, group, member(ledger, old, k))
    for k in range(ledger.n_members[group]):
        other = member(ledger, group, k)
        if k == max(last, place):  # the old group may list the promised card as well
            push(state, ledger, order, PLAY, place, group, card)
        else:
            push(state, ledger, other, PLAY, k, group, np.int64(state.promise[other]))


@hot
def tidy(state, ledger):
    """Compact the ledger once it is half full."""
    if 2 * state.n_groups >= MAX_GROUPS or 2 * state.n_buried >= MAX_BURIED:
        squeeze(state, ledger)


@hot
def squeeze(state, ledger):
    """Drop groups and buried beliefs that no card's stack can show any more."""
    mark_used(state, ledger)
    state.n_groups = squeeze_groups(state, ledger)
    state.n_buried = squeeze_buried(state, ledger)
    for order in range(DECK_SIZE):
        if state.kind[order] != NOTHING:
            state.group[order] = ledger.new_name[state.group[order]]
        if state.below[order] >= 0:
            state.below[order] = ledger.new_grave[state.below[order]]


@hot
def mark_used(state, ledger):
    """Mark the groups and buried beliefs that some card's stack can still show."""
    ledger.new_name[:] = UNKNOWN
    ledger.new_grave[:] = UNKNOWN
    for order in range(DECK_SIZE):
        if state.kind[order] != NOTHING:
            ledger.new_name[state.group[order]] = 0
        grave = state.below[order]
        while grave >= 0:
            ledger.new_grave[grave] = 0
            if ledger.buried_kind[grave] != NOTHING:
                ledger.new_name[ledger.buried_group[grave]] = 0
            grave = ledger.buried_below[grave]


@hot
def squeeze_groups(state, ledger):
    """Move marked groups to the front; returns their number."""
    n = 0
    for group in range(state.n_groups):
        if ledger.new_name[group] >= 0:
            ledger.new_name[group] = n
            ledger.n_members[n] = ledger.n_members[group]
            for place in range(ledger.n_members[group]):
                ledger.member[n, place] = ledger.member[group, place]
            n += 1
    return n


@hot
def squeeze_buried(state, ledger):
    """Move marked buried beliefs to the front; returns their number."""
    n = 0
    for grave in range(state.n_buried):
        if ledger.new_grave[grave] >= 0:
            ledger.new_grave[grave] = n
            kind, below = ledger.buried_kind[grave], ledger.buried_below[grave]
            ledger.buried_kind[n] = kind
            ledger.buried_place[n] = ledger.buried_place[grave]
            ledger.buried_promise[n] = ledger.buried_promise[grave]
            ledger.buried_queued[n] = ledger.buried_queued[grave]
            if kind != NOTHING:
                ledger.buried_group[n] = ledger.new_name[ledger.buried_group[grave]]
            # The belief below was buried earlier, so it has moved already.
            ledger.buried_below[n] = ledger.new_grave[below] if below >= 0 else UNKNOWN
            n += 1
    return n
