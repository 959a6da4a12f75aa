"""The table: plays many games of any team of compiled agents, on all cores.

Game k of a seed has the same deal and the same moves for any number of threads: every chunk of
games has its own scratch space, every seat its own generator. Teams with batch agents are played
by ``tamaya.batch``, through the same ``play``.
"""

import os
import warnings
from collections.abc import Callable, Sequence
from time import perf_counter

import numpy as np

from tamaya.agent import Agent, AgentFault, BatchAgent, Player
from tamaya.batch import play_batch
from tamaya.compiled import hot
from tamaya.dispatch import RAISED, call_act
from tamaya.faults import (
    FAILED_TO_ACT,
    FAILED_TO_OBSERVE,
    FAULT,
    ILLEGAL,
    PLAYED,
    agent_fault,
)
from tamaya.game_kernels import apply_move, deal_seeded, give_up, is_legal
from tamaya.moves import GIVE_UP
from tamaya.played import RESULT, Played, write_result
from tamaya.records import RUNNING, VIEW, new_games
from tamaya.rng import seed_of
from tamaya.rules import Rules, checked_rules, whole_number
from tamaya.seating import Roster, memory_of, observe_event, reset_memories, seat_agents
from tamaya.view import fill_view
from tamaya.workers import check_threads, cpu_time, in_order

__all__ = ["FAULT", "PLAYED", "RESULT", "AgentFault", "Played", "agent_fault", "play", "play_game"]

LARGEST_CHUNK = 2048  # games per task of a thread


@hot
def play_game(game, view, roster, seating, info, memory, fault):
    """Play one dealt game to its end; returns PLAYED, or the kind of fault."""
    is_filled = False
    while game.status == RUNNING:
        seat = np.int64(game.mover)
        who = roster[seating[seat]]
        if not is_filled:
            fill_view(game, seat, view)
        move = call_act(who.act, view, memory_of(info, memory, seat), who.params)
        if move == GIVE_UP:
            give_up(game)
            break
        if not is_legal(game, move):
            fault.kind = FAILED_TO_ACT if move == RAISED else ILLEGAL
            fault.seat = seat
            fault.move = move
            return fault.kind
        apply_move(game, move)
        if info.any_observes:
            failed = observe_event(game, view, roster, seating, info, memory)
            is_filled = info.shared != 0
            if failed >= 0:
                fault.kind = FAILED_TO_OBSERVE
                fault.seat = failed
                return FAILED_TO_OBSERVE
    return PLAYED


@hot
def play_range(games, views, roster, seatings, info, memory, results, fault):
    """Play the games of one chunk; results[k] belongs to game info.first + k of the run.

    ``games`` has one record per game if they are recorded, otherwise a single one.
    """
    for k in range(len(results)):
        game = games[k % len(games)]
        deal_seeded(game, seed_of(info.seed, info.first + k))
        reset_memories(game, info, memory)
        seating = seatings[k % len(seatings)]
        if play_game(game, views[0], roster, seating, info, memory, fault) != PLAYED:
            fault.game = info.first + k
            games[0] = game
            return
        write_result(game, results[k])


def play(
    team: Player | str | Sequence[Player | str],
    rules: Rules | None = None,
    games: int = 1000,
    *,
    seed: int = 0,
    first: int = 0,
    seatings: np.ndarray | None = None,
    threads: int | None = None,
    record: bool = False,
    on_progress: Callable[[int], None] | None = None,
    lineups: np.ndarray | None = None,
) -> Played:
    """Play games and return their results.

    ``team`` is one agent for all seats or a list with one per seat, as objects or as texts for
    ``find_agent``. With ``seatings``, an array [games, players], seat s of game k gets the agent
    ``team[seatings[k, s]]``. Games ``first`` to ``first + games - 1`` of the seed are played;
    ``on_progress`` is called with the number of games finished since the last call. ``lineups`` is
    the former name of ``seatings``.
    """
    rules = checked_rules(rules)
    n_threads = _checked_threads(threads)
    agents, seatings = seat_agents(team, rules, games, _renamed(lineups, seatings))
    if any(isinstance(player, BatchAgent) for player in agents):
        return play_batch(agents, rules, games, seed, first, seatings, record, on_progress)
    roster = Roster([player for player in agents if isinstance(player, Agent)], seatings)
    results = np.zeros(games, RESULT)
    kept = new_games(games, rules) if record else None
    chunk = max(1, min(LARGEST_CHUNK, games // (4 * n_threads)))  # so that no thread idles long

    def play_chunk(start: int) -> int:
        stop = min(start + chunk, games)
        chunk_seatings = seatings if len(seatings) == 1 else seatings[start:stop]
        records = new_games(1, rules) if kept is None else kept[start:stop]
        info = roster.info(seed, first + start)
        fault = np.zeros(1, FAULT)
        memory = roster.memory(1)[0]
        with np.errstate(over="ignore"):  # for generators with the compiler off
            play_range(records, np.zeros(1, VIEW), roster.table, chunk_seatings, info[0], memory,
                       results[start:stop], fault[0])  # fmt: skip
        if fault[0].kind != PLAYED:
            raise agent_fault(fault[0], agents, seatings, rules, seed, first, records[0])
        return stop - start

    play_chunk(games)  # an empty chunk, to compile the loop before the clock starts
    started, cpu_started = perf_counter(), cpu_time()
    for n_finished in in_order(play_chunk, range(0, games, chunk), n_threads):
        if on_progress:
            on_progress(n_finished)
    seconds = perf_counter() - started
    cpu_seconds = cpu_time() - cpu_started
    return Played(rules, tuple(agents), seed, first, results, seconds, kept, cpu_seconds)


def _checked_threads(threads: int | None) -> int:
    """How many threads to use: all cores for None and 0."""
    n = 0 if threads is None else whole_number("threads", threads)
    return check_threads(n) or os.cpu_count() or 1


def _renamed(lineups: np.ndarray | None, seatings: np.ndarray | None) -> np.ndarray | None:
    """The seatings, given under their present or former name."""
    if lineups is None:
        return seatings
    if seatings is not None:
        raise ValueError("lineups is the former name of seatings: use only one of them")
    warnings.warn("lineups is now seatings", DeprecationWarning, stacklevel=3)
    return lineups
