"""How likely each card is in each slot of the viewer's own hand: exact, over whole hands.

A hand is drawn without replacement from the copies that the viewer does not see, each slot from
what its hints leave; the weight of a draw is the product of ``weights[slot, card]``. With all
weights 1 this is counting; an agent that knows more passes other weights: 0 for cards that its
conventions exclude, more for those that a move made likelier.

Slots depend on each other, because a copy in one is not available for another. The sums run over
the sets of slots that the first cards fill, card by card from both ends, so that a hand of five
takes microseconds instead of a list of a million hands.
"""

import numpy as np

from tamaya.cards import BIT, N_CARDS
from tamaya.compiled import hot, popcount
from tamaya.knowledge.copies import count_unseen, own_mask

SLIP = 1e-6  # weight of an excluded card if no hand fits the agent's beliefs


@hot
def write_gifts(weights, slots, card, n_copies, gifts):
    """[set of slots] -> weight of giving each of them a copy of a card."""
    gifts[0] = 1.0
    for taken in range(1, len(gifts)):
        lowest = popcount((taken & -taken) - 1)
        n_free = max(0, n_copies - popcount(taken) + 1)
        gifts[taken] = gifts[taken & (taken - 1)] * weights[slots[lowest], card] * n_free


@hot
def sum_hands(gifts, before, after):
    """[card, set of slots] -> weight of all ways in which the cards below, and above, fill it."""
    n_sets = before.shape[1]
    before[:] = 0.0
    after[:] = 0.0
    before[0, 0] = 1.0
    after[N_CARDS, n_sets - 1] = 1.0
    for card in range(N_CARDS):
        for taken in range(n_sets):
            if before[card, taken] > 0.0:
                free = n_sets - 1 - taken
                given = free
                while True:
                    before[card + 1, taken | given] += before[card, taken] * gifts[card, given]
                    if given == 0:
                        break
                    given = (given - 1) & free
    for card in range(N_CARDS - 1, -1, -1):
        for taken in range(n_sets):
            free = n_sets - 1 - taken
            given = free
            while True:
                after[card, taken] += gifts[card, given] * after[card + 1, taken | given]
                if given == 0:
                    break
                given = (given - 1) & free


@hot
def write_shares(gifts, before, after, slots, found):
    """Probabilities of the cards of each slot, from the sums over hands."""
    n_sets = before.shape[1]
    total = before[N_CARDS, n_sets - 1]
    for card in range(N_CARDS):
        for given in range(1, n_sets):
            if gifts[card, given] <= 0.0:
                continue
            share = 0.0
            others = n_sets - 1 - given
            taken = others
            while True:
                share += before[card, taken] * after[card + 1, taken | given]
                if taken == 0:
                    break
                taken = (taken - 1) & others
            share *= gifts[card, given] / total
            for place in range(len(slots)):
                if given >> place & 1:
                    found[slots[place], card] += share


@hot
def write_beliefs(view, weights, found):
    """Write the probability of each card for each own slot; False if no hand has any weight.

    A card that the viewer sees is certain, an empty slot has none.
    """
    found[:] = 0.0
    slots, n = np.empty(view.hand_size, np.int64), 0
    allowed = np.zeros((np.int64(view.hand_size), N_CARDS))
    count_unseen(view)
    for slot in range(view.hand_size):
        seen = view.card[view.seat, slot]
        if seen >= 0:
            found[slot, seen] = 1.0
        elif view.order[view.seat, slot] >= 0:
            slots[n] = slot
            n += 1
            mask = own_mask(view, slot)
            for card in range(N_CARDS):
                if mask & BIT[card]:
                    allowed[slot, card] = weights[slot, card]
    if n == 0:
        return True
    n_sets = 2**n
    gifts = np.empty((N_CARDS, n_sets))
    for card in range(N_CARDS):
        write_gifts(allowed, slots[:n], card, np.int64(view.unseen[card]), gifts[card])
    before, after = np.empty((N_CARDS + 1, n_sets)), np.empty((N_CARDS + 1, n_sets))
    sum_hands(gifts, before, after)
    if before[N_CARDS, n_sets - 1] <= 0.0:
        return False
    write_shares(gifts, before, after, slots[:n], found)
    return True


def weighted_beliefs(view: np.record, weights: np.ndarray) -> np.ndarray:
    """[slot, card] -> probability, with hands weighted by their copies times their weights.

    Cards excluded by hints or by visible cards have probability 0 regardless of weights. If no hand
    has any weight, because somebody follows other conventions, the hands that contradict the fewest
    slots are used.
    """
    found = np.zeros((int(view.hand_size), N_CARDS))
    given = np.ascontiguousarray(weights, np.float64)
    if not write_beliefs(view, given, found):
        write_beliefs(view, given + SLIP, found)
    return found


def beliefs_by_sets(view: np.record, masks: np.ndarray) -> np.ndarray:
    """[slot, card] -> probability, given a set for each own slot."""
    sets = np.asarray(masks, np.int64)[: int(view.hand_size), np.newaxis]
    return weighted_beliefs(view, (sets & BIT) != 0)


def beliefs_by_table(view: np.record, memory: np.record, params: np.record) -> np.ndarray:
    """The hook ``believe`` of agents with a public table: hands that fit it and what is seen."""
    orders = view.order[view.seat, : int(view.hand_size)]
    return beliefs_by_sets(view, view.all_cards & ~memory.excluded[orders])


def counted_beliefs(view: np.record) -> np.ndarray:
    """[slot, card] -> probability by hints and unseen copies alone, every deal equally likely."""
    return weighted_beliefs(view, np.ones((int(view.hand_size), N_CARDS)))
