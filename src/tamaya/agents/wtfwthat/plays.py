"""Plays: of cards that are surely playable the most urgent, and guesses worth a life."""

from tamaya.agents.rules.facts import lowest_card, n_copies
from tamaya.agents.wtfwthat.desk import chance, lies_in
from tamaya.cards import BIT
from tamaya.compiled import hot
from tamaya.game_kernels import holds_any


@hot
def urgency(view, card):
    """How urgent it is to play a card, in sixtieths: a low one that few other seats hold."""
    n_holders = 1
    if view.deck_size > 0:
        for seat in range(view.players):
            if seat != view.seat and holds_any(view, seat, BIT[card]):
                n_holders += 1
    return 60 * (9 - card % 5) // n_holders


@hot
def mean_urgency(view, desk, mask):
    """Mean urgency of what an own card can be."""
    total, worth = 0, 0
    while mask:
        card = lowest_card(mask)
        mask &= mask - 1
        n = max(1, n_copies(desk.own_ones, desk.own_twos, BIT[card]))
        total += n
        worth += n * urgency(view, card)
    return worth / total


@hot
def sure_slot(view, desk):
    """Own slot of the most urgent card that is surely playable, or -1."""
    best, most = -1, -1.0
    for slot in range(view.hand_size):
        mask = desk.own[slot]
        if lies_in(mask, desk.playable):
            worth = mean_urgency(view, desk, mask)
            if worth > most:
                best, most = slot, worth
    return best


@hot
def likely_slot(view, desk, limit):
    """Own slot likeliest to be playable among those playable or dead, -1 if not above a limit."""
    best, most = -1, limit
    for slot in range(view.hand_size):
        mask = desk.own[slot]
        if lies_in(mask, desk.playable | desk.dead):
            p = chance(desk.own_ones, desk.own_twos, mask, desk.playable)
            if p > most:
                best, most = slot, p
    return best


@hot
def only_slot(view, desk):
    """The only own slot that may be playable, or -1."""
    only = -1
    for slot in range(view.hand_size):
        if desk.own[slot] & desk.playable:
            if only >= 0:
                return -1
            only = slot
    return only


@hot
def harmless_slot(view, desk):
    """Own slot to play when nothing else can be done: playable if possible, and not critical."""
    best, most = 0, -2.0
    for slot in range(view.hand_size):
        mask = desk.own[slot]
        if mask:
            p = chance(desk.own_ones, desk.own_twos, mask, desk.playable)
            p -= chance(desk.own_ones, desk.own_twos, mask, desk.critical & ~desk.playable)
            if p > most:
                best, most = slot, p
    return best
