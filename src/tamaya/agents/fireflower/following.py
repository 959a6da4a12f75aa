"""Following the real game: a mind is brought up to date from the history of a view.

The history has everything, so a mind can begin in the middle of a game as well. A memory holds the
mind, the ledger of its beliefs, minds to imagine in, and the values of the last decision.
"""

import numpy as np

from tamaya.agents.fireflower.actions import read_discard, read_play
from tamaya.agents.fireflower.beliefs import LEDGER, tidy
from tamaya.agents.fireflower.board import begin, spend_token
from tamaya.agents.fireflower.hints import read_hint
from tamaya.agents.fireflower.knowledge import refresh
from tamaya.agents.fireflower.mind import MIND, UNKNOWN, slot_in
from tamaya.cards import DECK_SIZE
from tamaya.compiled import hot
from tamaya.game import SLOT_BIT
from tamaya.moves import DISCARD, HINT_RANK, PLAY, kind_of, value_of
from tamaya.rules import MAX_HAND, MAX_PLAYERS

NOW, SEARCHED, MOVED, REPLIED = 0, 1, 2, 3  # the minds of a memory
MOST_MOVES = 2 * MAX_HAND + 10 * (MAX_PLAYERS - 1)

MEMORY = [
    ("minds", MIND, 4),
    ("ledger", LEDGER, 1),
    ("value", np.float64, MOST_MOVES),       # [move] -> its value in the last decision, or below 0
    ("sight", np.int8, DECK_SIZE),           # [order] -> card that a view shows
    ("stands", np.int8, DECK_SIZE),          # [order] -> slot of the table, if it refills in place
    ("has_begun", np.int8),
]  # fmt: skip


@hot
def follow(view, memory):
    """Read all moves that a memory has not read yet."""
    mind, ledger = memory.minds[NOW], memory.ledger[0]
    if memory.has_begun and mind.n_moves == view.n_moves:
        return
    look(view, memory, mind.n_moves)
    if not memory.has_begun:
        memory.has_begun = 1
        begin(view, mind)
        for seat in range(view.players):
            for slot in range(view.hand_size):
                show_card(mind, memory, seat, mind.hand[seat, slot])
                memory.stands[mind.hand[seat, slot]] = slot
        refresh(mind)
    while mind.n_moves < view.n_moves:
        read_event(view, view.history[mind.n_moves], memory, mind, ledger)
        mind.n_moves += 1
        tidy(mind, ledger)


@hot
def look(view, memory, first):
    """Note all cards that a view shows, those used since a move included."""
    memory.sight[:] = UNKNOWN
    for seat in range(view.players):
        for slot in range(view.hand_size):
            order = view.order[seat, slot]
            if order >= 0:
                memory.sight[order] = view.card[seat, slot]
    for k in range(first, view.n_moves):
        event = view.history[k]
        if event.order >= 0:
            memory.sight[event.order] = event.card


@hot
def show_card(mind, memory, seat, order):
    """Let this player see a card that another seat has drawn."""
    if seat != mind.seat:
        mind.face[order] = memory.sight[order]


@hot
def read_event(view, event, memory, mind, ledger):
    """Read one real move."""
    actor = np.int64(event.seat)
    kind = kind_of(view, event.move)
    if kind == PLAY or kind == DISCARD:
        order = np.int64(event.order)
        slot = slot_in(mind, actor, order)
        mind.face[order] = event.card
        if mind.deck_size > 0:
            drawn = mind.n_all - mind.deck_size
            show_card(mind, memory, actor, drawn)
            memory.stands[drawn] = memory.stands[order]
        if kind == PLAY:
            read_play(mind, ledger, slot)
        else:
            read_discard(mind, ledger, slot)
        return
    spend_token(mind)
    target = np.int64(event.target)
    touched = 0
    for slot in range(mind.n_cards[target]):
        stands = memory.stands[mind.hand[target, slot]] if view.refills_in_place else slot
        if event.touched & SLOT_BIT[stands] != 0:
            touched |= SLOT_BIT[slot]
    value = np.int64(value_of(view, event.move))
    read_hint(mind, ledger, target, value, kind == HINT_RANK, touched)
