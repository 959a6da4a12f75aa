"""Beliefs: what conventions say of cards, in groups of cards that are meant together.

A card has a stack of beliefs, of which the top one counts:

    PLAY    an ordered group, in one hand or several, to be played in this order
    SAVE    a group to be kept
    JUNK    a group that may be thrown away

A group never changes: whoever changes his mind attaches a new one. So groups only ever append to a
*ledger*, which imagination shares with reality: forgetting is setting ``n_groups`` back, as copying
a mind does. Below the top only beliefs that a finesse promised are ever uncovered again, so only
what lies under those is kept ("buried"). When the ledger is full, nothing more is believed.
"""

import numpy as np

from tamaya.agents.fireflower.mind import NOTHING, PLAY, UNKNOWN
from tamaya.cards import DECK_SIZE
from tamaya.compiled import hot
from tamaya.records import record

MAX_GROUPS = 320
MAX_BURIED = 128
GROUP_SIZE = 24  # more cards are left out; only aimless hints make such groups
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
def new_group(mind, ledger):
    """Begin an empty group."""
    group = mind.n_groups
    ledger.n_members[group] = 0
    if group < FULL:
        mind.n_groups += 1
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
def push(mind, ledger, order, kind, place, group, promise):
    """Put a belief on top of a card's stack."""
    if promise >= 0:
        bury(mind, ledger, order)
    else:
        mind.below[order] = UNKNOWN
    mind.kind[order] = kind
    mind.place[order] = place
    mind.group[order] = group
    mind.promise[order] = promise
    if kind == PLAY and place > 0:
        mind.queued[order] = 1


@hot
def bury(mind, ledger, order):
    """Keep the top of a card's stack for when what comes upon it is withdrawn."""
    n = mind.n_buried
    if n == MAX_BURIED:
        mind.below[order] = UNKNOWN
        return
    ledger.buried_kind[n] = mind.kind[order]
    ledger.buried_place[n] = mind.place[order]
    ledger.buried_group[n] = mind.group[order]
    ledger.buried_promise[n] = mind.promise[order]
    ledger.buried_queued[n] = mind.queued[order]
    ledger.buried_below[n] = mind.below[order]
    mind.below[order] = n
    mind.n_buried += 1


@hot
def pop(mind, ledger, order):
    """Withdraw a promised belief and uncover what lies below."""
    n = mind.below[order]
    if n < 0:
        mind.kind[order] = NOTHING
        mind.promise[order] = UNKNOWN
        return
    mind.kind[order] = ledger.buried_kind[n]
    mind.place[order] = ledger.buried_place[n]
    mind.group[order] = ledger.buried_group[n]
    mind.promise[order] = ledger.buried_promise[n]
    mind.queued[order] = ledger.buried_queued[n]
    mind.below[order] = ledger.buried_below[n]


@hot
def attach(mind, ledger, kind, group):
    """Believe a group; a card to be played keeps what it was promised to be."""
    if group == FULL:
        return
    for place in range(ledger.n_members[group]):
        order = member(ledger, group, place)
        promise = np.int64(mind.promise[order]) if kind == PLAY else UNKNOWN
        push(mind, ledger, order, kind, place, group, promise)


@hot
def attach_one(mind, ledger, kind, order):
    """Believe a group of one card."""
    group = new_group(mind, ledger)
    add(ledger, group, order)
    attach(mind, ledger, kind, group)


@hot
def attach_without(mind, ledger, group, order):
    """Believe that a group is to be played without one of its cards."""
    rest = new_group(mind, ledger)
    for place in range(ledger.n_members[group]):
        if ledger.member[group, place] != order:
            add(ledger, rest, member(ledger, group, place))
    attach(mind, ledger, PLAY, rest)


@hot
def attach_again(mind, ledger, kind, group):
    """Believe something else of all cards of a group."""
    again = new_group(mind, ledger)
    for place in range(ledger.n_members[group]):
        add(ledger, again, member(ledger, group, place))
    attach(mind, ledger, kind, again)


@hot
def attach_promise(mind, ledger, base, order, card):
    """Believe that a card is promised to be another one.

    If a base card is to be played, it comes just before that; otherwise it stands alone.
    """
    group = new_group(mind, ledger)
    if group == FULL:
        return
    if mind.kind[base] != PLAY:
        add(ledger, group, order)
        push(mind, ledger, order, PLAY, FIRST, group, card)
        return
    place, old = np.int64(mind.place[base]), np.int64(mind.group[base])
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
            push(mind, ledger, order, PLAY, place, group, card)
        else:
            push(mind, ledger, other, PLAY, k, group, np.int64(mind.promise[other]))


@hot
def tidy(mind, ledger):
    """Make room once the ledger is half full."""
    if 2 * mind.n_groups >= MAX_GROUPS or 2 * mind.n_buried >= MAX_BURIED:
        squeeze(mind, ledger)


@hot
def squeeze(mind, ledger):
    """Drop groups and buried beliefs that no card's stack can show any more."""
    mark_used(mind, ledger)
    mind.n_groups = squeeze_groups(mind, ledger)
    mind.n_buried = squeeze_buried(mind, ledger)
    for order in range(DECK_SIZE):
        if mind.kind[order] != NOTHING:
            mind.group[order] = ledger.new_name[mind.group[order]]
        if mind.below[order] >= 0:
            mind.below[order] = ledger.new_grave[mind.below[order]]


@hot
def mark_used(mind, ledger):
    """Mark the groups and buried beliefs that some card's stack can still show."""
    ledger.new_name[:] = UNKNOWN
    ledger.new_grave[:] = UNKNOWN
    for order in range(DECK_SIZE):
        if mind.kind[order] != NOTHING:
            ledger.new_name[mind.group[order]] = 0
        grave = mind.below[order]
        while grave >= 0:
            ledger.new_grave[grave] = 0
            if ledger.buried_kind[grave] != NOTHING:
                ledger.new_name[ledger.buried_group[grave]] = 0
            grave = ledger.buried_below[grave]


@hot
def squeeze_groups(mind, ledger):
    """Move marked groups to the front; gives their number."""
    n = 0
    for group in range(mind.n_groups):
        if ledger.new_name[group] >= 0:
            ledger.new_name[group] = n
            ledger.n_members[n] = ledger.n_members[group]
            for place in range(ledger.n_members[group]):
                ledger.member[n, place] = ledger.member[group, place]
            n += 1
    return n


@hot
def squeeze_buried(mind, ledger):
    """Move marked buried beliefs to the front; gives their number."""
    n = 0
    for grave in range(mind.n_buried):
        if ledger.new_grave[grave] >= 0:
            ledger.new_grave[grave] = n
            kind, below = ledger.buried_kind[grave], ledger.buried_below[grave]
            ledger.buried_kind[n] = kind
            ledger.buried_place[n] = ledger.buried_place[grave]
            ledger.buried_promise[n] = ledger.buried_promise[grave]
            ledger.buried_queued[n] = ledger.buried_queued[grave]
            if kind != NOTHING:
                ledger.buried_group[n] = ledger.new_name[ledger.buried_group[grave]]
            # What lies below was buried before, so it has moved already.
            ledger.buried_below[n] = ledger.new_grave[below] if below >= 0 else UNKNOWN
            n += 1
    return n
