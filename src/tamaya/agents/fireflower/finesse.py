"""Finesse: a hint on a card one step from playable asks a seat in between for the missing card.

Each seat between giver and receiver has at most one candidate: none if something that it is to play
may be the missing card already, else the newest saved card that may be it, else the newest card
without a belief. A player who sees the missing card among the candidates knows who is meant; one
who sees it nowhere assumes its own candidate.
"""

import numpy as np

from tamaya.agents.fireflower.belief_state import (
    COMMON,
    JUNK,
    NOTHING,
    PLAY,
    SAVE,
    UNKNOWN,
    next_ranks,
    order_at,
    possible,
)
from tamaya.agents.fireflower.beliefs import attach_promise
from tamaya.cards import BIT
from tamaya.compiled import hot
from tamaya.game_kernels import SLOT_BIT
from tamaya.knowledge.hands import seat_after
from tamaya.knowledge.sets import is_one

FINESSE = 32  # bit of ``reading``
NOBODY = UNKNOWN


@hot
def finesse(state, ledger, seat, touched):
    """Promise the missing card to the seat that a hint asks for it; ``mover`` moves next."""
    if seat == state.mover or seat == state.seat:
        return
    base = finesse_base(state, seat, touched)
    if base < 0 or state.kind[base] == JUNK or (state.kind[base] == PLAY and state.place[base] > 0):
        return
    missing = np.int64(state.known[base]) - 1
    targets, meant = finesse_targets(state, seat, missing)
    while targets != 0:
        order = (targets & 63) - 1
        targets >>= 6
        if meant == NOBODY or order == meant:
            state.reading |= FINESSE
            attach_promise(state, ledger, base, order, missing)


@hot
def finesse_base(state, seat, touched):
    """The touched card that lacks one step: a recognised one, else the first that may; or -1."""
    near = next_ranks(state, state.playable)
    first = UNKNOWN
    for slot in range(state.n_cards[seat] - 1, -1, -1):
        if touched & SLOT_BIT[slot] == 0:
            continue
        order = order_at(state, seat, slot)
        mask = possible(state, COMMON, order)
        if is_one(mask) and is_among(state, order, near):
            return order
        if first < 0 and mask & near != 0:
            first = order
    return first if first >= 0 and is_among(state, first, near) else -1


@hot
def is_among(state, order, cards):
    """Whether this player knows a card to be one of a set."""
    card = state.known[order]
    return card >= 0 and BIT[card] & cards != 0


@hot
def finesse_targets(state, seat, missing):
    """Candidates of the seats up to a receiver, six bits each, and which one is meant.

    Nobody is meant, as all can see, if all of them are visibly something else; there are no targets
    at all if several of them are the missing card.
    """
    targets, shift = np.int64(0), 0
    n_true, true, unseen = 0, NOBODY, NOBODY
    between = state.mover
    while between != seat:
        order = finesse_target(state, between, missing)
        between = seat_after(state, between)
        if order < 0:
            continue
        targets |= (order + 1) << shift
        shift += 6
        card = state.known[order]
        if card == missing:
            n_true += 1
            if true == NOBODY:
                true = order
        elif card == UNKNOWN and unseen == NOBODY:
            unseen = order
    if n_true > 1:
        return np.int64(0), NOBODY
    return targets, true if n_true == 1 else unseen


@hot
def finesse_target(state, seat, missing):
    """The card that a seat would take for the missing one, or -1."""
    saved, plain = -1, -1
    for slot in range(state.n_cards[seat] - 1, -1, -1):
        order = order_at(state, seat, slot)
        if possible(state, COMMON, order) & BIT[missing] == 0:
            continue
        kind = state.kind[order]
        if kind == PLAY:
            return -1
        if kind == SAVE and saved < 0:
            saved = order
        elif kind == NOTHING and plain < 0:
            plain = order
    return saved if saved >= 0 else plain
