"""Advisers: agents of the package that say what they would do, as a hint at what people would.

Their memories are part of the memory of the agent that asks them. They observe the game from its
seat, and are asked when it is its turn; how often the player in the seat has done what each of
them said is counted. An adviser that fails in a game that others play is not asked again in it.
"""

from collections.abc import Sequence

import numpy as np

from tamaya.agent import Agent, AgentError
from tamaya.compiled import hot
from tamaya.dispatch import RAISED, call_act, call_observe
from tamaya.game_kernels import is_legal
from tamaya.moves import NO_MOVE, kind_of
from tamaya.registry import find_agent
from tamaya.rng import seed_of

MAX_ADVISERS = 16
N_KINDS = 4  # of moves
N_OF_ADVISER = 1 + N_KINDS  # numbers about a turn for each

ADVISERS = [
    ("n_advisers", np.int64),
    ("adviser_act", np.int64, MAX_ADVISERS),      # addresses, 0 for none
    ("adviser_observe", np.int64, MAX_ADVISERS),
    ("adviser_params", np.int64, MAX_ADVISERS),
    ("adviser_at", np.int64, MAX_ADVISERS + 1),   # words before the memory of each
]  # fmt: skip
ADVICE = [
    ("asked", np.int16),                   # moves of the game when they were asked, plus 1
    ("advice", np.int8, MAX_ADVISERS),     # their moves
    ("n_asked", np.int16),
    ("n_agreed", np.int16, MAX_ADVISERS),  # how often the player did as they said
    ("failed", np.int8, MAX_ADVISERS),
    ("is_awake", np.int8),
]  # fmt: skip


@hot
def wake(view, params, minds):
    """Seed the generators of all advisers, which begin their memories."""
    for k in range(params.n_advisers):
        minds[params.adviser_at[k]] = seed_of(np.uint64(view.seat), np.int64(k))


@hot
def ask_advisers(view, params, minds, failed, advice):
    """Write the move of every adviser, NO_MOVE for those that fail or have no legal one."""
    for k in range(params.n_advisers):
        advice[k] = NO_MOVE
        if failed[k]:
            continue
        mind = minds[params.adviser_at[k] :]
        move = call_act(params.adviser_act[k], view, mind.ctypes.data, params.adviser_params[k])
        if move == RAISED:
            failed[k] = 1
        elif is_legal(view, move):
            advice[k] = move


@hot
def show_advisers(view, event, params, memory):
    """Let the advisers see a move; count who would have made it, if it was the seat's own."""
    if not memory.is_awake:
        memory.is_awake = 1
        wake(view, params, memory.minds)
    if event.seat == view.seat and memory.asked == view.n_moves:
        memory.n_asked += 1
        for k in range(params.n_advisers):
            memory.n_agreed[k] += memory.advice[k] == event.move
    for k in range(params.n_advisers):
        if params.adviser_observe[k] != 0 and not memory.failed[k]:
            mind = memory.minds[params.adviser_at[k] :]
            address = params.adviser_observe[k]
            if call_observe(address, view, event, mind.ctypes.data, params.adviser_params[k]) != 0:
                memory.failed[k] = 1


@hot
def write_votes(view, params, memory, advice, context, votes):
    """Who would make which move: per turn, and for each move.

    Per turn: for every adviser its agreement with the player so far, and the kind of its move. For
    each move: one bit for every adviser, the same times its agreement, and their sum.
    """
    n = params.n_advisers
    context[:] = 0
    votes[:] = 0
    for k in range(n):
        agreement = (memory.n_agreed[k] + 1) / (memory.n_asked + 3)
        context[N_OF_ADVISER * k] = agreement
        move = np.int64(advice[k])
        if move >= 0:
            context[N_OF_ADVISER * k + 1 + kind_of(view, move)] = 1
            votes[move, k] = 1
            votes[move, n + k] = agreement
            votes[move, 2 * n] += agreement


class Advisers:
    """Some agents in the form for kernels; found and compiled when they are first needed."""

    def __init__(self, names: Sequence[str]) -> None:
        if len(names) > MAX_ADVISERS:
            raise ValueError(f"there can be at most {MAX_ADVISERS} advisers, not {len(names)}")
        self.names = tuple(names)
        self._agents: list[Agent] | None = None
        self._keep_alive: list[np.ndarray] = []

    @property
    def agents(self) -> list[Agent]:
        """The agents themselves."""
        if self._agents is None:
            self._agents = [_found(name) for name in self.names]
        return self._agents

    @property
    def places(self) -> list[int]:
        """Words before the memory of each, and of all."""
        words = [-(-agent.memory.itemsize // 8) for agent in self.agents]
        return [sum(words[:k]) for k in range(len(words) + 1)]

    def write_record(self, brain: np.record) -> None:
        """Fill the fields ``ADVISERS`` of a record; this object must live as long as it is used."""
        brain["n_advisers"] = len(self.names)
        brain["adviser_at"][: len(self.names) + 1] = self.places
        for k, agent in enumerate(self.agents):
            code = agent.compile()
            params = code.params.copy()
            self._keep_alive.append(params)
            brain["adviser_act"][k] = code.act
            brain["adviser_observe"][k] = code.observe
            brain["adviser_params"][k] = params.ctypes.data


def _found(name: str) -> Agent:
    agent = find_agent(name)
    if not isinstance(agent, Agent):
        raise AgentError(f"{name!r} decides for many games at once and cannot be an adviser")
    return agent
