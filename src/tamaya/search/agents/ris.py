"""Re-determinizing information-set MCTS after Goodman, winner of the 2018 competition.

As plain information-set search, but before each decision of another seat in the tree that seat's
hand is drawn again from what it knows itself (``tamaya.search.sampling.redeterminize``), so that a
hint is worth what its receiver makes of it. The tree contains the moves that are worth considering
(``tamaya.search.proposals``); the blueprint finishes the game, with every seat seeing only its
view, or plays some plies of it before the rest is estimated (``estimate=true``,
``tamaya.search.rollout``).

At the root two things differ from the original. The k-th visit of each move uses the same imagined
deal, so that moves are compared on the same deals. And the blueprint's own move is kept unless
another is better by ``margin`` points and ``errors`` standard errors of the difference: team-mates
interpret moves by the blueprint, and noise makes some move look better too often.
"""

import numpy as np

from tamaya.compiled import hot, popcount
from tamaya.game_kernels import MOVE_BIT
from tamaya.records import RUNNING
from tamaya.registry import register
from tamaya.rng import seed_of
from tamaya.rules import MAX_MOVES
from tamaya.search.blueprint import blueprint_named
from tamaya.search.budget import is_spent
from tamaya.search.parameters import search_agent
from tamaya.search.proposals import moves_named, propose
from tamaya.search.race import paired_gain
from tamaya.search.rollout import default_move, estimate, outcome_value, play_out
from tamaya.search.sampling.marginals import sample_repeatedly, sampled_beliefs
from tamaya.search.sampling.redeterminize import TRUTH, blindfold, give_back
from tamaya.search.sampling.sampler import repeating_sampler, sample_deal
from tamaya.search.team import (
    apply_and_observe,
    legal_blueprint_move,
    make_team,
    replay_history,
)
from tamaya.search.tree import (
    NONE,
    ROOT,
    back_up,
    best_move,
    child_by,
    extend_path,
    is_within,
    new_tree,
    select,
    start_path,
)
from tamaya.search.workspace import N_IDS, new_workspace, random_seed
from tamaya.view import fill_view

KEPT = 4096  # values per root move that are kept for the comparison with the blueprint's move


@hot
def widened(node, moves, default):
    """Moves to choose from at a node below the root: the blueprint's first, then more with visits.

    A node has at most as many children as the square root of its visits, so that unlikely moves do
    not distort its value.
    """
    tried = node.tried & moves
    if tried == 0:
        return MOVE_BIT[default] if default >= 0 else moves
    n = popcount(tried)
    return tried if n * n > node.visits else moves


@hot
def descend(workspace, team, tree, truth, scratch, params):
    """Go down the tree from the child of the root that the path ends with."""
    game, seen, dice = workspace.game[0], workspace.seen[0], workspace.dice[0]
    node = tree.path[1]
    is_new = tree.nodes[node].visits == 0
    while game.status == RUNNING and is_within(tree) and not is_new:
        seat = np.int64(game.mover)
        is_other = seat != workspace.seat
        if is_other:
            blindfold(game, seat, truth, workspace.plan[1], dice)
        fill_view(game, seat, seen)
        moves = propose(seen, scratch, params)
        is_first = tree.nodes[node].tried & moves == 0
        default = legal_blueprint_move(team, game, seen) if is_first else -1
        node = select(tree, node, widened(tree.nodes[node], moves, default), dice)
        if node != NONE:
            is_new = tree.nodes[node].visits == 0
            apply_and_observe(team, game, tree.nodes[node].move, seen)
        if is_other:
            give_back(game, seat, truth)
        if node == NONE:
            return  # the tree is full
        extend_path(tree, node)


@hot
def is_clearly_better(tree, values, move, default, params):
    """Whether a root move beats the blueprint's on the deals that both were tried on."""
    first = tree.nodes[child_by(tree, ROOT, move)]
    second = tree.nodes[child_by(tree, ROOT, default)]
    n = min(first.visits, second.visits, KEPT)
    mean, error = paired_gain(values, move, default, n)
    return n >= 2 and mean >= params.margin and mean >= params.errors * error


@search_agent(
    "ris-mcts",
    nested={"blueprint": blueprint_named(), "moves": moves_named("good")},
    params={"samples": 1000, "ms": 0.0, "depth": 1, "rollout": MAX_MOVES, "c": 0.1,
            "visits": False, "keep": False, "estimate": False, "margin": 0.0, "errors": 0.0,
            "trust": 0.0, "recent": 4},
    source="Goodman 2019",
)  # fmt: skip
def ris_mcts(view, memory, params):
    """Tree search in which every seat decides by what it knows, and a blueprint ends the games."""
    workspace = new_workspace(view, params.samples, params.ms)
    team, tree = make_team(params, view.players), new_tree(view, params.depth, params.c)
    values, truth = np.empty((KEPT, N_IDS), np.float32), np.zeros(1, TRUTH)
    scratch = np.zeros(params.moves_words, np.uint64)
    moves = propose(view, scratch, params)
    first = random_seed(memory)
    default = default_move(workspace, team, first)
    if default >= 0:
        moves |= MOVE_BIT[default]
    if popcount(moves) == 1 and default >= 0:
        return default  # nothing to choose between
    sampler = repeating_sampler(workspace, team, params)
    n_done = 0
    while n_done == 0 or not is_spent(workspace.budget[0], n_done):
        child = select(tree, start_path(tree), moves, memory)
        extend_path(tree, child)
        node = tree.nodes[child]
        seed = seed_of(first, node.visits)
        game = sample_deal(workspace, team, sampler, node.visits, seed)
        replay_history(team, seed, game, workspace.again[0], workspace.seen[0])
        apply_and_observe(team, game, node.move, workspace.seen[0])
        descend(workspace, team, tree, truth[0], scratch, params)
        play_out(team, game, params.rollout, workspace.seen[0])
        value = estimate(game) if params.estimate else outcome_value(game, params.keep)
        if node.visits < KEPT:
            values[node.visits, node.move] = value
        back_up(tree, value)
        n_done += 1
    move = best_move(tree, params.visits)
    if default < 0 or move == default or child_by(tree, ROOT, default) == NONE:
        return move
    return move if is_clearly_better(tree, values, move, default, params) else default


ris_mcts.believe(sampled_beliefs(sample_repeatedly))
register(ris_mcts.preset("ris-mcts-40ms", ms=40.0))
best = register(
    ris_mcts.preset(
        "ris-mcts-best",
        depth=0,
        margin=0.1,
        errors=1.0,
        trust=0.9,
        recent=8,
        blueprint="tamaya-mirror",
    )
)
register(best.preset("ris-mcts-best-40ms", ms=40.0))
