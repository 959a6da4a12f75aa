"""How likely each card is in each slot of the viewer's own hand: exact, over whole hands.

A hand is drawn without replacement from the copies that the viewer does not see, each slot from
what its hints leave; every way to draw it counts as often as the product of ``weights[slot, card]``
says. With all weights 1 that is counting; an agent that knows more gives other weights: 0 for
cards that its conventions exclude, more for those that a move made likelier.

Slots depend on each other, because what one holds is not left for another. The sums go over the
sets of slots that the first cards fill, card by card from both ends, so that a hand of five takes
microseconds instead of a list of a million hands.
"""

import numpy as np

from tamaya.cards import BIT, N_CARDS
from tamaya.compiled import hot, popcount
from tamaya.knowledge.copies import count_unseen, own_mask

SLIP = 1e-6  # weight of a card that an agent excludes, if no hand fits what it thinks


@hot
def write_gifts(weights, slots, card, n_copies, gifts):
    """[set of places] -> weight of giving each of them a copy of a card."""
    gifts[0] = 1.0
    for taken in range(1, len(gifts)):
        lowest = popcount((taken & -taken) - 1)
        n_free = max(0, n_copies - popcount(taken) + 1)
        gifts[taken] = gifts[taken & (taken - 1)] * weights[slots[lowest], card] * n_free


@hot
def sum_hands(gifts, before, after):
    """[card, set of places] -> weight of all ways in which the cards below, and above, fill it."""
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
    """[slot, card] -> probability, hands being as likely as their copies times their weights.

    Cards that hints or sight exclude have none, whatever their weight. If no hand has any weight,
    those count that contradict the fewest slots: somebody moved by other conventions.
    """
    found = np.zeros((int(view.hand_size), N_CARDS))
    given = np.ascontiguousarray(weights, np.float64)
    if not write_beliefs(view, given, found):
        write_beliefs(view, given + SLIP, found)
    return found


def beliefs_by_sets(view: np.record, masks: np.ndarray) -> np.ndarray:
    """[slot, card] -> probability, if each own slot holds a card of its set."""
    sets = np.asarray(masks, np.int64)[: int(view.hand_size), np.newaxis]
    return weighted_beliefs(view, (sets & BIT) != 0)


def beliefs_by_table(view: np.record, memory: np.record, params: np.record) -> np.ndarray:
    """The hook ``believe`` of agents with a public table: hands that the table and sight leave."""
    orders = view.order[view.seat, : int(view.hand_size)]
    return beliefs_by_sets(view, view.all_cards & ~memory.excluded[orders])


def counted_beliefs(view: np.record) -> np.ndarray:
    """[slot, card] -> probability by hints and unseen copies alone, every deal equally likely."""
    return weighted_beliefs(view, np.ones((int(view.hand_size), N_CARDS)))
