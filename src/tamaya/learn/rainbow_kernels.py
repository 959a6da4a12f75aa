"""Rainbow's network compiled: expected returns, targets, and updates with Adam.

Only the distributions of the moves that were made enter the loss, so only these moves' logits are
computed. A weight takes its step as soon as its gradient is summed, over the samples in which its
input is not zero: the gradient of a whole matrix is never stored.

Rows are ``padded`` (see `sparse`); the padding is zero and remains so.
"""

from functools import partial
from typing import NamedTuple

import numpy as np

from tamaya.compiled import hot, hot_sums
from tamaya.learn.adam import step_by_sum, step_with
from tamaya.learn.flat import aligned_zeros
from tamaya.learn.sparse import (
    COLUMNS,
    Columns,
    Lists,
    add_products,
    add_rows,
    dot_rows,
    list_bits,
    list_columns,
    list_rows,
    new_columns,
    new_lists,
    padded,
)


class Layers(NamedTuple):
    """The weights of a network, or one of their moments."""

    first: np.ndarray  # [input, unit]
    first_bias: np.ndarray  # all biases have one row
    second: np.ndarray  # [unit, unit]
    second_bias: np.ndarray
    out: np.ndarray  # [move x atom, unit]; of a target network [unit, move x atom]
    out_bias: np.ndarray


class Workspace(NamedTuple):
    """Scratch space of the kernels, one row per sample."""

    inputs: Lists  # which bits are set
    first: np.ndarray  # units of the first layer
    first_lists: Lists  # and which are not zero
    second: np.ndarray
    second_lists: Lists
    logits: np.ndarray  # [sample, move x atom]
    probs: np.ndarray  # [sample, atom]
    exps: np.ndarray  # an atom each, and whole vectors
    bits: np.ndarray  # int32, as many


def new_workspace(n: int, n_inputs: int, width: int, n_moves: int, n_atoms: int) -> Workspace:
    """Scratch space for n samples."""
    n_whole = -(-n_atoms // 16) * 16
    return Workspace(
        inputs=new_lists(n, n_inputs), first=rows_of(n, width), first_lists=new_lists(n, width),
        second=rows_of(n, width), second_lists=new_lists(n, width),
        logits=rows_of(n, n_moves * n_atoms), probs=np.zeros((n, n_atoms), np.float32),
        exps=aligned_zeros(n_whole), bits=aligned_zeros(n_whole).view(np.int32),
    )  # fmt: skip


def rows_of(n: int, length: int) -> np.ndarray:
    """Room for padded rows."""
    return aligned_zeros(n * padded(length)).reshape(n, -1)


@hot
def run_hidden(packed, layers, work):
    """Write the units of both hidden layers for rows of packed bits."""
    list_bits(packed, work.inputs)
    run_layer(work.inputs, layers.first, layers.first_bias, work.first)
    list_rows(work.first, len(layers.second), work.first_lists)
    run_layer(work.first_lists, layers.second, layers.second_bias, work.second)


@hot
def run_layer(lists, matrix, bias, out):
    """Write the units of a layer after the ReLU."""
    for row in range(len(out)):
        for unit in range(out.shape[1]):
            out[row, unit] = bias[0, unit]
    add_products(lists, matrix, out)
    for row in range(len(out)):
        for unit in range(out.shape[1]):
            out[row, unit] = max(out[row, unit], np.float32(0))


# Distributions.

_LOG2_E = np.float32(1.44269504)
_LN2_HIGH, _LN2_LOW = np.float32(0.693359375), np.float32(-2.12194440e-4)
_ROUND = np.float32(1.5 * 2**23)  # adding and subtracting it rounds to a whole number
_LOWEST = np.float32(-87)  # the smallest with a non-zero exponential
# Coefficients of the exponential function between -ln(2) / 2 and ln(2) / 2, as in Cephes.
_EXP = np.array([1.9875691500e-4, 1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2,
                 1.6666665459e-1, 5.0000001201e-1], np.float32)  # fmt: skip


@partial(hot, fastmath={"contract"})
def write_exps(logits, row, first, highest, exps, bits):
    """Write exp(logit - highest) for whole vectors of logits; ``bits`` is scratch of that size."""
    a, b, c, d, e, f = _EXP[0], _EXP[1], _EXP[2], _EXP[3], _EXP[4], _EXP[5]
    for k in range(len(exps)):
        x = max(logits[row, first + k] - highest, _LOWEST)
        power = (x * _LOG2_E + _ROUND) - _ROUND
        x = x - power * _LN2_HIGH
        x = x - power * _LN2_LOW
        series = ((((a * x + b) * x + c) * x + d) * x + e) * x + f
        exps[k] = series * x * x + x + np.float32(1)
        bits[k] = (np.int32(power) + 127) << 23
    powers = bits.view(np.float32)
    for k in range(len(exps)):
        exps[k] *= powers[k]


@hot_sums
def highest_of(logits, row, first, n):
    """The largest of some logits."""
    highest = logits[row, first]
    for k in range(n):
        highest = max(highest, logits[row, first + k])
    return highest


@hot_sums
def sum_of(numbers, n):
    """The sum of the first numbers."""
    total = np.float32(0)
    for k in range(n):
        total += numbers[k]
    return total


@hot_sums
def dot(numbers, others):
    """The scalar product of some numbers with the first of others."""
    total = np.float32(0)
    for k in range(len(numbers)):
        total += numbers[k] * others[k]
    return total


@hot
def find_best(row, legal, atoms, work):
    """The legal move of highest expected return; writes its distribution.

    If nothing is legal, as after the last turn of a game, the result is move 0.
    """
    logits, probs, exps, bits = work.logits, work.probs, work.exps, work.bits
    n_atoms = len(atoms)
    best, highest = -1, np.float32(-np.inf)
    for move in range(legal.shape[1] - 1, -1, -1):
        if not legal[row, move] and (move > 0 or best >= 0):
            continue
        first = move * n_atoms
        largest = highest_of(logits, row, first, n_atoms)
        write_exps(logits, row, first, largest, exps, bits)
        total = sum_of(exps, n_atoms)
        value = dot(atoms, exps) / total
        if value >= highest:
            best, highest = move, value
            for atom in range(n_atoms):
                probs[row, atom] = exps[atom] / total
    return best


@hot
def project(probs, row, gain, discount, atoms, out):
    """Write the distribution of gain + discount x return, projected onto the atoms.

    Probability between two atoms is split in proportion to nearness; beyond the outermost atoms it
    goes to these.
    """
    last = len(atoms) - 1
    step = atoms[1] - atoms[0]
    for atom in range(last + 1):
        out[row, atom] = 0
    for atom in range(last + 1):
        place = (gain + discount * atoms[atom] - atoms[0]) / step
        place = min(max(place, 0.0), float(last))
        below = int(place)
        above_prob = probs[row, atom] * (place - below)
        out[row, below] += probs[row, atom] - above_prob
        out[row, min(below + 1, last)] += above_prob


@hot
def write_targets(later, atoms, network, room, out):
    """Write the target distributions, from the later observations, legal moves and rewards.

    The target network chooses the best legal move and supplies its distribution.
    """
    packed, legal, gains, discounts = later
    layers, work = Layers(*network), Workspace(*room)
    run_hidden(packed, layers, work)
    list_rows(work.second, len(layers.out), work.second_lists)
    for row in range(len(out)):
        for place in range(work.logits.shape[1]):
            work.logits[row, place] = layers.out_bias[0, place]
    add_products(work.second_lists, layers.out, work.logits)
    for row in range(len(out)):
        find_best(row, legal, atoms, work)
        project(work.probs, row, gains[row], discounts[row], atoms, out)


@hot
def write_logits(legal, out, out_bias, units, logits):
    """Write the logits of the legal moves."""
    n_atoms = len(out) // legal.shape[1]
    end = units.shape[1] - units.shape[1] % COLUMNS
    for move in range(legal.shape[1]):
        for place in range(move * n_atoms, (move + 1) * n_atoms):
            for row in range(len(legal)):
                if legal[row, move]:
                    logit = dot_rows(out, place, units, row, end)
                    logits[row, place] = logit + out_bias[0, place]


@hot
def write_best(packed, legal, atoms, network, room, best):
    """Write the legal moves of highest expected return."""
    layers, work = Layers(*network), Workspace(*room)
    run_hidden(packed, layers, work)
    write_logits(legal, layers.out, layers.out_bias, work.second, work.logits)
    for row in range(len(best)):
        best[row] = find_best(row, legal, atoms, work)


@hot
def write_hidden(packed, network, room):
    """Write the units of both hidden layers for rows of packed bits."""
    run_hidden(packed, Layers(*network), Workspace(*room))


# Updates.


class Gradients(NamedTuple):
    """Scratch space of an update."""

    losses: np.ndarray
    of_logits: np.ndarray  # [sample, atom], of the moves that were made
    of_atoms: np.ndarray  # [atom, sample of a move]
    of_second: np.ndarray  # [sample, unit]
    of_first: np.ndarray
    by_inputs: Columns  # in which samples inputs are not zero
    by_units: Columns  # and units of the first layer
    total: np.ndarray  # [1, unit], of a row of a matrix
    of_bias: np.ndarray  # [1, move x atom]
    places: np.ndarray  # int64, [1, samples or atoms]


def new_gradients(n: int, n_inputs: int, width: int, n_moves: int, n_atoms: int) -> Gradients:
    """Scratch space for the gradients of n samples."""
    return Gradients(
        losses=np.zeros(n, np.float32), of_logits=np.zeros((n, n_atoms), np.float32),
        of_atoms=np.zeros((n_atoms, n), np.float32), of_second=rows_of(n, width),
        of_first=rows_of(n, width), by_inputs=new_columns(n, n_inputs),
        by_units=new_columns(n, width), total=rows_of(1, width),
        of_bias=rows_of(1, n_moves * n_atoms), places=np.zeros((1, max(n, n_atoms)), np.int64),
    )  # fmt: skip


@hot
def write_cross_entropy(row, target, share, work, gradients):
    """Write the cross-entropy of the first logits of a row to a target, and its gradient."""
    logits, exps, of_logits = work.logits, work.exps, gradients.of_logits
    n_atoms = target.shape[1]
    highest = highest_of(logits, row, 0, n_atoms)
    write_exps(logits, row, 0, highest, exps, work.bits)
    total = sum_of(exps, n_atoms)
    log_total = np.log(total) + highest
    loss = np.float32(0)
    for atom in range(n_atoms):
        loss += target[row, atom] * (log_total - logits[row, atom])
        prob = exps[atom] / total
        of_logits[row, atom] = share * (prob - target[row, atom])
    gradients.losses[row] = loss


@hot
def step_out(moves, target, shares, room, slopes, adam):
    """Losses, gradients of the second layer's units, and the step of the output layer.

    Move by move, because the weights of a move affect only its samples. Moves that were not made
    have zero gradients.
    """
    work, gradients = Workspace(*room), Gradients(*slopes)
    layers, means, squares, scales = Layers(*adam[0]), Layers(*adam[1]), Layers(*adam[2]), adam[3]
    # Inside the loop, each access to a field of a named tuple would update a reference count.
    out, out_bias, second, logits = layers.out, layers.out_bias, work.second, work.logits
    out_means, out_squares, places = means.out, squares.out, gradients.places
    of_logits, of_atoms, of_bias = gradients.of_logits, gradients.of_atoms, gradients.of_bias
    of_second = gradients.of_second
    n_atoms, end = target.shape[1], out.shape[1] - out.shape[1] % COLUMNS
    of_bias[:] = 0
    of_second[:] = 0
    for first in range(0, len(out), n_atoms):
        n = 0
        for sample in range(len(moves)):
            if moves[sample] * n_atoms != first:
                continue
            for atom in range(n_atoms):
                logit = dot_rows(out, first + atom, second, sample, end)
                logits[sample, atom] = logit + out_bias[0, first + atom]
            write_cross_entropy(sample, target, shares[sample], work, gradients)
            for atom in range(n_atoms):
                places[0, atom] = first + atom
                of_atoms[atom, n] = of_logits[sample, atom]
                of_bias[0, first + atom] += of_logits[sample, atom]
            add_rows(of_second, sample, of_logits, sample, places, 0, n_atoms, out)
            n += 1
        n = 0
        for sample in range(len(moves)):
            places[0, n] = sample
            n += moves[sample] * n_atoms == first
        for atom in range(n_atoms):
            for column in range(0, end, COLUMNS):
                step_by_sum(of_atoms, atom, places, 0, n, second, out, out_means, out_squares,
                            first + atom, column, scales)  # fmt: skip
    step_with(of_bias, 0, out_bias, means.out_bias, squares.out_bias, 0, scales)


@hot_sums
def pass_relu(gradients, units, total):
    """Set the gradients of inactive units to zero; writes the sums over all samples."""
    total[:] = 0
    for row in range(len(gradients)):
        for unit in range(total.shape[1]):
            own = gradients[row, unit] if units[row, unit] > 0 else np.float32(0)
            gradients[row, unit] = own
            total[0, unit] += own


@hot
def step_hidden(room, slopes, adam):
    """The step of both hidden layers, from the gradients of the second one's units.

    Row by row, because the weights of an input affect only the samples in which it is not zero.
    """
    work, gradients = Workspace(*room), Gradients(*slopes)
    layers, means, squares, scales = Layers(*adam[0]), Layers(*adam[1]), Layers(*adam[2]), adam[3]
    of_first, of_second, total = gradients.of_first, gradients.of_second, gradients.total

    pass_relu(of_second, work.second, total)
    step_with(total, 0, layers.second_bias, means.second_bias, squares.second_bias, 0, scales)
    list_columns(work.first_lists, gradients.by_units)
    write_before(gradients.by_units, layers.second, of_second, of_first)
    step_rows(gradients.by_units, of_second, layers.second, means.second, squares.second, scales)

    pass_relu(of_first, work.first, total)
    step_with(total, 0, layers.first_bias, means.first_bias, squares.first_bias, 0, scales)
    list_columns(work.inputs, gradients.by_inputs)
    step_rows(gradients.by_inputs, of_first, layers.first, means.first, squares.first, scales)


@hot
def write_before(columns, matrix, gradients, out):
    """Write the gradients of a layer's inputs, where they are not zero, from those of its units."""
    samples, _, counts = columns
    end = out.shape[1] - out.shape[1] % COLUMNS
    out[:] = 0
    for place in range(len(matrix)):
        for k in range(counts[place]):
            sample = samples[place, k]
            out[sample, place] = dot_rows(matrix, place, gradients, sample, end)


@hot
def step_rows(columns, gradients, weights, means, squares, scales):
    """The step of a matrix, from the gradients of its units and the columns of its inputs."""
    samples, values, counts = columns
    for first in range(0, weights.shape[1] - COLUMNS + 1, COLUMNS):
        for row in range(len(weights)):
            step_by_sum(values, row, samples, row, counts[row], gradients, weights, means, squares,
                        row, first, scales)  # fmt: skip


@hot
def step_matrix(gradient, weights, means, squares, scales):
    """The step of a matrix by its whole gradient."""
    for row in range(len(weights)):
        step_with(gradient, row, weights, means, squares, row, scales)
