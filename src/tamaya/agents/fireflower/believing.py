"""FireFlower's beliefs about its own cards: plays, saves and junk as likelihoods.

The belief state says what to do with a card, not how likely its identities are. ``FACTORS``
converts one into the other: how much likelier an identity of some class is, given the belief about
the card, than by counting. They were measured on its own games at all table sizes (``python
benchmarks/beliefs.py --factors``) and rounded. The absence of a belief is informative as well:
team-mates would have pointed at a playable card.
"""

import numpy as np

from tamaya.agents.fireflower.belief_state import JUNK, MINE, PLAY, SAVE
from tamaya.agents.fireflower.following import NOW, wake
from tamaya.agents.fireflower.questions import guess, next_discard
from tamaya.cards import BIT, N_CARDS
from tamaya.knowledge.hand_beliefs import weighted_beliefs

# Beliefs about a card, and classes of its identity.
NOT_TOLD, NEXT_DISCARD, NEXT_PLAY, LATER_PLAY, PROMISED, SAVED, THROWN = range(7)
PLAYABLE, TRASH, DANGER, OTHER, NAMED = range(5)  # the last: promised, or guessed to be its turn
BELIEF_NAMES = ("nothing", "next discard", "to be played", "to be played later", "promised",
                "to be kept", "junk")  # fmt: skip
CLASS_NAMES = ("playable", "trash", "in danger", "other", "named")

FACTORS = np.array([
    # playable, trash, in danger, other, named
    [0.38, 1.15, 1.15, 1.25, 1.0],
    [0.35, 1.19, 0.68, 1.44, 1.0],
    [1.53, 0.18, 0.06, 0.08, 1.0],
    [0.78, 0.97, 1.34, 1.20, 1.3],
    [1.50, 0.06, 0.02, 0.03, 6.0],
    [0.47, 0.50, 1.18, 0.80, 1.0],
    [0.10, 1.00, 0.01, 0.10, 1.0],  # the weights of its own discards; in its games it is certain
])  # fmt: skip


def belief_of(state: np.record, order: int, chop: int) -> int:
    """The belief about an own card; ``chop`` is the one that would be discarded next."""
    kind = int(state.kind[order])
    if kind == PLAY:
        if state.promise[order] >= 0:
            return PROMISED
        return LATER_PLAY if state.place[order] > 0 else NEXT_PLAY
    if kind in (SAVE, JUNK):
        return SAVED if kind == SAVE else THROWN
    return NEXT_DISCARD if order == chop else NOT_TOLD


def classes_of(state: np.record, order: int, belief: int) -> np.ndarray:
    """[card] -> class of that identity for the card with an order."""
    classes = np.full(N_CARDS, OTHER)
    for number, name in ((DANGER, "danger"), (TRASH, "trash"), (PLAYABLE, "playable")):
        classes[(int(state[name]) & BIT) != 0] = number
    named = -1
    if belief == PROMISED:
        named = int(state.promise[order])
    elif belief == LATER_PLAY:
        named = int(guess(state, np.int64(order)))
    if named >= 0:
        classes[named] = NAMED
    return classes


def readings(view: np.record, memory: np.record) -> list[tuple[int, int, np.ndarray]]:
    """Slot, belief and the classes of all identities for each own card."""
    wake(view, memory)
    state, seat = memory.states[NOW], np.int64(view.seat)
    if state.n_cards[seat] == 0:
        return []
    chop = int(state.hand[seat, next_discard(state, seat, MINE)[0]])
    found = []
    for slot in range(int(view.hand_size)):
        order = int(view.order[seat, slot])
        if order >= 0:
            belief = belief_of(state, order, chop)
            found.append((slot, belief, classes_of(state, order, belief)))
    return found


def believe(view: np.record, memory: np.record, params: np.record) -> np.ndarray:
    """Hands weighted by copies and by how well each card agrees with the belief about it."""
    weights = np.ones((int(view.hand_size), N_CARDS))
    for slot, belief, classes in readings(view, memory):
        weights[slot] = FACTORS[belief][classes]
    return weighted_beliefs(view, weights)
