"""Choosing a move: all sensible ones are tried, and the best after the next player's reply wins.

While a perfect game is within reach, the search counts a position as lost as soon as it is not.
In this order, where a later move must be strictly better:

    1. plays of cards that are expected to be playable; their faces are trusted
    2. if there are none, the newest card that may be playable, weighted as a last resort
    3. the ordinary discard; the better it is believed to be, the less it is feared to be useful
    4. deliberate discards of the plays of 1
    5. all hints

Faces of own cards are averaged over what they can be, by weights that ignore numbers of copies. The
moves are listed first and then valued by one kernel, in which all code comes together: one kernel
for each class of moves took half as long again to compile.
"""

import numpy as np

from tamaya.agents.fireflower.board import is_over, note_masks
from tamaya.agents.fireflower.following import MOVED, NOW, REPLIED, SEARCHED
from tamaya.agents.fireflower.hints import hint_mask, touched_slots
from tamaya.agents.fireflower.mind import (
    COMMON,
    MINE,
    SAVE,
    UNKNOWN,
    copy_mind,
    order_at,
    possible,
)
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
from tamaya.agents.hat.board import slot_of_order
from tamaya.cards import BIT
from tamaya.compiled import hot, popcount
from tamaya.game_kernels import SLOT_BIT
from tamaya.moves import discard, hint_colour, hint_rank, play

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
def fears_bombs(view, params):
    """Whether a player knows that it has no points once the last life is lost."""
    return params.careful != 0 and view.keeps_points == 0


@hot
def new_try(memory, kind, place):
    """Another move to try."""
    one = memory.tries[memory.n_tries]
    memory.n_tries += 1
    one.value = NO_VALUE
    one.kind = kind
    one.place = place
    one.of = 0
    one.touched = 0
    one.promise = UNKNOWN
    return one


@hot
def try_card(view, memory, kind, slot):
    """Try to play or discard an own card."""
    one = new_try(memory, kind, slot)
    at = slot_of_order(view, view.seat, memory.minds[SEARCHED].hand[view.seat, slot])
    one.move = play(view, at) if kind == PLAY_CARD else discard(view, at)
    return one


@hot
def set_weights(one, playable, trash, danger, rest):
    """Set how likely a card is what; below 0, playable cards are no class of their own."""
    one.weights[0] = playable
    one.weights[1] = trash
    one.weights[2] = danger
    one.weights[3] = rest


@hot
def list_plays(view, memory, plays, doubt):
    """List the plays that are expected to work or, if there are none, one that may."""
    mind = memory.minds[SEARCHED]
    seat = mind.seat
    for slot in range(mind.n_cards[seat] - 1, -1, -1):
        if plays & SLOT_BIT[slot] != 0:
            one = try_card(view, memory, PLAY_CARD, slot)
            worry = doubt if mind.lives == 1 else 0.0
            set_weights(one, 1.0, worry, worry, worry)
            promise = mind.promise[mind.hand[seat, slot]]
            if promise >= 0 and BIT[promise] & mind.playable != 0:
                one.promise = promise
    if plays == 0:
        slot = newest_possible(mind, seat, MINE, mind.playable)
        if slot >= 0:
            one = try_card(view, memory, PLAY_CARD, slot)
            is_saved = mind.kind[mind.hand[seat, slot]] == SAVE
            set_weights(one, 1.0, 100.0, 200.0 if is_saved else 150.0, 100.0)


@hot
def list_discards(view, memory, plays):
    """List the ordinary discard, and deliberate ones of plays."""
    mind = memory.minds[SEARCHED]
    seat = mind.seat
    usual, grade = next_discard(mind, seat, MINE)
    one = try_card(view, memory, DISCARD_CARD, usual)
    if grade >= BELIEVED_JUNK:
        set_weights(one, -1.0, 1.0, 0.01, 0.1)
    elif grade == ORDINARY:  # who has something to play is not warned of his discards
        has_play = expected_plays(mind, seat, COMMON, AT_ONCE) != 0
        set_weights(one, -1.0, 1.0, 0.5 if has_play else 0.02, 0.7)
    else:
        set_weights(one, -1.0, 1.0, 2.0, 1.0)
    for slot in range(mind.n_cards[seat] - 1, -1, -1):
        if plays & SLOT_BIT[slot] != 0 and slot != usual:
            set_weights(try_card(view, memory, DISCARD_CARD, slot), 1.0, 0.0, 0.0, 0.0)


@hot
def list_hints(view, memory):
    """List all hints that touch a card."""
    mind = memory.minds[SEARCHED]
    for offset in range(1, mind.players):
        seat = (mind.seat + offset) % mind.players
        for k in range(mind.colours + mind.ranks):
            is_rank = k >= mind.colours
            value = k - mind.colours if is_rank else k
            touched = touched_slots(mind, seat, hint_mask(value, is_rank))
            if touched == 0:
                continue
            one = new_try(memory, RANK_HINT if is_rank else COLOUR_HINT, seat)
            one.of = value
            one.touched = touched
            if is_rank:
                one.move = hint_rank(view, offset, value)
            else:
                one.move = hint_colour(view, offset, value)


@hot
def list_moves(view, memory, doubt):
    """List the moves to try; with the last life, plays are doubted by a weight."""
    mind = memory.minds[SEARCHED]
    memory.n_tries = 0
    plays = expected_plays(mind, mind.seat, MINE, AT_ONCE)
    list_plays(view, memory, plays, doubt)
    if mind.tokens < mind.max_tokens:
        list_discards(view, memory, plays)
    if mind.tokens > 0:
        list_hints(view, memory)


@hot
def weight_of(mind, card, one):
    """Weight of what an own card may be."""
    if card == one.promise:
        return PROMISED_WEIGHT
    bit = BIT[card]
    if one.weights[0] >= 0.0 and bit & mind.playable != 0:
        return one.weights[0]
    if bit & mind.trash != 0:
        return one.weights[1]
    return one.weights[2] if bit & mind.danger != 0 else one.weights[3]


@hot
def value_try(memory, k, is_careful):
    """Find the value of a move, averaged over what an own card may be."""
    one, ledger = memory.tries[k], memory.ledger[0]
    mind, moved, replied = memory.minds[SEARCHED], memory.minds[MOVED], memory.minds[REPLIED]
    order, left = UNKNOWN, np.int64(1)
    if one.kind <= PLAY_CARD:
        order = order_at(mind, mind.seat, one.place)
        left = possible(mind, MINE, order)
    total, total_weight = 0.0, 0.0
    while left != 0:
        weight = 1.0
        copy_mind(moved, mind)
        if order >= 0:
            card = popcount((left & -left) - 1)
            weight = weight_of(mind, card, one)
            moved.face[order] = card
        left &= left - 1
        if weight <= 0.0:
            continue
        if make_move(moved, ledger, one.kind, one.place, one.of, one.touched):
            value = value_before_reply(moved, replied, ledger, is_careful)
            if value >= 0.0:
                total += weight * value
                total_weight += weight
    if total_weight > 0.0:
        one.value = total / total_weight


@hot
def best_move(view, memory):
    """The first move of the highest value; the play of the newest card if none has a value."""
    mind = memory.minds[SEARCHED]
    newest = order_at(mind, mind.seat, mind.n_cards[mind.seat] - 1)
    move, most = np.int64(play(view, slot_of_order(view, view.seat, newest))), NO_VALUE
    for k in range(memory.n_tries):
        if memory.tries[k].value > most:
            move, most = memory.tries[k].move, memory.tries[k].value
    return move
