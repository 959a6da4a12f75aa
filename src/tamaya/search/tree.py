"""The tree: nodes of an information-set search, their statistics and the choice between them.

A node stands for a sequence of moves after the root's position, in whichever imagined deals that
sequence is legal. So its moves differ from visit to visit, and a move's exploration is measured
against how often it was *available*, not against the visits of its parent. Children form a list:
``child`` of the parent, then ``sibling`` of each.
"""

from math import log, sqrt

import numpy as np

from tamaya.compiled import hot, popcount
from tamaya.game_kernels import MOVE_BIT, nth_move
from tamaya.records import record
from tamaya.rng import random_below

ROOT, NONE = 0, -1
MAX_NODES = 1 << 16  # the tree stops growing there; iterations go on

NODE = record([
    ("visits", np.int64),
    ("available", np.int64),   # visits of the parent in which the move could be chosen
    ("total", np.float64),     # sum of the values
    ("tried", np.uint64),      # mask of the moves that have a child
    ("move", np.int64),        # that leads here
    ("child", np.int64), ("sibling", np.int64),  # NONE at the end of the list
])  # fmt: skip


@hot
def plant(nodes):
    """Make the root of a new tree; gives the number of nodes."""
    write_node(nodes[ROOT], -1)
    return 1


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
def add_child(nodes, n_nodes, parent, move):
    """Make node ``n_nodes`` the child of another by a move; gives its number."""
    write_node(nodes[n_nodes], move)
    nodes[n_nodes].sibling = nodes[parent].child
    nodes[parent].child = n_nodes
    nodes[parent].tried |= MOVE_BIT[move]
    return n_nodes


@hot
def child_by(nodes, parent, move):
    """The child that a move leads to, or NONE."""
    child = nodes[parent].child
    while child != NONE and nodes[child].move != move:
        child = nodes[child].sibling
    return child


@hot
def random_untried(node, moves, memory):
    """One of the moves of a mask that have no child yet, or -1."""
    untried = moves & ~node.tried
    n = popcount(untried)
    return nth_move(untried, random_below(memory, n)) if n > 0 else -1


@hot
def note_available(nodes, parent, moves):
    """Count for each child whether its move was there to be chosen."""
    child = nodes[parent].child
    while child != NONE:
        if MOVE_BIT[nodes[child].move] & moves:
            nodes[child].available += 1
        child = nodes[child].sibling


@hot
def most_promising(nodes, parent, moves, scale, c):
    """The child of a mask of moves with the highest upper bound; values count in units of scale."""
    best, best_bound = NONE, -np.inf
    child = nodes[parent].child
    while child != NONE:
        node = nodes[child]
        if MOVE_BIT[node.move] & moves:
            spread = sqrt(log(max(node.available, 1)) / node.visits)
            bound = node.total / (node.visits * scale) + c * spread
            if bound > best_bound:
                best, best_bound = child, bound
        child = node.sibling
    return best


@hot
def pick(nodes, n_nodes, node, moves, scale, c, memory):
    """Child of a node to visit: a new one while there are untried moves, then the most promising.

    Gives the child, NONE if the tree is full and none of the moves has one, and the number of
    nodes.
    """
    move = random_untried(nodes[node], moves, memory)
    if move >= 0 and n_nodes < len(nodes):
        child = add_child(nodes, n_nodes, node, move)
        n_nodes += 1
        note_available(nodes, node, moves)
    else:
        note_available(nodes, node, moves)
        child = most_promising(nodes, node, moves, scale, c)
    return child, n_nodes


@hot
def back_up(nodes, path, n, value):
    """Add a value to the nodes of a path."""
    for k in range(n):
        nodes[path[k]].visits += 1
        nodes[path[k]].total += value


@hot
def best_move(nodes, by_visits):
    """The root's move with the highest mean, or the most visits; -1 if none was tried."""
    best, best_value = -1, -np.inf
    child = nodes[ROOT].child
    while child != NONE:
        node = nodes[child]
        if node.visits > 0:
            value = float(node.visits) if by_visits else node.total / node.visits
            if value > best_value:
                best, best_value = node.move, value
        child = node.sibling
    return best
