"""Predictor MCTS: the others are assumed to move as the blueprint does, and the root searches.

At the nodes of the other seats and in rollouts the blueprint moves, given the view of the seat to
move, which does not show that seat's own cards. Only the root's own nodes have a choice. The
root's moves in rollouts are random, as in the original, or the blueprint's too (``own=true``).
"""

from math import sqrt

from tamaya.compiled import hot
from tamaya.game_kernels import legal_mask
from tamaya.records import RUNNING
from tamaya.registry import register
from tamaya.search.blueprint import blueprint_named
from tamaya.search.budget import is_spent
from tamaya.search.parameters import search_agent
from tamaya.search.rollout import follow, outcome_value, random_legal
from tamaya.search.sampling.marginals import sample_by_intent, sampled_beliefs
from tamaya.search.sampling.sampler import intent_sampler, sample_deal
from tamaya.search.team import (
    apply_and_observe,
    blueprint_move,
    legal_blueprint_move,
    make_team,
    replay_history,
)
from tamaya.search.tree import (
    NONE,
    back_up,
    best_move,
    child_after,
    extend_path,
    is_within,
    new_tree,
    select,
    start_path,
)
from tamaya.search.workspace import new_workspace, random_seed


@hot
def descend(workspace, team, tree):
    """Go down the tree to a new node; the blueprint moves for the others."""
    game, seen, dice = workspace.game[0], workspace.seen[0], workspace.dice[0]
    node, is_new = start_path(tree), False
    while game.status == RUNNING and is_within(tree) and not is_new:
        if game.mover == workspace.seat:
            node = select(tree, node, legal_mask(game), dice)
            if node == NONE:
                return
            is_new = tree.nodes[node].visits == 0
            apply_and_observe(team, game, tree.nodes[node].move, seen)
        else:
            move = legal_blueprint_move(team, game, seen)
            if move < 0:
                return  # the blueprint gives up, and so does the rollout
            apply_and_observe(team, game, move, seen)
            node = child_after(tree, node, move)
            if node == NONE:
                return
        extend_path(tree, node)


@hot
def play_predicted(workspace, team, n_plies, own_by_blueprint):
    """Play on: the blueprint moves for the others; the root moves by it too or at random."""
    game, seen = workspace.game[0], workspace.seen[0]
    for _ in range(n_plies):
        if game.status != RUNNING:
            return
        if game.mover != workspace.seat or own_by_blueprint:
            follow(team, game, blueprint_move(team, game, seen), seen)
        else:
            move = random_legal(legal_mask(game), workspace.dice[0])
            apply_and_observe(team, game, move, seen)


@search_agent(
    "predictor-mcts",
    nested={"blueprint": blueprint_named()},
    params={"samples": 1000, "ms": 0.0, "depth": 1, "rollout": 18, "c": sqrt(2),
            "visits": False, "keep": True, "own": False, "trust": 0.0, "recent": 4},
    source="Walton-Rivers et al. 2017",
)  # fmt: skip
def predictor_mcts(view, memory, params):
    """Tree search over its own moves, with others who move as a blueprint does."""
    workspace = new_workspace(view, params.samples, params.ms)
    team, tree = make_team(params, view.players), new_tree(view, params.depth, params.c)
    sampler = intent_sampler(workspace, team, params)
    n_done = 0
    while n_done == 0 or not is_spent(workspace.budget[0], n_done):
        seed = random_seed(memory)
        game = sample_deal(workspace, team, sampler, n_done, seed)
        replay_history(team, seed, game, workspace.again[0], workspace.seen[0])
        descend(workspace, team, tree)
        play_predicted(workspace, team, params.rollout, params.own)
        back_up(tree, outcome_value(game, params.keep))
        n_done += 1
    return best_move(tree, params.visits)


predictor_mcts.believe(sampled_beliefs(sample_by_intent))
register(predictor_mcts.preset("predictor-mcts-40ms", ms=40.0))
