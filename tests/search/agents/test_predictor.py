"""Predictor MCTS: the others move as the blueprint does, the root tries everything."""

import numpy as np
import pytest

from search.positions import params_of, view_of
from tamaya.compiled import hot
from tamaya.game import Game
from tamaya.rules import Rules
from tamaya.search.agents.predictor import descend, play_predicted
from tamaya.search.team import make_team, replay_history
from tamaya.search.tree import NONE, ROOT, Tree, back_up, new_tree
from tamaya.search.workspace import draw_deal, new_workspace

pytestmark = pytest.mark.interpreted


@hot
def searched(view, params, n):
    """The tree after some iterations whose values are all 1."""
    workspace, team = new_workspace(view, n, 0.0), make_team(params, view.players)
    tree = new_tree(view, 1, 1.0)
    for k in range(n):
        game = draw_deal(workspace, np.uint64(k))
        replay_history(team, np.uint64(k), game, workspace.again[0], workspace.seen[0])
        descend(workspace, team, tree)
        back_up(tree, 1.0)
    return tree


def children(tree: Tree, node: int) -> list[int]:
    found, child = [], int(tree.nodes[node]["child"])
    while child != NONE:
        found.append(child)
        child = int(tree.nodes[child]["sibling"])
    return found


def test_only_the_own_moves_are_searched():
    game = Game(Rules(players=3), seed=1)
    tree = searched(view_of(game), params_of("predictor-mcts:blueprint=first-legal"), 60)
    own = children(tree, ROOT)
    assert sorted(int(tree.nodes[node]["move"]) for node in own) == game.legal_moves
    assert int(tree.nodes[ROOT]["visits"]) == 60
    grown = [node for node in own if children(tree, node)]
    assert grown
    for node in grown:
        (only,) = children(tree, node)
        assert tree.nodes[only]["move"] in (0, 5)  # discards, or plays where all tokens are there
        (after,) = children(tree, only)
        assert tree.nodes[after]["visits"] <= tree.nodes[only]["visits"]


@hot
def predicted(view, params, n_plies, own, moves):
    """The moves that follow in a rollout."""
    team = make_team(params, view.players)
    predicted_in(new_workspace(view, 1, 0.0), team, n_plies, own, moves)


@hot
def predicted_in(workspace, team, n_plies, own, moves):  # it owns the record that is read
    game = draw_deal(workspace, np.uint64(1))
    play_predicted(workspace, team, n_plies, own)
    for k in range(game.n_moves):
        moves[k] = game.history[k].move


def test_in_rollouts_the_root_moves_at_random_or_as_the_blueprint():
    game = Game(Rules(players=2, tokens=0, discard_at_full=True, lives=20), seed=1)
    rows = np.zeros((2, 12), np.int64)
    params = params_of("predictor-mcts:blueprint=first-legal")
    for own in (0, 1):
        predicted(view_of(game), params, 12, own, rows[own])
    assert (rows[1] == 0).all()
    assert (rows[0, 1::2] == 0).all()
    assert (rows[0, ::2] != 0).any()
