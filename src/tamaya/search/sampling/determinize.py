"""Determinization: whole games that agree with everything one seat sees.

``fill_game`` turns a view into a game; the cards that the seat does not see are in any order in the
*hidden places* of the deck: those of its own hand and those not yet dealt. ``redeal`` then draws
the hand so that every deal that agrees with the hints is equally likely, and ``shuffle_rest``
shuffles the cards not yet dealt. Both only exchange entries of ``deck``, and
``card[seat, slot] == deck[order[seat, slot]]`` holds before and after.

The hand is drawn slot by slot, those with few candidates first, each from the cards that earlier
slots left. Slot i has a bound b: its candidates, minus the earlier slots whose candidates are a
subset of its own and which therefore took some of them. A number below b is drawn; it selects a
candidate or, if fewer are left, the whole hand is drawn again. So each hand that fits has the same
probability, the product of all 1/b, and with nested candidates no redraw is ever needed.
"""

import numpy as np

from tamaya.cards import BIT
from tamaya.compiled import hot
from tamaya.records import record
from tamaya.rng import random_below
from tamaya.rules import MAX_HAND
from tamaya.view import copy_common, count_unseen

PLAN = record([
    ("n", np.int64),                 # cards in the hand
    ("slot", np.int64, MAX_HAND),    # in the order of drawing
    ("mask", np.int64, MAX_HAND),    # candidates, by place in that order
    ("bound", np.int64, MAX_HAND),   # number to draw below, by place in that order
])  # fmt: skip


@hot
def fill_game(view, game):
    """Write a game that looks like a view; hidden places get the unseen cards in any order."""
    copy_common(game, view)
    game.seed = 0
    for k in range(view.n_moves):
        event = view.history[k]
        if event.order >= 0:
            game.deck[event.order] = event.card
    count_unseen(view)
    unseen, n_used = 0, 0  # the next unseen card, and its copies placed already
    for seat in range(view.players):
        for slot in range(view.hand_size):
            game.card[seat, slot] = view.card[seat, slot]
            order = view.order[seat, slot]
            if order < 0:
                continue
            card = np.int64(view.card[seat, slot])
            if card < 0:
                unseen, n_used = _next_unseen(view, unseen, n_used)
                card = unseen
            game.card[seat, slot] = card
            game.deck[order] = card
    for place in range(view.n_all - view.deck_size, view.n_all):
        unseen, n_used = _next_unseen(view, unseen, n_used)
        game.deck[place] = unseen


@hot
def _next_unseen(view, card, n_used):
    """The next card to place, and how many of its copies are placed then."""
    while card < 24 and n_used >= view.unseen[card]:
        card += 1
        n_used = 0
    return card, n_used + 1


@hot
def plan_hand(game, seat, plan):
    """Prepare to draw the hand of a seat by its hints."""
    plan_masks(game, seat, game.possible[seat], plan)


@hot
def plan_masks(game, seat, masks, plan):
    """Prepare to draw a hand, each slot from a mask: the order of the slots and their bounds."""
    n = 0
    for slot in range(game.hand_size):
        if game.order[seat, slot] < 0:
            continue
        mask = np.int64(masks[slot])
        size = _n_candidates(game, seat, mask)
        place = n
        while place > 0 and plan.bound[place - 1] > size:
            plan.slot[place] = plan.slot[place - 1]
            plan.mask[place] = plan.mask[place - 1]
            plan.bound[place] = plan.bound[place - 1]
            place -= 1
        plan.slot[place] = slot
        plan.mask[place] = mask
        plan.bound[place] = size
        n += 1
    plan.n = n
    for place in range(n - 1, 0, -1):
        for earlier in range(place):
            if plan.mask[earlier] & ~plan.mask[place] == 0:
                plan.bound[place] -= 1


@hot
def _n_candidates(game, seat, mask):
    """Hidden places of a seat whose card lies in a mask."""
    n = 0
    for slot in range(game.hand_size):
        order = game.order[seat, slot]
        if order >= 0 and BIT[game.deck[order]] & mask:
            n += 1
    for place in range(game.n_all - game.deck_size, game.n_all):
        if BIT[game.deck[place]] & mask:
            n += 1
    return n


@hot
def redeal(game, seat, plan, memory):
    """Redraw the hand of a seat, with all deals that agree with its hints equally likely."""
    place = 0
    while place < plan.n:
        number = random_below(memory, plan.bound[place])
        place = place + 1 if _draw_nth(game, seat, plan, place, number) else 0
    show_hand(game, seat)


@hot
def show_hand(game, seat):
    """Copy the cards of a hand from their places in the deck."""
    for slot in range(game.hand_size):
        if game.order[seat, slot] >= 0:
            game.card[seat, slot] = game.deck[game.order[seat, slot]]


@hot
def show_hand_in(view, seat, deck):
    """Write the cards that a seat holds according to a deck into a view."""
    for slot in range(view.hand_size):
        order = view.order[seat, slot]
        if order >= 0:
            view.card[seat, slot] = deck[order]
    view.is_counted = 0


@hot
def _draw_nth(game, seat, plan, place, number):
    """Put the n-th candidate into a planned slot; returns whether that many were left."""
    mask = plan.mask[place]
    target = game.order[seat, plan.slot[place]]
    for other in range(place, plan.n):
        order = game.order[seat, plan.slot[other]]
        if BIT[game.deck[order]] & mask:
            if number == 0:
                _exchange(game, target, order)
                return True
            number -= 1
    for order in range(game.n_all - game.deck_size, game.n_all):
        if BIT[game.deck[order]] & mask:
            if number == 0:
                _exchange(game, target, order)
                return True
            number -= 1
    return False


@hot
def _exchange(game, place, other):
    game.deck[place], game.deck[other] = game.deck[other], game.deck[place]


@hot
def shuffle_rest(game, memory):
    """Shuffle the cards that are not dealt yet."""
    first = np.int64(game.n_all) - game.deck_size
    for last in range(game.n_all - 1, first, -1):
        _exchange(game, last, first + random_below(memory, last + 1 - first))
