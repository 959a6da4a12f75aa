"""Messages: what moves tell everybody about a hand, at a table of two whose team speaks a code.

A code gives each *form* of a move a *statement* about the hand of the receiver: which places in a
list of its slots hold playable cards, and which hold others. Hints have four forms: they name a
rank or a colour, and touch a certain card, the *reference*, or not. Which card that is and how
slots are listed belongs to the code; both depend on what earlier messages said. So everybody keeps
weights: how much likelier messages made each card of a hand.
"""

import numpy as np

from tamaya.cards import BIT, COLOUR_MASK, DECK_SIZE, N_CARDS, RANK_MASK
from tamaya.compiled import hot
from tamaya.game_kernels import SLOT_BIT
from tamaya.knowledge.board import board_now, public_copies
from tamaya.knowledge.copies import n_copies
from tamaya.knowledge.hands import newest_slot, oldest_slot
from tamaya.knowledge.sets import is_one, known_colour, known_rank
from tamaya.moves import DISCARD, HINT_COLOUR, PLAY, kind_of
from tamaya.records import record
from tamaya.rules import MAX_HAND

# Forms of a move.
RANK_ON, COLOUR_ON, RANK_OFF, COLOUR_OFF, SPARING, FORCED, PLAYED = range(7)
N_FORMS, N_HINT_FORMS = 7, 4
# Contexts, as bits: the receiver knows a playable card; its hand surely allows all forms of hints.
KNOWS, ALL_FORMS = 1, 2
N_CONTEXTS = 4
# References: the card in a place, the one about which least is known, the likeliest to be playable.
OLDEST, NEWEST, VAGUEST_OLD, VAGUEST_NEW, LIKELIEST = range(5)
N_REFERENCES = 5
# Listings: by the chance to be playable, ties to the older or newer card; the likeliest two (three
# where all forms are possible) or three in rising order; by age.
LIKELY_OLD, LIKELY_NEW, TWO_RISING, THREE_RISING, BY_AGE, BY_YOUTH = range(6)
N_LISTINGS = 6
UNLIKELY = -1  # the order of those that rise
# Statements: places, as bits, whose cards are not playable, and places whose cards are.
STATEMENTS = np.array([
    (0, 0), (1, 0), (3, 0), (7, 0), (31, 0), (0, 1), (1, 2), (3, 4), (0, 2), (0, 4), (2, 0), (4, 0),
    (2, 1), (0, 3),
])  # fmt: skip
N_PLACES = 5

LIE = 0.03  # of a statement
LEAST_CHANCE = 0.04  # to be playable, for a place in the list
KNOWN, RECOGNISED, POSSIBLE = 0.85, 0.95, 0.01  # shares of the weight of a slot

CODE = record([
    ("reference", np.int64), ("listing", np.int64),
    ("splits", np.int64),      # whether it matters that all forms of hints are possible
    ("hints_only", np.int64),  # whether plays and discards say nothing
    ("said", np.int64, (N_CONTEXTS, N_FORMS)),  # numbers of statements
])  # fmt: skip
PUBLIC = record([
    ("weight", np.float64, (DECK_SIZE, N_CARDS)),  # [order, card]
    ("copies", np.int64, N_CARDS),                 # neither played nor discarded
    ("free", np.int64, N_CARDS),                   # of these, not recognised in a hand
    ("playable", np.int64), ("dead", np.int64), ("critical", np.int64),
])  # fmt: skip
HAND = record([
    ("context", np.int64), ("has_all_forms", np.int64),
    ("cards", np.int64, MAX_HAND),     # what a slot can be, 0 if it is empty
    ("chance", np.float64, MAX_HAND),  # to be playable
    ("open", np.int64),                # slots, as bits, that may be useful and are not recognised
    ("n", np.int64), ("slot", np.int64, MAX_HAND),  # the list
])  # fmt: skip


@hot
def survey(view, public):
    """Note the board, and the copies of cards that nobody has recognised."""
    board, copies = board_now(view), public_copies(view)
    public.playable, public.dead, public.critical = board.playable, board.dead, board.critical
    for card in range(N_CARDS):
        public.copies[card] = n_copies(copies, BIT[card])
        public.free[card] = public.copies[card]
    for seat in range(view.players):
        for slot in range(view.hand_size):
            order = view.order[seat, slot]
            if order < 0:
                continue
            possible, total, most, top = np.int64(view.possible[seat, slot]), 0.0, 0.0, 0
            for card in range(N_CARDS):
                if BIT[card] & possible:
                    weight = public.weight[order, card] * public.copies[card]
                    total += weight
                    if weight > most:
                        most, top = weight, card
            if total > 0 and most >= RECOGNISED * total:
                public.free[top] = max(0, public.free[top] - 1)


@hot
def weight_of(public, order, card):
    """The weight of a card in a hand, which stays positive if all copies seem to be elsewhere."""
    return public.weight[order, card] * max(public.free[card], 0.001)


@hot
def look(view, public, code, seat, hand):
    """Note what everybody knows about a hand; the board was surveyed."""
    hand.open, hand.context, hand.has_all_forms = 0, 0, 0
    colours, ranks = 31, 31
    for slot in range(view.hand_size):
        hand.cards[slot], hand.chance[slot] = 0, 0.0
        order = view.order[seat, slot]
        if order < 0:
            continue
        look_at(view, public, seat, slot, hand)
        cards = np.int64(hand.cards[slot])
        if hand.chance[slot] >= KNOWN:
            hand.context |= KNOWS
        if cards & ~public.dead and not is_one(cards):
            hand.open |= SLOT_BIT[slot]
        for k in range(5):
            if not cards & COLOUR_MASK[k]:
                colours &= ~(1 << k)
            if not cards & RANK_MASK[k]:
                ranks &= ~(1 << k)
    if colours == 0 and ranks == 0:
        hand.has_all_forms = 1
        if code.splits:
            hand.context |= ALL_FORMS


@hot
def look_at(view, public, seat, slot, hand):
    """Note what the card in a slot can be, and its chance to be playable."""
    order, possible = view.order[seat, slot], np.int64(view.possible[seat, slot])
    total, good = 0.0, 0.0
    for card in range(N_CARDS):
        if BIT[card] & possible:
            weight = weight_of(public, order, card)
            total += weight
            if BIT[card] & public.playable:
                good += weight
    for card in range(N_CARDS):
        if BIT[card] & possible and weight_of(public, order, card) > POSSIBLE * total:
            hand.cards[slot] |= BIT[card]
    hand.chance[slot] = good / total if total > 0 else 0.0


@hot
def reference_slot(view, hand, seat, which):
    """The slot that a reference means, or -1."""
    if which == OLDEST:
        return oldest_slot(view, seat)
    if which == NEWEST:
        return newest_slot(view, seat)
    best, most = -1, -1.0
    for slot in range(view.hand_size):
        cards = np.int64(hand.cards[slot])
        if cards == 0:
            continue
        score = 0.0
        if hand.open & SLOT_BIT[slot]:
            unknown = 1.0 + (known_colour(cards) < 0) + (known_rank(cards) < 0)
            score = hand.chance[slot] if which == LIKELIEST else unknown
        if score > most or (score == most and which == VAGUEST_NEW):
            best, most = slot, score
    return best


@hot
def list_slots(view, hand, how):
    """Write the list of the slots that may be playable."""
    hand.n = 0
    for slot in range(view.hand_size):
        if hand.open & SLOT_BIT[slot] and hand.chance[slot] > LEAST_CHANCE:
            hand.slot[hand.n] = slot
            hand.n += 1
    is_rising = how == TWO_RISING or how == THREE_RISING
    sort_slots(hand, hand.n, LIKELY_OLD if is_rising else how)
    if is_rising:
        n = 3 if how == THREE_RISING or hand.has_all_forms else 2
        sort_slots(hand, min(np.int64(hand.n), n), UNLIKELY)


@hot
def sort_slots(hand, n, how):
    """Sort the first slots of the list."""
    for k in range(1, n):
        while k > 0 and comes_before(hand, hand.slot[k], hand.slot[k - 1], how):
            slot = hand.slot[k]
            hand.slot[k] = hand.slot[k - 1]
            hand.slot[k - 1] = slot
            k -= 1


@hot
def comes_before(hand, slot, other, how):
    """Whether a slot comes before another one in a listing."""
    if how == BY_AGE or how == BY_YOUTH:
        return slot < other if how == BY_AGE else slot > other
    if hand.chance[slot] == hand.chance[other]:
        return slot > other if how == LIKELY_NEW else slot < other
    is_likelier = hand.chance[slot] > hand.chance[other]
    return not is_likelier if how == UNLIKELY else is_likelier


@hot
def form_of(view, hand, code, seat, move, touched):
    """The form of a move that is about to be made, with a seat as its receiver."""
    kind = kind_of(view, move)
    if kind == DISCARD:
        return SPARING if view.tokens > 0 else FORCED
    if kind == PLAY:
        return PLAYED
    slot = reference_slot(view, hand, seat, code.reference)
    form = COLOUR_ON if kind == HINT_COLOUR else RANK_ON
    return form if slot >= 0 and touched & SLOT_BIT[slot] else form + RANK_OFF - RANK_ON


@hot
def hear(view, public, hand, code, seat, move, touched):
    """Change the weights by what a move that is about to be made says about a hand."""
    form = form_of(view, hand, code, seat, move, touched)
    if code.hints_only and form >= N_HINT_FORMS:
        return
    list_slots(view, hand, code.listing)
    statement = code.said[hand.context, form]
    others, playable = STATEMENTS[statement, 0], STATEMENTS[statement, 1]
    for place in range(min(np.int64(hand.n), N_PLACES)):
        order = view.order[seat, hand.slot[place]]
        for card in range(N_CARDS):
            is_playable = BIT[card] & public.playable != 0
            denies = playable if not is_playable else others
            if denies >> place & 1:
                public.weight[order, card] *= LIE
