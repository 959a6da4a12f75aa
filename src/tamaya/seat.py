"""An agent in one seat of one game, called move by move from Python.

For whoever is not in a hurry: the terminal, explanations, people at the same table. The agent
sees, remembers and draws random numbers exactly as at the compiled table, so it plays the same.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from tamaya.agent import VIEWS, Agent, AgentError, BatchAgent, Player, check_players
from tamaya.batch import encode_movers, view_movers
from tamaya.compiled import hot
from tamaya.dispatch import RAISED, call_act, call_observe
from tamaya.encoding import encoder_kind, vector_length
from tamaya.game import Game
from tamaya.records import VIEW
from tamaya.rng import seat_seed
from tamaya.view import fill_view

Row = tuple[str, Any]


@hot
def ask(act, view, memory, params):
    """Move of the ``act`` function at an address."""
    return call_act(act, view, memory, params)


@hot
def tell(observe, view, event, memory, params):
    """Call the ``observe`` function at an address."""
    return call_observe(observe, view, event, memory, params)


class Seat:
    """An agent in a seat of a game; tell it to ``observe`` after every move of anybody.

    ``fill`` writes its views; only tests of what an agent may see pass another one.
    """

    def __init__(
        self, player: Player, game: Game, seat: int, fill: Callable[..., None] = fill_view
    ) -> None:
        check_players(player, game.rules.players)
        if not 0 <= seat < game.rules.players:
            raise ValueError(f"seat {seat} is not a seat of {game.rules.players} players")
        self.player, self.game, self.seat = player, game, seat
        self._fill = fill
        if isinstance(player, Agent):
            self._code = player.compile()
            self.memory = np.zeros(1, player.memory)
            owner = 0 if player.shared else seat  # a shared memory has one generator
            self.memory["rng"] = seat_seed(np.uint64(game.record.seed), owner)
        elif isinstance(player, BatchAgent):
            self.memory = np.zeros((1, player.state_size), np.float32)

    def view(self) -> np.record:
        """What the seat sees now."""
        view = np.zeros(1, VIEW)[0]
        self._fill(self.game.record, self.seat, view)
        return view

    def act(self) -> int:
        """The move that the agent chooses; it must be its turn."""
        if self.game.is_over or self.game.mover != self.seat:
            raise ValueError(f"it is not the turn of seat {self.seat}")
        if isinstance(self.player, BatchAgent):
            return self._ask_batch(self.player)
        places = self.memory.ctypes.data, self._code.params.ctypes.data
        return self._checked(ask(self._code.act, self.view(), *places))

    def _checked(self, answer: int) -> int:
        if answer == RAISED:
            raise AgentError(f"agent {self.player.spec!r} in seat {self.seat} raised an exception")
        return int(answer)

    def _ask_batch(self, player: BatchAgent) -> int:
        rules, lane = self.game.rules, np.zeros(1, np.int64)
        games = self.game.array
        legal = np.zeros((1, rules.n_moves), np.bool_)
        if player.encoder == VIEWS:
            seen = np.zeros(1, VIEW)
            view_movers(games, lane, seen, legal)
        else:
            seen = np.zeros((1, vector_length(rules, player.encoder)), player.dtype)
            encode_movers(encoder_kind(player.encoder), games, lane, seen, legal)
        return int(player.act_function(seen, legal, self.memory)[0])

    def observe(self) -> None:
        """Let the agent see the last move."""
        if isinstance(self.player, Agent) and self._code.observe:
            places = self.memory.ctypes.data, self._code.params.ctypes.data
            event = self.game.events[-1]
            self._checked(tell(self._code.observe, self.view(), event, *places))

    def explain(self) -> list[Row]:
        """Rows of (reason, value) for what the agent would do now; empty if it does not explain."""
        if not isinstance(self.player, Agent) or self.player.explain_function is None:
            return []
        rows = self.player.explain_function(self.view(), self.memory[0], self._code.params[0])
        return [(str(reason), value) for reason, value in rows]
