"""Own hands by the hint that the partner gave: which would have made it give exactly this one?

All ordered own hands that fit hints and visible cards are listed. A hand counts as often as it can
be drawn, times the probability that an outer player who sees it gives the hint just received. The
partner is taken for one that does not estimate hands itself.

Which hint the partner would give depends on a hand only by its lowest playable slot of which
something was untold; if there is none, all hands are alike. That prunes most of them.
"""

from typing import NamedTuple

import numpy as np

from tamaya.agents.osawa.strategies import ALL_KINDS
from tamaya.cards import BIT
from tamaya.compiled import hot
from tamaya.knowledge.copies import Copies, cards_in, take, undiscarded, unseen_by
from tamaya.knowledge.hints import named_mask
from tamaya.knowledge.sets import is_subset, lowest_card
from tamaya.moves import HINT_RANK, kind_of
from tamaya.records import TOLD_COLOUR, TOLD_RANK
from tamaya.rules import MAX_HAND

MAX_STEPS = 5_000_000  # hands larger than five have more; nothing is recognised then
NOT_YET = -1.0


class Question(NamedTuple):
    """What a listing of hands needs to know, from before the hint."""

    playable: int
    played: int
    public: Copies  # neither played nor discarded
    could_discard: bool  # the partner, before the hint


@hot
def is_asked(view):
    """Whether the last move was a hint to the viewer."""
    return view.n_moves > 0 and view.history[view.n_moves - 1].target == view.seat


@hot
def question(view, board):
    """The facts that do not depend on the hand."""
    public = take(undiscarded(view), board.played)
    return Question(board.playable, board.played, public, view.tokens + 1 < view.max_tokens)


@hot
def share(kinds, told, is_touched, lowest):
    """Probability that a hint about a card of which some kinds are untold is the one given."""
    if not is_touched or not kinds & told:
        return 0.0
    if kinds != ALL_KINDS:
        return 1.0
    return (1.0 if told == TOLD_RANK else 0.0) if lowest else 0.5


@hot
def shares(view, lowest, masks, chances):
    """Fill what each own slot may hold and the chance of the hint if it is about that slot.

    Slots of which everything was told have the chance ``NOT_YET``: the hint is not about them. The
    value is the chance of the hint if no card was playable.
    """
    event = view.history[view.n_moves - 1]
    told = TOLD_RANK if kind_of(view, event.move) == HINT_RANK else TOLD_COLOUR
    named = named_mask(view, event.move)
    total, n = 0.0, 0
    for slot in range(view.n_cards[view.seat]):
        is_touched = event.touched >> slot & 1 != 0
        masks[slot] = view.possible[view.seat, slot] & (named if is_touched else ~named)
        before = np.int64(view.told[view.seat, slot])
        if event.newly >> slot & 1:
            before &= ~told
        kinds = ALL_KINDS & ~before
        chances[slot] = share(kinds, told, is_touched, lowest) if kinds else NOT_YET
        if kinds and (n == 0 or not lowest):
            total += chances[slot]
            n += 1
    return total / n if n > 0 else 0.0


@hot
def would_not_hint(view, asked, left):
    """Whether the partner, from the copies it does not see, had something sure to do."""
    partner = 1 - view.seat
    unseen = cards_in(left)
    for slot in range(view.hand_size):
        if view.order[partner, slot] >= 0:
            mask = view.possible[partner, slot] & unseen
            if is_subset(mask, asked.playable):
                return True
            if asked.could_discard and is_subset(mask, asked.played):
                return True
    return False


@hot
def hand_weights(view, board, lowest, weights):
    """Fill [slot, card] with how much speaks for each card, all zero if there are too many hands.

    Slots are chosen one after the other, without recursion: ``rest`` has the cards still to be
    tried in each, ``hand`` those chosen, and the other arrays what follows from the slots before.
    """
    weights[:] = 0.0
    asked = question(view, board)
    n = np.int64(view.n_cards[view.seat])
    masks, chances = np.zeros(MAX_HAND, np.int64), np.zeros(MAX_HAND)
    idle_chance = shares(view, lowest, masks, chances)
    unseen = unseen_by(view, view.seat, asked.public)
    rest, hand = np.zeros(MAX_HAND, np.int64), np.zeros(MAX_HAND, np.int64)
    ways, chance = np.ones(MAX_HAND + 1), np.full(MAX_HAND + 1, NOT_YET)
    taken = np.zeros(25, np.int64)
    depth, n_steps = np.int64(0), 0
    rest[0] = masks[0] & cards_in(unseen)
    while depth >= 0:
        n_steps += 1
        if n_steps > MAX_STEPS:
            weights[:] = 0.0
            return
        if rest[depth] == 0:
            depth -= 1
            if depth >= 0:
                taken[hand[depth]] -= 1
            continue
        bit = rest[depth] & -rest[depth]
        rest[depth] ^= bit
        card = lowest_card(bit)
        copies = (unseen.ones >> card & 1) + 2 * (unseen.twos >> card & 1) - taken[card]
        now = chance[depth]
        if now == NOT_YET and bit & asked.playable:
            now = chances[depth]
        if copies == 0 or now == 0.0:
            continue
        hand[depth] = card
        ways[depth + 1] = ways[depth] * copies
        chance[depth + 1] = now
        taken[card] += 1
        depth += 1
        if depth < n:
            rest[depth] = masks[depth] & cards_in(unseen)
            continue
        depth -= 1
        weight = ways[n] * (now if now != NOT_YET else idle_chance)
        if weight > 0.0:
            left = asked.public
            for slot in range(n):
                left = take(left, np.int64(BIT[hand[slot]]))
            if not would_not_hint(view, asked, left):
                for slot in range(n):
                    weights[slot, hand[slot]] += weight
        taken[card] -= 1


@hot
def recognised_card(weights, ratio):
    """The card for which more than ``ratio`` times as much speaks as for any other, or -1."""
    best, most, second = -1, 0.0, 0.0
    for card in range(25):
        if weights[card] > most:
            best, most, second = card, weights[card], most
        elif weights[card] > second:
            second = weights[card]
    return best if most > ratio * second else -1
