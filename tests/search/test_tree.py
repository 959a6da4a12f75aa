"""The tree: which child is visited, what it takes to grow, and what comes back up."""

from math import log, sqrt

import numpy as np
import pytest

from support import GENERATOR
from tamaya.compiled import hot
from tamaya.game import Game
from tamaya.game_kernels import MOVE_BIT
from tamaya.rules import Rules
from tamaya.search.tree import (
    MAX_DEPTH,
    NODE,
    NONE,
    ROOT,
    Tree,
    add_child,
    back_up,
    best_move,
    child_after,
    child_by,
    extend_path,
    is_within,
    make_tree,
    new_tree,
    select,
    start_path,
    upper_bound,
)

pytestmark = [pytest.mark.checked, pytest.mark.interpreted]

SCALE = 25.0


def mask(*moves: int) -> np.uint64:
    return np.uint64(sum(int(MOVE_BIT[move]) for move in moves))


def dice(seed: int = 1) -> np.record:
    memory = np.zeros(1, GENERATOR)
    memory["rng"] = seed
    return memory[0]


def grown(values: dict[int, list[float]], c: float = 0.0, max_nodes: int = 20) -> Tree:
    """A tree whose root has been visited by some moves with some values."""
    tree = tree_of(max_nodes, 9, c)
    for move, found in values.items():
        for value in found:
            visit(tree, move, value)
    return tree


def tree_of(max_nodes: int, depth: int, c: float) -> Tree:
    """A tree whose nodes are records, which arrays from compiled code are not."""
    tree = compiled_tree(max_nodes, depth, c)
    return tree._replace(nodes=tree.nodes.view(NODE))


@hot
def compiled_tree(max_nodes, depth, c):
    return make_tree(max_nodes, depth, SCALE, c)


@hot
def visit(tree, move, value):
    """An iteration that makes one move."""
    extend_path(tree, child_after(tree, start_path(tree), move))
    back_up(tree, value)


@hot
def selected(tree, parent, moves, memory):
    return select(tree, parent, moves, memory)


@hot
def bound(tree, node):
    return upper_bound(tree, tree.nodes[node])


@hot
def found_child(tree, move):
    return child_by(tree, ROOT, move)


@hot
def added(tree, move):
    return add_child(tree, ROOT, move)


@hot
def chosen_move(tree, by_visits):
    return best_move(tree, by_visits)


# Selection.


def test_untried_moves_come_first_each_once():
    tree, memory = tree_of(20, 9, 0.0), dice()
    moves = mask(3, 8, 40)
    seen = []
    for _ in range(3):
        child = selected(tree, ROOT, moves, memory)
        seen.append(int(tree.nodes[child].move))
        tree.nodes[child].visits = 1
    assert sorted(seen) == [3, 8, 40]
    assert int(tree.n[0]) == 4
    assert int(tree.nodes[ROOT].tried) == int(moves)
    assert selected(tree, ROOT, moves, memory) in (1, 2, 3)
    assert int(tree.n[0]) == 4


def test_untried_moves_are_drawn_by_chance():
    first = {int(selected(tree_of(20, 9, 0.0), ROOT, mask(3, 8, 40), dice(seed)))
             for seed in range(3)}  # fmt: skip
    assert first == {1}
    moves = set()
    for seed in range(40):
        tree = tree_of(20, 9, 0.0)
        moves.add(int(tree.nodes[selected(tree, ROOT, mask(3, 8, 40), dice(seed))].move))
    assert moves == {3, 8, 40}


def test_without_exploration_the_highest_mean_is_visited():
    tree = grown({3: [10.0, 12.0], 8: [20.0], 40: [5.0]})
    assert tree.nodes[selected(tree, ROOT, mask(3, 8, 40), dice())].move == 8


def test_a_move_that_is_not_there_is_not_visited():
    tree = grown({3: [10.0], 8: [20.0], 40: [5.0]})
    assert tree.nodes[selected(tree, ROOT, mask(3, 40), dice())].move == 3


def test_exploration_prefers_what_was_seldom_visited():
    values = {3: [12.0] * 50, 8: [11.0]}
    for c, move in ((0.0, 3), (1.0, 8)):
        tree = grown(values, c)
        for child in (1, 2):
            tree.nodes[child].available = 51
        assert tree.nodes[selected(tree, ROOT, mask(3, 8), dice())].move == move


def test_the_bound_is_the_mean_and_the_share_of_visits_when_available():
    tree = grown({3: [10.0, 15.0]}, 0.7)
    tree.nodes[1].available = 9
    assert bound(tree, 1) == pytest.approx(12.5 / SCALE + 0.7 * sqrt(log(9) / 2))


def test_exploration_counts_how_often_a_move_was_available_not_its_parent_visited():
    values = {3: [12.0] * 10, 8: [12.0] * 10}
    tree = grown(values, 1.0)
    tree.nodes[found_child(tree, 3)].available = 10
    tree.nodes[found_child(tree, 8)].available = 100
    assert tree.nodes[selected(tree, ROOT, mask(3, 8), dice())].move == 8


def test_only_moves_that_could_be_chosen_become_more_available():
    tree = grown({3: [10.0], 8: [20.0], 40: [5.0]})
    selected(tree, ROOT, mask(3, 8), dice())
    counts = {int(tree.nodes[child].move): int(tree.nodes[child].available)
              for child in (1, 2, 3)}  # fmt: skip
    assert counts == {3: 1, 8: 1, 40: 0}


# Expansion.


def test_children_are_found_by_their_moves():
    tree = grown({3: [10.0], 8: [20.0]})
    assert tree.nodes[found_child(tree, 3)].move == 3
    assert found_child(tree, 40) == NONE
    assert int(tree.nodes[ROOT].tried) == int(mask(3, 8))


def test_a_full_tree_grows_no_more_but_is_still_searched():
    tree = grown({3: [10.0], 8: [20.0]}, max_nodes=3)
    assert added(tree, 40) == NONE
    assert selected(tree, ROOT, mask(3, 8, 40), dice()) == found_child(tree, 8)
    assert selected(tree, ROOT, mask(40), dice()) == NONE
    assert int(tree.n[0]) == 3


@hot
def tree_for(view, rounds):
    tree = new_tree(view, rounds, 0.5)
    return tree.depth, tree.scale, tree.c


@pytest.mark.parametrize(("rounds", "depth"), [(0, 1), (1, 4), (2, 7), (100, MAX_DEPTH - 1)])
def test_a_tree_is_as_deep_as_rounds_of_the_table_and_one_move(rounds, depth):
    view = Game(Rules(players=3, colours=4, ranks=3)).view(0)
    assert tuple(tree_for(view, rounds)) == (depth, 12.0, 0.5)


# Backup.


@hot
def descended(tree, moves, value):
    """An iteration down some moves; returns whether the path could become longer."""
    node = start_path(tree)
    for move in moves:
        node = child_after(tree, node, move)
        extend_path(tree, node)
    back_up(tree, value)
    return is_within(tree)


def test_a_value_reaches_every_node_of_its_path_and_no_other():
    tree = tree_of(20, 3, 0.0)
    assert descended(tree, np.array([3, 8]), 10.0)
    assert descended(tree, np.array([3, 9]), 20.0)
    assert not descended(tree, np.array([4, 8, 9]), 7.0)
    rows = [(int(node.move), int(node.visits), float(node.total)) for node in tree.nodes[:7]]
    assert rows == [(-1, 3, 37.0), (3, 2, 30.0), (8, 1, 10.0), (9, 1, 20.0),
                    (4, 1, 7.0), (8, 1, 7.0), (9, 1, 7.0)]  # fmt: skip


def test_the_best_move_has_the_highest_mean_or_the_most_visits():
    tree = grown({3: [10.0, 12.0], 8: [20.0], 40: [5.0, 5.0, 5.0]})
    assert chosen_move(tree, False) == 8
    assert chosen_move(tree, True) == 40
    assert chosen_move(tree_of(20, 9, 0.0), False) == -1
