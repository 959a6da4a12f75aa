"""The end of the game: whether to play now or to let others play first.

Once the last card is drawn everybody has one turn left, so a seat with two cards to play must start
before that, while the others hint. Taking all hands as known, the mover's own as far as it knows
it, a search finds the best line: each seat plays a card or hints, and draws useless cards.
"""

import numpy as np

from tamaya.agents.wtfwthat.public_state import MAX_STACK
from tamaya.cards import BIT
from tamaya.compiled import hot
from tamaya.knowledge.hands import seat_after
from tamaya.knowledge.sets import is_one, lowest_card

HINT_IS_BETTER, NOTHING_KNOWN = -1, -2
MAX_NODES = 2000  # of a search


@hot
def fill_held(view, state):
    """Fill the cards that each seat holds; of its own only those recognised."""
    for seat in range(view.players):
        held = 0
        for slot in range(view.hand_size):
            if seat == view.seat:
                if is_one(state.own[slot]):
                    held |= state.own[slot]
            elif view.card[seat, slot] >= 0:
                held |= BIT[view.card[seat, slot]]
        state.held[seat] = held


@hot
def after_play(view, playable, bit):
    """The playable cards after one was played."""
    following = bit << 1 if lowest_card(bit) % 5 + 1 < view.ranks else 0
    return (playable & ~bit) | following


@hot
def goal(view, state, playable):
    """Points that the cards in all hands would score without a turn limit."""
    held, n = 0, 0
    for seat in range(view.players):
        held |= state.held[seat]
    while held & playable:
        bit = held & playable
        bit &= -bit
        playable = after_play(view, playable, bit)
        n += 1
    return n


@hot
def push(state, n, seat, deck, turns, tokens, playable, points):
    """Push a position onto the stack, if there is space."""
    if n >= MAX_STACK:
        return n
    node = state.stack[n]
    node.seat = seat
    node.deck = deck
    node.turns = turns
    node.tokens = tokens
    node.playable = playable
    node.points = points
    return n + 1


@hot
def expand(view, state, n):
    """Replace the last position of the stack by those that a move leads to."""
    node = state.stack[n - 1]
    seat, deck, turns, tokens = node.seat, node.deck, node.turns, node.tokens
    playable, points = node.playable, node.points
    n -= 1
    if deck == 0:
        turns -= 1
        if turns < 0:
            return n
    hand = state.held[seat] & playable
    seat = seat_after(view, seat)
    if deck == 0:
        if hand == 0:
            n = push(state, n, seat, deck, turns, tokens, playable, points)
    elif tokens > 0:
        n = push(state, n, seat, deck, turns, tokens - 1, playable, points)
    elif hand == 0:
        n = push(state, n, seat, deck - 1, turns, tokens + 1, playable, points)
    while hand:
        bit = hand & -hand
        hand ^= bit
        following = after_play(view, playable, bit)
        gained = tokens + earned(view, bit)
        n = push(state, n, seat, max(deck - 1, 0), turns, gained, following, points + 1)
    return n


@hot
def best_points(view, state, deck, turns, tokens, playable):
    """Most points that can still be scored from the next seat on."""
    wanted, best, n_nodes = goal(view, state, playable), 0, 0
    seat = seat_after(view, np.int64(view.seat))
    none = np.int64(0)
    n = push(state, none, seat, deck, turns, tokens, playable, none)
    while n > 0 and best < wanted and n_nodes < MAX_NODES:
        node = state.stack[n - 1]
        best = max(best, node.points)
        n_nodes += 1
        if node.points + node.deck + node.turns <= best:
            n -= 1
        else:
            n = expand(view, state, n)
    return best


@hot
def earned(view, bit):
    """1 if playing a card earns a token, because its rank is the highest, otherwise 0."""
    return 1 if lowest_card(bit) % 5 + 1 == view.ranks and not view.no_completion_token else 0


@hot
def points_of_play(view, state, bit):
    """Points if a card is played."""
    deck, turns = (
        np.int64(max(view.deck_size - 1, 0)),
        view.turns_left - (1 if view.deck_size == 0 else 0),
    )
    tokens = min(view.tokens + earned(view, bit), np.int64(view.max_tokens))
    return 1 + best_points(view, state, deck, turns, tokens, after_play(view, state.playable, bit))


@hot
def points_of_hint(view, state):
    """Points if the mover hints."""
    turns = view.turns_left - (1 if view.deck_size == 0 else 0)
    return best_points(
        view, state, np.int64(view.deck_size), turns, view.tokens - 1, state.playable
    )


@hot
def best_end(view, state):
    """Own slot to play for the most points, or HINT_IS_BETTER, or NOTHING_KNOWN."""
    fill_held(view, state)
    best, most = NOTHING_KNOWN, 0
    for slot in range(view.hand_size):
        if is_one(state.own[slot]) and state.own[slot] & state.playable:
            points = points_of_play(view, state, state.own[slot])
            if points > most:
                best, most = slot, points
    if best >= 0 and view.tokens > 0 and points_of_hint(view, state) > most:
        return HINT_IS_BETTER
    return best
