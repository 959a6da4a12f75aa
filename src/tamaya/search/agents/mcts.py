"""Information-set MCTS as in the competition's framework, with its bugs fixed.

One tree serves all imagined deals. In each iteration the root's own hand and the deck are drawn;
the other hands are those that the root sees, so that at their nodes the others know their own
cards: the known weakness of the plain method, which never values a hint above its token. Random
legal moves finish the game or stop after some plies.

Fixed: the expanded move is made before the rollout, which continues with the next seat; all hints
are considered, including those of rank 5; the last round is recognised.
"""

from math import sqrt

from tamaya.game_kernels import apply_move, legal_mask
from tamaya.records import RUNNING
from tamaya.registry import register
from tamaya.search.budget import is_spent
from tamaya.search.parameters import search_agent
from tamaya.search.rollout import outcome_value, random_rollout
from tamaya.search.tree import (
    NONE,
    back_up,
    best_move,
    extend_path,
    is_within,
    new_tree,
    select,
    start_path,
)
from tamaya.search.workspace import draw_deal, new_workspace, random_seed


@search_agent(
    "mcts",
    params={"samples": 1000, "ms": 0.0, "depth": 1, "rollout": 18, "c": sqrt(2),
            "visits": False, "keep": True},
    source="Walton-Rivers et al. 2017",
)  # fmt: skip
def mcts(view, memory, params):
    """Information-set tree search with random rollouts; others know their cards in its tree."""
    workspace = new_workspace(view, params.samples, params.ms)
    tree, dice = new_tree(view, params.depth, params.c), workspace.dice[0]
    n_done = 0
    while n_done == 0 or not is_spent(workspace.budget[0], n_done):
        game = draw_deal(workspace, random_seed(memory))
        node, is_new = start_path(tree), False
        while game.status == RUNNING and is_within(tree) and not is_new:
            node = select(tree, node, legal_mask(game), dice)
            if node == NONE:
                break
            is_new = tree.nodes[node].visits == 0
            apply_move(game, tree.nodes[node].move)
            extend_path(tree, node)
        random_rollout(game, params.rollout, dice)
        back_up(tree, outcome_value(game, params.keep))
        n_done += 1
    return best_move(tree, params.visits)


register(mcts.preset("mcts-40ms", ms=40.0))
