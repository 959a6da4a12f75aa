"""A team: a blueprint in all seats of an imagined game, each seat with its own memory.

The parameters of a search agent contain the blueprint's addresses (``tamaya.search.blueprint``);
``make_team`` puts it into every seat, ``blueprint_move`` asks it for a move and
``apply_and_observe`` makes one. The blueprint always sees the view of the seat it moves for, so
that nobody peeks in imagined games either.

A blueprint without ``observe`` is called directly. For one with ``observe`` the history is replayed
with the imagined cards (``replay_history``): in each imagined deal, or once per decision if its
memory is common knowledge. If such a memory has a field ``excluded``, a mask of cards for each
order, search learns from it what each card cannot be.

Memories are handled only here: by ``save_memories`` and ``restore_memories`` alone, by ``snapshot``
and ``restore`` together with the game.
"""

from typing import NamedTuple

import numpy as np

from tamaya.compiled import hot
from tamaya.dispatch import call_act, call_observe
from tamaya.game_kernels import apply_move, copy_game, deal, is_legal
from tamaya.records import GAME
from tamaya.rng import seed_of
from tamaya.seating import ROSTER, RUN_INFO, memory_of, observe_event
from tamaya.view import fill_view


class Team(NamedTuple):
    """A blueprint in all seats, in the form for compiled loops."""

    roster: np.ndarray  # one ROSTER record
    seating: np.ndarray  # that agent in every seat
    info: np.ndarray  # one RUN_INFO record
    memories: np.ndarray  # of all seats
    common: np.ndarray  # what everybody knew before the search, if the memory is shared
    excluded: int  # where in a shared memory the masks ``excluded`` begin, in bytes, or -1


class Snapshot(NamedTuple):
    """An imagined game and what the team remembers of it."""

    game: np.ndarray  # one GAME
    memories: np.ndarray


@hot
def make_team(params, players):
    """The team of the blueprint that a search agent's parameters name."""
    roster, info = np.zeros(1, ROSTER), np.zeros(1, RUN_INFO)
    roster[0].act = params.blueprint_act
    roster[0].observe = params.blueprint_observe
    roster[0].params = params.blueprint_params
    info[0].memory_words = params.blueprint_words
    info[0].any_observes = params.blueprint_observe != 0
    info[0].shared = params.blueprint_shared
    n_words = players * params.blueprint_words
    seating = np.zeros(players, np.int64)
    memories, common = np.zeros(n_words, np.uint64), np.zeros(n_words, np.uint64)
    return Team(roster, seating, info, memories, common, params.blueprint_excluded)


@hot
def observes(team):
    """Whether the blueprint learns from events."""
    return team.info[0].any_observes != 0


@hot
def is_shared(team):
    """Whether the blueprint's memory is common knowledge, one for all seats."""
    return team.info[0].shared != 0


@hot
def knows_its_past(team):
    """Whether the blueprint's memory at earlier turns follows from what the root knows."""
    return is_shared(team) or not observes(team)


# Memories.


@hot
def reset_memories(team, seed):
    """Clear the memories of all seats, with generators determined by a seed."""
    team.memories[:] = 0
    words = team.info[0].memory_words
    for seat in range(len(team.seating)):
        team.memories[seat * words] = seed_of(seed, seat)


@hot
def copy_memories(team):
    """A copy of the memories of all seats."""
    return team.memories.copy()


@hot
def save_memories(team, saved):
    """Write the memories of all seats into an array."""
    saved[:] = team.memories


@hot
def restore_memories(team, saved):
    """Restore the saved memories of all seats."""
    team.memories[:] = saved


@hot
def remembers(team, saved):
    """Whether a shared memory equals a saved one, apart from its generator."""
    for word in range(1, len(saved)):  # noqa: SIM110
        if team.memories[word] != saved[word]:
            return False
    return True


@hot
def excluded_cards(team, order):
    """What a card is publicly known not to be, as a mask."""
    return team.memories.view(np.int32)[team.excluded // 4 + order]


@hot
def new_snapshot(team):
    """Arrays for a game and a copy of the memories."""
    return Snapshot(np.zeros(1, GAME), team.memories.copy())


@hot
def snapshot(team, game, saved):
    """Save an imagined game and the team's memories."""
    copy_game(saved.game[0], game)
    save_memories(team, saved.memories)


@hot
def restore(team, game, saved):
    """Go back to the game and the memories of a snapshot."""
    copy_game(game, saved.game[0])
    restore_memories(team, saved.memories)


# Playing.


@hot
def blueprint_move(team, game, view):
    """What the blueprint does in the seat to move, seeing what that seat sees.

    ``view`` is a record to write that into.
    """
    fill_view(game, np.int64(game.mover), view)
    return move_on(team, view)


@hot
def move_on(team, view):
    """What the blueprint does on a view."""
    who = team.roster[0]
    place = memory_of(team.info[0], team.memories, np.int64(view.seat))
    return call_act(who.act, view, place, who.params)


@hot
def legal_blueprint_move(team, game, view):
    """The blueprint's move in a position, or -1 if it gives up or fails."""
    move = blueprint_move(team, game, view)
    return move if is_legal(game, move) else -1


@hot
def apply_and_observe(team, game, move, view):
    """Apply a legal move and let the team observe it."""
    apply_move(game, move)
    if observes(team):
        observe_event(game, view, team.roster, team.seating, team.info[0], team.memories)


@hot
def observe_as(team, game, seat, view):
    """Let the team observe the last event, a shared memory from the view of a given seat.

    Where a seat's own hand is imagined, only its owner's view leads to the actual public memory.
    """
    if is_shared(team):
        fill_view(game, seat, view)
        observe_on(team, view, game.history[game.n_moves - 1])
    else:
        observe_event(game, view, team.roster, team.seating, team.info[0], team.memories)


@hot
def observe_on(team, view, event):
    """Let a shared memory observe an event from a view."""
    who = team.roster[0]
    call_observe(who.observe, view, event, memory_of(team.info[0], team.memories, 0), who.params)


# History.


@hot
def replay_history(team, seed, game, again, view):
    """Replay an imagined game of the seat to move into the team's memories.

    ``again`` is a game record to play the history in, ``view`` one for the seats' views.
    """
    reset_memories(team, seed)
    if not observes(team):
        return
    if is_shared(team) and team.common[0] != 0:
        generator = team.memories[0]
        team.memories[:] = team.common
        team.memories[0] = generator
        return
    deal_again(game, again)
    for k in range(game.n_moves):
        replay_move(team, again, game.history[k].move, game.mover, view)
    if is_shared(team):
        team.common[:] = team.memories


@hot
def deal_again(game, again):
    """Deal another record as a game was dealt."""
    again.deck[:] = game.deck
    again.start = game.start
    deal(again)


@hot
def replay_move(team, again, move, seat, view):
    """Apply a move of the history; a shared memory observes it from the view of a given seat."""
    apply_move(again, move)
    if observes(team):
        observe_as(team, again, seat, view)


# Diverging memories: after a move that is not the blueprint's, seats may conclude differently.


@hot
def part_memories(team):
    """Give every seat its own copy of the shared memory, to observe separately from now on."""
    words = team.info[0].memory_words
    for seat in range(1, len(team.seating)):
        for word in range(1, words):
            team.memories[seat * words + word] = team.memories[word]
    team.info[0].shared = 0


@hot
def agree(team):
    """Whether all seats remember the same, apart from their generators."""
    words = team.info[0].memory_words
    for seat in range(1, len(team.seating)):
        for word in range(1, words):
            if team.memories[seat * words + word] != team.memories[word]:
                return False
    return True


@hot
def observe_apart(team, game, view):
    """Let every seat observe the last event separately; the memory stays shared if they agree."""
    was_shared = is_shared(team)
    if was_shared:
        part_memories(team)
    observe_event(game, view, team.roster, team.seating, team.info[0], team.memories)
    if was_shared and agree(team):
        team.info[0].shared = 1
