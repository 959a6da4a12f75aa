"""The tree of an information-set search: its nodes, the choice between them, and the path taken.

A node stands for a sequence of moves after the root's position, in whichever imagined deals that
sequence is legal. So its moves differ from visit to visit, and a move's exploration is measured
against how often it was *available*, not against the visits of its parent. Children form a list:
``child`` of the parent, then ``sibling`` of each.

An iteration begins at the root (``start_path``), descends by ``select`` or by moves that another
seat makes (``child_after``), and adds the value it found to all nodes of its path (``back_up``).
"""

from math import log, sqrt
from typing import NamedTuple

import numpy as np

from tamaya.compiled import hot, popcount
from tamaya.game_kernels import MOVE_BIT, nth_move
from tamaya.records import record
from tamaya.rng import random_below

ROOT, NONE = 0, -1
MAX_NODES = 1 << 16  # the tree stops growing there; iterations continue
MAX_DEPTH = 64  # plies in the tree

NODE = record([
    ("visits", np.int64),
    ("available", np.int64),   # visits of the parent in which the move could be chosen
    ("total", np.float64),     # sum of the values
    ("tried", np.uint64),      # mask of the moves that have a child
    ("move", np.int64),        # that leads here
    ("child", np.int64), ("sibling", np.int64),  # NONE at the end of the list
])  # fmt: skip


class Tree(NamedTuple):
    """A tree and the path of the current iteration."""

    nodes: np.ndarray  # NODE
    path: np.ndarray  # nodes, from the root
    n: np.ndarray  # [0] nodes in use, [1] nodes of the path
    depth: int  # in plies
    scale: float  # value of a perfect game; exploration counts in units of it
    c: float  # exploration


@hot
def new_tree(view, rounds, c):
    """A tree with nothing but its root, as deep as some rounds of the table and one move."""
    depth = np.int64(view.players) * rounds + 1
    return make_tree(MAX_NODES, depth, float(view.colours * view.ranks), c)


@hot
def make_tree(max_nodes, depth, scale, c):
    """A tree with nothing but its root."""
    nodes, path = np.empty(max_nodes, NODE), np.zeros(MAX_DEPTH + 1, np.int64)
    write_node(nodes[ROOT], -1)
    return Tree(nodes, path, np.ones(2, np.int64), min(MAX_DEPTH - 1, depth), scale, c)


@hot
def write_node(node, move):
    """Make a node without visits or children."""
    node.visits = 0
    node.available = 0
    node.total = 0.0
    node.tried = 0
    node.move = move
    node.child = NONE
    node.sibling = NONE


@hot
def child_by(tree, parent, move):
    """The child that a move leads to, or NONE."""
    nodes = tree.nodes
    child = nodes[parent].child
    while child != NONE and nodes[child].move != move:
        child = nodes[child].sibling
    return child


@hot
def add_child(tree, parent, move):
    """Add the child that a move leads to, or return NONE if the tree is full."""
    nodes, child = tree.nodes, tree.n[0]
    if child == len(nodes):
        return NONE
    write_node(nodes[child], move)
    nodes[child].sibling = nodes[parent].child
    nodes[parent].child = child
    nodes[parent].tried |= MOVE_BIT[move]
    tree.n[0] += 1
    return child


@hot
def child_after(tree, parent, move):
    """The child that a move leads to, added if necessary, or NONE if the tree is full."""
    child = child_by(tree, parent, move)
    return add_child(tree, parent, move) if child == NONE else child


# Selection.


@hot
def random_untried(node, moves, memory):
    """One of the moves of a mask that have no child yet, or -1."""
    untried = moves & ~node.tried
    n = popcount(untried)
    return nth_move(untried, random_below(memory, n)) if n > 0 else -1


@hot
def note_available(tree, parent, moves):
    """Count for each child whether its move was available."""
    nodes = tree.nodes
    child = nodes[parent].child
    while child != NONE:
        if MOVE_BIT[nodes[child].move] & moves:
            nodes[child].available += 1
        child = nodes[child].sibling


@hot
def upper_bound(tree, node):
    """Upper confidence bound of a node: its mean in units of a perfect game, and exploration."""
    spread = sqrt(log(max(node.available, 1)) / node.visits)
    return node.total / (node.visits * tree.scale) + tree.c * spread


@hot
def most_promising(tree, parent, moves):
    """The child, by one of a mask of moves, with the highest upper bound; NONE if there is none."""
    nodes, best, highest = tree.nodes, NONE, -np.inf
    child = nodes[parent].child
    while child != NONE:
        node = nodes[child]
        if MOVE_BIT[node.move] & moves:
            bound = upper_bound(tree, node)
            if bound > highest:
                best, highest = child, bound
        child = node.sibling
    return best


@hot
def select(tree, parent, moves, memory):
    """Child to visit: a new one while there are untried moves, then the most promising.

    NONE if the tree is full and none of the moves has a child.
    """
    child, move = NONE, random_untried(tree.nodes[parent], moves, memory)
    if move >= 0:
        child = add_child(tree, parent, move)
    note_available(tree, parent, moves)
    return most_promising(tree, parent, moves) if child == NONE else child


# Paths.


@hot
def start_path(tree):
    """Begin an iteration at the root; returns that node."""
    tree.n[1] = 1  # path[0] is always the root
    return ROOT


@hot
def extend_path(tree, node):
    """Add a node to the path of the iteration."""
    tree.path[tree.n[1]] = node
    tree.n[1] += 1


@hot
def is_within(tree):
    """Whether the path may become longer."""
    return tree.n[1] <= tree.depth


@hot
def back_up(tree, value):
    """Add a value to the nodes of the path."""
    for k in range(tree.n[1]):
        node = tree.nodes[tree.path[k]]
        node.visits += 1
        node.total += value


@hot
def best_move(tree, by_visits):
    """The root's move with the highest mean, or the most visits; -1 if none was tried."""
    nodes, best, most = tree.nodes, -1, -np.inf
    child = nodes[ROOT].child
    while child != NONE:
        node = nodes[child]
        if node.visits > 0:
            value = float(node.visits) if by_visits else node.total / node.visits
            if value > most:
                best, most = node.move, value
        child = node.sibling
    return best
