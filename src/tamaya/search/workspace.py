"""The workspace of one decision: the position as its seat sees it, and records to imagine in.

Everything is allocated once per decision. ``draw_deal`` begins an imagined game using only the
hints; ``tamaya.search.sampling`` adds conventions and moves.
"""

from typing import NamedTuple

import numpy as np

from tamaya.compiled import hot
from tamaya.game_kernels import copy_game
from tamaya.records import GAME, VIEW, record
from tamaya.rng import GOLDEN, scramble
from tamaya.search.budget import BUDGET, set_budget
from tamaya.search.sampling.determinize import PLAN, fill_game, plan_hand, redeal, shuffle_rest

N_IDS = 64  # more than there are moves; arrays by move have this length
GENERATOR = record([("rng", np.uint64)])


class Workspace(NamedTuple):
    """Records of one decision."""

    seat: int
    now: np.ndarray  # GAME: the position, hidden places in any order
    game: np.ndarray  # GAME: the imagined game
    again: np.ndarray  # GAME: to replay the history in
    seen: np.ndarray  # VIEW: what the imagined mover sees
    plan: np.ndarray  # PLAN: [0] of its own hand, [1] of another
    dice: np.ndarray  # GENERATOR: of the imagined game
    budget: np.ndarray  # BUDGET


@hot
def new_workspace(view, samples, ms):
    """Create the workspace of a decision; its time, if ``ms`` is not 0, starts now."""
    workspace = Workspace(
        np.int64(view.seat), np.zeros(1, GAME), np.zeros(1, GAME), np.zeros(1, GAME),
        np.zeros(1, VIEW), np.zeros(2, PLAN), np.zeros(1, GENERATOR), np.zeros(1, BUDGET),
    )  # fmt: skip
    set_budget(workspace.budget[0], samples, ms)
    fill_game(view, workspace.now[0])
    copy_game(workspace.again[0], workspace.now[0])  # for the rules; its play is overwritten
    plan_hand(workspace.now[0], workspace.seat, workspace.plan[0])
    return workspace


@hot
def random_seed(memory):
    """64 random bits from the generator of an agent's memory."""
    memory.rng += GOLDEN
    return scramble(memory.rng)


@hot
def draw_deal(workspace, seed):
    """Draw the hidden cards by the plan of the own hand, determined by a seed; returns the game."""
    game, dice = workspace.game[0], workspace.dice[0]
    dice.rng = seed
    copy_game(game, workspace.now[0])
    redeal(game, workspace.seat, workspace.plan[0], dice)
    shuffle_rest(game, dice)
    return game
