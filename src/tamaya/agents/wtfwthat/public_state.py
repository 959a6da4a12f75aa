"""The public state: what everybody knows about the board and every hand, for one decision.

Everybody keeps the same public table (``tamaya.knowledge.tables``). The copies that count are the
same for all slots, namely those not yet played or discarded, so the original's table of 25 weights
is one mask here, and a probability is four population counts.

The state is scratch space: filled for each decision, and for each observed move with the position
before it.
"""

import numpy as np

from tamaya.cards import BIT, N_CARDS
from tamaya.compiled import hot
from tamaya.game_kernels import SLOT_BIT
from tamaya.knowledge.board import board_before, board_with
from tamaya.knowledge.copies import (
    Copies,
    cards_in,
    probability,
    take,
    take_present,
    undiscarded,
)
from tamaya.knowledge.sets import is_one
from tamaya.moves import slot_of
from tamaya.records import record
from tamaya.rules import MAX_HAND, MAX_PLAYERS
from tamaya.simd_masks import N_LANES

MAX_ITEMS = 2 * MAX_HAND
# Of the network that weighs moves: features of a situation and of a move, and hidden units.
N_SITUATION, N_MOVE, N_HIDDEN = 34, 30, 32
MAX_WEIGHED = 2 * MAX_HAND + 1  # moves

MAX_STACK = 128
NODE = record([
    ("seat", np.int64), ("deck", np.int64), ("turns", np.int64), ("tokens", np.int64),
    ("playable", np.int64), ("points", np.int64),
])  # fmt: skip

PUBLIC_STATE = record([
    # What everybody knows.
    ("order", np.int64, (MAX_PLAYERS, MAX_HAND)),  # [seat, slot] -> order, -1 if empty
    ("sets", np.int64, (MAX_PLAYERS, MAX_HAND)),   # [seat, slot] -> what the card can be, or 0
    ("playable", np.int64), ("dead", np.int64), ("critical", np.int64),
    ("ones", np.int64), ("twos", np.int64),        # copies neither played nor discarded, two masks
    ("free_ones", np.int64), ("free_twos", np.int64),  # those that no table has recognised
    # The hand that is asked, and the question.
    ("hand", np.int64, MAX_HAND),                  # sets, narrowed by the answers
    ("before", np.int64, MAX_HAND),                # sets, as they were
    ("told", np.int64, (MAX_PLAYERS, MAX_HAND)),   # sets after the answers to the last sum
    ("kinds", np.int64, MAX_PLAYERS),              # [seat] -> kinds of hints that it can be given
    ("playable_for", np.int64, MAX_PLAYERS), ("dead_for", np.int64, MAX_PLAYERS),
    ("asked_playable", np.int64), ("asked_dead", np.int64),
    ("kind", np.int64),                            # of question
    ("n_answers", np.int64),
    ("slot", np.int64), ("room", np.int64),        # of a question about one card
    ("n_items", np.int64), ("items", np.int64, MAX_ITEMS),  # of a list: slot, or 8 + slot if dead?
    ("p_playable", np.float64, MAX_HAND), ("p_dead", np.float64, MAX_HAND),
    # What the mover knows about its own cards.
    ("own", np.int64, MAX_HAND),
    ("own_ones", np.int64), ("own_twos", np.int64),
    # [card] -> points that its discard costs: the mover, times the copies that it does not see, and
    # an owner who does not see it, once alone and once times the public copies.
    ("own_loss", np.float64, N_LANES),
    ("worth", np.float64, N_CARDS), ("public_worth", np.float64, N_LANES),
    ("held", np.int64, MAX_PLAYERS),               # [seat] -> cards known to be in a hand
    ("stack", NODE, MAX_STACK),
    ("visible", np.int64),                         # cards in the other hands
    ("rule", np.int64),                            # that decided the move
    # Where a network weighs moves (``weighing``).
    ("slot_loss", np.float64, MAX_HAND),           # points that a discard costs on average
    ("before_loss", np.float64, MAX_HAND),         # the same to the partner, of ``before``
    ("p_own", np.float64, MAX_HAND),               # that a card is playable
    ("useless", np.int64), ("useless_for_all", np.int64),  # slots, privately and publicly
    ("partner_now", np.float64, 4),                # what the partner can do, as things are
    ("partner", np.float64, 4),                    # and after a move
    ("situation", np.float32, N_SITUATION),
    ("units_before", np.float32, N_HIDDEN),         # hidden units by the situation alone
    ("units", np.float32, N_HIDDEN),               # and with a move
    ("n_weighed", np.int64),                       # moves so far; of each:
    ("weighed", np.int64, MAX_WEIGHED), ("rules", np.int64, MAX_WEIGHED),
    ("features", np.float32, (MAX_WEIGHED, N_MOVE)), ("values", np.float32, MAX_WEIGHED),
])  # fmt: skip


@hot
def public_copies(state):
    """Copies neither played nor discarded."""
    return Copies(state.ones, state.twos)


@hot
def free_copies(state):
    """Those of the public copies that no table has recognised."""
    return Copies(state.free_ones, state.free_twos)


@hot
def own_copies(state):
    """Copies that the mover neither sees nor recognises in its own hand."""
    return Copies(state.own_ones, state.own_twos)


@hot
def chance(copies, mask, wanted):
    """Probability that a card of one set is in another; 0 and 1 are exact even without copies."""
    if mask & wanted == 0:
        return 0.0
    if mask & ~wanted == 0:
        return 1.0
    return probability(copies, mask, wanted)


@hot
def fill_board(state, left, board):
    """Fill the masks of a board and the public copies."""
    copies = take(left, board.played)
    state.ones = copies.ones
    state.twos = copies.twos
    state.playable = board.playable
    state.dead = board.dead
    state.critical = board.critical


@hot
def fill_orders(view, state):
    """Fill which card is in which slot now."""
    for seat in range(view.players):
        for slot in range(view.hand_size):
            state.order[seat, slot] = view.order[seat, slot]


@hot
def fill_hands(view, memory, state, does_deduce):
    """Fill the sets of all cards by ``order``; with ``does_deduce`` recognised cards count."""
    left, is_any_known = cards_in(public_copies(state)), False
    for seat in range(view.players):
        for slot in range(view.hand_size):
            order = state.order[seat, slot]
            mask = left & ~np.int64(memory.excluded[order]) if order >= 0 else 0
            if order >= 0 and mask == 0:  # somebody follows other conventions
                mask = left
            state.sets[seat, slot] = mask
            is_any_known = is_any_known or is_one(mask)
    state.free_ones = state.ones
    state.free_twos = state.twos
    if does_deduce and is_any_known:
        deduce(view, state)


@hot
def still_possible(mask, copies):
    """Those cards of a set that have copies; a set of one card, or without copies, is unchanged."""
    left = mask & cards_in(copies)
    return mask if is_one(mask) or left == 0 else left


@hot
def deduce(view, state):
    """Remove publicly recognised cards from all other sets, until nothing more follows."""
    copies = public_copies(state)
    recognised, left, before = np.int64(0), cards_in(copies), np.int64(-1)
    while left != before:  # otherwise another round would exclude the same
        before = left
        for seat in range(view.players):
            for slot in range(view.hand_size):
                place = np.int64(1) << (MAX_HAND * seat + slot)
                if recognised & place:
                    continue
                mask = still_possible(state.sets[seat, slot], copies)
                state.sets[seat, slot] = mask
                if is_one(mask):
                    recognised |= place
                    copies = take_present(copies, mask)
        left = cards_in(copies)
    state.free_ones = copies.ones
    state.free_twos = copies.twos


@hot
def fill_now(view, memory, state, does_deduce):
    """Fill the state for a decision."""
    left = undiscarded(view)
    fill_board(state, left, board_with(view, left))
    fill_orders(view, state)
    fill_hands(view, memory, state, does_deduce)


@hot
def fill_before(view, event, memory, state, does_deduce):
    """Fill the state for the position before a move."""
    left, board = board_before(view, event)
    fill_board(state, left, board)
    fill_orders(view, state)
    if event.card >= 0:
        used = slot_of(view, event.move)
        if not view.refills_in_place:
            for slot in range(used + 1, view.hand_size):
                state.order[event.seat, slot] = view.order[event.seat, slot - 1]
        state.order[event.seat, used] = event.order
    fill_hands(view, memory, state, does_deduce)


@hot
def fill_own(view, state, does_deduce):
    """Fill what the mover knows about its own cards: visible copies are not among them."""
    copies, visible = public_copies(state), 0
    for seat in range(view.players):
        if seat != view.seat:
            for slot in range(view.hand_size):
                card = view.card[seat, slot]
                if card >= 0:
                    visible |= BIT[card]
                    copies = take_present(copies, BIT[card])
    state.visible = visible
    recognised, left, before = 0, cards_in(copies), np.int64(-1)
    while left != before:
        before = left
        for slot in range(view.hand_size):
            if recognised & SLOT_BIT[slot]:
                continue
            mask = still_possible(state.sets[view.seat, slot], copies)
            state.own[slot] = mask
            if does_deduce and is_one(mask):
                recognised |= SLOT_BIT[slot]
                copies = take_present(copies, mask)
        left = cards_in(copies)
    state.own_ones = copies.ones
    state.own_twos = copies.twos
