"""The table for batch agents: many games in lock step, one call of a network for all of them.

Games are dealt into lanes. Compiled agents at the same table move until a batch
agent is to move in every lane; then each batch agent is asked once for all the lanes that wait
for it. A finished lane takes the next game, so the batch stays full.
"""

from collections.abc import Callable, Sequence
from time import perf_counter

import numpy as np

from tamaya.agent import Agent, AgentFault, BatchAgent, Player
from tamaya.batch_dispatch import call_batch
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
from tamaya.rules import Rules
from tamaya.seating import Roster, memory_of, observe_event, reset_memories
from tamaya.view import fill_view
from tamaya.workers import cpu_time

LANES = 1024


@hot
def deal_lane(game, number, info, memory):
    """Deal a game of the run into a lane."""
    deal_seeded(game, seed_of(info.seed, number))
    reset_memories(game, info, memory)


@hot
def move_lane(game, move, view, roster, seating, info, memory, fault):
    """Apply a move in a lane and let the seats observe it; returns PLAYED or the kind of fault."""
    fault.seat = game.mover
    fault.move = move
    if move == GIVE_UP:
        give_up(game)
    elif not is_legal(game, move):
        fault.kind = FAILED_TO_ACT if move == RAISED else ILLEGAL
    else:
        apply_move(game, move)
        if info.any_observes:
            failed = observe_event(game, view, roster, seating, info, memory)
            if failed >= 0:
                fault.kind = FAILED_TO_OBSERVE
                fault.seat = failed
    return fault.kind


@hot
def advance_lanes(games, numbers, view, roster, seatings, info, memory, waiting, fault):
    """Let compiled agents move until every lane waits for a batch agent or is over.

    ``waiting[lane]`` becomes the number of that agent, or -1 when the game is over. Returns
    the lane of a fault, or -1.
    """
    for lane in range(len(games)):
        game = games[lane]
        seating = seatings[numbers[lane] % len(seatings)]
        waiting[lane] = -1
        while game.status == RUNNING:
            seat = np.int64(game.mover)
            who = roster[seating[seat]]
            if who.act == 0:
                waiting[lane] = seating[seat]
                break
            fill_view(game, seat, view)
            move = call_act(who.act, view, memory_of(info, memory[lane], seat), who.params)
            if move_lane(game, move, view, roster, seating, info, memory[lane], fault) != PLAYED:
                return lane
    return -1


@hot
def move_lanes(games, numbers, lanes, moves, view, roster, seatings, info, memory, fault):
    """Apply one move in each of some lanes; returns the lane of a fault, or -1."""
    for k in range(len(lanes)):
        lane = lanes[k]
        seating = seatings[numbers[lane] % len(seatings)]
        if (
            move_lane(games[lane], moves[k], view, roster, seating, info, memory[lane], fault)
            != PLAYED
        ):
            return lane
    return -1


class Lanes:
    """The games in play, their memories and the recurrent states of batch agents."""

    def __init__(
        self, agents: Sequence[Player], rules: Rules, seatings: np.ndarray, n_lanes: int, seed: int
    ) -> None:
        self.agents, self.rules, self.seatings, self.seed = agents, rules, seatings, seed
        self.roster = Roster([a if isinstance(a, Agent) else None for a in agents], seatings)
        self.games = new_games(n_lanes, rules)
        self.numbers = np.zeros(n_lanes, np.int64)  # which game of the run is in the lane
        self.memory = self.roster.memory(n_lanes)
        self.view = np.zeros(1, VIEW)[0]
        self.waiting = np.zeros(n_lanes, np.int64)
        self.fault = np.zeros(1, FAULT)[0]
        self.states = {
            k: np.zeros((n_lanes, rules.players, player.state_size), np.float32)
            for k, player in enumerate(agents)
            if isinstance(player, BatchAgent)
        }

    def deal(self, lane: int, number: int, first: int) -> None:
        """Start a game of the run in a lane."""
        self.numbers[lane] = number
        self.info = self.roster.info(self.seed, first)[0]
        deal_lane(self.games[lane], first + number, self.info, self.memory[lane])
        for state in self.states.values():
            state[lane] = 0

    def advance(self) -> None:
        """Let the compiled agents move."""
        lane = advance_lanes(self.games, self.numbers, self.view, self.roster.table, self.seatings,
                             self.info, self.memory, self.waiting, self.fault)  # fmt: skip
        self._check(lane)

    def ask(self, number: int) -> None:
        """Let one batch agent move in all the lanes that wait for it."""
        player = self.agents[number]
        assert isinstance(player, BatchAgent)
        lanes = np.flatnonzero(self.waiting == number)
        if not len(lanes):
            return
        seats = self.games["mover"][lanes].astype(np.int64)
        state = self.states[number][lanes, seats]
        try:
            moves = call_batch(player, self.rules, self.games, lanes, state)
        except AgentFault as error:
            raise AgentFault(f"{error} (seed {self.seed})") from error.__cause__
        self.states[number][lanes, seats] = state
        lane = move_lanes(self.games, self.numbers, lanes, moves, self.view, self.roster.table,
                          self.seatings, self.info, self.memory, self.fault)  # fmt: skip
        self._check(lane)

    def _check(self, lane: int) -> None:
        if lane >= 0:
            self.fault.game = self.numbers[lane] + self.info.first
            first = int(self.info.first)
            game = self.games[lane]
            raise agent_fault(
                self.fault, self.agents, self.seatings, self.rules, self.seed, first, game
            )


def play_batch(
    agents: Sequence[Player],
    rules: Rules,
    games: int,
    seed: int,
    first: int,
    seatings: np.ndarray,
    record: bool,
    on_progress: Callable[[int], None] | None,
) -> Played:
    """Play games in which batch agents take part; arguments as for ``tamaya.table.play``."""
    started, cpu_started = perf_counter(), cpu_time()
    results = np.zeros(games, RESULT)
    kept = new_games(games, rules) if record else None
    lanes = Lanes(agents, rules, seatings, min(LANES, games), seed)
    next_game = 0
    for lane in range(len(lanes.games)):
        lanes.deal(lane, next_game, first)
        next_game += 1
    n_running = len(lanes.games)
    while n_running:
        lanes.advance()
        for number in lanes.states:
            lanes.ask(number)
        n_finished = 0
        for lane in np.flatnonzero(lanes.games["status"] != RUNNING).tolist():
            number = lanes.numbers[lane]
            if number < 0:
                continue  # there was no game left for this lane
            write_result(lanes.games[lane], results[number])
            if kept is not None:
                kept[number] = lanes.games[lane]
            n_finished += 1
            if next_game < games:
                lanes.deal(lane, next_game, first)
                next_game += 1
            else:
                lanes.numbers[lane] = -1
                n_running -= 1
        if n_finished and on_progress:
            on_progress(n_finished)
    seconds = perf_counter() - started
    cpu_seconds = cpu_time() - cpu_started
    return Played(rules, tuple(agents), seed, first, results, seconds, kept, cpu_seconds)
