"""Interpreting plays and discards: chains are updated, and some discards and misplays are signals.

    deliberate discard    of a card that was to be played: play your copy of it (2-3 players)
    sacrifice             an ordinary discard despite a play, with hardly a token: keep yours
    mistaken junk         a card thrown as junk was useful: keep the rest of it
    misplay               of a card first in its group: keep what is older than the group

Every move is made on the board first, then interpreted.
"""

import numpy as np

from tamaya.agents.fireflower.belief_state import (
    COMMON,
    JUNK,
    PLAY,
    SAVE,
    UNKNOWN,
    order_at,
    possible,
)
from tamaya.agents.fireflower.beliefs import (
    add,
    attach,
    attach_again,
    attach_one,
    attach_without,
    member,
    new_group,
)
from tamaya.agents.fireflower.board import discard_card, play_card
from tamaya.agents.fireflower.questions import (
    AT_ONCE,
    expected_plays,
    newest_possible,
    next_discard,
)
from tamaya.agents.fireflower.recognition import refresh
from tamaya.cards import BIT
from tamaya.compiled import hot
from tamaya.game_kernels import SLOT_BIT

# Bits of ``reading``.
DELIBERATE, SACRIFICE, MISTAKEN_JUNK, MISPLAY = 64, 128, 256, 512
ENOUGH_TOKENS = 3  # to hint something that should not be discarded


@hot
def read_play(state, ledger, slot):
    """The mover plays a card whose face is known."""
    actor = state.mover
    order = order_at(state, actor, slot)
    danger = state.danger & state.unseen[COMMON]
    scored = play_card(state, slot)
    refresh(state)
    is_meant = state.kind[order] == PLAY
    group = np.int64(state.group[order])
    if scored:
        if is_meant:
            attach_without(state, ledger, group, order)
        discard, _ = next_discard(state, state.mover, COMMON)
        note_spared(state, actor, discard, danger)
    elif is_meant:
        read_misplay(state, ledger, group, order)


@hot
def read_misplay(state, ledger, group, order):
    """A card that was to be played was not playable."""
    if BIT[state.face[order]] & state.useful != 0:
        attach_again(state, ledger, SAVE, group)
    if state.queued[order]:
        return
    oldest = state.n_old - 1
    for place in range(ledger.n_members[group]):
        for slot in range(oldest):
            if state.old_hand[slot] == ledger.member[group, place]:
                oldest = slot
                break
    saved = new_group(state, ledger)
    for slot in range(oldest - 1, -1, -1):
        state.reading |= MISPLAY
        add(ledger, saved, np.int64(state.old_hand[slot]))
    attach(state, ledger, SAVE, saved)


@hot
def read_discard(state, ledger, slot):
    """The mover discards a card whose face is known."""
    actor = state.mover
    order = order_at(state, actor, slot)
    before = expected_plays(state, actor, COMMON, AT_ONCE)
    could_be = possible(state, COMMON, order)
    usual, _ = next_discard(state, actor, COMMON)
    danger = state.danger & state.unseen[COMMON]
    discard_card(state, slot)
    refresh(state)
    if state.kind[order] == PLAY:
        repair_chain(state, ledger, order)
    if before & SLOT_BIT[slot] != 0:
        meant = could_be & state.playable
        if state.players <= 3 and state.promise[order] < 0 and meant != 0:
            read_deliberate(state, ledger, actor, order, meant)
    elif state.kind[order] == JUNK and BIT[state.face[order]] & state.useful != 0:
        state.reading |= MISTAKEN_JUNK
        attach_again(state, ledger, SAVE, np.int64(state.group[order]))
    seat = state.mover
    discard, _ = next_discard(state, seat, COMMON)
    if state.tokens <= 1 and before != 0 and slot == usual:
        kept = order_at(state, seat, discard)
        if state.kind[kept] != SAVE:
            state.reading |= SACRIFICE
            attach_one(state, ledger, SAVE, kept)
    if state.tokens >= ENOUGH_TOKENS:
        for other in range(state.players):
            if other != actor:
                state.seen_until[other] = state.n_all - state.deck_size
    note_spared(state, actor, discard, danger)


@hot
def repair_chain(state, ledger, order):
    """Split off what cannot be played after a discarded card that was to be played."""
    group, place = np.int64(state.group[order]), np.int64(state.place[order])
    rest = new_group(state, ledger)
    is_split = False
    for k in range(ledger.n_members[group]):
        later = member(ledger, group, k)
        mask = possible(state, COMMON, later) & ~BIT[state.face[order]]
        if k > place and mask & ~state.trash == 0:
            attach_one(state, ledger, JUNK, later)
            is_split = True
        elif k > place and mask & state.playable == 0:
            attach_one(state, ledger, SAVE, later)
            is_split = True
        else:
            add(ledger, rest, later)
    if is_split:
        attach(state, ledger, PLAY, rest)


@hot
def read_deliberate(state, ledger, actor, order, meant):
    """A card that was to be played was discarded: somebody else has it."""
    n_holders, holder = 0, UNKNOWN
    for seat in range(state.players):
        if seat != actor and holds_known(state, seat, meant):
            n_holders += 1
            holder = seat
    if n_holders > 1:
        return
    for seat in range(state.players):
        if n_holders == 1:
            is_addressed = seat == holder
        elif actor != state.seat:
            is_addressed = seat == state.seat
        else:
            is_addressed = seat != actor
        if is_addressed:
            address(state, ledger, seat, order, meant)


@hot
def holds_known(state, seat, cards):
    """Whether this player knows a seat to hold a card of a set."""
    for slot in range(state.n_cards[seat]):
        card = state.known[state.hand[seat, slot]]
        if card >= 0 and BIT[card] & cards != 0:
            return True
    return False


@hot
def address(state, ledger, seat, order, meant):
    """Replace the discarded card in its group by the card that a deliberate discard refers to."""
    slot = newest_touched(state, seat, meant)
    if slot < 0:
        slot = newest_possible(state, seat, COMMON, meant)
    if slot < 0:
        return
    target = order_at(state, seat, slot)
    if state.kind[target] == PLAY and state.place[target] == 0:
        return
    if state.kind[order] != PLAY:
        # As in the original: the discarded card itself is believed playable, which has no effect.
        attach_one(state, ledger, PLAY, order)
        return
    state.reading |= DELIBERATE
    old, place = np.int64(state.group[order]), np.int64(state.place[order])
    group = new_group(state, ledger)
    for k in range(ledger.n_members[old]):
        add(ledger, group, target if k == place else member(ledger, old, k))
    attach(state, ledger, PLAY, group)


@hot
def newest_touched(state, seat, cards):
    """The newest slot that a hint has touched and that may hold a card of a set, or -1."""
    for slot in range(state.n_cards[seat] - 1, -1, -1):
        order = order_at(state, seat, slot)
        if state.touched[order] and possible(state, COMMON, order) & cards != 0:
            return slot
    return -1


@hot
def note_spared(state, actor, discard, danger):
    """Record the card that a seat with enough tokens let the next seat discard."""
    if not ENOUGH_TOKENS <= state.tokens < state.max_tokens:
        return
    seat = state.mover
    if expected_plays(state, seat, COMMON, AT_ONCE) == 0:
        state.spared[actor] = state.hand[seat, discard]
    else:
        state.spared[actor] = UNKNOWN
    state.spared_danger[actor] = danger
