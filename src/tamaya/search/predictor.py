"""Predictor MCTS: the others are expected to move as a policy does, the root searches.

At the nodes of the other seats and in rollouts the policy moves, asked on the view of the seat to
move, which does not show that seat's own cards. Only at the root's own nodes is there a choice.
The root's moves in rollouts are random, as in the original, or the policy's too (``own=true``).
"""

from math import sqrt

import numpy as np

from tamaya.compiled import hot
from tamaya.game_kernels import is_legal, legal_mask
from tamaya.records import RUNNING
from tamaya.registry import register
from tamaya.search.blueprint import ask, blueprint_agent, carry_on, gather, policy_named, recall
from tamaya.search.mcts import MAX_DEPTH, tree_plies
from tamaya.search.simulate import (
    LEAST,
    follow,
    is_spent,
    raise_curtain,
    random_legal,
    random_seed,
    set_stage,
    worth,
)
from tamaya.search.tree import (
    MAX_NODES,
    NODE,
    NONE,
    ROOT,
    add_child,
    back_up,
    best_move,
    child_by,
    pick,
    plant,
)


@hot
def play_predicted(stage, team, game, n_plies, own_by_policy):
    """Play on, the others by the policy, the root by it too or at random."""
    view = stage.seen[0]
    for _ in range(n_plies):
        if game.status != RUNNING:
            return
        if game.mover != stage.seat or own_by_policy:
            follow(team, game, ask(team, game, view), view)
        else:
            carry_on(team, game, random_legal(legal_mask(game), stage.dice[0]), view)


@blueprint_agent(
    "predictor-mcts",
    nested={"policy": policy_named()},
    params={"iterations": 1000, "ms": 0.0, "depth": 1, "rollout": 18, "c": sqrt(2),
            "visits": False, "keep": True, "own": False},
    source="Walton-Rivers et al. 2017",
    slow=True,
    least=LEAST,
)  # fmt: skip
def predictor_mcts(view, memory, params):
    """Tree search over the own moves, with others who move as a policy does."""
    stage, team = set_stage(view, params), gather(params, view.players)
    depth = tree_plies(view, params.depth)
    scale = float(view.colours * view.ranks)
    nodes, path = np.empty(MAX_NODES, NODE), np.zeros(MAX_DEPTH + 1, np.int64)
    n_nodes = plant(nodes)
    n_done = 0
    while n_done == 0 or not is_spent(stage.budget[0], n_done):
        seed = random_seed(memory)
        game, seen = raise_curtain(stage, seed), stage.seen[0]
        recall(team, seed, game, stage.again[0], seen)
        node, n, is_new = ROOT, 1, False
        while game.status == RUNNING and n <= depth and not is_new:
            if game.mover == stage.seat:
                moves = legal_mask(game)
                node, n_nodes = pick(nodes, n_nodes, node, moves, scale, params.c, stage.dice[0])
                if node == NONE:
                    break
                is_new = nodes[node].visits == 0
                carry_on(team, game, nodes[node].move, seen)
            else:
                move = ask(team, game, seen)
                if not is_legal(game, move):
                    break  # it gives up, and so does the rollout
                carry_on(team, game, move, seen)
                child = child_by(nodes, node, move)
                if child == NONE:
                    if n_nodes == MAX_NODES:
                        break
                    child = add_child(nodes, n_nodes, node, move)
                    n_nodes += 1
                node = child
            path[n] = node
            n += 1
        play_predicted(stage, team, game, params.rollout, params.own)
        back_up(nodes, path, n, worth(game, params.keep))
        n_done += 1
    return best_move(nodes, params.visits)


register(predictor_mcts.preset("predictor-mcts-40ms", ms=40.0))
