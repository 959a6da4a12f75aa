"""Deals drawn from a support, and the outcomes of moves on them.

The seed determines deal number k of a decision: a hand drawn by its weight, the rest of the
unseen cards shuffled. All moves are tried on the same deals. After a move that is not the
blueprint's, every seat observes from its own view, and they continue to share a memory only if all
of them conclude the same.
"""

from typing import NamedTuple

import numpy as np

from tamaya.cards import N_CARDS
from tamaya.compiled import hot
from tamaya.game_kernels import MOVE_BIT, apply_move, copy_game
from tamaya.records import record
from tamaya.rng import seed_of
from tamaya.search.belief.filtering import drawn_place
from tamaya.search.belief.hands import BITS, CARD_BITS
from tamaya.search.budget import is_late
from tamaya.search.rollout import outcome_value, play_out
from tamaya.search.sampling.determinize import show_hand, shuffle_rest
from tamaya.search.team import (
    deal_again,
    make_team,
    new_snapshot,
    observe_apart,
    observes,
    replay_history,
    reset_memories,
    restore,
    snapshot,
)
from tamaya.search.workspace import N_IDS, new_workspace
from tamaya.seating import observe_event

ROLLOUT = record([
    ("seat", np.int64),
    ("default", np.int64),   # the blueprint's move, -1 for none
    ("is_parted", np.int64),  # memories differ already
    ("rollout", np.int64),   # plies
    ("keep", np.int64),      # a bomb keeps the points
    ("deadline", np.int64),  # by the clock of tamaya.search.budget, 0 for none
    ("seed", np.uint64),
])  # fmt: skip


class Deals(NamedTuple):
    """The distribution from which deals are drawn."""

    hands: np.ndarray
    cumulative: np.ndarray  # sums of the weights up to each hand
    orders: np.ndarray  # [card of a hand] -> order
    unseen: np.ndarray  # [25] -> copies


@hot
def deal_hand(game, seat, hand, deals, left, dice):
    """Give a seat a hand and shuffle what is left of the unseen cards into the deck."""
    left[:] = deals.unseen
    for place in range(len(deals.orders) - 1, -1, -1):
        card = np.int64(hand & CARD_BITS)
        game.deck[deals.orders[place]] = card
        left[card] -= 1
        hand >>= BITS
    show_hand(game, seat)
    place = np.int64(game.n_all) - game.deck_size
    for card in range(N_CARDS):
        for _ in range(left[card]):
            game.deck[place] = card
            place += 1
    shuffle_rest(game, dice)


@hot
def deal_number(game, now, how, deals, number, left, dice):
    """Deal a numbered deal of a decision in a position; returns its seed."""
    seed = seed_of(how.seed, number)
    dice.rng = seed
    copy_game(game, now)
    place = drawn_place(deals.cumulative, dice)
    deal_hand(game, how.seat, deals.hands[place], deals, left, dice)
    return seed


@hot
def replay_apart(team, seed, game, again, view):
    """Replay an imagined game so far into the memory of every seat, each from its own view."""
    team.info[0].shared = 0
    reset_memories(team, seed)
    if not observes(team):
        return
    deal_again(game, again)
    for k in range(game.n_moves):
        apply_move(again, game.history[k].move)
        observe_event(again, view, team.roster, team.seating, team.info[0], team.memories)


@hot
def play_each(team, game, saved, moves, how, view, values):
    """Play out each move of a mask from a snapshot and write the outcomes by move."""
    shared = team.info[0].shared
    for move in range(N_IDS):
        if moves & MOVE_BIT[move]:
            restore(team, game, saved)
            team.info[0].shared = shared
            apply_move(game, move)
            if observes(team):
                if move == how.default:
                    observe_event(game, view, team.roster, team.seating, team.info[0],
                                  team.memories)  # fmt: skip
                else:
                    observe_apart(team, game, view)
            play_out(team, game, how.rollout, view)
            values[move] = outcome_value(game, how.keep)
    team.info[0].shared = shared


@hot
def try_deals(view, blueprint, how, deals, moves, first, values, is_done):
    """Play out each move of a mask on deals ``first`` and following, while time allows."""
    team = make_team(blueprint, view.players)
    workspace = new_workspace(view, 0, 0.0)
    try_deals_in(workspace, team, new_snapshot(team), how, deals, moves, first, values, is_done)


@hot
def try_deals_in(workspace, team, saved, how, deals, moves, first, values, is_done):
    """``try_deals`` in a given workspace."""
    game, seen, dice = workspace.game[0], workspace.seen[0], workspace.dice[0]
    left = np.zeros(N_CARDS, np.int64)
    workspace.budget[0].deadline = how.deadline
    for k in range(len(values)):
        if is_late(workspace.budget[0]):
            return
        seed = deal_number(game, workspace.now[0], how, deals, first + k, left, dice)
        if how.is_parted:
            replay_apart(team, seed, game, workspace.again[0], seen)
        else:
            replay_history(team, seed, game, workspace.again[0], seen)
        snapshot(team, game, saved)
        play_each(team, game, saved, moves, how, seen, values[k])
        is_done[k] = 1
