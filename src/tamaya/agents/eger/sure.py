"""What is certain by hints alone, without counting cards, and what to do if it is forbidden."""

from tamaya.compiled import hot
from tamaya.game_kernels import is_legal
from tamaya.knowledge.literal import idle_hint, lawful
from tamaya.knowledge.sets import is_subset
from tamaya.rng import random_below

RULES = {"bomb": "keep", "discard_at_full": True}
SOURCE = "Eger et al. 2017"


@hot
def is_surely(view, slot, wanted):
    """Whether hints leave only cards of a set possible in an own slot."""
    return view.order[view.seat, slot] >= 0 and is_subset(view.possible[view.seat, slot], wanted)


@hot
def random_played(view, memory, played):
    """An own slot whose card has surely been played already, any of them, or -1."""
    n, chosen = 0, -1
    for slot in range(view.hand_size):
        if is_surely(view, slot, played):
            n += 1
            if random_below(memory, n) == 0:  # each of n slots with the same probability
                chosen = slot
    return chosen


@hot
def allowed(view, move):
    """A discard, or the hint that touches the fewest new cards where discards are forbidden."""
    if not is_legal(view, move) and view.tokens > 0:
        move = idle_hint(view)
    return lawful(view, move)
