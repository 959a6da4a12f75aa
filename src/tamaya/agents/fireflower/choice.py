"""Choosing a move: all sensible ones are tried, and the best after the next player's reply wins.

While a perfect game is within reach, the search counts a position as lost as soon as it is not.
In this order, where a later move must be strictly better:

    1. plays of cards that are expected to be playable; their faces are trusted
    2. if there are none, the newest card that may be playable, weighted as a last resort
    3. the ordinary discard; the better it is believed to be, the less it is feared to be useful
    4. deliberate discards of the plays of 1
    5. all hints

Faces of own cards are averaged over what they can be, by weights that ignore numbers of copies.
"""

import numpy as np

from tamaya.agents.fireflower.actions import read_discard, read_play
from tamaya.agents.fireflower.board import is_over, note_masks, spend_token
from tamaya.agents.fireflower.following import MOVED, NOW, REPLIED, SEARCHED
from tamaya.agents.fireflower.hints import hint_mask, read_hint, touched_slots
from tamaya.agents.fireflower.mind import COMMON, MINE, SAVE, copy_mind, order_at, possible
from tamaya.agents.fireflower.questions import (
    BELIEVED_JUNK,
    ORDINARY,
    expected_plays,
    newest_possible,
    next_discard,
)
from tamaya.agents.fireflower.reply import NO_VALUE, value_after_reply
from tamaya.agents.hat.board import lawful, slot_of_order
from tamaya.cards import BIT
from tamaya.compiled import hot, popcount
from tamaya.game import SLOT_BIT
from tamaya.moves import NO_MOVE, discard, hint_colour, hint_rank, play

PROMISED_WEIGHT = 100.0


@hot
def prepare_search(memory):
    """Copy the mind, to be searched for a perfect game if that is still within reach."""
    mind = memory.minds[SEARCHED]
    copy_mind(mind, memory.minds[NOW])
    mind.stops_early = 1
    if is_over(mind):
        mind.stops_early = 0
    note_masks(mind)


@hot
def weight_of(mind, card, weights):
    """Weight of what a card may be, by class: playable (below 0: no class), trash, danger, rest."""
    bit = BIT[card]
    if weights[0] >= 0.0 and bit & mind.playable != 0:
        return weights[0]
    if bit & mind.trash != 0:
        return weights[1]
    return weights[2] if bit & mind.danger != 0 else weights[3]


@hot
def value_of_card(memory, slot, is_play, weights, promise, bomb_is_zero):
    """Value of playing or discarding an own card, averaged over what it may be."""
    mind, moved, ledger = memory.minds[SEARCHED], memory.minds[MOVED], memory.ledger[0]
    order = order_at(mind, np.int64(mind.seat), slot)
    mask = possible(mind, MINE, order)
    total, total_weight = 0.0, 0.0
    while mask != 0:
        card = popcount((mask & -mask) - 1)
        mask &= mask - 1
        weight = PROMISED_WEIGHT if card == promise else weight_of(mind, card, weights)
        if weight <= 0.0:
            continue
        copy_mind(moved, mind)
        moved.face[order] = card
        if is_play:
            is_consistent = read_play(moved, ledger, slot)
        else:
            is_consistent = read_discard(moved, ledger, slot)
        if is_consistent:
            value = value_after_reply(moved, memory.minds[REPLIED], ledger, bomb_is_zero)
            if value >= 0.0:
                total += weight * value
                total_weight += weight
    return total / total_weight if total_weight > 0.0 else NO_VALUE


@hot
def value_of_hint(memory, seat, value, is_rank, touched, bomb_is_zero):
    """Value of a hint."""
    moved, ledger = memory.minds[MOVED], memory.ledger[0]
    copy_mind(moved, memory.minds[SEARCHED])
    spend_token(moved)
    if not read_hint(moved, ledger, seat, value, is_rank, touched):
        return NO_VALUE
    return value_after_reply(moved, memory.minds[REPLIED], ledger, bomb_is_zero)


@hot
def note_value(memory, move, value, best):
    """Keep the value of a move; gives the better of it and the best so far."""
    memory.value[move] = value
    if value >= 0.0 and (best == NO_MOVE or value > memory.value[best]):
        return move
    return best


@hot
def discard_weights(grade, has_play):
    """How likely a discard is what, by what it is believed to be."""
    if grade >= BELIEVED_JUNK:
        return -1.0, 1.0, 0.01, 0.1
    if grade == ORDINARY:  # who has something to play is not warned of his discards
        return -1.0, 1.0, 0.5 if has_play else 0.02, 0.7
    return -1.0, 1.0, 2.0, 1.0


@hot
def slot_on_table(view, memory, slot):
    """Slot of the view in which an own card stands."""
    mind = memory.minds[SEARCHED]
    return slot_of_order(view, view.seat, mind.hand[mind.seat, slot])


@hot
def best_play(view, memory, plays, params, best):
    """Try plays that are expected to work, or else one that may."""
    mind = memory.minds[SEARCHED]
    seat = np.int64(mind.seat)
    doubt = params.doubt if mind.lives == 1 else 0.0
    if plays == 0:
        slot = newest_possible(mind, seat, MINE, np.int64(mind.playable))
        if slot >= 0:
            feared = 200.0 if mind.kind[mind.hand[seat, slot]] == SAVE else 150.0
            weights = 1.0, 100.0, feared, 100.0
            value = value_of_card(memory, slot, True, weights, -1, params.bomb_is_zero)
            best = note_value(memory, play(view, slot_on_table(view, memory, slot)), value, best)
        return best
    for slot in range(mind.n_cards[seat] - 1, -1, -1):
        if plays & SLOT_BIT[slot] != 0:
            promise = np.int64(mind.promise[mind.hand[seat, slot]])
            if promise >= 0 and BIT[promise] & mind.playable == 0:
                promise = -1
            weights = 1.0, doubt, doubt, doubt
            value = value_of_card(memory, slot, True, weights, promise, params.bomb_is_zero)
            best = note_value(memory, play(view, slot_on_table(view, memory, slot)), value, best)
    return best


@hot
def best_discard(view, memory, plays, params, best):
    """Try the ordinary discard, and deliberate ones of plays."""
    mind = memory.minds[SEARCHED]
    seat = np.int64(mind.seat)
    usual, grade = next_discard(mind, seat, MINE)
    has_play = expected_plays(mind, seat, COMMON, False) != 0
    weights = discard_weights(grade, has_play)
    value = value_of_card(memory, usual, False, weights, -1, params.bomb_is_zero)
    best = note_value(memory, discard(view, slot_on_table(view, memory, usual)), value, best)
    for slot in range(mind.n_cards[seat] - 1, -1, -1):
        if plays & SLOT_BIT[slot] != 0 and slot != usual:
            weights = 1.0, 0.0, 0.0, 0.0
            value = value_of_card(memory, slot, False, weights, -1, params.bomb_is_zero)
            best = note_value(memory, discard(view, slot_on_table(view, memory, slot)), value, best)
    return best


@hot
def best_hint(view, memory, params, best):
    """Try all hints."""
    mind = memory.minds[SEARCHED]
    for offset in range(1, view.players):
        seat = np.int64((mind.seat + offset) % mind.players)
        for k in range(view.colours + view.ranks):
            is_rank = k >= view.colours
            value = k - view.colours if is_rank else k
            touched = touched_slots(mind, seat, hint_mask(value, is_rank))
            if touched == 0:
                continue
            if is_rank:
                move = hint_rank(view, offset, value)
            else:
                move = hint_colour(view, offset, value)
            worth = value_of_hint(memory, seat, value, is_rank, touched, params.bomb_is_zero)
            best = note_value(memory, move, worth, best)
    return best


@hot
def choose(view, memory, params):
    """The best move; the values of all that were tried stay in the memory."""
    prepare_search(memory)
    memory.value[:] = NO_VALUE
    mind = memory.minds[SEARCHED]
    plays = expected_plays(mind, np.int64(mind.seat), MINE, False)
    best = best_play(view, memory, plays, params, NO_MOVE)
    if mind.tokens < mind.max_tokens:
        best = best_discard(view, memory, plays, params, best)
    if mind.tokens > 0:
        best = best_hint(view, memory, params, best)
    if best == NO_MOVE:
        newest = mind.n_cards[mind.seat] - 1
        return lawful(view, play(view, slot_on_table(view, memory, newest)))
    return best
