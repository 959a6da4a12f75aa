"""What the next player will probably do, and what a move is worth after that.

The next player is credited with what this player knows without the next hand: it plays what it
expects to be playable, each with equal chance; otherwise it discards, or gives a hint of unknown
content. Its plays and discards are then made with the true cards, so that a wrong belief shows up
as a misplay and a missing save as a lost card.
"""

import numpy as np

from tamaya.agents.fireflower.actions import read_discard, read_play
from tamaya.agents.fireflower.board import spend_token
from tamaya.agents.fireflower.evaluation import evaluate
from tamaya.agents.fireflower.knowledge import hide_hand, refresh
from tamaya.agents.fireflower.mind import COMMON, MINE, copy_mind
from tamaya.agents.fireflower.questions import (
    ORDINARY,
    expected_plays,
    newest_possible,
    next_discard,
)
from tamaya.agents.fireflower.simplify import settle
from tamaya.compiled import hot, popcount
from tamaya.game import SLOT_BIT

NO_VALUE = -1.0  # of moves that contradict the cards; true values are positive
HINT_CHANCE = 0.2  # that the next player hints though it could discard


@hot
def is_stalling(mind, plays):
    """Whether the next player keeps its only play, because no useful card is left to draw."""
    return (
        mind.n_discards == mind.max_discards
        and mind.tokens > 0
        and popcount(plays) == 1
        and mind.deck_size > 0
        and mind.unseen[COMMON] & ~mind.trash == 0
    )


@hot
def foresee(mind):
    """What the next player will do: slots to play, or a slot to discard and the chance that it is.

    The slot is -1, and the chance 0, for a hint. The mind is one without that player's hand.
    """
    seat = np.int64(mind.mover)
    plays = expected_plays(mind, seat, MINE, False)
    if plays != 0:
        return (0 if is_stalling(mind, plays) else plays), -1, 0.0
    if mind.n_cards[seat] == 0 or (mind.tokens >= mind.max_tokens and mind.tokens > 0):
        return 0, -1, 0.0
    slot, grade = next_discard(mind, seat, MINE)
    is_barred = mind.n_discards >= mind.max_discards or grade < ORDINARY
    if mind.tokens > 0:
        return (0, -1, 0.0) if is_barred else (0, slot, 1.0 - HINT_CHANCE)
    if not is_barred:
        return 0, slot, 1.0
    slot = newest_possible(mind, seat, COMMON, np.int64(mind.playable))
    return SLOT_BIT[slot if slot >= 0 else mind.n_cards[seat] - 1], -1, 0.0


@hot
def value_after_reply(mind, reply, ledger, bomb_is_zero):
    """Value of a position with another player to move; ``reply`` is a mind to imagine in."""
    copy_mind(reply, mind)
    hide_hand(reply, mind.mover)
    refresh(reply)
    plays, slot, chance = foresee(reply)
    total, weight = 0.0, 0.0
    if plays != 0:
        for k in range(mind.n_cards[mind.mover] - 1, -1, -1):
            if plays & SLOT_BIT[k] != 0:
                copy_mind(reply, mind)
                if read_play(reply, ledger, k):
                    total += evaluate(reply, ledger, bomb_is_zero)
                    weight += 1.0
        return total / weight if weight > 0.0 else NO_VALUE
    if chance > 0.0:
        copy_mind(reply, mind)
        if read_discard(reply, ledger, slot):
            total += chance * evaluate(reply, ledger, bomb_is_zero)
            weight += chance
    if chance < 1.0:
        copy_mind(reply, mind)
        spend_token(reply)
        reply.n_blind += 1
        refresh(reply)
        if settle(reply, ledger):
            total += (1.0 - chance) * evaluate(reply, ledger, bomb_is_zero)
            weight += 1.0 - chance
    return total / weight if weight > 0.0 else NO_VALUE
