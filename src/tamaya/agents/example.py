"""A short agent to copy: a hint promises that every card it touches can be played.

Copy this file, change the name, and `tamaya selfplay my_file.py -p 2-5` plays it at full speed.
Helper functions of your own need ``@hot`` (from ``tamaya.compiled``) to be called from an agent.
"""

from tamaya.agent import agent
from tamaya.cards import COLOUR_MASK, RANK_MASK
from tamaya.compiled import popcount
from tamaya.game_kernels import is_legal, legal_mask, nth_move
from tamaya.moves import discard, hint_colour, hint_rank, play
from tamaya.view import own_mask, playable_mask, seat_at, touches_only


@agent("example")
def example(view, memory, params):
    """Plays what it was told about, tells others what they can play, discards the oldest."""
    playable = playable_mask(view)
    for slot in range(view.hand_size):
        if view.told[view.seat, slot] and own_mask(view, slot) & playable:
            return play(view, slot)
    for offset in range(1, view.players):
        seat = seat_at(view, offset)
        for value in range(5):
            if view.tokens > 0 and touches_only(view, seat, RANK_MASK[value], playable):
                return hint_rank(view, offset, value)
            if view.tokens > 0 and touches_only(view, seat, COLOUR_MASK[value], playable):
                return hint_colour(view, offset, value)
    for slot in range(view.hand_size):
        if is_legal(view, discard(view, slot)):
            return discard(view, slot)
    # All tokens are available, so give a hint: the last legal move is one.
    legal = legal_mask(view)
    return nth_move(legal, popcount(legal) - 1)
