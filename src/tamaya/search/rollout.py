"""Rollouts: continuing imagined games, and the value of their outcome.

``play_out`` lets the blueprint move in all seats, ``play_moves`` does so after each of several
moves on the same deal. ``estimate`` is a cheap value for rollouts that stop early: points so far,
plus terms for points still possible in the remaining turns, cards that their holders know to be
playable, tokens and lives. Its weights are guesses that order positions, not
predictions; a rollout to the end is better and some thirty times as expensive.
"""

import numpy as np

from tamaya.compiled import hot, popcount
from tamaya.dispatch import call_act
from tamaya.game_kernels import MOVE_BIT, apply_move, give_up, is_legal, legal_mask, nth_move, score
from tamaya.records import RUNNING
from tamaya.rng import random_below
from tamaya.search.budget import is_late
from tamaya.search.team import (
    apply_and_observe,
    legal_blueprint_move,
    replay_history,
    restore,
)
from tamaya.search.workspace import N_IDS, draw_deal
from tamaya.seating import memory_of, observe_event
from tamaya.view import fill_view, playable_mask, reachable_rank

PER_REACHABLE = 0.35  # of a point that can still be scored
PER_KNOWN = 0.5  # of a card, times the probability that it is playable to its holder
PER_TOKEN, PER_LIFE = 0.1, 0.5
LIKELY = 0.6  # probability at which a holder would play


@hot
def random_legal(moves, memory):
    """One move of a mask, all equally likely."""
    return nth_move(moves, random_below(memory, popcount(moves)))


@hot
def random_rollout(game, n_plies, memory):
    """Play on with random legal moves."""
    for _ in range(n_plies):
        if game.status != RUNNING:
            return
        apply_move(game, random_legal(legal_mask(game), memory))


@hot
def follow(team, game, move, view):
    """Make a move of the blueprint; one that gives up, fails or is illegal ends the game."""
    if is_legal(game, move):
        apply_and_observe(team, game, move, view)
    else:
        give_up(game)


@hot
def play_out(team, game, n_plies, view):
    """Play on by the blueprint in all seats."""
    play_on(team.roster, team.seating, team.info[0], team.memories, game, n_plies, view)


@hot
def play_on(roster, seating, info, memories, game, n_plies, view):
    """``play_out`` with the parts of a team.

    Taking them out of the tuple counts references, at every move a third of the time of a rollout.
    """
    who, is_filled = roster[0], False
    for _ in range(n_plies):
        if game.status != RUNNING:
            return
        seat = np.int64(game.mover)
        if not is_filled:
            fill_view(game, seat, view)
        move = call_act(who.act, view, memory_of(info, memories, seat), who.params)
        if not is_legal(game, move):
            give_up(game)
            return
        apply_move(game, move)
        if info.any_observes:
            observe_event(game, view, roster, seating, info, memories)
            is_filled = info.shared != 0  # with the view of the seat to move


@hot
def default_move(workspace, team, seed):
    """The blueprint's own move at the root, or -1 if it has none."""
    game = draw_deal(workspace, seed)
    replay_history(team, seed, game, workspace.again[0], workspace.seen[0])
    return legal_blueprint_move(team, game, workspace.seen[0])


@hot
def play_moves(workspace, team, saved, moves, params, values):
    """Play out each move of a mask on a saved deal and write the outcomes by move.

    Returns whether time allowed all of them.
    """
    game, seen = workspace.game[0], workspace.seen[0]
    for move in range(N_IDS):
        if moves & MOVE_BIT[move]:
            if is_late(workspace.budget[0]):
                return False
            restore(team, game, saved)
            apply_and_observe(team, game, move, seen)
            play_out(team, game, params.rollout, seen)
            values[move] = outcome_value(game, params.keep)
    return True


@hot
def best_total(totals, moves, default, bonus):
    """The move of a mask with the highest total; ``default``, if any, has a bonus and wins ties."""
    best, most = default, -np.inf
    if default >= 0:
        most = totals[default] + bonus
    for move in range(N_IDS):
        if moves & MOVE_BIT[move] and totals[move] > most:
            best, most = move, totals[move]
    return best


@hot
def outcome_value(game, keeps_points):
    """Value of an imagined game: its score or, with ``keep``, its points even after a bomb-out."""
    return float(game.points) if keeps_points else float(score(game))


@hot
def n_reachable(game):
    """Points that discards and the remaining turns still allow."""
    n = 0
    for colour in range(game.colours):
        n += reachable_rank(game, colour) - game.firework[colour]
    n_turns = game.deck_size + game.turns_left
    return min(n, n_turns)


@hot
def known_plays(game):
    """Sum over all hands of the probabilities that cards are playable to their holders, if high."""
    playable, total = playable_mask(game), 0.0
    for seat in range(game.players):
        for slot in range(game.hand_size):
            possible = game.possible[seat, slot]
            if game.order[seat, slot] >= 0 and possible:
                likely = popcount(possible & playable) / popcount(possible)
                if likely >= LIKELY:
                    total += likely
    return total


@hot
def estimate(game):
    """Value of a position in points; for a finished game its score."""
    if game.status != RUNNING:
        return float(score(game))
    return (
        game.points
        + PER_REACHABLE * n_reachable(game)
        + PER_KNOWN * known_plays(game)
        + PER_TOKEN * game.tokens
        + PER_LIFE * game.lives
    )
