"""The counterfactual filter: hands with which a mover would not have moved as it did get a strike.

One pass asks the blueprint, in the position before the move, what it would have done had it seen
this hand, then that one. The answers do not depend on each other, so that any number of threads
may share the hands of a pass, and the result is the same to the last bit.
"""

import os
from collections.abc import Callable
from typing import Any

import numpy as np

from tamaya.compiled import hot
from tamaya.game_kernels import apply_move, copy_game
from tamaya.rng import seed_of
from tamaya.search.belief.hands import BITS, CARD_BITS
from tamaya.search.belief.past import SEED, Past
from tamaya.search.sampling.determinize import redeal
from tamaya.search.team import (
    blueprint_move,
    deal_again,
    make_team,
    move_on,
    observes,
    reset_memories,
    restore_memories,
)
from tamaya.search.workspace import draw_deal, new_workspace
from tamaya.seating import observe_event
from tamaya.workers import in_order

CHUNK = 1024  # hands that a thread takes at a time
NO_STRIKES = np.uint8(0)
OUT = np.uint8(255)  # strikes of a hand that is not believed


@hot
def show_cards(view, seat, hand, n, slots, length):
    """Let a view show the oldest cards of a hand of n cards in some slots."""
    hand >>= BITS * np.uint64(n - length)
    for place in range(length - 1, -1, -1):
        view.card[seat, slots[place]] = np.int64(hand & CARD_BITS)
        hand >>= BITS
    view.is_counted = 0


@hot
def strike(hands, n, strikes, seat, blueprint, past, k):
    """Give a strike to every hand of n cards that does not explain the k-th move of the past."""
    team = make_team(blueprint, past.views[k].players)
    views = past.views[k : k + 1].copy()  # threads write into their own
    for h in range(len(hands)):
        show_cards(views[0], seat, hands[h], n, past.slots[k], past.lengths[k])
        restore_memories(team, past.memories[k])
        if move_on(team, views[0]) != past.moves[k]:
            strikes[h] += 1


@hot
def strike_by_replay(hands, n, strikes, view, blueprint, orders, first, last):
    """Give a strike for each unexplained move of turns ``first`` to ``last``, playing all again."""
    # Records do not keep their arrays alive; the arguments of a call do.
    strike_by_replay_in(new_workspace(view, 0, 0.0), make_team(blueprint, view.players), hands, n,
                        strikes, orders, first, last)  # fmt: skip


@hot
def strike_by_replay_in(workspace, team, hands, n, strikes, orders, first, last):
    """``strike_by_replay`` in a given workspace."""
    team.info[0].shared = 0
    seat, again, seen = workspace.seat, workspace.again[0], workspace.seen[0]
    game = draw_deal(workspace, SEED)
    for h in range(len(hands)):
        hand = hands[h]
        for place in range(n - 1, -1, -1):
            game.deck[orders[place]] = np.int64(hand & CARD_BITS)
            hand >>= BITS
        deal_again(game, again)
        reset_memories(team, SEED)
        for k in range(last + 1):
            event = game.history[k]
            if event.seat != seat and k >= first:
                if blueprint_move(team, again, seen) != event.move:
                    strikes[h] += 1
            apply_move(again, event.move)
            if observes(team):
                observe_event(again, seen, team.roster, team.seating, team.info[0], team.memories)


@hot
def draw_hands(view, blueprint, past, orders, known, seed, first, slack, hands, strikes):
    """Draw hands by the hints and count what they fail to explain; fixed by seed and number.

    ``known`` are the prefixes believed so far, their strikes and their length. A hand that begins
    otherwise, or that has more strikes than ``slack``, is out. Moves after memories parted are left
    to ``strike_by_replay``.
    """
    draw_hands_in(new_workspace(view, 0, 0.0), make_team(blueprint, view.players),
                  past.views.copy(), past, orders, known, seed, first, slack, hands,
                  strikes)  # fmt: skip


@hot
def draw_hands_in(workspace, team, views, past, orders, known, seed, first, slack, hands, strikes):
    """``draw_hands`` in a given workspace, with views to write into."""
    prefixes, prefix_strikes, length = known
    seat, game, n = workspace.seat, workspace.game[0], len(orders)
    copy_game(game, workspace.now[0])
    for h in range(len(hands)):
        workspace.dice[0].rng = seed_of(seed, first + h)
        redeal(game, seat, workspace.plan[0], workspace.dice[0])
        hand = np.uint64(0)
        for place in range(n):
            hand = hand << BITS | np.uint64(game.deck[orders[place]])
        hands[h] = hand
        strikes[h] = OUT
        prefix = hand >> (BITS * np.uint64(n - length))
        place = np.searchsorted(prefixes, prefix)
        if place >= len(prefixes) or prefixes[place] != prefix:
            continue
        n_strikes = np.int64(prefix_strikes[place])
        for k in range(len(past.moves) - 1, -1, -1):
            if past.lengths[k] <= length or past.events[k] >= past.parted:
                continue
            show_cards(views[k], seat, hand, n, past.slots[k], past.lengths[k])
            restore_memories(team, past.memories[k])
            n_strikes += move_on(team, views[k]) != past.moves[k]
            if n_strikes > slack:
                break
        if n_strikes <= slack:
            strikes[h] = n_strikes


def on_threads(call: Callable[[slice], Any], n: int, threads: int, chunk: int = CHUNK) -> None:
    """Call a kernel on slices of n items, on so many threads; 0 for all cores."""
    parts = [slice(start, min(start + chunk, n)) for start in range(0, n, chunk)]
    for _ in in_order(call, parts, threads or os.cpu_count() or 1):
        pass


def strike_all(
    hands: np.ndarray, n: int, strikes: np.ndarray, seat: int, blueprint: np.ndarray, past: Past,
    k: int, threads: int,
) -> None:  # fmt: skip
    """``strike`` on threads."""

    def call(part: slice) -> None:
        strike(hands[part], n, strikes[part], seat, blueprint[0], past, k)

    on_threads(call, len(hands), threads)
