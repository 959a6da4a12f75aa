"""Depth two: the seat that moves next searches as well, in each imagined deal.

It sees its own view there, imagines ``replies`` deals of its own and tries the policy's move, its
plays and its discards on them; then the policy goes on for everybody. Ten times slower or more, and
Bouzy found it no better. A policy with a private memory gives no reply: the policy moves.
"""

import numpy as np

from tamaya.compiled import hot
from tamaya.game_kernels import MOVE_BIT, legal_mask
from tamaya.records import GAME, RUNNING
from tamaya.rng import seed_of
from tamaya.rules import MAX_HAND, MAX_MOVES
from tamaya.search.assignment import new_costs
from tamaya.search.blueprint import carry_on
from tamaya.search.conventions import public_masks
from tamaya.search.determinize import copy_game, plan_masks
from tamaya.search.flat import legal_choice
from tamaya.search.simulate import open_stage, play_out, raise_curtain, worth
from tamaya.view import fill_view


@hot
def reply(team, game, seed, seen, params):
    """Make the next move of an imagined game by a small search of the seat to move."""
    info = team.info[0]
    if game.status != RUNNING or (info.any_observes and not info.shared):
        return
    usual = legal_choice(team, game, seen)
    if usual < 0:
        return
    fill_view(game, game.mover, seen)
    stage, minds = open_stage(seen, 0, 0.0), team.minds.copy()
    masks = np.zeros(MAX_HAND, np.int64)
    public_masks(team, stage.now[0], stage.seat, masks, new_costs())
    plan_masks(stage.now[0], stage.seat, masks, stage.plan[0])
    moves = MOVE_BIT[usual] | (legal_mask(game) & (MOVE_BIT[2 * game.hand_size] - MOVE_BIT[0]))
    totals, deals = np.zeros(len(MOVE_BIT)), np.zeros(1, GAME)
    for k in range(params.replies):
        copy_game(deals[0], raise_curtain(stage, seed_of(seed, k)))
        for move in range(len(MOVE_BIT)):
            if moves & MOVE_BIT[move]:
                copy_game(stage.game[0], deals[0])
                team.minds[:] = minds
                carry_on(team, stage.game[0], move, stage.seen[0])
                play_out(team, stage.game[0], MAX_MOVES, stage.seen[0])
                totals[move] += worth(stage.game[0], params.keep)
    best = usual
    bar = totals[usual] + params.delta * params.replies
    for move in range(len(MOVE_BIT)):
        if moves & MOVE_BIT[move] and totals[move] > bar:
            best, bar = move, totals[move]
    team.minds[:] = minds
    carry_on(team, game, best, seen)
