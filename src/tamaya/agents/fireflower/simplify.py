"""Changing one's mind when the board contradicts a belief, after every move.

A saved card that is trash becomes junk, one that is playable unless it is trash is to be played; a
junk card that is the last of its kind is saved; a card that cannot be played in its turn leaves its
group. A finesse that was not answered at once is withdrawn.
"""

import numpy as np

from tamaya.agents.fireflower.beliefs import add, attach, attach_without, member, new_group, pop
from tamaya.agents.fireflower.knowledge import is_consistent
from tamaya.agents.fireflower.mind import (
    COMMON,
    JUNK,
    NOTHING,
    ORDER_BIT,
    PLAY,
    SAVE,
    next_ranks,
    order_at,
    possible,
)
from tamaya.cards import BIT
from tamaya.compiled import hot


@hot
def settle(mind, ledger):
    """Bring beliefs in line after a move; False, and nothing done, if the cards contradict."""
    if not is_consistent(mind):
        return False
    visited = np.int64(0)
    for seat in range(mind.players):
        for slot in range(mind.n_cards[seat] - 1, -1, -1):
            order = order_at(mind, seat, slot)
            kind = mind.kind[order]
            if kind == NOTHING or visited & ORDER_BIT[order] != 0:
                continue
            group = np.int64(mind.group[order])
            for place in range(ledger.n_members[group]):
                visited |= ORDER_BIT[ledger.member[group, place]]
            if kind == PLAY:
                simplify_play(mind, ledger, group)
            elif kind == SAVE:
                simplify_save(mind, ledger, group)
            else:
                simplify_junk(mind, ledger, group)
    withdraw_promises(mind, ledger)
    return True


@hot
def simplify_save(mind, ledger, group):
    """Of saved cards, trash becomes junk, and what is playable unless it is trash is played."""
    n = ledger.n_members[group]
    n_kept = 0
    for place in range(n):
        mask = possible(mind, COMMON, member(ledger, group, place))
        if mask & ~(mind.playable | mind.trash) != 0:
            n_kept += 1
    if n_kept == n:
        return
    junk, plays, rest = new_group(mind, ledger), new_group(mind, ledger), new_group(mind, ledger)
    for place in range(n):
        order = member(ledger, group, place)
        mask = possible(mind, COMMON, order)
        if mask & ~mind.trash == 0:
            add(ledger, junk, order)
        elif mask & ~(mind.playable | mind.trash) == 0:
            add(ledger, plays, order)
        else:
            add(ledger, rest, order)
    attach(mind, ledger, JUNK, junk)
    attach(mind, ledger, PLAY, plays)
    attach(mind, ledger, SAVE, rest)


@hot
def simplify_junk(mind, ledger, group):
    """Of junk, what surely is the last of its kind is saved."""
    n = ledger.n_members[group]
    n_last = 0
    for place in range(n):
        if possible(mind, COMMON, member(ledger, group, place)) & ~mind.danger == 0:
            n_last += 1
    if n_last == 0:
        return
    rest, saved = new_group(mind, ledger), new_group(mind, ledger)
    for place in range(n):
        order = member(ledger, group, place)
        is_last = possible(mind, COMMON, order) & ~mind.danger == 0
        add(ledger, saved if is_last else rest, order)
    attach(mind, ledger, JUNK, rest)
    attach(mind, ledger, SAVE, saved)


@hot
def is_in_turn(mind, group, order):
    """Whether a card still is to be played with a group."""
    return mind.kind[order] == PLAY and mind.group[order] == group


@hot
def simplify_play(mind, ledger, group):
    """Of cards to be played, those that cannot be playable in their turn are saved, or junk."""
    reach = mind.playable
    n_failing = 0
    for place in range(ledger.n_members[group]):
        order = member(ledger, group, place)
        if is_in_turn(mind, group, order):
            plays = possible(mind, COMMON, order) & reach
            reach |= next_ranks(mind, plays)
            if plays == 0:
                n_failing += 1
    if n_failing == 0:
        return
    stay, saved, junk = new_group(mind, ledger), new_group(mind, ledger), new_group(mind, ledger)
    reach = mind.playable
    for place in range(ledger.n_members[group]):
        order = member(ledger, group, place)
        if is_in_turn(mind, group, order):
            mask = possible(mind, COMMON, order)
            reach |= next_ranks(mind, mask & reach)
            if mask & reach != 0:
                add(ledger, stay, order)
            elif mask & ~mind.trash != 0:
                add(ledger, saved, order)
            else:
                add(ledger, junk, order)
    attach(mind, ledger, PLAY, stay)
    attach(mind, ledger, SAVE, saved)
    attach(mind, ledger, JUNK, junk)


@hot
def withdraw_promises(mind, ledger):
    """Take back what a finesse promised of the last mover's cards, if it could have been played."""
    for slot in range(mind.n_old - 1, -1, -1):
        order = np.int64(mind.old_hand[slot])
        while mind.promise[order] >= 0 and BIT[mind.promise[order]] & mind.old_playable != 0:
            group = np.int64(mind.group[order])
            pop(mind, ledger, order)
            attach_without(mind, ledger, group, order)
