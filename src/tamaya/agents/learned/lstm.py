"""Recurrent networks as compiled code: vector and seat in, state changed, logits and value out.

A hidden layer (normalised, ReLU) is followed by two LSTM layers of the same width, whose normalised
output feeds the policy and the value. All weights are one float32 array, in the order of
``layout``: matrices are [input, unit]; the inputs of the first are the bits of the vector and one
for each absolute seat, those of an LSTM layer the output of the layer below and then its own output
of the previous turn; its units are four gates side by side (input, forget, cell, output, as in
torch).
"""

import numpy as np

from tamaya.agents.learned.network import add_rows, floats_at, multiply, normalise, normalise_layer
from tamaya.compiled import JIT, hot
from tamaya.encoding import encode_bits
from tamaya.features import active_bits

N_LAYERS = 2  # of LSTM units
MAX_WIDTH = 512


def layout(n_inputs: int, players: int, width: int, n_moves: int) -> dict[str, tuple[int, ...]]:
    """Names and shapes of the parts of the weights, in order."""
    shapes: dict[str, tuple[int, ...]] = {"first": (n_inputs + players, width)}
    shapes |= {f"first {part}": (width,) for part in ("bias", "scale", "shift")}
    for layer in range(1, N_LAYERS + 1):
        shapes |= {f"lstm {layer}": (2 * width, 4 * width), f"lstm {layer} bias": (4 * width,)}
    top: dict[str, tuple[int, ...]] = {"top scale": (width,), "top shift": (width,)}
    return {**shapes, **top, "out": (width, n_moves + 1), "out bias": (n_moves + 1,)}


if JIT:

    @hot
    def multiply_dense(inputs, matrix, total):
        """Add the product of inputs (their number a multiple of four) and a matrix to a sum."""
        for row in range(0, len(inputs), 4):  # together: one load and store of the sum for all
            a, b, c, d = inputs[row], inputs[row + 1], inputs[row + 2], inputs[row + 3]
            one, two = matrix[row], matrix[row + 1]
            three, four = matrix[row + 2], matrix[row + 3]
            for k in range(len(total)):
                total[k] += (a * one[k] + b * two[k]) + (c * three[k] + d * four[k])

else:

    def multiply_dense(inputs, matrix, total):
        """Add the product of inputs (their number a multiple of four) and a matrix to a sum."""
        total += inputs @ matrix


@hot
def sigmoid(number):
    """The logistic function."""
    return np.float32(1) / (np.float32(1) + np.exp(-number))


@hot
def run_layer(gates, output, cell):
    """Run an LSTM layer: updates its output and its cells."""
    width = len(output)
    for k in range(width):
        kept = sigmoid(gates[width + k]) * cell[k]
        cell[k] = kept + sigmoid(gates[k]) * np.tanh(gates[2 * width + k])
        output[k] = sigmoid(gates[3 * width + k]) * np.tanh(cell[k])


@hot
def n_weights(network, players):
    """Length of the array of weights."""
    width, n_out = network.width, network.n_moves + 1
    first = (network.n_inputs + players + 3) * width
    return first + N_LAYERS * (2 * width + 1) * 4 * width + 2 * width + (width + 1) * n_out


@hot
def advance(view, network, state):
    """Advance the state by a turn of the view's seat: the output and the cells of each layer."""
    n_inputs, width, players = network.n_inputs, network.width, np.int64(view.players)
    floats = floats_at(network.weights, n_weights(network, players))
    bits = np.empty(n_inputs, np.uint8)
    places = np.empty(n_inputs + 1, np.int64)
    encode_bits(network.encoder, view, view.seat, bits)
    n = active_bits(bits, places)
    places[n] = n_inputs + view.seat

    at = (n_inputs + players) * width
    below = floats[at : at + width].copy()
    add_rows(below, floats[:at].reshape((n_inputs + players, width)), places, n + 1)
    normalise_layer(below, floats, at + width)
    at += 3 * width
    for layer in range(N_LAYERS):
        start, at = at, at + 8 * width * width
        matrix = floats[start:at].reshape((2 * width, 4 * width))
        gates = floats[at : at + 4 * width].copy()
        output = state[2 * layer * width : (2 * layer + 1) * width]
        cell = state[(2 * layer + 1) * width : (2 * layer + 2) * width]
        multiply_dense(below, matrix[:width], gates)
        multiply_dense(output, matrix[width:], gates)
        run_layer(gates, output, cell)
        below = output
        at += 4 * width


@hot
def read_out(view, network, state):
    """Logits of all moves, legal or not, and last the value, of a state."""
    width, n_out = network.width, network.n_moves + 1
    size = n_weights(network, np.int64(view.players))
    floats = floats_at(network.weights, size)
    out = floats[size - n_out : size].copy()
    start = size - (width + 1) * n_out
    top = state[2 * (N_LAYERS - 1) * width : (2 * N_LAYERS - 1) * width].copy()
    scale, shift = floats[start - 2 * width : start - width], floats[start - width : start]
    normalise(top, scale, shift, np.float32(-np.inf))
    multiply(top, floats[start : size - n_out].reshape((width, n_out)), out)
    return out
