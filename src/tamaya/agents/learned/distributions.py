"""Networks of distributions (C51) as compiled code: a distribution of the return after each move.

All weights of a network are one float32 array, in the order of ``layout``: matrix [input, unit]
and bias of two hidden layers; for each move a matrix [unit, atom], then the biases [move, atom];
last the atoms themselves, the returns that a distribution is over.
"""

import numpy as np

from tamaya.agents.learned.network import floats_at, multiply, sum_bits
from tamaya.compiled import hot
from tamaya.encoding import encode_bits
from tamaya.game_kernels import MOVE_BIT


def layout(n_inputs: int, width: int, n_moves: int, n_atoms: int) -> dict[str, tuple[int, ...]]:
    """Names and shapes of the parts of the weights, in order."""
    return {
        "first": (n_inputs, width), "first bias": (width,),
        "second": (width, width), "second bias": (width,),
        "out": (n_moves, width, n_atoms), "out bias": (n_moves, n_atoms), "atoms": (n_atoms,),
    }  # fmt: skip


@hot
def rectify(units):
    """Negative units become zero, in place."""
    for k in range(len(units)):
        units[k] = max(np.float32(0), units[k])


@hot
def mean_atom(logits, atoms):
    """The mean of a distribution over atoms."""
    highest = logits[0]
    for logit in logits:
        highest = max(highest, logit)
    total, weighted = 0.0, 0.0
    for k in range(len(logits)):
        weight = np.exp(logits[k] - highest)
        total += weight
        weighted += weight * atoms[k]
    return weighted / total


@hot
def run_distributions(network, bits, legal, values):
    """Write the expected returns of the legal moves for a vector of bits, 0 for other moves."""
    n_inputs, width, n_atoms = network.n_inputs, network.width, network.n_atoms
    n_out = network.n_moves * n_atoms
    size = (n_inputs + 1) * width + (width + 1) * width + (width + 1) * n_out + n_atoms
    floats = floats_at(network.weights, size)
    first, second = np.empty(width, np.float32), np.empty(width, np.float32)

    sum_bits(bits, floats, first)
    rectify(first)
    start = (n_inputs + 1) * width
    at = start + width * width
    second[:] = floats[at : at + width]
    multiply(first, floats[start:at].reshape((width, width)), second)
    rectify(second)

    start = at + width
    biases, atoms = floats[start + width * n_out : size - n_atoms], floats[size - n_atoms :]
    logits = np.empty(n_atoms, np.float32)
    for move in range(network.n_moves):
        values[move] = 0
        if legal & MOVE_BIT[move]:
            at = start + move * width * n_atoms
            logits[:] = biases[move * n_atoms : (move + 1) * n_atoms]
            matrix = floats[at : at + width * n_atoms].reshape((width, n_atoms))
            multiply(second, matrix, logits)
            values[move] = mean_atom(logits, atoms)


@hot
def evaluate_moves(view, network, legal):
    """Points expected from here on after each of the legal moves."""
    bits = np.empty(network.n_inputs, np.uint8)
    values = np.empty(network.n_moves, np.float32)
    encode_bits(network.encoder, view, view.seat, bits)
    run_distributions(network, bits, legal, values)
    return values
