"""Evaluating moves: sums for all legal moves of a view over a range of its deals.

The race (``tamaya.search.race``) decides for an agent and may drop moves; here every move is tried
on every deal. Deal number k is drawn from its own seed, independently of earlier deals, so the sums
over deals 0 to 299 are those over 0 to 31 plus those over 32 to 299, to the last bit, in any
process: outcomes are whole numbers.
"""

import numpy as np

from tamaya.compiled import hot, popcount
from tamaya.game_kernels import MOVE_BIT
from tamaya.rng import seed_of
from tamaya.search.agents.depth_one import ALL, candidates
from tamaya.search.race import add_values
from tamaya.search.rollout import play_moves
from tamaya.search.sampling.sampler import MAX_DRAWS, belief_sampler, sample_deal
from tamaya.search.team import (
    legal_blueprint_move,
    make_team,
    new_snapshot,
    replay_history,
    snapshot,
)
from tamaya.search.workspace import N_IDS, new_workspace

N_DRAWS = 1000  # hands drawn for a deal before that of deal 0 is used


@hot
def deal_alone(workspace, team, sampler, k, seed):
    """Sample deal k as if no other had been drawn but deal 0; returns the game at the root.

    Where hands must agree with a convention, a sampler stores the hands it found and the draws it
    spent. Here it keeps only the first hand, for deals that find none, and its full number of
    draws.
    """
    if len(sampler.decks) > 0:
        sampler.settings[0].n_kept = 1
        sampler.settings[0].n_drawn = MAX_DRAWS - N_DRAWS
    return sample_deal(workspace, team, sampler, k, seed_of(seed, k))


@hot
def weigh_deals(view, seed, params, against, first, n, arms):
    """Try all legal moves of a view on deals ``first`` to ``first + n - 1`` and add them to arms.

    Gains are over the move ``against``. Returns the blueprint's own move, -1 if it has none. With
    a single legal move there is nothing to compare, and the arms are unchanged.
    """
    workspace = new_workspace(view, params.samples, params.ms)
    team = make_team(params, view.players)
    sampler = belief_sampler(workspace, team, params, seed)
    game = sample_deal(workspace, team, sampler, 0, seed_of(seed, 0))
    replay_history(team, seed_of(seed, 0), game, workspace.again[0], workspace.seen[0])
    default = legal_blueprint_move(team, game, workspace.seen[0])
    moves = candidates(workspace, team, game, default, ALL)
    if popcount(moves) < 2:
        return default
    for move in range(N_IDS):
        arms[move].is_live = moves & MOVE_BIT[move] != 0
    saved, values = new_snapshot(team), np.zeros(N_IDS, np.float32)
    for k in range(first, first + n):
        game = deal_alone(workspace, team, sampler, k, seed)
        replay_history(team, seed_of(seed, k), game, workspace.again[0], workspace.seen[0])
        snapshot(team, game, saved)
        play_moves(workspace, team, saved, moves, params, values)
        add_values(arms, values, against)
    return default
