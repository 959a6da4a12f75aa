"""A model of a partner: a soft choice over its legal moves by weighted features, fitted to games.

The probability of a move is the softmax of ``weights · features``. Weights are found by maximum
likelihood under a Gaussian prior, so that what the games do not show stays near what is expected of
a stranger; how wide the prior is, compared with what known agents suggest, is decided by games that
are left out of the fit, or by turns if there are too few games.
"""

import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from tamaya.adapt.features import BLOCK, N_WEIGHTS, ROW, TABLES, describe
from tamaya.adapt.hints import HINTS, note
from tamaya.adapt.position import FACTS, find_facts
from tamaya.adapt.recognise import EVERYBODY
from tamaya.compiled import hot, hot_sums
from tamaya.game import Game
from tamaya.game_kernels import MOVE_BIT, apply_move, copy_game, deal, legal_mask
from tamaya.player import AgentError
from tamaya.records import GAME, VIEW
from tamaya.view import fill_view

NEVER = -1e9  # logit of an illegal move
N_MOVES = 64  # more than there are
DENSE_PENALTY = 0.5
TABLE_PENALTY = 4.0
WIDTHS = (0.1, 0.3, 0.6, 1.0, 2.0)  # factors of the variance of a prior
LEFT_OUT = 0.3  # share of the games that decide between them
FEW_GAMES = 3  # below which turns decide, each part of them left out once
FOLDS, TURNS_TOGETHER = 3, 2
ENTRIES = 48  # of a move on average, for the size of arrays
HISTORY = 10  # steps that L-BFGS remembers


class Choices(NamedTuple):
    """Decisions as rows of features: decision d has moves ``first[d]`` to ``first[d + 1] - 1``."""

    first: np.ndarray  # of the moves of each decision, and the end
    chosen: np.ndarray  # the move that was made, by its number among all
    start: np.ndarray  # of the features of each move, and the end
    place: np.ndarray
    value: np.ndarray


class Prior(NamedTuple):
    """What is expected of the weights of a model before any game: independent Gaussians."""

    mean: np.ndarray
    variance: np.ndarray


@hot_sums
def block_sum(block, weights):
    """The weighted sum of a block of features."""
    total = 0.0
    for k in range(BLOCK):
        total += block[k] * weights[k]
    return total


@hot
def write_logits(view, hints, facts, row, weights, logits):
    """Write the logits of all moves of a view, NEVER where illegal; returns the likeliest."""
    find_facts(view, hints, facts)
    legal = legal_mask(view)
    best = -1
    for move in range(N_MOVES):
        logits[move] = NEVER
        if legal & MOVE_BIT[move]:
            describe(view, hints, facts, move, row)
            total = block_sum(row.block, weights[row.at : row.at + BLOCK])
            for k in range(row.n):
                total += weights[row.entry[k]]
            logits[move] = total
            if best < 0 or total > logits[best]:
                best = move
    return best


@hot
def move_share(logits, move):
    """The probability of a legal move by its logit."""
    top, mass = logits.max(), 0.0
    for other in range(N_MOVES):
        if logits[other] > NEVER:
            mass += np.exp(logits[other] - top)
    return np.exp(logits[move] - top) / mass


@hot
def gather_game(game, seats, again, view, hints, facts, row, choices, counts):
    """Append the decisions of some seats; ``counts`` has how many decisions, moves and features."""
    first, chosen, start, place, value = choices
    copy_game(again, game)
    deal(again)
    for k in range(game.n_moves):
        made = np.int64(game.history[k].move)
        legal = legal_mask(again) if seats >> np.int64(again.mover) & 1 else np.uint64(0)
        if legal:
            fill_view(again, np.int64(again.mover), view)
            find_facts(view, hints, facts)
            first[counts[0]] = counts[1]
        for move in range(N_MOVES):
            if legal & MOVE_BIT[move]:
                describe(view, hints, facts, move, row)
                if move == made:
                    chosen[counts[0]] = counts[1]
                start[counts[1]] = counts[2]
                for j in range(BLOCK):
                    if row.block[j] != 0:
                        place[counts[2]] = row.at + j
                        value[counts[2]] = row.block[j]
                        counts[2] += 1
                for j in range(row.n):
                    place[counts[2]] = row.entry[j]
                    value[counts[2]] = 1.0
                    counts[2] += 1
                counts[1] += 1
        counts[0] += 1 if legal else 0
        apply_move(again, made)
        note(again, again.history[again.n_moves - 1], hints)
    first[counts[0]] = counts[1]
    start[counts[1]] = counts[2]


def choices_of(games: Sequence[Game], seats: Sequence[int] = ()) -> Choices:
    """The decisions of all seats of some games, or of some seats of each, as bits."""
    n = sum(game.turn for game in games)
    n_moves = n * games[0].rules.n_moves if games else 0
    choices = Choices(np.zeros(n + 1, np.int64), np.zeros(n, np.int64),
                      np.zeros(n_moves + 1, np.int64), np.zeros(n_moves * ENTRIES, np.int16),
                      np.zeros(n_moves * ENTRIES, np.float32))  # fmt: skip
    counts = np.zeros(3, np.int64)
    again, view, facts, row = (np.zeros(1, kind) for kind in (GAME, VIEW, FACTS, ROW))
    for game, bits in zip(games, seats or [EVERYBODY] * len(games), strict=True):
        hints = np.zeros(1, HINTS)
        gather_game(game.record, np.int64(bits), again[0], view[0], hints[0], facts[0], row[0],
                    choices, counts)  # fmt: skip
    first, chosen, start, place, value = choices
    first, chosen = first[: counts[0] + 1], chosen[: counts[0]]
    return Choices(first, chosen, start[: counts[1] + 1], place[: counts[2]], value[: counts[2]])


@hot
def likelihood(choices, weights, gradient, logits):
    """Log-likelihood of decisions; adds its gradient."""
    first, chosen, start, place, value = choices
    total = 0.0
    for d in range(len(chosen)):
        top = -np.inf
        for m in range(first[d], first[d + 1]):
            logit = 0.0
            for k in range(start[m], start[m + 1]):
                logit += value[k] * weights[place[k]]
            logits[m] = logit
            top = max(top, logit)
        mass = 0.0
        for m in range(first[d], first[d + 1]):
            mass += np.exp(logits[m] - top)
        total += logits[chosen[d]] - top - np.log(mass)
        for m in range(first[d], first[d + 1]):
            excess = (1.0 if m == chosen[d] else 0.0) - np.exp(logits[m] - top) / mass
            for k in range(start[m], start[m + 1]):
                gradient[place[k]] += excess * value[k]
    return total


def log_likelihood(choices: Choices, weights: np.ndarray) -> float:
    """Mean log-likelihood of a decision, in nats."""
    logits = np.zeros(max(1, len(choices.start)))
    total = likelihood(choices, weights.astype(float), np.zeros(N_WEIGHTS), logits)
    return float(total) / max(1, len(choices.chosen))


def part_of(choices: Choices, wanted: np.ndarray) -> Choices:
    """Some decisions, by a mask."""
    first, chosen, start, place, value = choices
    is_move = np.repeat(wanted, np.diff(first))
    is_entry = np.repeat(is_move, np.diff(start))
    n_moves, n_entries = np.diff(first)[wanted], np.diff(start)[is_move]
    begin = np.concatenate([[0], np.cumsum(n_moves)])
    return Choices(begin, begin[:-1] + (chosen - first[:-1])[wanted],
                   np.concatenate([[0], np.cumsum(n_entries)]), place[is_entry],
                   value[is_entry])  # fmt: skip


def unknown(tables: float = TABLE_PENALTY, dense: float = DENSE_PENALTY) -> Prior:
    """The prior if nothing is known: weights are near zero, those of the tables nearer."""
    variance = np.full(N_WEIGHTS, 1 / tables)
    variance[:TABLES] = 1 / dense
    return Prior(np.zeros(N_WEIGHTS), variance)


def fit(choices: Choices, prior: Prior, width: float = 1.0, steps: int = 100) -> np.ndarray:
    """The likeliest weights under a prior whose variances are multiplied by a width."""
    mean, penalty = prior.mean, 1 / (width * prior.variance)
    logits = np.zeros(len(choices.start))

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        gradient = np.zeros(N_WEIGHTS)
        total = likelihood(choices, weights, gradient, logits)
        away = weights - mean
        return 0.5 * float(penalty @ away**2) - total, penalty * away - gradient

    return minimum(loss, mean.copy(), steps)


def minimum(
    loss: Callable[[np.ndarray], tuple[float, np.ndarray]], place: np.ndarray, steps: int
) -> np.ndarray:
    """The minimum of a smooth convex function by L-BFGS with backtracking."""
    value, slope = loss(place)
    pairs: list[tuple[np.ndarray, np.ndarray]] = []
    for _ in range(steps):
        ahead = -_scaled_by_curvature(slope, pairs)
        descent = float(slope @ ahead)
        if descent >= 0:
            ahead, pairs = -slope, []
            descent = float(slope @ ahead)
        length = 1.0 if pairs else 0.5 / max(1.0, float(np.abs(slope).max()))
        for _ in range(20):
            found, gradient = loss(place + length * ahead)
            if found <= value + 1e-4 * length * descent:
                break
            length *= 0.5
        step, change = length * ahead, gradient - slope
        if step @ change > 1e-10:
            pairs = [*pairs[-HISTORY + 1 :], (step, change)]
        is_done = abs(value - found) < 1e-5 * abs(found)
        place, value, slope = place + step, found, gradient
        if is_done:
            break
    return place


def _scaled_by_curvature(
    slope: np.ndarray, pairs: list[tuple[np.ndarray, np.ndarray]]
) -> np.ndarray:
    """The two loops of L-BFGS: a slope times the inverse curvature of past steps."""
    result, factors = slope.copy(), []
    for step, change in reversed(pairs):
        factor = (step @ result) / (change @ step)
        factors.append(factor)
        result -= factor * change
    if pairs:
        step, change = pairs[-1]
        result *= (step @ change) / (change @ change)
    for (step, change), factor in zip(pairs, reversed(factors), strict=True):
        result += step * (factor - (change @ result) / (change @ step))
    return result


def fitted(
    games: Sequence[Game],
    prior: Prior | None = None,
    seats: Sequence[int] = (),
    others: Sequence[Prior] = (),
) -> np.ndarray:
    """The weights of a model of the team that played some games, or some seats of each.

    If there are other priors, the games that are left out decide between them too.
    """
    priors = [unknown() if prior is None else prior, *others]
    bits = seats or [EVERYBODY] * len(games)
    choices = choices_of(games, bits)
    if len(games) >= FEW_GAMES:
        n_out = max(1, round(LEFT_OUT * len(games)))
        kept, out = (choices_of(games[part], bits[part])
                     for part in (slice(-n_out), slice(-n_out, None)))  # fmt: skip
        parts = [(kept, out)]
    else:
        fold = np.arange(len(choices.chosen)) // TURNS_TOGETHER % FOLDS
        parts = [(part_of(choices, fold != k), part_of(choices, fold == k)) for k in range(FOLDS)]
    likeliest, best = -np.inf, (priors[0], WIDTHS[0])
    for expected in priors:
        for width in WIDTHS:
            total = sum(log_likelihood(out, fit(kept, expected, width, steps=50))
                        for kept, out in parts)  # fmt: skip
            if total > likeliest:
                likeliest, best = total, (expected, width)
    return fit(choices, *best)


def weights_text(weights: np.ndarray) -> str:
    """Weights as a short text without commas, in half precision."""
    packed = zlib.compress(weights.astype("<f2").tobytes(), 9)
    return urlsafe_b64encode(packed).decode().rstrip("=")


def weights_of(text: str) -> np.ndarray:
    """The weights of a text; AgentError if it is not one."""
    try:
        packed = urlsafe_b64decode(text + "=" * (-len(text) % 4))
        weights = np.frombuffer(zlib.decompress(packed), "<f2").astype(float)
    except (ValueError, zlib.error):
        weights = np.zeros(0)
    if len(weights) != N_WEIGHTS or not np.isfinite(weights).all():
        raise AgentError(f"{text[:20]!r}... is not a fitted model: expected the text of "
                         f"{N_WEIGHTS} weights")  # fmt: skip
    return weights
