"""The two simplest agents: a random legal move, and the first legal one."""

from tamaya.agent import agent
from tamaya.compiled import popcount
from tamaya.game_kernels import legal_mask, nth_move
from tamaya.rng import random_below


@agent("random")
def random(view, memory, params):
    """Plays any legal move, all equally likely."""
    legal = legal_mask(view)
    return nth_move(legal, random_below(memory, popcount(legal)))


@agent("first-legal")
def first_legal(view, memory, params):
    """Plays the legal move with the lowest id: discards the oldest card, otherwise plays it."""
    return nth_move(legal_mask(view), 0)
