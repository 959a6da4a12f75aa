"""Re-determinizing information-set MCTS after Goodman, winner of the 2018 competition.

As plain information-set search, but before each decision of another seat in the tree that seat's
hand is drawn anew from what it knows itself (``tamaya.search.redeterminize``), so that a hint is
worth what its receiver makes of it. The tree holds the moves that are worth a thought
(``tamaya.search.proposals``); a policy plays out the game, in which every seat sees only its view,
or some plies of it, the rest being estimated (``estimate=true``, ``tamaya.search.value``).

At the root two things differ from the original. The k-th visit of each move uses the same imagined
deal, so that moves are compared on the same deals. And the policy's own move is kept unless
another is better by ``margin`` points and ``errors`` standard errors of the difference: what
team-mates conclude from a move rests on the policy, and chance finds a "better" move all too often.
"""

from math import sqrt

import numpy as np

from tamaya.compiled import hot, popcount
from tamaya.game_kernels import MOVE_BIT
from tamaya.records import RUNNING
from tamaya.registry import register
from tamaya.rng import seed_of
from tamaya.search.blueprint import blueprint_agent, carry_on, gather, policy_named, recall
from tamaya.search.flat import legal_choice, own_choice
from tamaya.search.intent import hear, imagine_believed
from tamaya.search.mcts import MAX_DEPTH, tree_plies
from tamaya.search.proposals import moves_named, propose
from tamaya.search.redeterminize import TRUTH, blindfold, restore
from tamaya.search.simulate import (
    LEAST,
    is_spent,
    play_out,
    random_seed,
    set_stage,
    worth,
)
from tamaya.search.tree import (
    MAX_NODES,
    NODE,
    NONE,
    ROOT,
    back_up,
    best_move,
    child_by,
    pick,
    plant,
)
from tamaya.search.value import estimate
from tamaya.view import fill_view

KEPT = 4096  # values per root move that are kept for the comparison with the policy's move
N_IDS = 64


@hot
def widened(node, moves, usual):
    """Moves to choose from at a node below the root: the policy's first, others as it is visited.

    A node has at most as many children as the square root of its visits, so that what it is
    worth is not blurred by moves that nobody would make.
    """
    tried = node.tried & moves
    if tried == 0:
        return MOVE_BIT[usual] if usual >= 0 else moves
    n = popcount(tried)
    return tried if n * n > node.visits else moves


@hot
def descend(stage, team, nodes, n_nodes, node, path, depth, truth, scratch, params):
    """Go down the tree from a child of the root; gives the length of the path and the nodes."""
    game, seen, dice = stage.game[0], stage.seen[0], stage.dice[0]
    scale = float(game.colours * game.ranks)
    n, is_new = 2, nodes[node].visits == 0
    while game.status == RUNNING and n <= depth and not is_new:
        seat = np.int64(game.mover)
        is_other = seat != stage.seat
        if is_other:
            blindfold(game, seat, truth, stage.plan[1], dice)
        fill_view(game, seat, seen)
        moves = propose(seen, scratch, params)
        usual = legal_choice(team, game, seen) if nodes[node].tried & moves == 0 else -1
        moves = widened(nodes[node], moves, usual)
        child, n_nodes = pick(nodes, n_nodes, node, moves, scale, params.c, dice)
        if child == NONE:  # the tree is full
            if is_other:
                restore(game, seat, truth)
            break
        is_new = nodes[child].visits == 0
        carry_on(team, game, nodes[child].move, seen)
        if is_other:
            restore(game, seat, truth)
        node = child
        path[n] = node
        n += 1
    return n, n_nodes


@hot
def is_clearly_better(nodes, values, move, usual, margin, errors):
    """Whether a root move beats the policy's on the deals that both were tried on."""
    first, second = nodes[child_by(nodes, ROOT, move)], nodes[child_by(nodes, ROOT, usual)]
    n = min(first.visits, second.visits, KEPT)
    total, squares = 0.0, 0.0
    for k in range(n):
        gain = values[move, k] - values[usual, k]
        total += gain
        squares += gain * gain
    if n < 2:
        return False
    mean = total / n
    variance = max(0.0, squares / n - mean * mean)
    return mean >= margin and mean >= errors * sqrt(variance / (n - 1))


@blueprint_agent(
    "ris-mcts",
    nested={"policy": policy_named(), "moves": moves_named("good")},
    params={"iterations": 1000, "ms": 0.0, "depth": 1, "rollout": 160, "c": 0.1,
            "visits": False, "keep": False, "estimate": False, "margin": 0.0, "errors": 0.0,
            "trust": 0.0, "recent": 4},
    source="Goodman 2019",
    slow=True,
    least=LEAST,
)  # fmt: skip
def ris_mcts(view, memory, params):
    """Tree search in which every seat decides by what it knows, and a policy ends the games."""
    stage, team = set_stage(view, params), gather(params, view.players)
    depth = tree_plies(view, params.depth)
    scale = float(view.colours * view.ranks)
    nodes, path = np.empty(MAX_NODES, NODE), np.zeros(MAX_DEPTH + 1, np.int64)
    values, truth = np.empty((N_IDS, KEPT), np.float32), np.zeros(1, TRUTH)
    n_nodes = plant(nodes)
    scratch = np.zeros(params.moves_words, np.uint64)
    moves = propose(view, scratch, params)
    first = random_seed(memory)
    usual = own_choice(stage, team, first)
    if usual >= 0:
        moves |= MOVE_BIT[usual]
    if moves & (moves - MOVE_BIT[0]) == 0 and usual >= 0:
        return usual  # nothing to choose between
    heard = hear(stage, team, params.recent)
    n_done = 0
    while n_done == 0 or not is_spent(stage.budget[0], n_done):
        child, n_nodes = pick(nodes, n_nodes, ROOT, moves, scale, params.c, memory)
        node = nodes[child]
        game = imagine_believed(stage, team, heard, params.trust, node.visits, first)
        recall(team, seed_of(first, node.visits), game, stage.again[0], stage.seen[0])
        carry_on(team, game, node.move, stage.seen[0])
        path[1] = child
        n, n_nodes = descend(
            stage, team, nodes, n_nodes, child, path, depth, truth[0], scratch, params
        )
        play_out(team, game, params.rollout, stage.seen[0])
        value = estimate(game) if params.estimate else worth(game, params.keep)
        if node.visits < KEPT:
            values[node.move, node.visits] = value
        back_up(nodes, path, n, value)
        n_done += 1
    move = best_move(nodes, params.visits)
    if usual < 0 or move == usual or child_by(nodes, ROOT, usual) == NONE:
        return move
    is_better = is_clearly_better(nodes, values, move, usual, params.margin, params.errors)
    return move if is_better else usual


register(ris_mcts.preset("ris-mcts-40ms", ms=40.0))
best = register(
    ris_mcts.preset(
        "ris-mcts-best",
        depth=0,
        margin=0.1,
        errors=1.0,
        trust=0.9,
        recent=8,
        policy="tamaya-mirror",
    )
)
register(best.preset("ris-mcts-best-40ms", ms=40.0))
