"""Playing as known agents: what one of them would do in my seat, and who the others are.

What an agent remembers follows from the events: the history is replayed in an imagined deal that
agrees with all hints, and the agent observes it from my seat alone, which sees none of the imagined
cards. So nothing but the probabilities of the partners is remembered from turn to turn, and the
agent may change during a game.
"""

import numpy as np

from tamaya.adapt.recognise import (
    CANDIDATE,
    NOISE,
    agreement,
    ask,
    ask_on,
    count_legal,
    new_stage,
    open_stage,
    place_of,
    step,
)
from tamaya.compiled import hot
from tamaya.game_kernels import is_legal, legal_mask, nth_move
from tamaya.records import record
from tamaya.rules import MAX_MOVES
from tamaya.search.workspace import draw_deal, new_workspace

MAX_LIBRARY = 64
DEALS = 16  # imagined to judge a move by, because the partner sees my hand and I do not
DRAWS = 4  # of a random decision
HOPELESS = 15.0  # behind the best: agents that are asked no more

LIBRARY = record([
    ("n", np.int64),
    ("member", CANDIDATE, MAX_LIBRARY),
    ("prior", np.float64, MAX_LIBRARY),                   # logarithms of probabilities
    ("payoff", np.float32, (MAX_LIBRARY, MAX_LIBRARY)),   # [member, partner] -> mean score
])  # fmt: skip

MEMORY = [
    ("n_heard", np.int64),  # moves that the probabilities take into account
    ("logs", np.float64, MAX_LIBRARY),  # log-likelihood of the partners' moves, with prior
]


@hot
def move_as(view, who, seed):
    """What a known agent would do in my seat, or a legal move if it gives up or fails."""
    stage = new_stage(np.int64(view.players), np.int64(who.words))
    if who.observe != 0:
        workspace = new_workspace(view, 1, 0.0)
        remember(stage, draw_deal(workspace, seed), who, np.int64(view.seat), seed)
        workspace.dice[0].rng = seed  # the records of a workspace live as long as it is used
    else:
        stage.memory[place_of(who, np.int64(view.seat))] = seed
    move = ask_on(stage, who, view)
    return move if is_legal(view, move) else nth_move(legal_mask(view), 0)


@hot
def remember(stage, game, who, me, seed):
    """Fill the memory of my seat by what it has seen of a game."""
    open_stage(stage, game, who, seed)
    for k in range(game.n_moves):
        if game.history[k].seat == me:
            ask(stage, who, me)  # it may remember what it decided
        step(stage, who, np.int64(game.history[k].move), me)


@hot
def hear(view, library, memory, seed):
    """Take the partners' moves since the last decision into account."""
    if memory.n_heard == 0:
        memory.logs[:] = library.prior
    first, n = np.int64(memory.n_heard), np.int64(view.n_moves)
    memory.n_heard = n
    if n == first or library.n == 0:
        return
    workspace = new_workspace(view, 1, 0.0)
    liked = np.zeros((library.n, n - first))
    n_legal = np.zeros(MAX_MOVES, np.int64)
    for number in range(DEALS):
        game = draw_deal(workspace, seed + np.uint64(number))
        if number == 0:
            count_legal(game, workspace.again[0], n_legal)
        best = memory.logs[: library.n].max()
        for k in range(library.n):
            if memory.logs[k] > best - HOPELESS:
                add_agreements(game, library.member[k], first, np.int64(view.seat), seed, liked[k])
    for turn in range(first, n):
        if view.history[turn].seat != view.seat:
            for k in range(library.n):
                share = liked[k, turn - first] / DEALS
                noise = NOISE / max(1, n_legal[turn])
                memory.logs[k] += np.log((1.0 - NOISE) * share + noise)


@hot
def add_agreements(game, who, first, me, seed, liked):
    """Add how far a candidate agrees with the others' moves from the first on, in a deal."""
    stage = new_stage(np.int64(game.players), np.int64(who.words))
    open_stage(stage, game, who, seed)
    for k in range(game.n_moves):
        seat, move = np.int64(game.history[k].seat), np.int64(game.history[k].move)
        if seat != me and k >= first:
            liked[k - first] += agreement(stage, who, seat, move, DRAWS)
        elif seat != me and who.observe != 0:
            ask(stage, who, seat)
        step(stage, who, move, -1)


@hot
def shares_of(library, logs, shares):
    """Write the probabilities that belong to log-likelihoods."""
    if library.n == 0:
        return
    best, total = logs[: library.n].max(), 0.0
    for k in range(library.n):
        shares[k] = np.exp(logs[k] - best)
        total += shares[k]
    for k in range(library.n):
        shares[k] /= total


@hot
def best_answer(library, shares):
    """The member with the highest expected score among partners with some probabilities."""
    best, highest = 0, -1.0
    for k in range(library.n):
        expected = 0.0
        for other in range(library.n):
            expected += shares[other] * library.payoff[k, other]
        if expected > highest:
            best, highest = k, expected
    return best


@hot
def expected_moves(view, who, move, n_deals, seed, counts):
    """Count what a known agent in the next seat would do after a move, in imagined deals."""
    workspace = new_workspace(view, 1, 0.0)
    stage = new_stage(np.int64(view.players), np.int64(who.words))
    for number in range(n_deals):
        game = draw_deal(workspace, seed + np.uint64(number))
        open_stage(stage, game, who, seed)
        for k in range(game.n_moves):
            if who.observe != 0:
                ask(stage, who, np.int64(game.history[k].seat))
            step(stage, who, np.int64(game.history[k].move), -1)
        again = stage.again[0]
        if move >= 0:
            step(stage, who, move, -1)
        if again.mover == view.seat:
            return
        reply = ask(stage, who, np.int64(again.mover))
        if is_legal(again, reply):
            counts[reply] += 1
