"""The filter by intent: what others' moves say about the own hand if they follow the blueprint.

A team-mate who sees a playable card in my hand tells me; one who hints a single card wants it
played. None of this is in the hints themselves. So the recent moves of the others are recorded with
what each mover saw, except for my hand (``recent_moves``); an imagined hand gets a *strike* for
each of them that the blueprint, seeing that hand, would not have made (``n_explained``).

Blueprints that observe can be asked about the past only if their memory is common knowledge.
"""

from typing import NamedTuple

import numpy as np

from tamaya.compiled import hot
from tamaya.records import MINIMAL, VIEW
from tamaya.rng import random_unit
from tamaya.search.sampling.determinize import show_hand_in
from tamaya.search.team import (
    deal_again,
    knows_its_past,
    move_on,
    observes,
    replay_move,
    reset_memories,
    restore_memories,
    save_memories,
)
from tamaya.view import fill_view


class RecentMoves(NamedTuple):
    """Recent moves of others, the latest last."""

    n: np.ndarray  # [0] how many
    views: np.ndarray  # VIEW: what the mover saw
    moves: np.ndarray  # what it did
    memories: np.ndarray  # [move, word]: what the blueprint remembered, if its memory is shared


@hot
def recent_moves(workspace, team, n_recent, game):
    """The moves of others among a number of recent ones.

    ``game`` is any imagined game; the result does not depend on its hidden cards.
    """
    n_words = len(team.memories) if observes(team) else 1
    found = RecentMoves(np.zeros(1, np.int64), np.zeros(n_recent, VIEW),
                        np.zeros(n_recent, np.int64),
                        np.zeros((n_recent, n_words), np.uint64))  # fmt: skip
    now, again = workspace.now[0], workspace.again[0]
    if n_recent == 0 or now.observation == MINIMAL or not knows_its_past(team):
        return found
    deal_again(game, again)
    reset_memories(team, np.uint64(1))
    for k in range(now.n_moves):
        event = now.history[k]
        if k >= now.n_moves - n_recent and event.seat != workspace.seat:
            place = found.n[0]
            fill_view(again, event.seat, found.views[place])
            found.moves[place] = event.move
            if observes(team):
                save_memories(team, found.memories[place])
            found.n[0] += 1
        replay_move(team, again, event.move, workspace.seat, workspace.seen[0])
    return found


@hot
def n_explained(workspace, team, recent, deck, n_forgiven):
    """Number of moves, from the latest back, that a hand explains, with some strikes forgiven."""
    n = recent.n[0]
    for k in range(n - 1, -1, -1):
        view = recent.views[k]
        show_hand_in(view, workspace.seat, deck)
        if observes(team):
            restore_memories(team, recent.memories[k])
        if move_on(team, view) != recent.moves[k]:
            n_forgiven -= 1
            if n_forgiven < 0:
                return n - 1 - k
    return n


@hot
def forgiven_strikes(trust, most, dice):
    """Number of strikes to forgive a hand: each with probability 1 - trust, until one is not.

    So a hand with s strikes is accepted with probability (1 - trust)^s.
    """
    n = 0
    while n < most and random_unit(dice) < 1.0 - trust:
        n += 1
    return n
