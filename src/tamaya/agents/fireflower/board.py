"""The effects of moves, real and imagined, on the board of a belief state.

A card drawn in imagination stays unknown. Four masks follow from fireworks and discards, and
nearly every test in the conventions is one AND with them:

    playable    the next card of its firework
    useful      still to be played; without early stop, only if every lower card still exists
    danger      useful, and at most one copy is left
    trash       all others
"""

import numpy as np

from tamaya.agents.fireflower.belief_state import COMMON, MINE, UNKNOWN, order_at
from tamaya.cards import BIT, COLOUR_MASK
from tamaya.compiled import hot
from tamaya.knowledge.board import COLUMN
from tamaya.knowledge.copies import Copies, full_deck, singles, take
from tamaya.knowledge.hands import seat_after


@hot
def begin(view, state):
    """Set up the position at the deal, before anybody has moved; no card is visible yet."""
    state.seat = view.seat
    state.players = view.players
    state.colours = view.colours
    state.ranks = view.ranks
    state.hand_size = view.hand_size
    state.max_tokens = view.max_tokens
    state.no_completion_token = view.no_completion_token
    state.n_all = view.n_all
    state.all_cards = view.all_cards
    state.tokens = view.max_tokens
    state.lives = view.max_lives
    state.mover = view.start
    n_dealt = view.players * view.hand_size
    state.deck_size = view.n_all - n_dealt
    state.max_discards = state.deck_size + view.players - view.colours * view.ranks
    state.final = -1 if state.deck_size > 0 else view.players
    begin_cards(view, state)
    state.spared[:] = UNKNOWN
    note_masks(state)


@hot
def begin_cards(view, state):
    """Deal the orders, and count the copies of each card."""
    state.promise[:] = UNKNOWN
    state.below[:] = UNKNOWN
    state.face[:] = UNKNOWN
    for order in range(view.n_all):
        state.hinted[order] = view.all_cards
    for seat in range(view.players):
        state.n_cards[seat] = view.hand_size
        for slot in range(view.hand_size):
            state.hand[seat, slot] = seat * view.hand_size + slot
    deck = full_deck(view)
    state.ones, state.twos = deck.ones, deck.twos
    state.singles = singles(deck)
    state.triples = deck.ones & deck.twos


@hot
def lost_cards(state):
    """Cards still to be played of which no copy is left."""
    return state.all_cards & ~(state.ones | state.twos | state.played)


@hot
def note_masks(state):
    """Compute the four masks of the board."""
    lost = lost_cards(state)
    playable, useful = 0, 0
    for colour in range(state.colours):
        height = state.firework[colour]
        rest = state.all_cards & COLOUR_MASK[colour] & ~(COLUMN[height] << (5 * colour))
        if rest == 0:
            continue
        playable |= BIT[5 * colour + height]
        blocked = lost & rest
        if blocked and not state.stops_early:
            rest &= 2 * (blocked & -blocked) - 1
        useful |= rest
    state.playable = playable
    state.useful = useful
    state.danger = useful & ~state.twos
    state.trash = state.all_cards & ~useful


@hot
def is_over(state):
    """Whether the game is over, early or not."""
    if state.lives <= 0 or state.final == 0 or state.points >= state.colours * state.ranks:
        return True
    return state.stops_early != 0 and (
        state.n_discards > state.max_discards or lost_cards(state) != 0
    )


@hot
def note_before(state):
    """Record the mover's hand and what is playable, before its move."""
    state.reading = 0
    state.old_playable = state.playable
    state.n_old = state.n_cards[state.mover]
    for slot in range(state.n_old):
        state.old_hand[slot] = state.hand[state.mover, slot]


@hot
def play_card(state, slot):
    """The mover plays a card whose face is known; returns whether it scored."""
    note_before(state)
    card = np.int64(state.face[state.hand[state.mover, slot]])
    scored = BIT[card] & state.playable != 0
    if scored:
        state.firework[card // 5] += 1
        state.points += 1
        state.played |= BIT[card]
        earns = card % 5 == state.ranks - 1 and not state.no_completion_token
        if earns and state.tokens < state.max_tokens:
            state.tokens += 1
    else:
        state.lives -= 1
        lose_copy(state, card)
    replace_card(state, slot, card)
    return scored


@hot
def discard_card(state, slot):
    """The mover discards a card whose face is known."""
    note_before(state)
    card = np.int64(state.face[state.hand[state.mover, slot]])
    if state.tokens < state.max_tokens:
        state.tokens += 1
    lose_copy(state, card)
    replace_card(state, slot, card)


@hot
def lose_copy(state, card):
    """Put a copy of a card on the discard pile."""
    state.n_discards += 1
    left = take(Copies(state.ones, state.twos), BIT[card])
    state.ones, state.twos = left.ones, left.twos


@hot
def replace_card(state, slot, card):
    """Reveal the mover's card and draw another, unknown one while the deck lasts."""
    seat = state.mover
    order = order_at(state, seat, slot)
    state.known[order] = card
    state.can_be[MINE, order] = BIT[card]
    state.can_be[COMMON, order] = BIT[card]
    last = state.n_cards[seat] - 1
    for k in range(slot, last):
        state.hand[seat, k] = state.hand[seat, k + 1]
    if state.deck_size == 0:
        state.n_cards[seat] = last
    else:
        state.hand[seat, last] = state.n_all - state.deck_size
        state.deck_size -= 1
        if state.deck_size == 0:
            state.final = state.players + 1  # this turn does not count
    end_turn(state)
    note_masks(state)


@hot
def end_turn(state):
    """Advance to the next seat."""
    state.mover = seat_after(state, state.mover)
    if state.final > 0:
        state.final -= 1


@hot
def spend_token(state):
    """The mover gives a hint, which is interpreted elsewhere."""
    note_before(state)
    state.tokens -= 1
    end_turn(state)
