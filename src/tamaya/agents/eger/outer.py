"""``eger-outer``: Eger's reading of Osawa's outer-state player.

In order: play the oldest card that is surely playable; discard one that has surely been played;
tell the partner the colour or the rank, what it has not told yet, of a playable card, highest rank
first; the same of a random card; discard at random. It counts no cards, and of what it told it
remembers only the card that it meant, not others that the same hint touched.

The program keeps this memory from game to game, slot by slot; here every game begins without, as in
the experiment with people.
"""

import numpy as np

from tamaya.agent import agent
from tamaya.agents.eger.sure import RULES, SOURCE, allowed, is_surely, random_played
from tamaya.cards import DECK_SIZE
from tamaya.compiled import hot
from tamaya.knowledge.board import board_now, is_playable
from tamaya.moves import NO_MOVE, discard, hint_colour, hint_rank, play
from tamaya.records import TOLD_COLOUR, TOLD_RANK
from tamaya.rng import random_below

BOTH = TOLD_COLOUR | TOLD_RANK

MEMORY = [
    ("told", np.uint8, DECK_SIZE),  # [order] -> TOLD_COLOUR | TOLD_RANK: what it told of the card
    ("move", np.int64),  # the hint that it is about to give
    ("order", np.int64),  # the card it meant
    ("kind", np.int64),  # TOLD_COLOUR or TOLD_RANK
]


@hot
def tell(view, memory, slot):
    """The hint that tells the partner something new of a card, and note it; or NO_MOVE."""
    partner = 1 - view.seat
    card, order = view.card[partner, slot], view.order[partner, slot]
    told = memory.told[order]
    if told == BOTH:
        return NO_MOVE
    kind = BOTH ^ told
    if told == 0:
        kind = TOLD_COLOUR if random_below(memory, 2) == 0 else TOLD_RANK
    colours = kind == TOLD_COLOUR
    move = hint_colour(view, 1, card // 5) if colours else hint_rank(view, 1, card % 5)
    memory.move, memory.order, memory.kind = move, order, kind
    return move


@hot
def tell_playable(view, memory):
    """A hint about a playable card of the partner, highest rank first, or NO_MOVE."""
    partner = 1 - view.seat
    for rank in range(view.ranks - 1, -1, -1):
        for slot in range(view.hand_size):
            card = view.card[partner, slot]
            if card >= 0 and card % 5 == rank and is_playable(view, card):
                move = tell(view, memory, slot)
                if move != NO_MOVE:
                    return move
    return NO_MOVE


@hot
def nth_held(view, seat, k):
    """Slot of the k-th card of a hand."""
    for slot in range(view.hand_size):
        if view.order[seat, slot] >= 0:
            if k == 0:
                return slot
            k -= 1
    return -1


@hot
def random_slot(view, memory, seat):
    """A slot of a hand that holds a card, any of them, or -1."""
    n = view.n_cards[seat]
    return nth_held(view, seat, random_below(memory, n)) if n > 0 else -1


@agent("eger-outer", players="2", memory=MEMORY, source=SOURCE, made_for=RULES)
def outer(view, memory, params):
    """Plays what is certain, and tells of cards what it has not told of them yet."""
    board = board_now(view)
    for slot in range(view.hand_size):
        if is_surely(view, slot, board.playable):
            return play(view, slot)
    slot = random_played(view, memory, board.played)
    if slot >= 0:
        return allowed(view, discard(view, slot))
    if view.tokens > 0:
        move = tell_playable(view, memory)
        slot = random_slot(view, memory, 1 - view.seat)
        if move == NO_MOVE and slot >= 0:
            move = tell(view, memory, slot)
        if move != NO_MOVE:
            return move
    return allowed(view, discard(view, random_slot(view, memory, view.seat)))


@outer.observe
def note_move(view, event, memory, params):
    """Remember what it told of the card that it meant, until that card is gone."""
    if event.card >= 0:
        memory.told[event.order] = 0
    elif event.seat == view.seat and event.move == memory.move:
        memory.told[memory.order] |= memory.kind
    memory.move, memory.order, memory.kind = NO_MOVE, 0, 0
