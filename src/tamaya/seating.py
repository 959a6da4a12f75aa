"""Who sits where with which memory: the agents of a run, in the form that compiled loops use.

A *roster* lists the addresses of the agents, a *seating* the number of the agent in each seat.
Every seat has its own memory, unless all seats are the same agent and it declares its memory
common knowledge: then one copy serves all.
"""

from collections.abc import Iterable, Sequence

import numpy as np

from tamaya.agent import Agent, AgentError, Player, check_players
from tamaya.compiled import hot
from tamaya.dispatch import call_observe
from tamaya.records import record
from tamaya.registry import find_agent
from tamaya.rng import seat_seed, wrapped_seed
from tamaya.rules import Rules, whole_number
from tamaya.view import fill_view

ROSTER = record([
    ("act", np.int64), ("observe", np.int64), ("params", np.int64),  # addresses, 0 for none
])  # fmt: skip

RUN_INFO = record([
    ("seed", np.uint64),       # of the whole run
    ("first", np.int64),       # index of the first game of the run
    ("shared", np.int64),      # one memory serves all seats
    ("memory_words", np.int64),  # 8-byte words of memory per seat
    ("any_observes", np.int64),
])  # fmt: skip


@hot
def reset_memories(game, info, memory):
    """Zero the memory of all seats and seed their generators."""
    memory[:] = 0
    n_memories = 1 if info.shared else game.players
    for seat in range(n_memories):
        memory[seat * info.memory_words] = seat_seed(game.seed, seat)


@hot
def memory_of(info, memory, seat):
    """Address of the memory of a seat."""
    return memory.ctypes.data + (0 if info.shared else 8 * seat * info.memory_words)


@hot
def observe_event(game, view, roster, seating, info, memory):
    """Let the seats observe the last event; returns the seat that raised, or -1.

    A shared memory is updated once, from the view of the next seat to move, which ``view`` then
    contains: by declaration every other view would lead to the same memory.
    """
    event = game.history[game.n_moves - 1]
    if info.shared:
        who = roster[seating[0]]
        fill_view(game, game.mover, view)
        failed = call_observe(who.observe, view, event, memory_of(info, memory, 0), who.params)
        return -1 if failed == 0 else np.int64(game.mover)
    for seat in range(game.players):
        who = roster[seating[seat]]
        if who.observe != 0:
            fill_view(game, seat, view)
            memory_at = memory_of(info, memory, seat)
            if call_observe(who.observe, view, event, memory_at, who.params) != 0:
                return seat
    return -1


class Roster:
    """The agents of a run in the form that compiled loops use."""

    def __init__(self, agents: Sequence[Agent | None], seatings: np.ndarray) -> None:
        compiled = [agent.compile() if agent else None for agent in agents]
        self.table = np.zeros(len(agents), ROSTER)
        self._keep_alive: list[np.ndarray] = []
        for row, entry in zip(self.table, compiled, strict=True):
            if entry:
                row.act = entry.act
                row.observe = entry.observe
                params = entry.params.copy()  # writing to it changes no other run
                self._keep_alive.append(params)
                row.params = params.ctypes.data
        self.players = seatings.shape[1]
        used = [agents[k] for k in np.unique(seatings)]
        self.shared = len(used) == 1 and used[0] is not None and used[0].shared
        self.memory_words = max(
            (-(-entry.memory_size // 8) for entry in compiled if entry), default=1
        )
        self.any_observes = any(entry and entry.observe for entry in compiled)

    def info(self, seed: int, first: int) -> np.ndarray:
        """The settings of a chunk of games."""
        info = np.zeros(1, RUN_INFO)
        info["seed"] = wrapped_seed(seed)
        info["first"] = first
        info["shared"] = self.shared and self.any_observes
        info["memory_words"] = self.memory_words
        info["any_observes"] = self.any_observes
        return info

    def memory(self, n: int) -> np.ndarray:
        """Memory of n games, a row each."""
        return np.zeros((n, self.players * self.memory_words), np.uint64)


def _agent_of(who: Player | str) -> Player:
    """An agent, found by its text if it is one."""
    if isinstance(who, str):
        return find_agent(who)
    if not isinstance(who, Player):
        raise TypeError(f"a seat takes an agent or its text, such as 'certainty', not {who!r}")
    return who


def seat_agents(
    team: Player | str | Sequence[Player | str],
    rules: Rules,
    games: int,
    seatings: np.ndarray | None,
) -> tuple[list[Player], np.ndarray]:
    """The agents of a team and who sits where, checked."""
    if whole_number("games", games) < 0:
        raise ValueError(f"games must not be negative, not {games}")
    if isinstance(team, str | Player):
        team = [team]
    elif not isinstance(team, Iterable):
        raise TypeError(f"a team is an agent or a list of them, not {team!r}")
    agents = [_agent_of(who) for who in team]
    for player in agents:
        check_players(player, rules.players)
    if seatings is None:
        if len(agents) not in (1, rules.players):
            raise AgentError(f"{len(agents)} agents for {rules.players} seats: "
                             f"expected one for all, or one per seat")  # fmt: skip
        seats = np.arange(rules.players) % len(agents)
        return agents, seats[np.newaxis].astype(np.int64)
    if not np.issubdtype(np.asarray(seatings).dtype, np.integer):
        raise ValueError("seatings must contain whole numbers")
    seatings = np.ascontiguousarray(seatings, np.int64)
    if seatings.shape != (games, rules.players):
        raise ValueError(f"seatings has shape {seatings.shape}, expected {(games, rules.players)}")
    if games and not (seatings.min() >= 0 and seatings.max() < len(agents)):
        raise ValueError(f"seatings must contain indices of the {len(agents)} agents of the team")
    return agents, seatings
