"""Choosing a move: all sensible ones are tried, and the best after the next player's reply wins.

While a perfect game is within reach, the search counts a position as lost as soon as it is not.
In this order, where a later move must be strictly better:

    1. plays of cards that are expected to be playable; their faces are trusted
    2. if there are none, the newest card that may be playable, weighted as a last resort
    3. the ordinary discard; the better it is rated, the lower the weight of useful cards
    4. deliberate discards of the plays of 1
    5. all hints

Values are averaged over what own cards can be, by weights that ignore numbers of copies. The moves
are listed first and then valued by a single kernel: one kernel for each class of moves took half as
long again to compile.
"""

import numpy as np

from tamaya.agents.fireflower.belief_state import (
    COMMON,
    MINE,
    SAVE,
    UNKNOWN,
    copy_state,
    order_at,
    possible,
)
from tamaya.agents.fireflower.board import is_over, note_masks
from tamaya.agents.fireflower.following import MOVED, NOW, REPLIED, SEARCHED
from tamaya.agents.fireflower.hints import named_slots
from tamaya.agents.fireflower.moving import (
    COLOUR_HINT,
    DISCARD_CARD,
    PLAY_CARD,
    RANK_HINT,
    make_move,
)
from tamaya.agents.fireflower.questions import (
    AT_ONCE,
    BELIEVED_JUNK,
    ORDINARY,
    expected_plays,
    newest_possible,
    next_discard,
)
from tamaya.agents.fireflower.reply import NO_VALUE, value_before_reply
from tamaya.cards import BIT
from tamaya.compiled import hot
from tamaya.game_kernels import SLOT_BIT
from tamaya.knowledge.hands import seat_from, slot_of_order
from tamaya.knowledge.hints import colours_first, give_hint, n_hints, touch_mask
from tamaya.knowledge.sets import lowest_card
from tamaya.moves import discard, play

PROMISED_WEIGHT = 100.0


@hot
def prepare_search(memory):
    """Copy the belief state, to search for a perfect game if that is still within reach."""
    state = memory.states[SEARCHED]
    copy_state(state, memory.states[NOW])
    state.stops_early = 1
    if is_over(state):
        state.stops_early = 0
    note_masks(state)


@hot
def fears_bombs(view, params):
    """Whether the player accounts for bomb-outs scoring zero."""
    return params.careful != 0 and view.keeps_points == 0


@hot
def new_try(memory, kind, place):
    """Another move to try."""
    one = memory.tries[memory.n_tries]
    memory.n_tries += 1
    one.value = NO_VALUE
    one.kind = kind
    one.place = place
    one.hint = 0
    one.touched = 0
    one.promise = UNKNOWN
    return one


@hot
def try_card(view, memory, kind, slot):
    """Try to play or discard an own card."""
    one = new_try(memory, kind, slot)
    at = slot_of_order(view, view.seat, memory.states[SEARCHED].hand[view.seat, slot])
    one.move = play(view, at) if kind == PLAY_CARD else discard(view, at)
    return one


@hot
def set_weights(one, playable, trash, danger, rest):
    """Set the weight of each class of cards; below 0, playable cards are not a separate class."""
    one.weights[0] = playable
    one.weights[1] = trash
    one.weights[2] = danger
    one.weights[3] = rest


@hot
def list_plays(view, memory, plays, doubt):
    """List the plays that are expected to work or, if there are none, one that may."""
    state = memory.states[SEARCHED]
    seat = state.seat
    for slot in range(state.n_cards[seat] - 1, -1, -1):
        if plays & SLOT_BIT[slot] != 0:
            one = try_card(view, memory, PLAY_CARD, slot)
            worry = doubt if state.lives == 1 else 0.0
            set_weights(one, 1.0, worry, worry, worry)
            promise = state.promise[state.hand[seat, slot]]
            if promise >= 0 and BIT[promise] & state.playable != 0:
                one.promise = promise
    if plays == 0:
        slot = newest_possible(state, seat, MINE, state.playable)
        if slot >= 0:
            one = try_card(view, memory, PLAY_CARD, slot)
            is_saved = state.kind[state.hand[seat, slot]] == SAVE
            set_weights(one, 1.0, 100.0, 200.0 if is_saved else 150.0, 100.0)


@hot
def list_discards(view, memory, plays):
    """List the ordinary discard, and deliberate ones of plays."""
    state = memory.states[SEARCHED]
    seat = state.seat
    usual, grade = next_discard(state, seat, MINE)
    one = try_card(view, memory, DISCARD_CARD, usual)
    if grade >= BELIEVED_JUNK:
        set_weights(one, -1.0, 1.0, 0.01, 0.1)
    elif grade == ORDINARY:  # a player with something to play is not warned about discards
        has_play = expected_plays(state, seat, COMMON, AT_ONCE) != 0
        set_weights(one, -1.0, 1.0, 0.5 if has_play else 0.02, 0.7)
    else:
        set_weights(one, -1.0, 1.0, 2.0, 1.0)
    for slot in range(state.n_cards[seat] - 1, -1, -1):
        if plays & SLOT_BIT[slot] != 0 and slot != usual:
            set_weights(try_card(view, memory, DISCARD_CARD, slot), 1.0, 0.0, 0.0, 0.0)


@hot
def list_hints(view, memory):
    """List all hints that touch a card."""
    state = memory.states[SEARCHED]
    for offset in range(1, state.players):
        seat = seat_from(state, state.seat, offset)
        for k in range(n_hints(state)):
            hint = colours_first(state, k)
            touched = named_slots(state, seat, touch_mask(state, hint))
            if touched == 0:
                continue
            one = new_try(memory, RANK_HINT if hint < state.ranks else COLOUR_HINT, seat)
            one.hint = hint
            one.touched = touched
            one.move = give_hint(view, offset, hint)


@hot
def list_moves(view, memory, doubt):
    """List the moves to try; on the last life, plays also count what else the card may be."""
    state = memory.states[SEARCHED]
    memory.n_tries = 0
    plays = expected_plays(state, state.seat, MINE, AT_ONCE)
    list_plays(view, memory, plays, doubt)
    if state.tokens < state.max_tokens:
        list_discards(view, memory, plays)
    if state.tokens > 0:
        list_hints(view, memory)


@hot
def weight_of(state, card, one):
    """Weight of what an own card may be."""
    if card == one.promise:
        return PROMISED_WEIGHT
    bit = BIT[card]
    if one.weights[0] >= 0.0 and bit & state.playable != 0:
        return one.weights[0]
    if bit & state.trash != 0:
        return one.weights[1]
    return one.weights[2] if bit & state.danger != 0 else one.weights[3]


@hot
def value_try(memory, k, is_careful):
    """Find the value of a move, averaged over what an own card may be."""
    one, ledger = memory.tries[k], memory.ledger[0]
    state, moved, replied = memory.states[SEARCHED], memory.states[MOVED], memory.states[REPLIED]
    order, left = UNKNOWN, np.int64(1)
    if one.kind <= PLAY_CARD:
        order = order_at(state, state.seat, one.place)
        left = possible(state, MINE, order)
    total, total_weight = 0.0, 0.0
    while left != 0:
        weight = 1.0
        copy_state(moved, state)
        if order >= 0:
            card = lowest_card(left)
            weight = weight_of(state, card, one)
            moved.face[order] = card
        left &= left - 1
        if weight <= 0.0:
            continue
        if make_move(moved, ledger, one.kind, one.place, one.hint, one.touched):
            value = value_before_reply(moved, replied, ledger, is_careful)
            if value >= 0.0:
                total += weight * value
                total_weight += weight
    if total_weight > 0.0:
        one.value = total / total_weight


@hot
def best_move(view, memory):
    """The first move of the highest value; the play of the newest card if none has a value."""
    state = memory.states[SEARCHED]
    newest = order_at(state, state.seat, state.n_cards[state.seat] - 1)
    move, most = np.int64(play(view, slot_of_order(view, view.seat, newest))), NO_VALUE
    for k in range(memory.n_tries):
        if memory.tries[k].value > most:
            move, most = memory.tries[k].move, memory.tries[k].value
    return move
