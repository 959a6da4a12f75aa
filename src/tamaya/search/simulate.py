"""One decision's imagination: the records it works in, its budget, and playing games on.

A *stage* holds the position as its seat sees it, the game that is being imagined, and scratch
space; everything is allocated once per decision. ``raise_curtain`` begins another imagined game.
"""

from typing import NamedTuple

import numpy as np

from tamaya.compiled import hot, popcount
from tamaya.game_kernels import apply_move, give_up, is_legal, legal_mask, nth_move, score
from tamaya.records import GAME, RUNNING, VIEW, record
from tamaya.rng import GOLDEN, random_below, scramble
from tamaya.search.blueprint import ask, carry_on
from tamaya.search.clock import nanoseconds
from tamaya.search.determinize import PLAN, copy_game, imagine, plan_hand, redeal, shuffle_rest

GENERATOR = record([("rng", np.uint64)])
BUDGET = record([
    ("iterations", np.int64),
    ("deadline", np.int64),  # in nanoseconds of the clock, 0 if iterations decide
])  # fmt: skip

# Lowest values of parameters that search agents have.
LEAST = {"iterations": 1, "ms": 0.0, "depth": 0, "rollout": 0, "c": 0.0, "trust": 0.0, "recent": 0}


class Stage(NamedTuple):
    """Records of one decision."""

    seat: int
    now: np.ndarray  # GAME: the position, hidden places in any order
    game: np.ndarray  # GAME: the imagined game
    again: np.ndarray  # GAME: to play the history once more in
    seen: np.ndarray  # VIEW: what the imagined mover sees
    plan: np.ndarray  # PLAN: [0] of the own hand, [1] of another
    dice: np.ndarray  # GENERATOR: of the imagined game
    budget: np.ndarray  # BUDGET


@hot
def set_stage(view, params):
    """Make the stage of a decision; its clock starts now."""
    return open_stage(view, params.iterations, params.ms)


@hot
def open_stage(view, iterations, ms):
    """Make the stage of a decision with a budget of iterations or, if not 0, milliseconds."""
    stage = Stage(
        np.int64(view.seat), np.zeros(1, GAME), np.zeros(1, GAME), np.zeros(1, GAME),
        np.zeros(1, VIEW), np.zeros(2, PLAN), np.zeros(1, GENERATOR), np.zeros(1, BUDGET),
    )  # fmt: skip
    stage.budget[0].iterations = iterations
    if ms > 0:
        stage.budget[0].deadline = nanoseconds() + np.int64(1e6 * ms)
    imagine(view, stage.now[0])
    copy_game(stage.again[0], stage.now[0])  # for the rules; its play is overwritten
    plan_hand(stage.now[0], stage.seat, stage.plan[0])
    return stage


@hot
def is_spent(budget, n):
    """Whether a budget is used up after some iterations."""
    if budget.deadline > 0:
        return nanoseconds() >= budget.deadline
    return n >= budget.iterations


@hot
def random_seed(memory):
    """64 random bits from the generator of an agent's memory."""
    memory.rng += GOLDEN
    return scramble(memory.rng)


@hot
def raise_curtain(stage, seed):
    """Imagine the hidden cards anew, fixed by a seed; gives the game."""
    game, dice = stage.game[0], stage.dice[0]
    dice.rng = seed
    copy_game(game, stage.now[0])
    redeal(game, stage.seat, stage.plan[0], dice)
    shuffle_rest(game, dice)
    return game


@hot
def random_legal(moves, memory):
    """One move of a mask, all equally likely."""
    return nth_move(moves, random_below(memory, popcount(moves)))


@hot
def wander(game, n_plies, memory):
    """Play on with random legal moves."""
    for _ in range(n_plies):
        if game.status != RUNNING:
            return
        apply_move(game, random_legal(legal_mask(game), memory))


@hot
def follow(team, game, move, view):
    """Make a move of the policy; one that gives up, fails or is illegal ends the game."""
    if is_legal(game, move):
        carry_on(team, game, move, view)
    else:
        give_up(game)


@hot
def play_out(team, game, n_plies, view):
    """Play on by the policy in all seats."""
    for _ in range(n_plies):
        if game.status != RUNNING:
            return
        follow(team, game, ask(team, game, view), view)


@hot
def worth(game, keeps_points):
    """Value of an imagined game: its score or, if asked for, its points after a bomb as well."""
    return float(game.points) if keeps_points else float(score(game))
