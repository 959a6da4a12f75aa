"""Weighing moves: each candidate on the same imagined deals, the worse dropped round by round.

All moves share the k-th deal, so what counts is the *gain* over a reference, by rule the policy's
own move, on the same deal. After each round, twice as long as the one before, moves are dropped
that are, by ``errors`` standard errors of the difference on the same deals, no better than the
leader, or do not gain what would make up for leaving the policy's move; what they would have cost
goes to the others. Comparing with the leader deal by deal, and stopping as soon as one move is
clearly better than the policy's, left out three playouts in ten of two games over ``confidence``.
"""

from math import sqrt
from typing import NamedTuple

import numpy as np

from tamaya.compiled import hot, popcount
from tamaya.game_kernels import MOVE_BIT, legal_mask
from tamaya.records import GAME, record
from tamaya.rules import MAX_MOVES
from tamaya.search.belief import form_belief, imagine_deal
from tamaya.search.blueprint import carry_on, gather
from tamaya.search.conventions import conventional_hints
from tamaya.search.determinize import copy_game
from tamaya.search.flat import legal_choice
from tamaya.search.reply import reply
from tamaya.search.simulate import is_spent, open_stage, play_out, worth
from tamaya.search.value import n_reachable

N_IDS = 64
FIRST_ROUND = 16
MAX_DEALS = 8192  # where time decides
SURE = 0.02  # points that are not worth a search
OWN, CONVENTIONAL, ALL = 0, 1, 2  # hints to try

WEIGHT = record([
    ("n", np.int64),             # deals that the move was tried on
    ("total", np.float64),       # of final scores
    ("squares", np.float64),
    ("gain", np.float64),        # over the reference on the same deals, added up
    ("gain_squares", np.float64),
    ("is_live", np.int64),       # not dropped yet
])  # fmt: skip


class Kept(NamedTuple):
    """What all moves of a deal begin with, and what they lead to."""

    deal: np.ndarray  # one GAME
    minds: np.ndarray  # the team's memory
    values: np.ndarray  # [deal, move] -> final score


@hot
def candidates(stage, team, game, usual, hints):
    """Moves to try, as a mask: plays, discards, and hints as asked for."""
    legal = legal_mask(stage.now[0])
    first_hint = MOVE_BIT[2 * game.hand_size]
    moves = legal
    if hints != ALL:
        moves = legal & (first_hint - MOVE_BIT[0])
        if hints == CONVENTIONAL:
            moves |= conventional_hints(stage, team, game, legal & ~moves)
    return moves | MOVE_BIT[usual] if usual >= 0 else (moves if moves else legal)


@hot
def try_deal(stage, team, params, weights, kept, values):
    """Play out all live moves on the imagined deal of the stage."""
    game, seen, minds = stage.game[0], stage.seen[0], team.minds
    kept.minds[:] = minds
    copy_game(kept.deal[0], game)
    for move in range(N_IDS):
        if weights[move].is_live:
            copy_game(game, kept.deal[0])
            minds[:] = kept.minds
            carry_on(team, game, move, seen)
            if params.depth > 1:
                reply(team, game, stage.dice[0].rng, seen, params)
            play_out(team, game, MAX_MOVES, seen)
            values[move] = worth(game, params.keep)


@hot
def add_values(weights, values, reference):
    """Add the scores of a deal to the weights of the live moves."""
    for move in range(N_IDS):
        weight = weights[move]
        if weight.is_live:
            gain = values[move] - values[reference]
            weight.n += 1
            weight.total += values[move]
            weight.squares += values[move] * values[move]
            weight.gain += gain
            weight.gain_squares += gain * gain


@hot
def mean_and_error(n, total, squares):
    """Mean and its standard error."""
    if n == 0:
        return 0.0, 0.0
    mean = total / n
    if n < 2:
        return mean, 0.0
    return mean, sqrt(max(0.0, squares / n - mean * mean) / (n - 1))


@hot
def gain_of(weight):
    """Mean gain of a move and its standard error, as if one more deal had differed by a point.

    So a move is not taken for surely equal because a few deals show no difference.
    """
    mean, error = mean_and_error(weight.n, weight.gain, weight.gain_squares)
    return mean, sqrt(error * error + 1.0 / max(1, weight.n) ** 2)


@hot
def leader(weights, usual):
    """The live move with the highest gain; the policy's, then the lowest, among equals."""
    best, most = usual, -np.inf
    if usual >= 0:
        most = gain_of(weights[usual])[0]
    for move in range(N_IDS):
        if weights[move].is_live and gain_of(weights[move])[0] > most:
            best, most = move, gain_of(weights[move])[0]
    return best


@hot
def most_gain(values, move, other, n, errors):
    """What a move can gain at most over another one, by the errors of n deals that both played."""
    total, squares = 0.0, 0.0
    for k in range(n):
        gain = np.float64(values[k, move] - values[k, other])
        total += gain
        squares += gain * gain
    mean, error = mean_and_error(n, total, squares)
    return mean + errors * sqrt(error * error + 1.0 / n**2)


@hot
def drop_worse(weights, values, n, reference, usual, params):
    """Drop the moves that have no chance to be chosen; gives how many are left."""
    best, n_left = leader(weights, usual), 0
    for move in range(N_IDS):
        if not weights[move].is_live:
            continue
        is_worse = move != best and most_gain(values, move, best, n, params.errors) < SURE
        if not is_worse and usual >= 0:
            is_worse = most_gain(values, move, usual, n, params.errors) < params.delta
        if is_worse and move != usual and move != reference:
            weights[move].is_live = 0
        else:
            n_left += 1
    return n_left


@hot
def is_settled(weights, reference, n_live, params):
    """Whether one move is left beside the reference, and clearly better."""
    if n_live != 2:
        return False
    mean, error = gain_of(weights[leader(weights, reference)])
    return mean - params.errors * error > params.delta


@hot
def is_good_enough(game, weights, usual):
    """Whether the policy's move nearly always leads to the highest score in reach."""
    if usual < 0 or weights[usual].n == 0:
        return False
    mean = weights[usual].total / weights[usual].n
    return mean >= game.points + n_reachable(game) - SURE


@hot
def weigh(view, seed, params, against, weights):
    """Weigh the moves of a view; gives the policy's own move, or -1 if it has none.

    Gains are over the move ``against`` or, if that is -1, the policy's. With ``errors=0`` nothing
    is dropped and every move gets its samples.
    """
    stage, team = open_stage(view, params.samples, params.ms), gather(params, view.players)
    belief = form_belief(stage, team, params, seed)
    game = imagine_deal(stage, team, belief, params, 0, seed)
    usual = legal_choice(team, game, stage.seen[0])
    moves = candidates(stage, team, game, usual, params.hints)
    for move in range(N_IDS):
        weights[move].is_live = moves & MOVE_BIT[move] != 0
    n_live = popcount(moves)
    reference = against if against >= 0 else usual
    if reference < 0:
        reference = leader(weights, -1)
    if n_live == 1:
        return usual
    is_timed = stage.budget[0].deadline > 0
    most = MAX_DEALS if is_timed else params.stretch * params.samples
    kept = Kept(np.zeros(1, GAME), team.minds.copy(), np.empty((most, N_IDS), np.float32))
    n_tries, n_deals, size = params.samples * n_live, 0, min(FIRST_ROUND, params.samples)
    while n_live > 1:
        size = min(size, most - n_deals)
        if not is_timed:
            size = min(size, n_tries // n_live)
        if size <= 0:
            break
        for k in range(n_deals, n_deals + size):
            if is_timed and k > 0 and is_spent(stage.budget[0], 0):
                return usual
            imagine_deal(stage, team, belief, params, k, seed)
            try_deal(stage, team, params, weights, kept, kept.values[k])
            add_values(weights, kept.values[k], reference)
        n_deals += size
        n_tries -= size * n_live
        size = n_deals
        if params.errors > 0:
            n_live = drop_worse(weights, kept.values, n_deals, reference, usual, params)
            if is_good_enough(stage.now[0], weights, usual):
                break
            if is_settled(weights, reference, n_live, params):
                break
    return usual
