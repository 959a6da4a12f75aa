"""Plays: the most urgent card that is surely playable, and guesses worth a life."""

from tamaya.agents.wtfwthat.public_state import chance, own_copies
from tamaya.cards import BIT
from tamaya.compiled import hot
from tamaya.game_kernels import holds_any
from tamaya.knowledge.copies import n_copies
from tamaya.knowledge.sets import is_subset, lowest_card


@hot
def urgency_of(card, n_holders):
    """How urgent it is to play a card that so many seats hold."""
    return 60 * (9 - card % 5) // n_holders


@hot
def urgency(view, card):
    """How urgent it is to play a card, in sixtieths: low cards that few other seats hold."""
    n_holders = 1
    if view.deck_size > 0:
        for seat in range(view.players):
            if seat != view.seat and holds_any(view, seat, BIT[card]):
                n_holders += 1
    return urgency_of(card, n_holders)


@hot
def mean_urgency(view, state, mask):
    """Mean urgency of what an own card can be."""
    total, worth = 0, 0
    while mask:
        card = lowest_card(mask)
        mask &= mask - 1
        n = max(1, n_copies(own_copies(state), BIT[card]))
        total += n
        worth += n * urgency(view, card)
    return worth / total


@hot
def sure_slot(view, state):
    """Own slot of the most urgent card that is surely playable, or -1."""
    best, most = -1, -1.0
    for slot in range(view.hand_size):
        mask = state.own[slot]
        if is_subset(mask, state.playable):
            worth = mean_urgency(view, state, mask)
            if worth > most:
                best, most = slot, worth
    return best


@hot
def likely_slot(view, state, limit):
    """Likeliest playable slot among own cards that are playable or dead; -1 if below a limit."""
    best, most = -1, limit
    for slot in range(view.hand_size):
        mask = state.own[slot]
        if is_subset(mask, state.playable | state.dead):
            p = chance(own_copies(state), mask, state.playable)
            if p > most:
                best, most = slot, p
    return best


@hot
def only_slot(view, state):
    """The only own slot that may be playable, or -1."""
    only = -1
    for slot in range(view.hand_size):
        if state.own[slot] & state.playable:
            if only >= 0:
                return -1
            only = slot
    return only


@hot
def harmless_slot(view, state):
    """Own slot to play when nothing else can be done: playable if possible, and not critical."""
    best, most = 0, -2.0
    for slot in range(view.hand_size):
        mask = state.own[slot]
        if mask:
            p = chance(own_copies(state), mask, state.playable)
            p -= chance(own_copies(state), mask, state.critical & ~state.playable)
            if p > most:
                best, most = slot, p
    return best
