"""The network that chooses as people do: how much speaks for each legal move.

What is the same for all moves of a turn goes through one hidden layer. Each move has its own
numbers; together with that layer they go through two more, which plays share with plays, discards
with discards, hints with hints. Several networks, trained from different beginnings, are averaged.

All weights are one float32 array, in the order of ``layout``.
"""

import numpy as np

from tamaya.agents.learned.network import NETWORK, floats_at, multiply
from tamaya.agents.learned.people.advisers import ADVISERS
from tamaya.agents.learned.people.situation import Sizes
from tamaya.compiled import hot
from tamaya.game_kernels import MOVE_BIT
from tamaya.moves import PLAY
from tamaya.records import record

KINDS = ("discard", "play", "hint")
N_CHOICE_KINDS = len(KINDS)

BRAIN = record([
    ("network", NETWORK),     # its inputs are the numbers of a turn, its width their layer
    ("members", np.int64),    # networks that are averaged
    ("hidden", np.int64),     # units of a move's first layer
    ("second", np.int64),     # and of its second
    ("card", np.int64), ("hint", np.int64), ("vote", np.int64),  # numbers, as in ``Sizes``
    *ADVISERS,
])  # fmt: skip


def layout(
    sizes: Sizes, members: int, width: int, hidden: int, second: int
) -> dict[str, tuple[int, ...]]:
    """Names and shapes of the parts of the weights, in order."""
    parts: dict[str, tuple[int, ...]] = {"turn": (sizes.context, width), "turn bias": (width,)}
    for kind, own in zip(KINDS, (sizes.card, sizes.card, sizes.hint), strict=True):
        parts |= {
            kind: (own + sizes.vote, hidden), f"{kind} turn": (width, hidden),
            f"{kind} bias": (hidden,), f"{kind} second": (hidden, second),
            f"{kind} second bias": (second,), f"{kind} out": (second,), f"{kind} out bias": (1,),
        }  # fmt: skip
    return {name: (members, *shape) for name, shape in parts.items()}


@hot
def n_floats(brain):
    """Length of the weights."""
    turns, width, hidden = brain.network.n_inputs, brain.network.width, brain.hidden
    n = turns * width + width
    for kind in range(N_CHOICE_KINDS):
        own = brain.vote + (brain.card if kind <= PLAY else brain.hint)
        n += own * hidden + width * hidden + hidden + hidden * brain.second + 2 * brain.second + 1
    return n * brain.members


@hot
def matrix_at(floats, at, member, rows, columns):
    """The matrix of one of the networks, of those that begin at a place."""
    first = at + member * rows * columns
    return floats[first : first + rows * columns].reshape((rows, columns))


@hot
def add_layer(inputs, matrix, bias, out):
    """Write the sums of a layer."""
    out[:] = bias
    multiply(inputs, matrix, out)


@hot
def rectify(units):
    """ReLU, in place."""
    for k in range(len(units)):
        units[k] = max(units[k], np.float32(0))


@hot
def score_kind(brain, member, floats, at, turn, own, votes, scores):
    """Write how much speaks for each move of a kind; returns the place after its weights."""
    n, width, hidden, second = brain.members, len(turn), brain.hidden, brain.second
    n_own, n_votes = own.shape[1], votes.shape[1]
    matrix = matrix_at(floats, at, member, n_own + n_votes, hidden)
    at += n * (n_own + n_votes) * hidden
    common = np.empty(hidden, np.float32)
    with_turn = matrix_at(floats, at, member, width, hidden)
    at += n * width * hidden
    add_layer(turn, with_turn, matrix_at(floats, at, member, 1, hidden)[0], common)
    at += n * hidden
    matrix_2 = matrix_at(floats, at, member, hidden, second)
    at += n * hidden * second
    bias_2 = matrix_at(floats, at, member, 1, second)[0]
    at += n * second
    out = matrix_at(floats, at, member, 1, second)[0]
    at += n * second
    first_units, second_units = np.empty(hidden, np.float32), np.empty(second, np.float32)
    for move in range(len(scores)):
        first_units[:] = common
        multiply(own[move], matrix[:n_own], first_units)
        multiply(votes[move], matrix[n_own:], first_units)
        rectify(first_units)
        add_layer(first_units, matrix_2, bias_2, second_units)
        rectify(second_units)
        total = floats[at + member]
        for k in range(second):
            total += out[k] * second_units[k]
        scores[move] = total
    return at + n


@hot
def score_moves(brain, member, situation, scores):
    """Write how much speaks for each move, by one of the networks."""
    context, cards, hints, votes = situation
    n, width, n_slots = brain.members, brain.network.width, len(cards)
    floats = floats_at(brain.network.weights, n_floats(brain))
    turn, at = np.empty(width, np.float32), n * len(context) * width
    bias = matrix_at(floats, at, member, 1, width)[0]
    add_layer(context, matrix_at(floats, 0, member, len(context), width), bias, turn)
    rectify(turn)
    at += n * width
    for kind in range(N_CHOICE_KINDS):
        first = kind * n_slots
        last = first + n_slots if kind <= PLAY else len(scores)
        own = cards if kind <= PLAY else hints
        at = score_kind(brain, member, floats, at, turn, own, votes[first:last], scores[first:last])


@hot
def write_probabilities(brain, situation, legal, probs):
    """Write how likely each move is, the mean of all networks; illegal ones are 0."""
    scores = np.empty(len(probs), np.float32)
    probs[:] = 0
    for member in range(brain.members):
        score_moves(brain, member, situation, scores)
        highest, total = -np.inf, 0.0
        for move in range(len(probs)):
            if legal & MOVE_BIT[move]:
                highest = max(highest, scores[move])
        for move in range(len(probs)):
            if legal & MOVE_BIT[move]:
                total += np.exp(scores[move] - highest)
        for move in range(len(probs)):
            if legal & MOVE_BIT[move]:
                probs[move] += np.exp(scores[move] - highest) / (total * brain.members)
