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

from tamaya.agent import Agent, AgentError, BatchAgent, Player, check_players
from tamaya.calling import RAISED, call_act, call_observe
from tamaya.chance import seat_seed, seed_of, wrapped_seed
from tamaya.compiled import hot
from tamaya.game import apply_move, deal_seeded, give_up, is_legal, score
from tamaya.moves import GIVE_UP, move_phrase, move_text
from tamaya.position import Game
from tamaya.records import RUNNING, VIEW, new_games, record
from tamaya.registry import find_agent
from tamaya.rules import Rules
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

CREW = record([
    ("act", np.int64), ("observe", np.int64), ("params", np.int64),  # addresses, 0 for none
])  # fmt: skip

FAULT = record([
    ("kind", np.int64), ("game", np.int64), ("seat", np.int64), ("move", np.int64),
])  # fmt: skip

JOB = record([
    ("seed", np.uint64),       # of the whole run
    ("first", np.int64),       # index of the first game of the run
    ("shared", np.int64),      # one memory serves all seats
    ("memory_words", np.int64),  # 8-byte words of memory per seat
    ("any_observes", np.int64),
])  # fmt: skip


class AgentFault(AgentError):
    """An agent that made an illegal move or raised an exception; names where it happened."""


@hot
def wake_memory(game, job, memory):
    """Zero the memory of all seats and seed their generators."""
    memory[:] = 0
    n_memories = 1 if job.shared else game.players
    for seat in range(n_memories):
        memory[seat * job.memory_words] = seat_seed(game.seed, seat)


@hot
def memory_of(job, memory, seat):
    """Address of the memory of a seat."""
    return memory.ctypes.data + (0 if job.shared else 8 * seat * job.memory_words)


@hot
def tell_event(game, view, crew, lineup, job, memory):
    """Let the seats observe the last event; gives the seat that raised, or -1.

    A shared memory is told once, from the view of the next seat to move, which ``view`` then
    holds: by declaration every other view would lead to the same memory.
    """
    event = game.history[game.n_moves - 1]
    if job.shared:
        who = crew[lineup[0]]
        fill_view(game, game.mover, view)
        failed = call_observe(who.observe, view, event, memory_of(job, memory, 0), who.params)
        return -1 if failed == 0 else np.int64(game.mover)
    for seat in range(game.players):
        who = crew[lineup[seat]]
        if who.observe != 0:
            fill_view(game, seat, view)
            memory_at = memory_of(job, memory, seat)
            if call_observe(who.observe, view, event, memory_at, who.params) != 0:
                return seat
    return -1


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
def play_game(game, view, crew, lineup, job, memory, fault):
    """Play one dealt game to its end; gives PLAYED, or the kind of fault."""
    is_filled = False
    while game.status == RUNNING:
        seat = np.int64(game.mover)
        who = crew[lineup[seat]]
        if not is_filled:
            fill_view(game, seat, view)
        move = call_act(who.act, view, memory_of(job, memory, seat), who.params)
        if move == GIVE_UP:
            give_up(game)
            break
        if not is_legal(game, move):
            fault.kind = FAILED_TO_ACT if move == RAISED else ILLEGAL
            fault.seat = seat
            fault.move = move
            return fault.kind
        apply_move(game, move)
        if job.any_observes:
            failed = tell_event(game, view, crew, lineup, job, memory)
            is_filled = job.shared != 0
            if failed >= 0:
                fault.kind = FAILED_TO_OBSERVE
                fault.seat = failed
                return FAILED_TO_OBSERVE
    return PLAYED


@hot
def play_range(games, views, crew, lineups, job, memory, results, fault):
    """Play the games of one chunk; results[k] belongs to game job.first + k of the run.

    ``games`` holds one record per game if they are to be kept, otherwise a single one.
    """
    for k in range(len(results)):
        game = games[k % len(games)]
        deal_seeded(game, seed_of(job.seed, job.first + k))
        wake_memory(game, job, memory)
        lineup = lineups[k % len(lineups)]
        if play_game(game, views[0], crew, lineup, job, memory, fault) != PLAYED:
            fault.game = job.first + k
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
    lineups: np.ndarray | None = None,
    threads: int | None = None,
    record: bool = False,
    on_progress: Callable[[int], None] | None = None,
) -> Played:
    """Play games and return their results.

    ``team`` is one agent for all seats or a list with one per seat, as objects or as texts for
    ``find_agent``. With ``lineups``, an array [games, players], seat s of game k gets the agent
    ``team[lineups[k, s]]``. Games ``first`` to ``first + games - 1`` of the seed are played;
    ``on_progress`` is called with the number of games finished since the last call.
    """
    rules = rules or Rules()
    agents, lineups = seat_agents(team, rules, games, lineups)
    if any(isinstance(player, BatchAgent) for player in agents):
        from tamaya.batch import play_batch

        return play_batch(agents, rules, games, seed, first, lineups, record, on_progress)
    crew = Crew([player for player in agents if isinstance(player, Agent)], lineups)
    results = np.zeros(games, RESULT)
    kept = new_games(games, rules) if record else None
    n_threads = threads or os.cpu_count() or 1
    chunk = max(1, min(LARGEST_CHUNK, games // (4 * n_threads)))  # so that no thread idles long

    def play_chunk(start: int) -> int:
        stop = min(start + chunk, games)
        chunk_lineups = lineups if len(lineups) == 1 else lineups[start:stop]
        records = new_games(1, rules) if kept is None else kept[start:stop]
        job = crew.job(seed, first + start)
        fault = np.zeros(1, FAULT)
        memory = crew.memory(1)[0]
        with np.errstate(over="ignore"):  # for generators with the compiler off
            play_range(records, np.zeros(1, VIEW), crew.table, chunk_lineups, job[0], memory,
                       results[start:stop], fault[0])  # fmt: skip
        if fault[0].kind != PLAYED:
            raise agent_fault(fault[0], agents, lineups, rules, seed, first, records[0])
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


class Crew:
    """The agents of a run as compiled loops take them."""

    def __init__(self, agents: Sequence[Agent | None], lineups: np.ndarray) -> None:
        compiled = [agent.compile() if agent else None for agent in agents]
        self.table = np.zeros(len(agents), CREW)
        self._keep_alive: list[np.ndarray] = []
        for row, entry in zip(self.table, compiled, strict=True):
            if entry:
                row.act = entry.act
                row.observe = entry.observe
                params = entry.params.copy()  # an agent that writes to it changes no other run
                self._keep_alive.append(params)
                row.params = params.ctypes.data
        self.players = lineups.shape[1]
        used = [agents[k] for k in np.unique(lineups)]
        self.shared = len(used) == 1 and used[0] is not None and used[0].shared
        self.memory_words = max(
            (-(-entry.memory_size // 8) for entry in compiled if entry), default=1
        )
        self.any_observes = any(entry and entry.observe for entry in compiled)

    def job(self, seed: int, first: int) -> np.ndarray:
        """The scalars of a chunk of games."""
        job = np.zeros(1, JOB)
        job["seed"] = wrapped_seed(seed)
        job["first"] = first
        job["shared"] = self.shared and self.any_observes
        job["memory_words"] = self.memory_words
        job["any_observes"] = self.any_observes
        return job

    def memory(self, n: int) -> np.ndarray:
        """Memory of n games, a row each."""
        return np.zeros((n, self.players * self.memory_words), np.uint64)


def seat_agents(
    team: Player | str | Sequence[Player | str],
    rules: Rules,
    games: int,
    lineups: np.ndarray | None,
) -> tuple[list[Player], np.ndarray]:
    """The agents of a team and who sits where, checked."""
    if games < 0:
        raise ValueError(f"games must not be negative, not {games}")
    wanted = [team] if isinstance(team, str | Agent | BatchAgent) else list(team)
    agents: list[Player] = [find_agent(who) if isinstance(who, str) else who for who in wanted]
    for player in agents:
        check_players(player, rules.players)
    if lineups is None:
        if len(agents) not in (1, rules.players):
            raise AgentError(f"{len(agents)} agents for {rules.players} seats: "
                             f"expected one for all, or one per seat")  # fmt: skip
        seats = np.arange(rules.players) % len(agents)
        return agents, seats[np.newaxis].astype(np.int64)
    if not np.issubdtype(np.asarray(lineups).dtype, np.integer):
        raise ValueError("lineups must hold whole numbers")
    lineups = np.ascontiguousarray(lineups, np.int64)
    if lineups.shape != (games, rules.players):
        raise ValueError(f"lineups has shape {lineups.shape}, expected {(games, rules.players)}")
    if games and not (lineups.min() >= 0 and lineups.max() < len(agents)):
        raise ValueError(f"lineups must hold numbers of the {len(agents)} agents of the team")
    return agents, lineups


def agent_fault(
    fault: np.record,
    agents: Sequence[Player],
    lineups: np.ndarray,
    rules: Rules,
    seed: int,
    first: int,
    game: np.record,
) -> AgentFault:
    """The exception for a fault: names agent, seat, seed, game, turn and move."""
    lineup = lineups[(fault.game - first) % len(lineups)]
    name = agents[lineup[fault.seat]].spec
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
