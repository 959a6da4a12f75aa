"""Depth-one search over a blueprint, after Bouzy (2017) and SPARTA (Lerer et al. 2020).

    search:blueprint=hat-information,samples=1000

Each candidate move is tried on imagined deals, which the blueprint plays to the end in all seats;
the blueprint's own move stands unless another is better by ``delta`` points and by more than one
standard error. Where the deals come from: ``tamaya.search.belief``; how moves are compared:
``tamaya.search.weighing``.
"""

import numpy as np

from tamaya.compiled import hot
from tamaya.moves import move_phrase
from tamaya.rules import Rules
from tamaya.search.blueprint import blueprint_agent, policy_named
from tamaya.search.simulate import random_seed
from tamaya.search.weighing import N_IDS, WEIGHT, gain_of, leader, mean_and_error, weigh


@hot
def chosen(weights, usual, delta):
    """The best move if it is clearly better than the policy's, otherwise that."""
    best = leader(weights, usual)
    if usual < 0 or best == usual:
        return best
    mean, error = gain_of(weights[best])
    return best if mean >= delta and mean > error else usual


@blueprint_agent(
    "search",
    nested={"blueprint": policy_named("hat-information")},
    params={"samples": 1000, "ms": 0.0, "delta": 0.05, "errors": 2.5, "stretch": 2, "hints": 1,
            "bouzy": False, "trust": 0.0, "recent": 4, "keep": False, "depth": 1, "replies": 10},
    source="Bouzy 2017; Lerer et al. 2020",
    slow=True,
)  # fmt: skip
def search(view, memory, params):
    """Tries every move on imagined deals that its blueprint plays to the end."""
    weights = np.zeros(N_IDS, WEIGHT)
    usual = weigh(view, random_seed(memory), params, -1, weights)
    return chosen(weights, usual, params.delta)


@search.explain
def explain_search(view, memory, params):
    """Every move that was tried, the best first: mean, gain over the blueprint's move, deals."""
    weights = np.zeros(N_IDS, WEIGHT)
    seed = np.uint64(random_seed(memory.copy()))  # the game goes on as if nobody had asked
    usual = weigh(view, seed, params, -1, weights)
    rules = sizes(view)
    rows = [("the blueprint's move", move_phrase(rules, usual))] if usual >= 0 else []
    tried = [move for move in range(N_IDS) if weights[move].n > 0]
    for move in sorted(tried, key=lambda move: -weights[move].total / weights[move].n):
        weight = weights[move]
        mean, error = mean_and_error(weight.n, weight.total, weight.squares)
        gain, gain_error = mean_and_error(weight.n, weight.gain, weight.gain_squares)
        rows.append((
            move_phrase(rules, move),
            f"{mean:.2f} ± {error:.2f}, gain {gain:+.3f} ± {gain_error:.3f}, {weight.n} deals",
        ))  # fmt: skip
    return rows


def sizes(view: np.record) -> Rules:
    """Rules with the sizes of a view, for the names of moves."""
    return Rules(players=int(view.players), colours=int(view.colours), ranks=int(view.ranks),
                 hand_size=int(view.hand_size))  # fmt: skip
