"""Depth two: the seat that moves next searches as well, in each imagined deal.

It gets its own view there, samples its own ``replies`` deals and tries the blueprint's move, its
plays and its discards on them; then the blueprint continues for all seats. This is ten times slower
or more, and Bouzy found no improvement. With a private memory this is impossible: then the next
seat just makes the blueprint's move.
"""

import numpy as np

from tamaya.compiled import hot
from tamaya.game_kernels import MOVE_BIT, legal_mask
from tamaya.records import RUNNING
from tamaya.rng import seed_of
from tamaya.rules import MAX_HAND
from tamaya.search.budget import is_late
from tamaya.search.rollout import best_total, outcome_value, play_moves, play_out
from tamaya.search.sampling.assignment import new_costs
from tamaya.search.sampling.conventions import narrow_masks
from tamaya.search.team import (
    apply_and_observe,
    copy_memories,
    knows_its_past,
    legal_blueprint_move,
    new_snapshot,
    restore,
    restore_memories,
    snapshot,
)
from tamaya.search.workspace import N_IDS, draw_deal, new_workspace
from tamaya.view import fill_view


@hot
def play_moves_with_replies(workspace, team, saved, moves, params, values):
    """Like ``play_moves``, with a searched reply after each move."""
    game, seen = workspace.game[0], workspace.seen[0]
    for move in range(N_IDS):
        if moves & MOVE_BIT[move]:
            if is_late(workspace.budget[0]):
                return False
            restore(team, game, saved)
            apply_and_observe(team, game, move, seen)
            reply(team, game, workspace.dice[0].rng, seen, params)
            play_out(team, game, params.rollout, seen)
            values[move] = outcome_value(game, params.keep)
    return True


@hot
def reply(team, game, seed, seen, params):
    """Make the next move of an imagined game by a small search of the seat to move."""
    if game.status != RUNNING or not knows_its_past(team):
        return
    default = legal_blueprint_move(team, game, seen)
    if default < 0:
        return
    fill_view(game, game.mover, seen)
    workspace, memories = new_workspace(seen, 0, 0.0), copy_memories(team)
    narrow_masks(workspace, team, np.zeros(MAX_HAND, np.int64), new_costs())
    moves = MOVE_BIT[default] | (legal_mask(game) & (MOVE_BIT[2 * game.hand_size] - MOVE_BIT[0]))
    totals, values = np.zeros(N_IDS), np.zeros(N_IDS, np.float32)
    saved = new_snapshot(team)
    for k in range(params.replies):
        restore_memories(team, memories)
        snapshot(team, draw_deal(workspace, seed_of(seed, k)), saved)
        play_moves(workspace, team, saved, moves, params, values)
        totals += values
    restore_memories(team, memories)
    best = best_total(totals, moves, default, params.margin * params.replies)
    apply_and_observe(team, game, best, seen)
