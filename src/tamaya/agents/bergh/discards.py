"""The four discard rules of Van den Bergh's thesis; ties go to the last slot.

1  a random card
2  the one most likely to be dead
3  the one held longest
4  the one least likely to be unique: the last copy neither played nor discarded
"""

from tamaya.compiled import hot
from tamaya.knowledge.copies import probability, singles
from tamaya.knowledge.hands import filled_slots, nth_slot, oldest_slot
from tamaya.rng import random_below

ANY, DEAD, OLDEST, UNIQUE = 1, 2, 3, 4


@hot
def least_slot(view, unseen, wanted, sign):
    """Last of the own slots for which sign x the probability of some cards is least."""
    best, least = -1, 2.0
    for slot in range(view.hand_size):
        if view.order[view.seat, slot] >= 0:
            chance = sign * probability(unseen, view.possible[view.seat, slot], wanted)
            if chance <= least:
                best, least = slot, chance
    return best


@hot
def slot_by_rule(view, memory, rule, facts):
    """The own slot that a rule discards."""
    if rule == DEAD:
        return least_slot(view, facts.unseen, facts.dead, -1.0)
    if rule == OLDEST:
        return oldest_slot(view, view.seat)
    if rule == UNIQUE:
        return least_slot(view, facts.unseen, singles(facts.public), 1.0)
    return nth_slot(filled_slots(view, view.seat), random_below(memory, view.n_cards[view.seat]))
