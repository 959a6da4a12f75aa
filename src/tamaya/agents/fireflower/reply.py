"""The next player's probable reply, and the value of a move after it.

The next player is assumed to know what this player knows without the next hand: it plays what it
expects to be playable, each with equal probability; otherwise it discards, or gives a hint of
unknown content. Its plays and discards are then made with the true cards, so that a wrong belief
shows up as a misplay and a missing save as a lost card.
"""

from tamaya.agents.fireflower.belief_state import COMMON, MINE, copy_state
from tamaya.agents.fireflower.evaluation import evaluate
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
from tamaya.agents.fireflower.recognition import hide_hand, refresh
from tamaya.compiled import hot, popcount
from tamaya.game_kernels import SLOT_BIT

NO_VALUE = -1.0  # of moves that contradict the cards; true values are positive
HINT_CHANCE = 0.2  # probability that the next player hints although it could discard


@hot
def is_stalling(state, plays):
    """Whether the next player keeps its only play, because no useful card is left to draw."""
    return (
        state.n_discards == state.max_discards
        and state.tokens > 0
        and popcount(plays) == 1
        and state.deck_size > 0
        and state.unseen[COMMON] & ~state.trash == 0
    )


@hot
def foresee(state):
    """The next player's reply: slots to play, a slot to discard and its probability.

    Without plays it otherwise hints. That player's hand is hidden from the belief state.
    """
    seat, nowhere = state.mover, NONE
    plays = expected_plays(state, seat, MINE, AT_ONCE)
    if plays != 0:
        return (NONE if is_stalling(state, plays) else plays), nowhere, 0.0
    if state.n_cards[seat] == 0 or (state.tokens >= state.max_tokens and state.tokens > 0):
        return NONE, nowhere, 0.0
    slot, grade = next_discard(state, seat, MINE)
    is_barred = state.n_discards >= state.max_discards or grade < ORDINARY
    if not is_barred:
        return NONE, slot, 1.0 - HINT_CHANCE if state.tokens > 0 else 1.0
    if state.tokens > 0:
        return NONE, nowhere, 0.0
    slot = newest_possible(state, seat, COMMON, state.playable)
    return SLOT_BIT[slot if slot >= 0 else state.n_cards[seat] - 1], nowhere, 0.0


@hot
def value_before_reply(state, reply, ledger, is_careful):
    """Value of a position with another player to move."""
    copy_state(reply, state)
    hide_hand(reply, state.mover)
    refresh(reply)
    plays, discard, chance = foresee(reply)
    total, total_weight = 0.0, 0.0
    n_slots = state.n_cards[state.mover]
    for k in range(n_slots + 2):  # all plays, newest first; the discard; the hint
        kind, slot, weight = PLAY_CARD, n_slots - 1 - k, 1.0
        if k == n_slots:
            kind, slot, weight = DISCARD_CARD, discard, chance
        elif k > n_slots:
            kind, slot, weight = BLIND_HINT, NONE, 1.0 - chance if plays == 0 else 0.0
        elif plays & SLOT_BIT[slot] == 0:
            continue
        if weight > 0.0:
            copy_state(reply, state)
            if make_move(reply, ledger, kind, slot, NONE, NONE):
                total += weight * evaluate(reply, ledger, is_careful)
                total_weight += weight
    return total / total_weight if total_weight > 0.0 else NO_VALUE
