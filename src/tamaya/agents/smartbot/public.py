"""What everybody knows: the set of cards that each card in a hand can be, and what follows.

The sets are a public table (``tamaya.knowledge.tables``). Hints and conventions narrow them, then
the table is closed by counting. The memory contains nothing else except the meaning of the last
move, for explanations.

In a team of SmartBots the true card is always in its set. Team-mates with other conventions make
sets wrong: a convention that would leave a set empty is ignored, a hint whose literal content
contradicts a set resets it (``told_set``), and counting corrects what turns out to be impossible.
"""

import numpy as np

from tamaya.compiled import hot, popcount
from tamaya.knowledge.tables import TABLE, public_set

# All of it is common knowledge, so one memory serves all seats.
MEMORY = [
    TABLE,
    ("meaning", np.int8),  # of the last move, see tamaya.agents.smartbot.listening
    ("about", np.int8),    # order of the card that it was about, -1 for none
    ("cleared", np.int8),  # order of the card that its silence cleared, -1 for none
]  # fmt: skip


@hot
def is_sure(cards, wanted):
    """Whether all cards of a set that is not empty are wanted."""
    return cards & ~wanted == 0


@hot
def is_doubtful(cards, wanted):
    """Whether some cards of a set are wanted and some are not."""
    return (cards & wanted != 0) & (cards & ~wanted != 0)


@hot
def chop(view, memory, seat, board):
    """Slot that everybody expects a seat to discard next, or -1 if it has a better move.

    The card most likely to be dead among those not surely critical, all cards of a set being
    equally likely; ties go to the oldest. There is none if a card is surely playable or dead.
    """
    best, best_dead, best_size = -1, 0, 1
    for slot in range(view.hand_size):
        cards = public_set(view, memory, seat, slot)
        if cards == 0:
            continue
        if is_sure(cards, board.playable) or is_sure(cards, board.dead):
            return -1
        if not is_sure(cards, board.critical):
            n_dead, size = popcount(cards & board.dead), popcount(cards)
            if best < 0 or n_dead * best_size > best_dead * size:
                best, best_dead, best_size = slot, n_dead, size
    return best


@hot
def may_be_critical(cards, rank_mask, board):
    """Whether a rank hint touching a card would be news that it is critical."""
    return is_doubtful(cards, board.critical) and cards & rank_mask & board.critical != 0


@hot
def told_set(view, seat, slot, cards, words):
    """What a hint leaves of a set; if nothing, what the literal content of all hints leaves."""
    left = cards & words
    return left if left != 0 else view.possible[seat, slot] & words
