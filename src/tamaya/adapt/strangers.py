"""Strangers: models that compete with the known agents for being the partner, during a game.

One is a model of people, the other what is expected of anybody who plays no code. Both say how
likely each of the partners' moves was, in the same imagined deals in which the known agents are
asked. A model never explains a known agent's moves as well as that agent itself does, but it
explains those of somebody who is not in the library better than all that are.
"""

import numpy as np

from tamaya.adapt.features import N_WEIGHTS, ROW
from tamaya.adapt.hints import HINTS, forget, note
from tamaya.adapt.model import N_MOVES, move_share, write_logits
from tamaya.adapt.playing import DEALS
from tamaya.adapt.position import FACTS
from tamaya.adapt.prior import people, prior
from tamaya.adapt.recognise import NOISE
from tamaya.compiled import hot, popcount
from tamaya.game_kernels import apply_move, copy_game, deal, legal_mask
from tamaya.records import record
from tamaya.search.workspace import draw_deal, new_workspace
from tamaya.view import fill_view

KNOWN, PEOPLE, ANYBODY = -1, 0, 1  # a known agent, and the places of the models
NAMES_OF_MODELS = ("people", "somebody unknown")
N_MODELS = len(NAMES_OF_MODELS)
SHARES = (0.3, 0.02)  # of all partners, before the first move
LIKELY = 0.5  # that the partner is a stranger: below, it plays what suits known agents
EXCLUDED = -1e9  # logarithm of the share of a model that must not be known

MODELS = record([
    ("prior", np.float64, N_MODELS),  # logarithms of shares
    ("weights", np.float64, (N_MODELS, N_WEIGHTS)),
])  # fmt: skip
MEMORY = [
    ("model_logs", np.float64, N_MODELS),  # log-likelihood of the partners' moves, with prior
]


def models_record(players: int, without: tuple[str, ...]) -> np.ndarray:
    """The models of a table size."""
    models = np.zeros(1, MODELS)
    models["prior"] = np.log(SHARES)
    models["weights"][0, ANYBODY] = prior(players, without).mean
    weights = people(players, without)
    if weights is None:
        models["prior"][0, PEOPLE] = EXCLUDED
    else:
        models["weights"][0, PEOPLE] = weights
    return models


@hot
def hear_models(view, models, memory, seed):
    """Take the partners' moves since the last decision into account, before ``hear`` does."""
    if memory.n_heard == 0:
        memory.model_logs[:] = models.prior
    first, n = np.int64(memory.n_heard), np.int64(view.n_moves)
    if n == first:
        return
    workspace = new_workspace(view, 1, 0.0)
    chances, n_legal = np.zeros((N_MODELS, n - first)), np.zeros(n - first)
    hints, facts, row, logits = (np.zeros(1, HINTS), np.zeros(1, FACTS), np.zeros(1, ROW),
                                 np.zeros(N_MOVES))  # fmt: skip
    again, seen = workspace.again[0], workspace.seen[0]
    for number in range(DEALS):
        copy_game(again, draw_deal(workspace, seed + np.uint64(number)))
        deal(again)
        forget(hints[0])
        for k in range(n):
            event = view.history[k]
            move = np.int64(event.move)
            if k >= first and event.seat != view.seat:
                fill_view(again, np.int64(event.seat), seen)
                n_legal[k - first] = popcount(legal_mask(again))
                for kind in range(N_MODELS):
                    write_logits(seen, hints[0], facts[0], row[0], models.weights[kind], logits)
                    chances[kind, k - first] += move_share(logits, move)
            apply_move(again, move)
            note(again, again.history[again.n_moves - 1], hints[0])
    for k in range(n - first):
        if n_legal[k] > 0:
            for kind in range(N_MODELS):
                share = chances[kind, k] / DEALS
                memory.model_logs[kind] += np.log((1.0 - NOISE) * share + NOISE / n_legal[k])


@hot
def share_of(memory, kind, n_known):
    """The probability of a model among the models and the known agents."""
    best = memory.model_logs.max()
    for k in range(n_known):
        best = max(best, memory.logs[k])
    mass = 0.0
    for other in range(N_MODELS):
        mass += np.exp(memory.model_logs[other] - best)
    for k in range(n_known):
        mass += np.exp(memory.logs[k] - best)
    return np.exp(memory.model_logs[kind] - best) / mass


@hot
def stranger(memory, n_known):
    """The likelier model if the partner is probably a stranger, or else KNOWN."""
    total = 0.0
    for kind in range(N_MODELS):
        total += share_of(memory, kind, n_known)
    if total < LIKELY:
        return KNOWN
    return PEOPLE if memory.model_logs[PEOPLE] >= memory.model_logs[ANYBODY] else ANYBODY
