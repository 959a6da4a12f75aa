"""Prioritised replay (Schaul et al. 2015): transitions are drawn by their last loss.

A transition is one turn of a seat and leads to the next turn of the same seat. The turns of a
seat's episode are consecutive in a ring, so the next row is the next turn; the last
turn of an episode is marked as its end and leads nowhere. Vectors are packed, eight bits a byte:
a million turns of two players take 0.1 GB.

Priorities are the leaves of a binary tree whose inner nodes are the sums of their two children:
node 1 is the root, the children of node k are 2k and 2k + 1, row r is node ``n_leaves + r``.
"""

from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from tamaya.compiled import hot

NEW = 100.0  # priority of a transition that has not been learned from


@hot
def set_leaves(tree, rows, priorities):
    """Give some rows their priorities."""
    n_leaves = len(tree) // 2
    for k in range(len(rows)):
        node = n_leaves + rows[k]
        tree[node] = priorities[k]
        while node > 1:
            node //= 2
            tree[node] = tree[2 * node] + tree[2 * node + 1]


@hot
def find_leaves(tree, points, rows):
    """Write the rows at which the running sum of priorities passes given values."""
    n_leaves = len(tree) // 2
    for k in range(len(points)):
        node, point = 1, points[k]
        while node < n_leaves:
            node *= 2
            # Rounding must not lead to a side that is empty.
            if point >= tree[node] and tree[node + 1] > 0:
                point -= tree[node]
                node += 1
        rows[k] = node - n_leaves


class Samples(NamedTuple):
    """Transitions to learn from, one row each; ``later`` is for the bootstrap."""

    rows: np.ndarray  # in the replay
    weights: np.ndarray  # importance weights that correct for drawing by priority
    packed: np.ndarray  # vectors, eight bits a byte
    moves: np.ndarray
    gains: np.ndarray  # discounted rewards until later
    discounts: np.ndarray  # of the value later, 0 if the episode ended before
    later_packed: np.ndarray
    later_legal: np.ndarray  # bool

    def state(self) -> dict[str, Tensor]:
        """For a checkpoint."""
        return {name: torch.from_numpy(part) for name, part in self._asdict().items()}

    @classmethod
    def restored(cls, state: dict[str, Tensor]) -> "Samples":
        """The samples of a state."""
        parts = {name: part.numpy() for name, part in state.items()}
        for name in ("vectors", "later_vectors"):  # format of older checkpoints
            if name in parts:
                packed = np.packbits(parts.pop(name).astype(np.bool_), axis=1)
                parts[name.replace("vectors", "packed")] = packed
        return cls(**parts)


def new_samples(n: int, n_bytes: int, n_moves: int) -> Samples:
    """Arrays for n transitions."""
    return Samples(
        rows=np.empty(n, np.int64), weights=np.empty(n, np.float32),
        packed=np.empty((n, n_bytes), np.uint8), moves=np.empty(n, np.int64),
        gains=np.empty(n, np.float32), discounts=np.empty(n, np.float32),
        later_packed=np.empty((n, n_bytes), np.uint8), later_legal=np.empty((n, n_moves), np.bool_),
    )  # fmt: skip


@hot
def look_up(ring, horizon, gamma, samples):
    """Write the transitions of some rows, and what came a number of own turns later."""
    n_leaves = len(ring.tree) // 2
    lowest = np.inf
    for k in range(len(samples.rows)):
        row, gain, discount = samples.rows[k], 0.0, 1.0
        lowest = min(lowest, ring.tree[n_leaves + row])
        samples.packed[k] = ring.vectors[row]
        samples.moves[k] = ring.moves[row]
        for _ in range(horizon):
            gain += discount * ring.rewards[row]
            discount *= 0.0 if ring.ends[row] else gamma
            row = row + 1 if row + 1 < len(ring.moves) else 0
        samples.gains[k], samples.discounts[k] = gain, discount
        samples.later_packed[k] = ring.vectors[row]
        samples.later_legal[k] = ring.legal[row]
    for k in range(len(samples.rows)):
        priority = ring.tree[n_leaves + samples.rows[k]]
        samples.weights[k] = np.sqrt((lowest + 1e-10) / (priority + 1e-10))


class Ring(NamedTuple):
    """The arrays of a replay."""

    vectors: np.ndarray  # packed
    legal: np.ndarray
    moves: np.ndarray
    rewards: np.ndarray
    ends: np.ndarray
    tree: np.ndarray


class Replay:
    """The latest transitions, up to a capacity."""

    def __init__(self, capacity: int, length: int, n_moves: int) -> None:
        self.capacity, self.length = capacity, length
        self.n_added = 0  # since the beginning
        # The system allocates memory when it is written to: unfilled rows cost nothing.
        self.vectors = np.zeros((capacity, -(-length // 8)), np.uint8)
        self.legal = np.zeros((capacity, n_moves), np.bool_)
        self.moves = np.zeros(capacity, np.uint8)
        self.rewards = np.zeros(capacity, np.int8)
        self.ends = np.zeros(capacity, np.bool_)
        self.tree = np.zeros(2 << (capacity - 1).bit_length())

    def __len__(self) -> int:
        return min(self.n_added, self.capacity)

    @property
    def priorities(self) -> np.ndarray:
        """Of the rows that are filled."""
        n_leaves = len(self.tree) // 2
        return self.tree[n_leaves : n_leaves + len(self)]

    def usual_priority(self) -> float:
        """The median priority; few transitions are new."""
        return float(np.median(self.priorities)) if len(self) else NEW

    def add(
        self, vectors: np.ndarray, legal: np.ndarray, moves: np.ndarray, rewards: np.ndarray
    ) -> None:
        """Add the episode of a seat, vectors packed; the oldest transitions are overwritten."""
        rows = (self.n_added + np.arange(len(moves))) % self.capacity
        self.vectors[rows], self.legal[rows] = vectors, legal
        self.moves[rows], self.rewards[rows] = moves, rewards
        self.ends[rows] = False
        self.ends[rows[-1]] = True
        set_leaves(self.tree, rows, np.full(len(rows), NEW))
        self.n_added += len(rows)

    def draw(self, n: int, horizon: int, gamma: float, generator: torch.Generator) -> Samples:
        """Some transitions by their priorities, and what came a number of own turns later."""
        points = torch.rand(n, dtype=torch.float64, generator=generator).numpy() * self.tree[1]
        rows = np.empty(n, np.int64)
        find_leaves(self.tree, points, rows)
        return self.look_up(rows, horizon, gamma)

    def look_up(self, rows: np.ndarray, horizon: int, gamma: float) -> Samples:
        """The transitions of some rows."""
        samples = new_samples(len(rows), self.vectors.shape[1], self.legal.shape[1])
        samples.rows[:] = rows
        ring = Ring(self.vectors, self.legal, self.moves, self.rewards, self.ends, self.tree)
        look_up(ring, horizon, gamma, samples)
        return samples

    def reprioritise(self, rows: np.ndarray, priorities: np.ndarray) -> None:
        """Give transitions that were learned from their new priorities."""
        set_leaves(self.tree, rows, priorities.astype(np.float64))

    def state(self) -> dict[str, Any]:
        """Everything that determines what is drawn: the filled rows, legal moves packed."""
        n = len(self)
        parts = {"vectors": self.vectors[:n], "moves": self.moves[:n], "rewards": self.rewards[:n],
                 "ends": self.ends[:n], "priorities": self.priorities,
                 "legal": np.packbits(self.legal[:n], axis=1)}  # fmt: skip
        tensors = {name: torch.from_numpy(part) for name, part in parts.items()}
        return {"n_added": self.n_added, **tensors}

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from a state of a replay of the same capacity."""
        self.n_added = state["n_added"]
        n = len(self)
        for name in ("vectors", "moves", "rewards", "ends"):
            getattr(self, name)[:n] = state[name].numpy()
        n_moves = self.legal.shape[1]
        self.legal[:n] = np.unpackbits(state["legal"].numpy(), axis=1, count=n_moves)
        self.tree[:] = 0
        self.priorities[:] = state["priorities"].numpy()
        first = len(self.tree) // 4
        while first >= 1:
            pairs = self.tree[2 * first : 4 * first].reshape(-1, 2)
            self.tree[first : 2 * first] = pairs[:, 0] + pairs[:, 1]
            first //= 2
