"""Certain knowledge about cards: from sight, from hints and from counting copies.

``refresh`` counts unseen copies, for this player and for common knowledge, and recognises in one
pass the cards that can only be one thing, seat by seat and newest first. It is the first step of
interpreting a move, before the content of a hint is applied: a card that a hint identifies counts
from the next move on.
"""

import numpy as np

from tamaya.agents.fireflower.belief_state import COMMON, MINE, UNKNOWN, order_at, possible
from tamaya.cards import BIT
from tamaya.compiled import hot
from tamaya.knowledge.copies import Copies, cards_in, take
from tamaya.knowledge.sets import is_one, lowest_card


@hot
def refresh(state):
    """Count what is not seen, and recognise what can only be one card."""
    common = take(Copies(state.ones, state.twos), state.played)
    mine = common
    for seat in range(state.players):
        for slot in range(state.n_cards[seat]):
            card = state.face[state.hand[seat, slot]]
            if card >= 0:
                mine = take(mine, BIT[card])
    for seat in range(state.players):
        for slot in range(state.n_cards[seat] - 1, -1, -1):
            order = state.hand[seat, slot]
            hinted = np.int64(state.hinted[order])
            bit = hinted & cards_in(common)
            if is_one(bit):
                common = take(common, bit)
                state.can_be[COMMON, order] = bit
            else:
                state.can_be[COMMON, order] = 0  # to be filled in below
            card = state.face[order]
            if card < 0:
                bit = hinted & cards_in(mine)
                if is_one(bit):
                    mine = take(mine, bit)
                    card = lowest_card(bit)
            state.known[order] = card
            state.can_be[MINE, order] = BIT[card] if card >= 0 else 0
    state.unseen_ones, state.unseen_twos = mine.ones, mine.twos
    state.unseen[MINE], state.unseen[COMMON] = cards_in(mine), cards_in(common)
    for seat in range(state.players):
        for slot in range(state.n_cards[seat]):
            order = state.hand[seat, slot]
            for whose in range(2):
                if state.can_be[whose, order] == 0:
                    state.can_be[whose, order] = state.hinted[order] & state.unseen[whose]


@hot
def hide_hand(state, seat):
    """Hide the cards of a hand, to reason as its holder does."""
    for slot in range(state.n_cards[seat]):
        state.face[state.hand[seat, slot]] = UNKNOWN


@hot
def is_consistent(state):
    """Whether every card in a hand can be something that fits its hints."""
    for seat in range(state.players):
        for slot in range(state.n_cards[seat]):
            order = order_at(state, seat, slot)
            if possible(state, MINE, order) & state.hinted[order] == 0:
                return False
    return True


@hot
def note_words(state, seat, hint, touched):
    """Apply a hint to each card of a hand; cards recognised before remain recognised."""
    for slot in range(state.n_cards[seat]):
        order = order_at(state, seat, slot)
        if touched >> slot & 1:
            state.hinted[order] &= hint
            state.touched[order] = 1
        else:
            state.hinted[order] &= ~hint
        for whose in range(2):
            if not is_one(possible(state, whose, order)):
                state.can_be[whose, order] &= state.hinted[order]
