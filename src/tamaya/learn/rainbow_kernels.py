"""The parts of an update of Rainbow that are not products of whole matrices, compiled.

Only the distributions of the moves that were made take part in a loss, so their logits and
gradients are computed for these moves alone. Rows are samples; ``weight`` is the output layer,
``[move, atom, unit]``.
"""

import numpy as np

from tamaya.compiled import hot, hot_sums
from tamaya.learn.adam import step_with, step_without


@hot_sums
def write_logits(hidden, moves, weight, bias, out):
    """Write the logits of one move per row of hidden units."""
    for sample in range(len(moves)):
        move, units = moves[sample], hidden[sample]
        for atom in range(out.shape[1]):
            own = weight[move, atom]
            total = bias[move, atom]
            for k in range(len(units)):
                total += own[k] * units[k]
            out[sample, atom] = total


@hot_sums
def write_cross_entropies(logits, target, shares, losses, gradients):
    """Write cross-entropies to target distributions, and the gradients of their weighted sum."""
    n_atoms = logits.shape[1]
    for sample in range(len(logits)):
        own, wanted, out = logits[sample], target[sample], gradients[sample]
        highest = own[0]
        for atom in range(n_atoms):
            highest = max(highest, own[atom])
        total = np.float32(0)
        for atom in range(n_atoms):
            out[atom] = np.exp(own[atom] - highest)
            total += out[atom]
        log_total = np.log(total) + highest
        loss = np.float32(0)
        for atom in range(n_atoms):
            loss += wanted[atom] * (log_total - own[atom])
            out[atom] = shares[sample] * (out[atom] / total - wanted[atom])
        losses[sample] = loss


@hot_sums
def spread_back(gradients, moves, weight, out):
    """Write the gradients of hidden units from those of one move's logits per row."""
    for sample in range(len(moves)):
        total, own = out[sample], weight[moves[sample]]
        total[:] = 0
        last = gradients.shape[1] - gradients.shape[1] % 3
        for atom in range(0, last, 3):  # three at a time: totals are read and written less often
            a, b, c = gradients[sample, atom : atom + 3]
            for k in range(len(total)):
                total[k] += a * own[atom, k] + b * own[atom + 1, k] + c * own[atom + 2, k]
        for atom in range(last, gradients.shape[1]):
            for k in range(len(total)):
                total[k] += gradients[sample, atom] * own[atom, k]


@hot_sums
def pass_relu(gradients, hidden, totals):
    """Set the gradients of units that were off to zero; writes the sums over all samples."""
    totals[:] = 0
    for sample in range(len(gradients)):
        own, units = gradients[sample], hidden[sample]
        for k in range(len(totals)):
            own[k] = own[k] if units[k] > 0 else np.float32(0)
            totals[k] += own[k]


@hot_sums
def step_moves(gradients, moves, hidden, weights, means, squares, scales):
    """One step of Adam for the output layer, ``[move, atom x unit]``; others' gradients are zero.

    A row's gradient is found and used while it is at hand; it is never written down.
    """
    width = hidden.shape[1]
    total = np.empty(width, np.float32)
    made = np.empty(len(moves), np.int64)
    for move in range(len(weights)):
        n = 0
        for sample in range(len(moves)):
            made[n] = sample
            n += moves[sample] == move
        if n == 0:
            step_without(weights[move], means[move], squares[move], scales)
            continue
        for atom in range(gradients.shape[1]):
            gradient, units = gradients[made[0], atom], hidden[made[0]]
            for k in range(width):
                total[k] = gradient * units[k]
            for place in range(1, n):
                gradient, units = gradients[made[place], atom], hidden[made[place]]
                for k in range(width):
                    total[k] += gradient * units[k]
            own = slice(atom * width, (atom + 1) * width)
            step_with(total, weights[move, own], means[move, own], squares[move, own], scales)


@hot
def step_biases(gradients, moves, weights, means, squares, scales):
    """One step of Adam for the biases of the output layer, ``[move x atom]``."""
    n_atoms = gradients.shape[1]
    total = np.zeros(len(weights), np.float32)
    for sample in range(len(moves)):
        first = moves[sample] * n_atoms
        for atom in range(n_atoms):
            total[first + atom] += gradients[sample, atom]
    step_with(total, weights, means, squares, scales)


@hot_sums
def find_best(probs, atoms, legal, best):
    """Write the legal moves of highest expected return, 0 where there is none."""
    for sample in range(len(best)):
        best[sample] = 0
        highest = np.float32(-np.inf)
        for move in range(probs.shape[1]):
            if not legal[sample, move]:
                continue
            own = probs[sample, move]
            value = np.float32(0)
            for atom in range(len(atoms)):
                value += own[atom] * atoms[atom]
            if value > highest:
                best[sample], highest = move, value


@hot
def project(probs, chosen, gains, discounts, atoms, out):
    """Write the distributions of gain + discount x return, brought back onto the atoms.

    The returns are those of one chosen move per row. The probability of what falls between two
    atoms is shared among them by nearness; what falls beyond the outermost goes to these.
    """
    last = len(atoms) - 1
    step = atoms[1] - atoms[0]
    out[:] = 0
    for sample in range(len(gains)):
        own = probs[sample, chosen[sample]]
        for atom in range(len(atoms)):
            moved = gains[sample] + discounts[sample] * atoms[atom]
            place = min(max((moved - atoms[0]) / step, 0.0), float(last))
            below = int(place)
            above_prob = own[atom] * (place - below)
            out[sample, below] += own[atom] - above_prob
            out[sample, min(below + 1, last)] += above_prob
