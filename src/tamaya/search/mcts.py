"""Information-set MCTS as the competition's framework has it, with its defects repaired.

One tree serves all imagined deals. In each iteration the root's own hand and the deck are drawn;
the other hands are those that the root sees, so that at their nodes the others know their own
cards: the known weakness of the plain method, in which a hint is never worth its token. Random
legal moves finish the game or stop after some plies.

Repaired: the move that was expanded is made before the rollout, which goes on with the next seat;
all hints are considered, of rank 5 too; the last round is known.
"""

from math import sqrt

import numpy as np

from tamaya.agent import agent
from tamaya.compiled import hot
from tamaya.game_kernels import apply_move, legal_mask
from tamaya.records import RUNNING
from tamaya.registry import register
from tamaya.search.simulate import (
    LEAST,
    is_spent,
    raise_curtain,
    random_seed,
    set_stage,
    wander,
    worth,
)
from tamaya.search.tree import (
    MAX_NODES,
    NODE,
    NONE,
    ROOT,
    back_up,
    best_move,
    pick,
    plant,
)

MAX_DEPTH = 64  # plies in the tree


@hot
def tree_plies(view, rounds):
    """Depth of the tree in plies: some rounds of the table and one move."""
    return min(MAX_DEPTH - 1, view.players * rounds + 1)


@agent(
    "mcts",
    params={"iterations": 1000, "ms": 0.0, "depth": 1, "rollout": 18, "c": sqrt(2),
            "visits": False, "keep": True},
    source="Walton-Rivers et al. 2017",
    slow=True,
    least=LEAST,
)  # fmt: skip
def mcts(view, memory, params):
    """Information-set tree search with random rollouts; others know their cards in its tree."""
    stage = set_stage(view, params)
    depth = tree_plies(view, params.depth)
    scale = float(view.colours * view.ranks)
    nodes, path = np.empty(MAX_NODES, NODE), np.zeros(MAX_DEPTH + 1, np.int64)
    n_nodes = plant(nodes)
    n_done = 0
    while n_done == 0 or not is_spent(stage.budget[0], n_done):
        game, dice = raise_curtain(stage, random_seed(memory)), stage.dice[0]
        node, n, is_new = ROOT, 1, False
        while game.status == RUNNING and n <= depth and not is_new:
            node, n_nodes = pick(nodes, n_nodes, node, legal_mask(game), scale, params.c, dice)
            if node == NONE:
                break
            is_new = nodes[node].visits == 0
            apply_move(game, nodes[node].move)
            path[n] = node
            n += 1
        wander(game, params.rollout, dice)
        back_up(nodes, path, n, worth(game, params.keep))
        n_done += 1
    return best_move(nodes, params.visits)


register(mcts.preset("mcts-40ms", ms=40.0))
