"""What the next player will probably do, and what a move is worth after that.

The next player is credited with what this player knows without the next hand: it plays what it
expects to be playable, each with equal chance; otherwise it discards, or gives a hint of unknown
content. Its plays and discards are then made with the true cards, so that a wrong belief shows up
as a misplay and a missing save as a lost card.
"""

from tamaya.agents.fireflower.evaluation import evaluate
from tamaya.agents.fireflower.knowledge import hide_hand, refresh
from tamaya.agents.fireflower.mind import COMMON, MINE, copy_mind
from tamaya.agents.fireflower.moving import (
    BLIND_HINT,
    DISCARD_CARD,
    NONE,
    PLAY_CARD,
    make_move,
)
from tamaya.agents.fireflower.questions import (
    AT_ONCE,
    ORDINARY,
    expected_plays,
    newest_possible,
    next_discard,
)
from tamaya.compiled import hot, popcount
from tamaya.game_kernels import SLOT_BIT

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
    """What the next player will do: slots to play, a slot to discard and the chance that it does.

    Without plays it hints otherwise. The mind is one from which that player's hand is hidden.
    """
    seat, nowhere = mind.mover, NONE
    plays = expected_plays(mind, seat, MINE, AT_ONCE)
    if plays != 0:
        return (NONE if is_stalling(mind, plays) else plays), nowhere, 0.0
    if mind.n_cards[seat] == 0 or (mind.tokens >= mind.max_tokens and mind.tokens > 0):
        return NONE, nowhere, 0.0
    slot, grade = next_discard(mind, seat, MINE)
    is_barred = mind.n_discards >= mind.max_discards or grade < ORDINARY
    if not is_barred:
        return NONE, slot, 1.0 - HINT_CHANCE if mind.tokens > 0 else 1.0
    if mind.tokens > 0:
        return NONE, nowhere, 0.0
    slot = newest_possible(mind, seat, COMMON, mind.playable)
    return SLOT_BIT[slot if slot >= 0 else mind.n_cards[seat] - 1], nowhere, 0.0


@hot
def value_before_reply(mind, reply, ledger, is_careful):
    """Value of a position with another player to move."""
    copy_mind(reply, mind)
    hide_hand(reply, mind.mover)
    refresh(reply)
    plays, discard, chance = foresee(reply)
    total, total_weight = 0.0, 0.0
    n_slots = mind.n_cards[mind.mover]
    for k in range(n_slots + 2):  # all plays, newest first; the discard; the hint
        kind, slot, weight = PLAY_CARD, n_slots - 1 - k, 1.0
        if k == n_slots:
            kind, slot, weight = DISCARD_CARD, discard, chance
        elif k > n_slots:
            kind, slot, weight = BLIND_HINT, NONE, 1.0 - chance if plays == 0 else 0.0
        elif plays & SLOT_BIT[slot] == 0:
            continue
        if weight > 0.0:
            copy_mind(reply, mind)
            if make_move(reply, ledger, kind, slot, NONE, NONE):
                total += weight * evaluate(reply, ledger, is_careful)
                total_weight += weight
    return total / total_weight if total_weight > 0.0 else NO_VALUE
