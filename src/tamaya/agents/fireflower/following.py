"""Following the real game: every move is interpreted as it happens.

A memory contains the belief state, the ledger of beliefs, states for imagined moves, and the moves
tried in the last decision. Moves are read from the history, so this can also begin in mid-game.
"""

import numpy as np

from tamaya.agents.fireflower.belief_state import BELIEF_STATE, UNKNOWN, order_at, slot_in
from tamaya.agents.fireflower.beliefs import LEDGER, tidy
from tamaya.agents.fireflower.board import begin
from tamaya.agents.fireflower.moving import COLOUR_HINT, NONE, make_move
from tamaya.agents.fireflower.recognition import refresh
from tamaya.cards import DECK_SIZE
from tamaya.compiled import hot
from tamaya.game_kernels import SLOT_BIT
from tamaya.knowledge.hints import hint_number
from tamaya.moves import kind_of
from tamaya.records import record
from tamaya.rules import MAX_HAND, MAX_PLAYERS

NOW, SEARCHED, MOVED, REPLIED = np.arange(4)  # the belief states of a memory
MOST_TRIES = 2 * MAX_HAND + 10 * (MAX_PLAYERS - 1)

TRY = record([
    ("value", np.float64),       # or below 0 if there is none
    ("weights", np.float64, 4),  # by class of an own card: playable, trash, danger, other
    ("promise", np.int64),       # what it was promised to be, or UNKNOWN
    ("kind", np.int64), ("place", np.int64), ("hint", np.int64), ("touched", np.int64),
    ("move", np.int64),          # its id
])  # fmt: skip

MEMORY = [
    ("states", BELIEF_STATE, 4),
    ("ledger", LEDGER, 1),
    ("tries", TRY, MOST_TRIES), ("n_tries", np.int64),
    ("sight", np.int8, DECK_SIZE),   # [order] -> card that a view shows
    ("stands", np.int8, DECK_SIZE),  # [order] -> slot of the table
    ("has_begun", np.int64),
]  # fmt: skip


@hot
def wake(view, memory):
    """Set up a memory at its first use, with the position at the deal."""
    if memory.has_begun:
        return
    memory.has_begun = 1
    state = memory.states[NOW]
    look(view, memory)
    begin(view, state)
    for seat in range(state.players):
        for slot in range(state.hand_size):
            order = order_at(state, seat, slot)
            memory.stands[order] = slot
            show_card(state, memory, seat, order)
    refresh(state)


@hot
def look(view, memory):
    """Record all cards that a view shows, in hands and in moves not yet interpreted."""
    memory.sight[:] = UNKNOWN
    for seat in range(view.players):
        for slot in range(view.hand_size):
            if view.order[seat, slot] >= 0:
                memory.sight[view.order[seat, slot]] = view.card[seat, slot]
    for k in range(memory.states[NOW].n_moves, view.n_moves):
        event = view.history[k]
        if event.order >= 0:
            memory.sight[event.order] = event.card


@hot
def show_card(state, memory, seat, order):
    """Reveal a card that another seat has drawn to this player."""
    if seat != state.seat:
        state.face[order] = memory.sight[order]


@hot
def show_move(state, memory, event):
    """Reveal the card that is used, and the one drawn for it, to this player."""
    order = np.int64(event.order)
    state.face[order] = event.card
    if state.deck_size > 0:
        drawn = state.n_all - state.deck_size
        show_card(state, memory, np.int64(event.seat), drawn)
        memory.stands[drawn] = memory.stands[order]


@hot
def touched_cards(view, state, memory, event):
    """Slots of the state that a hint touches; they differ from the table's if gaps are refilled."""
    touched = np.int64(0)
    for slot in range(state.n_cards[event.target]):
        stands = slot
        if view.refills_in_place:
            stands = np.int64(memory.stands[state.hand[event.target, slot]])
        if event.touched & SLOT_BIT[stands] != 0:
            touched |= SLOT_BIT[slot]
    return touched


def follow(view, event, memory, params):
    """Interpret the last move, and all earlier ones not yet interpreted."""
    wake(view, memory)
    look(view, memory)
    state, ledger = memory.states[NOW], memory.ledger[0]
    while state.n_moves < view.n_moves:
        past = view.history[state.n_moves]
        kind = np.int64(kind_of(view, past.move))
        hint, touched = NONE, NONE
        if kind >= COLOUR_HINT:
            place = np.int64(past.target)
            hint = np.int64(hint_number(view, past.move))
            touched = touched_cards(view, state, memory, past)
        else:
            place = slot_in(state, np.int64(past.seat), np.int64(past.order))
            show_move(state, memory, past)
        make_move(state, ledger, kind, place, hint, touched)
        tidy(state, ledger)
        state.n_moves += 1
