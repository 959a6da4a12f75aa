"""Networks as compiled code: the vector of a view in, logits of the moves and a value out.

All weights of a network are one float32 array, in the order of ``layout``: per hidden layer the
matrix [input, unit], bias, scale and shift of its normalisation; then the matrix and bias of the
outputs, one per move and last the value. A quarter of a vector's bits are set, so the first layer
is the sum of the rows of those; half of the inputs of the second layer are zero.
"""

from ctypes import c_float

import numpy as np

from tamaya.compiled import JIT, hot
from tamaya.encoding import encode_bits
from tamaya.features import active_bits
from tamaya.records import MINIMAL, record

EPSILON = 1e-5  # of the normalisation, as in torch

NETWORK = record([
    ("weights", np.int64),   # address of the float32 array, 0 where there is no network
    ("encoder", np.int64),   # HLE or DERIVED
    ("n_inputs", np.int64),
    ("width", np.int64),     # units of each of the two hidden layers, a multiple of 4
    ("n_moves", np.int64),
    ("n_atoms", np.int64),   # of a move's distribution (``distributions``), otherwise 0
    # Rules that must be the same for vectors and moves to have the same meaning.
    ("colours", np.int64), ("ranks", np.int64), ("hand_size", np.int64),
    ("tokens", np.int64), ("lives", np.int64), ("is_minimal", np.int64),
])  # fmt: skip


def layout(n_inputs: int, width: int, n_moves: int) -> dict[str, tuple[int, ...]]:
    """Names and shapes of the parts of the weights, in order."""
    hidden: dict[str, tuple[int, ...]] = {}
    for layer, size in (("first", n_inputs), ("second", width)):
        hidden[layer] = (size, width)
        hidden |= {f"{layer} {part}": (width,) for part in ("bias", "scale", "shift")}
    return {**hidden, "out": (width, n_moves + 1), "out bias": (n_moves + 1,)}


if JIT:
    from numba import carray, types
    from numba.extending import intrinsic

    @intrinsic
    def _float_pointer(typing_context, address):
        """The pointer of an address."""

        def generate(context, builder, signature, arguments):
            return builder.inttoptr(arguments[0], context.get_value_type(signature.return_type))

        return types.CPointer(types.float32)(types.int64), generate

    @hot
    def floats_at(address, n):
        """The n floats at an address."""
        return carray(_float_pointer(address), n)

    @hot
    def add_row(total, row, factor):
        """Add a multiple of a row to a sum."""
        for k in range(len(total)):
            total[k] += factor * row[k]

    @hot
    def add_rows(total, matrix, places, n):
        """Add the rows of some places of a matrix to a sum."""
        n_fours = n // 4
        for four in range(n_fours):  # together, with one load and store of the sum
            a, b = matrix[places[4 * four]], matrix[places[4 * four + 1]]
            c, d = matrix[places[4 * four + 2]], matrix[places[4 * four + 3]]
            for k in range(len(total)):
                total[k] += (a[k] + b[k]) + (c[k] + d[k])
        for place in range(4 * n_fours, n):
            add_row(total, matrix[places[place]], np.float32(1))

else:

    def floats_at(address, n):
        """The n floats at an address."""
        return np.frombuffer((c_float * int(n)).from_address(int(address)), np.float32)

    def add_row(total, row, factor):
        """Add a multiple of a row to a sum."""
        total += factor * row

    def add_rows(total, matrix, places, n):
        """Add the rows of some places of a matrix to a sum."""
        total += matrix[places[:n]].sum(axis=0)


@hot
def normalise(units, scale, shift, lowest):
    """Layer normalisation, in place, clipped from below: at 0 for a ReLU."""
    width = len(units)
    # Four sums in parallel: the additions of a single one would depend on each other.
    a, b, c, d = 0.0, 0.0, 0.0, 0.0
    aa, bb, cc, dd = 0.0, 0.0, 0.0, 0.0
    for k in range(0, width, 4):
        a += units[k]
        b += units[k + 1]
        c += units[k + 2]
        d += units[k + 3]
        aa += units[k] * units[k]
        bb += units[k + 1] * units[k + 1]
        cc += units[k + 2] * units[k + 2]
        dd += units[k + 3] * units[k + 3]
    mean = ((a + b) + (c + d)) / width
    variance = max(0.0, ((aa + bb) + (cc + dd)) / width - mean * mean)
    factor = np.float32(1.0 / np.sqrt(variance + EPSILON))
    middle = np.float32(mean)
    for k in range(width):
        units[k] = max(lowest, (units[k] - middle) * factor * scale[k] + shift[k])


@hot
def normalise_layer(units, floats, at):
    """Layer normalisation and ReLU, in place, with the scale and shift at an offset."""
    width = len(units)
    scale, shift = floats[at : at + width], floats[at + width : at + 2 * width]
    normalise(units, scale, shift, np.float32(0))


@hot
def multiply(inputs, matrix, total):
    """Add the product of inputs and a matrix to a sum; inputs of zero cost nothing."""
    for k in range(len(inputs)):
        if inputs[k] != 0:
            add_row(total, matrix[k], inputs[k])


@hot
def sum_bits(bits, floats, total):
    """Write the first layer's matrix and bias, which begin some floats, applied to bits."""
    n_inputs, width = len(bits), len(total)
    at = n_inputs * width
    places = np.empty(n_inputs + 1, np.int64)
    total[:] = floats[at : at + width]
    add_rows(total, floats[:at].reshape((n_inputs, width)), places, active_bits(bits, places))


@hot
def run_network(network, bits, out):
    """Write the outputs of a network for a vector of bits."""
    n_inputs, width, n_out = network.n_inputs, network.width, network.n_moves + 1
    size = n_inputs * width + width * width + 6 * width + (width + 1) * n_out
    floats = floats_at(network.weights, size)
    first, second = np.empty(width, np.float32), np.empty(width, np.float32)

    at = n_inputs * width
    sum_bits(bits, floats, first)
    normalise_layer(first, floats, at + width)

    start, at = at + 3 * width, at + 3 * width + width * width
    matrix = floats[start:at].reshape((width, width))
    second[:] = floats[at : at + width]
    multiply(first, matrix, second)
    normalise_layer(second, floats, at + width)

    start, at = at + 3 * width, at + 3 * width + width * n_out
    matrix = floats[start:at].reshape((width, n_out))
    out[:] = floats[at : at + n_out]
    multiply(second, matrix, out)


@hot
def fits(view, network):
    """Whether a network was made for a table like that of a view."""
    return (
        network.weights != 0
        and network.colours == view.colours
        and network.ranks == view.ranks
        and network.hand_size == view.hand_size
        and network.tokens == view.max_tokens
        and network.lives == view.max_lives
        and network.is_minimal == (view.observation == MINIMAL)
    )


@hot
def evaluate(view, network):
    """Logits of all moves, legal or not, and last the value: points expected from here on."""
    bits = np.empty(network.n_inputs, np.uint8)
    out = np.empty(network.n_moves + 1, np.float32)
    encode_bits(network.encoder, view, view.seat, bits)
    run_network(network, bits, out)
    return out
