"""Re-determinizing MCTS: its tree below the root, when it leaves the blueprint's move, strength."""

import numpy as np
import pytest

from search.agents.strength import assert_better
from search.positions import params_of
from tamaya.compiled import hot
from tamaya.game_kernels import MOVE_BIT
from tamaya.search.agents.ris import is_clearly_better, widened
from tamaya.search.tree import NODE, back_up, child_after, extend_path, make_tree, start_path
from tamaya.search.workspace import N_IDS

DEFAULT, OTHER = 2, 7


@hot
def allowed(node, moves, default):
    return widened(node, moves, default)


@pytest.mark.interpreted
def test_a_node_has_the_blueprints_child_first_and_more_as_it_is_visited():
    node, moves = np.zeros(1, NODE)[0], MOVE_BIT[2] | MOVE_BIT[7] | MOVE_BIT[9]
    assert allowed(node, moves, DEFAULT) == MOVE_BIT[DEFAULT]
    assert allowed(node, moves, -1) == moves
    node.tried = MOVE_BIT[2]
    for visits, expected in ((0, MOVE_BIT[2]), (1, moves), (2, moves)):
        node.visits = visits
        assert allowed(node, moves, -1) == expected
    node.tried |= MOVE_BIT[9]
    for visits, expected in ((3, MOVE_BIT[2] | MOVE_BIT[9]), (4, moves)):
        node.visits = visits
        assert allowed(node, moves, -1) == expected


@hot
def better(values, n, params):
    """Whether OTHER is clearly better, after n visits of each."""
    tree = make_tree(5, 1, 25.0, 1.0)
    for move in (DEFAULT, OTHER):
        for _ in range(n):
            extend_path(tree, child_after(tree, start_path(tree), move))
            back_up(tree, 0.0)
    return is_clearly_better(tree, values, OTHER, DEFAULT, params)


@pytest.mark.interpreted
def test_the_blueprints_move_is_left_for_a_margin_and_some_errors_only():
    values = np.zeros((16, N_IDS), np.float32)
    values[:, OTHER] = [3.0, -2.0] * 8  # a gain of 0.5 ± 0.65

    def verdict(n: int, margin: float, errors: float) -> bool:
        text = f"ris-mcts:blueprint=example,margin={margin},errors={errors}"
        return bool(better(values, n, params_of(text)))

    assert verdict(16, 0.0, 0.0)
    assert verdict(16, 0.5, 0.0)
    assert not verdict(16, 0.6, 0.0)
    assert verdict(16, 0.0, 0.7)
    assert not verdict(16, 0.0, 1.0)
    assert not verdict(1, 0.0, 0.0)  # one deal says nothing


@pytest.mark.parametrize("players", [2, 5])
def test_it_beats_chance(players):
    assert_better("ris-mcts:samples=60", "random", players, 8)


def test_it_improves_its_blueprint():
    assert_better("ris-mcts:blueprint=iggi,samples=300,margin=0.2", "iggi", 3, 12, 2000)
