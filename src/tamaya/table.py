"""The table: plays many games of any team of compiled agents, on all cores.

Game k of a seed is the same deal and the same play whatever the number of threads: every chunk of
games has its own scratch space, every seat its own generator. Teams with batch agents are played
by ``tamaya.batch``, through the same ``play``.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from tamaya.agent import Agent, AgentFault, BatchAgent, Player
from tamaya.compiled import hot
from tamaya.dispatch import RAISED, call_act
from tamaya.game import Game
from tamaya.game_kernels import apply_move, deal_seeded, give_up, is_legal, score
from tamaya.moves import GIVE_UP, move_phrase, move_text
from tamaya.records import RUNNING, VIEW, new_games, record
from tamaya.rng import seed_of
from tamaya.rules import Rules
from tamaya.seating import Roster, memory_of, observe_event, reset_memories, seat_agents
from tamaya.view import fill_view

LARGEST_CHUNK = 2048  # games per task of a thread
PLAYED, ILLEGAL, FAILED_TO_ACT, FAILED_TO_OBSERVE = 0, 1, 2, 3

RESULT = record([
    ("score", np.int8),    # by the rules of the game
    ("points", np.int8),   # sum of the fireworks
    ("lives", np.int8),    # left at the end
    ("status", np.int8),   # why it ended
    ("start", np.int8),    # seat that moved first
    ("n_moves", np.int16),
])  # fmt: skip

FAULT = record([
    ("kind", np.int64), ("game", np.int64), ("seat", np.int64), ("move", np.int64),
])  # fmt: skip


@hot
def write_result(game, result):
    """Put down how a game ended."""
    result.score = score(game)
    result.points = game.points
    result.lives = game.lives
    result.status = game.status
    result.start = game.start
    result.n_moves = game.n_moves


@hot
def play_game(game, view, roster, seating, info, memory, fault):
    """Play one dealt game to its end; gives PLAYED, or the kind of fault."""
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

    ``games`` holds one record per game if they are to be kept, otherwise a single one.
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


@dataclass(frozen=True)
class Played:
    """Games that were played: one ``RESULT`` record each, and the games if they were kept."""

    rules: Rules
    agents: tuple[Player, ...]
    seed: int
    first: int
    results: np.ndarray
    seconds: float
    records: np.ndarray | None = None

    def game(self, k: int) -> Game:
        """The k-th game of a recorded run."""
        if self.records is None:
            raise ValueError("the games were not recorded: play with record=True")
        return Game.from_record(self.rules, self.records[k])


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
) -> Played:
    """Play games and return their results.

    ``team`` is one agent for all seats or a list with one per seat, as objects or as texts for
    ``find_agent``. With ``seatings``, an array [games, players], seat s of game k gets the agent
    ``team[seatings[k, s]]``. Games ``first`` to ``first + games - 1`` of the seed are played;
    ``on_progress`` is called with the number of games finished since the last call.
    """
    rules = rules or Rules()
    agents, seatings = seat_agents(team, rules, games, seatings)
    if any(isinstance(player, BatchAgent) for player in agents):
        from tamaya.batch import play_batch

        return play_batch(agents, rules, games, seed, first, seatings, record, on_progress)
    roster = Roster([player for player in agents if isinstance(player, Agent)], seatings)
    results = np.zeros(games, RESULT)
    kept = new_games(games, rules) if record else None
    n_threads = threads or os.cpu_count() or 1
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

    play_chunk(games)  # an empty chunk: compiles the loop before the clock starts
    started = perf_counter()
    for n_finished in _in_threads(play_chunk, range(0, games, chunk), n_threads):
        if on_progress:
            on_progress(n_finished)
    seconds = perf_counter() - started
    return Played(rules, tuple(agents), seed, first, results, seconds, kept)


def _in_threads(task: Callable[[int], int], starts: Sequence[int], n_threads: int) -> Iterator[int]:
    """Results of a task in order, from some threads or, if one is enough, from this one."""
    if n_threads == 1 or len(starts) == 1:
        yield from map(task, starts)
        return
    with ThreadPoolExecutor(n_threads) as pool:
        try:
            yield from pool.map(task, starts)
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


def agent_fault(
    fault: np.record,
    agents: Sequence[Player],
    seatings: np.ndarray,
    rules: Rules,
    seed: int,
    first: int,
    game: np.record,
) -> AgentFault:
    """The exception for a fault: names agent, seat, seed, game, turn and move."""
    seating = seatings[(fault.game - first) % len(seatings)]
    name = agents[seating[fault.seat]].spec
    where = (
        f"agent {name!r} in seat {fault.seat}, seed {seed}, game {fault.game}, "
        f"turn {game.n_moves} ({rules.to_text()})"
    )
    if fault.kind == FAILED_TO_OBSERVE:
        return AgentFault(f"{where}: its observe function raised an exception")
    if fault.kind == FAILED_TO_ACT:
        return AgentFault(f"{where}: its act function raised an exception")
    move = int(fault.move)
    if 0 <= move < rules.n_moves:
        shown = f"{move} ({move_text(rules, move)}, {move_phrase(rules, move)})"
    else:
        shown = f"{move}, ids go from 0 to {rules.n_moves - 1}"
    return AgentFault(f"{where}: illegal move {shown}")
