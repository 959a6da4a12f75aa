"""Flat Monte Carlo: every move is tried on the same imagined deals, a policy finishes the game.

All moves of a round share hand, deck and the policy's generators, so that their differences are
less noisy than their values. ``margin`` favours the policy's own move: another one must be better
by that many points.
"""

import numpy as np

from tamaya.compiled import hot, popcount
from tamaya.game_kernels import MOVE_BIT, is_legal
from tamaya.registry import register
from tamaya.search.blueprint import ask, blueprint_agent, carry_on, gather, policy_named, recall
from tamaya.search.proposals import moves_named, propose
from tamaya.search.simulate import (
    LEAST,
    is_spent,
    play_out,
    raise_curtain,
    random_seed,
    set_stage,
    worth,
)


@hot
def own_choice(stage, team, seed):
    """The policy's own move at the root, or -1 if it has none."""
    game = raise_curtain(stage, seed)
    recall(team, seed, game, stage.again[0], stage.seen[0])
    return legal_choice(team, game, stage.seen[0])


@hot
def legal_choice(team, game, view):
    """The policy's move in a position, or -1 if it gives up or fails."""
    move = ask(team, game, view)
    return move if is_legal(game, move) else -1


@hot
def try_all(stage, team, params, moves, seed, values):
    """Play out each move of a mask on one imagined deal; gives whether the budget allowed it."""
    seen = stage.seen[0]
    for move in range(len(values)):
        if MOVE_BIT[move] & moves:
            if stage.budget[0].deadline > 0 and is_spent(stage.budget[0], 0):
                return False
            game = raise_curtain(stage, seed)
            recall(team, seed, game, stage.again[0], seen)
            carry_on(team, game, move, seen)
            play_out(team, game, params.rollout, seen)
            values[move] = worth(game, params.keep)
    return True


@blueprint_agent(
    "flat-mc",
    nested={"policy": policy_named(), "moves": moves_named("legal")},
    params={"iterations": 1000, "ms": 0.0, "rollout": 160, "keep": False, "margin": 0.0},
    source="Walton-Rivers et al. 2017",
    slow=True,
    least=LEAST,
)  # fmt: skip
def flat_mc(view, memory, params):
    """Tries every move on the same imagined deals, which a policy plays to their end."""
    stage, team = set_stage(view, params), gather(params, view.players)
    moves = propose(view, np.zeros(params.moves_words, np.uint64), params)
    usual = own_choice(stage, team, random_seed(memory))
    if usual >= 0:
        moves |= MOVE_BIT[usual]
    n_ids = 2 * view.hand_size + (view.players - 1) * (view.colours + view.ranks)
    totals, values = np.zeros(n_ids), np.zeros(n_ids)
    n_rounds = 0
    while n_rounds == 0 or not is_spent(stage.budget[0], n_rounds * popcount(moves)):
        if not try_all(stage, team, params, moves, random_seed(memory), values):
            break
        totals += values
        n_rounds += 1
    best, best_total = usual, -np.inf
    if usual >= 0:
        best_total = totals[usual] + params.margin * n_rounds
    for move in range(n_ids):
        if MOVE_BIT[move] & moves and totals[move] > best_total:
            best, best_total = move, totals[move]
    return best


register(flat_mc.preset("flat-mc-40ms", ms=40.0))
