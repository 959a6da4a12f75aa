"""The four hint rules of Van den Bergh's thesis.

1  a random seat, kind and value
2  what touches most cards of which that kind is untold, given even if it tells nothing
3  to the first seat with playable cards of untold rank, the lowest such rank; otherwise rule 2
4  as 3, then likewise for dead cards, then rule 2

The thesis says that rules 3 and 4 tell the rank, or the colour if the rank was told; with colours
they score two to four points more than it prints, so its program cannot have told them.
"""

import numpy as np

from tamaya.cards import BIT
from tamaya.compiled import hot, popcount
from tamaya.game_kernels import MOVE_BIT, is_legal, legal_mask, nth_move
from tamaya.knowledge.hands import holds, seat_at
from tamaya.knowledge.hints import give_hint, n_hints, touch_mask
from tamaya.moves import NO_MOVE, hint_rank
from tamaya.records import TOLD_COLOUR, TOLD_RANK
from tamaya.rng import random_below

ANY, MOST_TOUCHED, PLAYABLE, PLAYABLE_OR_DEAD = 1, 2, 3, 4


@hot
def any_hint(view, memory):
    """A random legal hint, all equally likely."""
    legal = legal_mask(view) & ~(MOVE_BIT[2 * view.hand_size] - np.uint64(1))
    n = popcount(legal)
    return nth_move(legal, random_below(memory, n)) if n > 0 else NO_MOVE


@hot
def n_untold(view, seat, mask, kind):
    """Cards of a seat that a hint names and of which this kind of attribute is untold."""
    n = 0
    for slot in range(view.hand_size):
        n += holds(view, seat, slot, mask) and not view.told[seat, slot] & kind
    return n


@hot
def fullest_hint(view):
    """The hint that touches most cards of which that kind is untold.

    Ties go to the next seat first, ranks before colours, low values first.
    """
    best, most = NO_MOVE, -1
    for offset in range(1, view.players):
        seat = seat_at(view, offset)
        for hint in range(n_hints(view)):
            kind = TOLD_RANK if hint < view.ranks else TOLD_COLOUR
            n = n_untold(view, seat, touch_mask(view, hint), kind)
            move = give_hint(view, offset, hint)
            if n > most and is_legal(view, move):
                best, most = move, n
    return best


@hot
def rank_hint(view, wanted):
    """The lowest untold rank among the wanted cards of the first seat that has some, or NO_MOVE."""
    for offset in range(1, view.players):
        seat = seat_at(view, offset)
        lowest = view.ranks
        for slot in range(view.hand_size):
            card = view.card[seat, slot]
            if card >= 0 and BIT[card] & wanted and not view.told[seat, slot] & TOLD_RANK:
                lowest = min(lowest, card % 5)
        if lowest < view.ranks:
            return hint_rank(view, offset, lowest)
    return NO_MOVE


@hot
def hint_by_rule(view, memory, rule, board):
    """The hint that a rule gives, or NO_MOVE if no hint is legal."""
    if rule == ANY:
        return any_hint(view, memory)
    move = NO_MOVE
    if rule >= PLAYABLE:
        move = rank_hint(view, board.playable)
    if rule == PLAYABLE_OR_DEAD and move == NO_MOVE:
        move = rank_hint(view, board.dead)
    return move if move != NO_MOVE else fullest_hint(view)
