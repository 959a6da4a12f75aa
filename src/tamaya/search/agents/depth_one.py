"""Depth-one search over a blueprint, after Bouzy (2017) and SPARTA (Lerer et al. 2020).

    search:blueprint=hat-information,samples=1000

Each candidate move is tried on imagined deals, which the blueprint plays to the end in all seats;
the blueprint's own move is kept unless another is better by ``margin`` points and by more than one
standard error. ``tamaya.search.sampling.sampler`` supplies the deals, ``tamaya.search.race`` the
comparison.
"""

import numpy as np

from tamaya.compiled import hot, popcount
from tamaya.game_kernels import MOVE_BIT, legal_mask
from tamaya.moves import move_phrase
from tamaya.rng import seed_of
from tamaya.rules import MAX_MOVES, Rules
from tamaya.search.blueprint import blueprint_named
from tamaya.search.parameters import search_agent
from tamaya.search.race import ARM, chosen, mean_and_error, new_race, run_race
from tamaya.search.sampling.conventions import conventional_moves
from tamaya.search.sampling.marginals import sample_by_conventions, sampled_beliefs
from tamaya.search.sampling.sampler import belief_sampler, sample_deal
from tamaya.search.team import legal_blueprint_move, make_team, replay_history
from tamaya.search.workspace import N_IDS, new_workspace, random_seed

OWN, CONVENTIONAL, ALL = 0, 1, 2  # hints to try


@hot
def candidates(workspace, team, game, default, hints):
    """Moves to try, as a mask: plays, discards, and the requested kinds of hints."""
    legal = legal_mask(workspace.now[0])
    first_hint = MOVE_BIT[2 * game.hand_size]
    moves = legal
    if hints != ALL:
        moves = legal & (first_hint - MOVE_BIT[0])
        if hints == CONVENTIONAL:
            moves |= conventional_moves(workspace, team, game, legal & ~moves)
    return moves | MOVE_BIT[default] if default >= 0 else (moves if moves else legal)


@hot
def compare_moves(view, seed, params, against, arms):
    """Compare the moves of a view; returns the blueprint's own move, or -1 if it has none.

    Gains are over the move ``against`` or, if that is -1, the blueprint's.
    """
    workspace = new_workspace(view, params.samples, params.ms)
    team = make_team(params, view.players)
    sampler = belief_sampler(workspace, team, params, seed)
    game = sample_deal(workspace, team, sampler, 0, seed_of(seed, 0))
    replay_history(team, seed_of(seed, 0), game, workspace.again[0], workspace.seen[0])
    default = legal_blueprint_move(team, game, workspace.seen[0])
    moves = candidates(workspace, team, game, default, params.hints)
    for move in range(N_IDS):
        arms[move].is_live = moves & MOVE_BIT[move] != 0
    if popcount(moves) > 1:
        race = new_race(workspace, team, params, default, against, arms)
        run_race(workspace, team, sampler, race, params, seed)
    return default


@search_agent(
    "search",
    nested={"blueprint": blueprint_named("hat-information")},
    params={"samples": 1000, "ms": 0.0, "margin": 0.05, "errors": 2.5, "stretch": 2, "hints": 1,
            "bouzy": False, "trust": 0.0, "recent": 4, "keep": False, "depth": 1, "replies": 10,
            "rollout": MAX_MOVES},
    most={"samples": 10**6},  # it keeps the outcomes of every deal
    source="Bouzy 2017; Lerer et al. 2020",
)  # fmt: skip
def search(view, memory, params):
    """Tries every move on imagined deals that its blueprint plays to the end."""
    arms = np.zeros(N_IDS, ARM)
    default = compare_moves(view, random_seed(memory), params, -1, arms)
    return chosen(arms, default, params.margin)


search.believe(sampled_beliefs(sample_by_conventions))


@search.explain
def explain_search(view, memory, params):
    """Every move that was tried, the best first: mean, gain over the blueprint's move, deals."""
    arms = np.zeros(N_IDS, ARM)
    seed = np.uint64(random_seed(memory.copy()))  # so that explaining does not affect the game
    default = compare_moves(view, seed, params, -1, arms)
    rules = sizes(view)
    rows = [("the blueprint's move", move_phrase(rules, default))] if default >= 0 else []
    return rows + rows_of_arms(arms, rules)


def rows_of_arms(arms: np.ndarray, rules: Rules) -> list[tuple[str, str]]:
    """A row for each move that was tried, the best first."""
    rows = []
    means = arms["total"] / np.maximum(arms["n"], 1)
    tried = [move for move in range(N_IDS) if arms["n"][move] > 0]
    for move in sorted(tried, key=lambda move: -means[move]):
        arm = arms[move]
        mean, error = mean_and_error(arm.n, arm.total, arm.squares)
        gain, gain_error = mean_and_error(arm.n, arm.gain, arm.gain_squares)
        rows.append((
            move_phrase(rules, move),
            f"{mean:.2f} ± {error:.2f}, gain {gain:+.3f} ± {gain_error:.3f}, {arm.n} deals",
        ))  # fmt: skip
    return rows


def sizes(view: np.record) -> Rules:
    """Rules with the sizes of a view, for the names of moves."""
    return Rules(players=int(view.players), colours=int(view.colours), ranks=int(view.ranks),
                 hand_size=int(view.hand_size))  # fmt: skip
