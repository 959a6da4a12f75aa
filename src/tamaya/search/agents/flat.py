"""Flat Monte Carlo: every move is tried on the same imagined deals, which the blueprint finishes.

All moves of a round share hand, deck and the blueprint's generators, so that their differences are
less noisy than their values. ``margin`` favours the blueprint's own move: another one must be
better by that many points.

It is not a preset of depth-one search, because as a preset it would move differently: ``samples``
is the total number of rollouts and no move is dropped, each round's deal takes its seed from the
agent's own generator, and the move with the highest mean wins regardless of its error.
"""

import numpy as np

from tamaya.compiled import popcount
from tamaya.game_kernels import MOVE_BIT
from tamaya.registry import register
from tamaya.rules import MAX_MOVES
from tamaya.search.blueprint import blueprint_named
from tamaya.search.budget import is_spent
from tamaya.search.parameters import search_agent
from tamaya.search.proposals import moves_named, propose
from tamaya.search.rollout import best_total, default_move, play_moves
from tamaya.search.sampling.marginals import sample_by_intent, sampled_beliefs
from tamaya.search.sampling.sampler import intent_sampler, sample_deal
from tamaya.search.team import make_team, new_snapshot, replay_history, snapshot
from tamaya.search.workspace import N_IDS, new_workspace, random_seed


@search_agent(
    "flat-mc",
    nested={"blueprint": blueprint_named(), "moves": moves_named("legal")},
    params={"samples": 1000, "ms": 0.0, "rollout": MAX_MOVES, "keep": False, "margin": 0.0,
            "trust": 0.0, "recent": 4},
    source="Walton-Rivers et al. 2017",
)  # fmt: skip
def flat_mc(view, memory, params):
    """Tries every move on the same imagined deals, which a blueprint plays to their end."""
    workspace = new_workspace(view, params.samples, params.ms)
    team = make_team(params, view.players)
    moves = propose(view, np.zeros(params.moves_words, np.uint64), params)
    default = default_move(workspace, team, random_seed(memory))
    if default >= 0:
        moves |= MOVE_BIT[default]
    sampler, saved = intent_sampler(workspace, team, params), new_snapshot(team)
    totals, values = np.zeros(N_IDS), np.zeros(N_IDS, np.float32)
    n = 0
    while n == 0 or not is_spent(workspace.budget[0], n * popcount(moves)):
        seed = random_seed(memory)
        game = sample_deal(workspace, team, sampler, n, seed)
        replay_history(team, seed, game, workspace.again[0], workspace.seen[0])
        snapshot(team, game, saved)
        if not play_moves(workspace, team, saved, moves, params, values):
            break
        totals += values
        n += 1
    return best_total(totals, moves, default, params.margin * n)


flat_mc.believe(sampled_beliefs(sample_by_intent))
register(flat_mc.preset("flat-mc-40ms", ms=40.0))
