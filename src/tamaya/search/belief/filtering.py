"""The counterfactual filter: a hand gets a strike for each move that it does not explain.

One pass asks the blueprint, in the position before the move, what it would have done on seeing each
of the hands. The answers are independent, so any number of threads may share the hands of a pass,
and the result is the same to the last bit.
"""

import os
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from tamaya.cards import BIT, N_CARDS
from tamaya.compiled import hot
from tamaya.game_kernels import apply_move
from tamaya.rng import random_below, random_unit, seed_of
from tamaya.search.belief.hands import BITS, CARD_BITS
from tamaya.search.belief.past import SEED
from tamaya.search.team import (
    blueprint_move,
    deal_again,
    make_team,
    move_on,
    observes,
    reset_memories,
    restore_memories,
)
from tamaya.search.workspace import GENERATOR, draw_deal, new_workspace
from tamaya.seating import observe_event
from tamaya.workers import in_order

CHUNK = 1024  # hands that a thread takes at a time
OUT = np.uint8(255)  # strikes of an excluded hand
MOST = 254  # strikes of any other


class Drawn(NamedTuple):
    """Sampled hands."""

    hands: np.ndarray
    weights: np.ndarray  # how many deals each stands for
    strikes: np.ndarray  # OUT if it is excluded


@hot
def show_cards(view, seat, hand, n, slots, length):
    """Write the oldest cards of a hand of n cards into some slots of a view."""
    hand >>= BITS * np.uint64(n - length)
    for place in range(length - 1, -1, -1):
        view.card[seat, slots[place]] = np.int64(hand & CARD_BITS)
        hand >>= BITS
    view.is_counted = 0


@hot
def strike(hands, n, strikes, seat, blueprint, past, slack):
    """Give every hand of n cards a strike for each move of the past that it does not explain.

    The moves are tested in the order of the past, and no more of them once a hand has more strikes
    than ``slack``.
    """
    if len(past.moves) == 0:
        return
    # Threads write into their own views.
    strike_in(make_team(blueprint, past.views[0].players), past.views.copy(), hands, n, strikes,
              seat, past, slack)  # fmt: skip


@hot
def strike_in(team, views, hands, n, strikes, seat, past, slack):
    """``strike`` with views to write into."""
    for h in range(len(hands)):
        n_strikes = np.int64(strikes[h])
        for k in range(len(past.moves)):
            if n_strikes > slack:
                break
            show_cards(views[k], seat, hands[h], n, past.slots[k], past.lengths[k])
            restore_memories(team, past.memories[k])
            if move_on(team, views[k]) != past.moves[k]:
                n_strikes = min(np.int64(MOST), n_strikes + past.costs[k])
        strikes[h] = n_strikes


@hot
def strike_by_replay(hands, n, strikes, view, blueprint, orders, costs):
    """Give strikes for unexplained moves, by replaying all; those of a turn are in ``costs``."""
    # Records do not keep their arrays alive; the arguments of a call do.
    strike_by_replay_in(new_workspace(view, 0, 0.0), make_team(blueprint, view.players), hands, n,
                        strikes, orders, costs)  # fmt: skip


@hot
def strike_by_replay_in(workspace, team, hands, n, strikes, orders, costs):
    """``strike_by_replay`` in a given workspace."""
    team.info[0].shared = 0
    again, seen = workspace.again[0], workspace.seen[0]
    game = draw_deal(workspace, SEED)
    for h in range(len(hands)):
        hand = hands[h]
        for place in range(n - 1, -1, -1):
            game.deck[orders[place]] = np.int64(hand & CARD_BITS)
            hand >>= BITS
        deal_again(game, again)
        reset_memories(team, SEED)
        for k in range(len(costs)):
            event = game.history[k]
            if costs[k] > 0 and blueprint_move(team, again, seen) != event.move:
                strikes[h] = min(np.int64(MOST), np.int64(strikes[h]) + costs[k])
            apply_move(again, event.move)
            if observes(team):
                observe_event(again, seen, team.roster, team.seating, team.info[0], team.memories)


@hot
def draw_hands(sight, known, seed, first, found):
    """Sample hands before any test; the seed and its number determine hand k.

    ``known`` are the believed hands of the oldest cards, sums of their weights, and their length. A
    hand begins with one of these and continues with any copies that the hints allow. It represents
    as many deals as there were copies to choose from, ``found.weights``; with none it is excluded.
    """
    # Records do not keep their arrays alive; the arguments of a call do.
    draw_hands_in(np.zeros(1, GENERATOR), sight, known, seed, first, found)


@hot
def draw_hands_in(generator, sight, known, seed, first, found):
    """``draw_hands`` with a generator."""
    prefixes, cumulative, length = known
    dice, left, n = generator[0], np.zeros(N_CARDS, np.int64), len(sight.orders)
    for h in range(len(found.hands)):
        dice.rng = seed_of(seed, first + h)
        hand = prefixes[drawn_place(cumulative, dice)]
        hand, weight = complete(hand, length, n, sight, left, dice)
        found.hands[h] = hand
        found.weights[h] = weight
        found.strikes[h] = 0 if weight > 0.0 else OUT


@hot
def complete(hand, length, n, sight, left, dice):
    """Draw the younger cards of a hand; returns it and the number of copies to choose from.

    0 if the older cards leave none for some slot.
    """
    left[:] = sight.unseen
    rest = hand
    for _ in range(length):
        left[np.int64(rest & CARD_BITS)] -= 1
        rest >>= BITS
    weight = 1.0
    for place in range(length, n):
        n_copies = 0
        for card in range(N_CARDS):
            if sight.masks[place] & BIT[card]:
                n_copies += left[card]
        if n_copies == 0:
            return hand, 0.0
        weight *= n_copies
        number = random_below(dice, n_copies)
        card = -1
        while number >= 0:
            card += 1
            if sight.masks[place] & BIT[card]:
                number -= left[card]
        left[card] -= 1
        hand = hand << BITS | np.uint64(card)
    return hand, weight


@hot
def drawn_place(cumulative, dice):
    """An index, drawn by its weight."""
    total = cumulative[len(cumulative) - 1]
    place = np.searchsorted(cumulative, random_unit(dice) * total, "right")
    return min(place, len(cumulative) - 1)


def on_threads(call: Callable[[slice], Any], n: int, threads: int, chunk: int = CHUNK) -> None:
    """Call a kernel on slices of n items, on so many threads; 0 for all cores."""
    parts = [slice(start, min(start + chunk, n)) for start in range(0, n, chunk)]
    for _ in in_order(call, parts, threads or os.cpu_count() or 1):
        pass
