"""Following the real game: a mind reads every move as it happens.

A memory holds the mind, the ledger of its beliefs, minds to imagine in, and what was tried in the
last decision. Moves are read from the history, so a mind can begin in the middle of a game as well.
"""

import numpy as np

from tamaya.agents.fireflower.beliefs import LEDGER, tidy
from tamaya.agents.fireflower.board import begin
from tamaya.agents.fireflower.knowledge import refresh
from tamaya.agents.fireflower.mind import MIND, UNKNOWN, order_at, slot_in
from tamaya.agents.fireflower.moving import COLOUR_HINT, NONE, make_move
from tamaya.cards import DECK_SIZE
from tamaya.compiled import hot
from tamaya.game_kernels import SLOT_BIT
from tamaya.moves import kind_of, value_of
from tamaya.records import record
from tamaya.rules import MAX_HAND, MAX_PLAYERS

NOW, SEARCHED, MOVED, REPLIED = np.arange(4)  # the minds of a memory
MOST_TRIES = 2 * MAX_HAND + 10 * (MAX_PLAYERS - 1)

TRY = record([
    ("value", np.float64),       # or below 0 if there is none
    ("weights", np.float64, 4),  # of what an own card may be: playable, trash, danger, the rest
    ("promise", np.int64),       # what it was promised to be, or UNKNOWN
    ("kind", np.int64), ("place", np.int64), ("of", np.int64), ("touched", np.int64),
    ("move", np.int64),          # its id
])  # fmt: skip

MEMORY = [
    ("minds", MIND, 4),
    ("ledger", LEDGER, 1),
    ("tries", TRY, MOST_TRIES), ("n_tries", np.int64),
    ("sight", np.int8, DECK_SIZE),   # [order] -> card that a view shows
    ("stands", np.int8, DECK_SIZE),  # [order] -> slot of the table
    ("has_begun", np.int64),
]  # fmt: skip


@hot
def wake(view, memory):
    """Set up a memory at its first move, as it was at the deal."""
    if memory.has_begun:
        return
    memory.has_begun = 1
    mind = memory.minds[NOW]
    look(view, memory)
    begin(view, mind)
    for seat in range(mind.players):
        for slot in range(mind.hand_size):
            order = order_at(mind, seat, slot)
            memory.stands[order] = slot
            show_card(mind, memory, seat, order)
    refresh(mind)


@hot
def look(view, memory):
    """Note all cards that a view shows, in hands and in the moves that the mind has not read."""
    memory.sight[:] = UNKNOWN
    for seat in range(view.players):
        for slot in range(view.hand_size):
            if view.order[seat, slot] >= 0:
                memory.sight[view.order[seat, slot]] = view.card[seat, slot]
    for k in range(memory.minds[NOW].n_moves, view.n_moves):
        event = view.history[k]
        if event.order >= 0:
            memory.sight[event.order] = event.card


@hot
def show_card(mind, memory, seat, order):
    """Let this player see a card that another seat has drawn."""
    if seat != mind.seat:
        mind.face[order] = memory.sight[order]


@hot
def show_move(mind, memory, event):
    """Let this player see the card that is used, and the one drawn for it."""
    order = np.int64(event.order)
    mind.face[order] = event.card
    if mind.deck_size > 0:
        drawn = mind.n_all - mind.deck_size
        show_card(mind, memory, np.int64(event.seat), drawn)
        memory.stands[drawn] = memory.stands[order]


@hot
def touched_cards(view, mind, memory, event):
    """Slots of the mind that a hint touches; where gaps are refilled, those of the table differ."""
    touched = np.int64(0)
    for slot in range(mind.n_cards[event.target]):
        stands = slot
        if view.refills_in_place:
            stands = np.int64(memory.stands[mind.hand[event.target, slot]])
        if event.touched & SLOT_BIT[stands] != 0:
            touched |= SLOT_BIT[slot]
    return touched


def follow(view, event, memory, params):
    """Read the last move by the conventions, and all before it that were not read yet."""
    wake(view, memory)
    look(view, memory)
    mind, ledger = memory.minds[NOW], memory.ledger[0]
    while mind.n_moves < view.n_moves:
        past = view.history[mind.n_moves]
        kind = np.int64(kind_of(view, past.move))
        value, touched = NONE, NONE
        if kind >= COLOUR_HINT:
            place = np.int64(past.target)
            value = np.int64(value_of(view, past.move))
            touched = touched_cards(view, mind, memory, past)
        else:
            place = slot_in(mind, np.int64(past.seat), np.int64(past.order))
            show_move(mind, memory, past)
        make_move(mind, ledger, kind, place, value, touched)
        tidy(mind, ledger)
        mind.n_moves += 1
