"""Correcting beliefs that the board contradicts, after every move.

A saved card that is trash becomes junk, one that is playable unless it is trash is to be played; a
junk card that is the last of its kind is saved; a card that cannot be played in its turn leaves its
group. A finesse that was not answered at once is withdrawn.
"""

import numpy as np

from tamaya.agents.fireflower.belief_state import (
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
from tamaya.agents.fireflower.beliefs import add, attach, attach_without, member, new_group, pop
from tamaya.agents.fireflower.recognition import is_consistent
from tamaya.cards import BIT
from tamaya.compiled import hot


@hot
def settle(state, ledger):
    """Correct beliefs after a move; False, and nothing done, if cards contradict each other."""
    if not is_consistent(state):
        return False
    visited = np.int64(0)
    for seat in range(state.players):
        for slot in range(state.n_cards[seat] - 1, -1, -1):
            order = order_at(state, seat, slot)
            kind = state.kind[order]
            if kind == NOTHING or visited & ORDER_BIT[order] != 0:
                continue
            group = np.int64(state.group[order])
            for place in range(ledger.n_members[group]):
                visited |= ORDER_BIT[ledger.member[group, place]]
            if kind == PLAY:
                simplify_play(state, ledger, group)
            elif kind == SAVE:
                simplify_save(state, ledger, group)
            else:
                simplify_junk(state, ledger, group)
    withdraw_promises(state, ledger)
    return True


@hot
def simplify_save(state, ledger, group):
    """Of saved cards, trash becomes junk, and what is playable unless it is trash is played."""
    n = ledger.n_members[group]
    n_kept = 0
    for place in range(n):
        mask = possible(state, COMMON, member(ledger, group, place))
        if mask & ~(state.playable | state.trash) != 0:
            n_kept += 1
    if n_kept == n:
        return
    junk, plays, rest = new_group(state, ledger), new_group(state, ledger), new_group(state, ledger)
    for place in range(n):
        order = member(ledger, group, place)
        mask = possible(state, COMMON, order)
        if mask & ~state.trash == 0:
            add(ledger, junk, order)
        elif mask & ~(state.playable | state.trash) == 0:
            add(ledger, plays, order)
        else:
            add(ledger, rest, order)
    attach(state, ledger, JUNK, junk)
    attach(state, ledger, PLAY, plays)
    attach(state, ledger, SAVE, rest)


@hot
def simplify_junk(state, ledger, group):
    """Of junk, what surely is the last of its kind is saved."""
    n = ledger.n_members[group]
    n_last = 0
    for place in range(n):
        if possible(state, COMMON, member(ledger, group, place)) & ~state.danger == 0:
            n_last += 1
    if n_last == 0:
        return
    rest, saved = new_group(state, ledger), new_group(state, ledger)
    for place in range(n):
        order = member(ledger, group, place)
        is_last = possible(state, COMMON, order) & ~state.danger == 0
        add(ledger, saved if is_last else rest, order)
    attach(state, ledger, JUNK, rest)
    attach(state, ledger, SAVE, saved)


@hot
def is_in_turn(state, group, order):
    """Whether a card still is to be played with a group."""
    return state.kind[order] == PLAY and state.group[order] == group


@hot
def simplify_play(state, ledger, group):
    """Of cards to be played, those that cannot be playable in their turn are saved, or junk."""
    reach = state.playable
    n_failing = 0
    for place in range(ledger.n_members[group]):
        order = member(ledger, group, place)
        if is_in_turn(state, group, order):
            plays = possible(state, COMMON, order) & reach
            reach |= next_ranks(state, plays)
            if plays == 0:
                n_failing += 1
    if n_failing == 0:
        return
    stay, saved, junk = new_group(state, ledger), new_group(state, ledger), new_group(state, ledger)
    reach = state.playable
    for place in range(ledger.n_members[group]):
        order = member(ledger, group, place)
        if is_in_turn(state, group, order):
            mask = possible(state, COMMON, order)
            reach |= next_ranks(state, mask & reach)
            if mask & reach != 0:
                add(ledger, stay, order)
            elif mask & ~state.trash != 0:
                add(ledger, saved, order)
            else:
                add(ledger, junk, order)
    attach(state, ledger, PLAY, stay)
    attach(state, ledger, SAVE, saved)
    attach(state, ledger, JUNK, junk)


@hot
def withdraw_promises(state, ledger):
    """Take back what a finesse promised of the last mover's cards, if it could have been played."""
    for slot in range(state.n_old - 1, -1, -1):
        order = np.int64(state.old_hand[slot])
        while state.promise[order] >= 0 and BIT[state.promise[order]] & state.old_playable != 0:
            group = np.int64(state.group[order])
            pop(state, ledger, order)
            attach_without(state, ledger, group, order)
