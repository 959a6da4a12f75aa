"""An agent in one seat of one game, called move by move from Python.

For uses where speed does not matter: the terminal, explanations, people at the same table. The
agent sees, remembers and draws random numbers exactly as in the compiled loop, so it plays the
same.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from tamaya.agent import Agent, AgentFault, BatchAgent, Player, check_players, exception_text
from tamaya.batch_dispatch import call_batch
from tamaya.cards import N_CARDS, card_name
from tamaya.compiled import hot
from tamaya.dispatch import call_act_raising, call_observe_raising
from tamaya.game import Game
from tamaya.knowledge.hand_beliefs import counted_beliefs
from tamaya.records import VIEW
from tamaya.rng import seat_seed
from tamaya.rules import whole_number
from tamaya.view import fill_view

Row = tuple[str, Any]
TOLERANCE = 1e-4  # for the sum of a row of beliefs, which networks compute in 32 bits


@hot
def ask(act, view, memory, params):
    """Move of the ``act`` function at an address."""
    return call_act_raising(act, view, memory, params)


@hot
def tell(observe, view, event, memory, params):
    """Call the ``observe`` function at an address."""
    call_observe_raising(observe, view, event, memory, params)


class Seat:
    """An agent in a seat of a game; call ``observe`` after every move of any seat.

    ``fill`` writes its views; only tests for hidden information pass another function.
    """

    def __init__(
        self, player: Player, game: Game, seat: int, fill: Callable[..., None] = fill_view
    ) -> None:
        if not isinstance(player, Player):
            raise TypeError(f"player must be an agent, such as find_agent('iggi'), not {player!r}")
        if not isinstance(game, Game):
            raise TypeError(f"game must be a Game, such as Game(Rules(players=3)), not {game!r}")
        check_players(player, game.rules.players)
        if not 0 <= whole_number("seat", seat) < game.rules.players:
            raise ValueError(f"seat {seat} is not a seat of {game.rules.players} players")
        self.player, self.game, self.seat = player, game, seat
        self._fill = fill
        if isinstance(player, Agent):
            self._code = player.compile()
            self._params = self._code.params.copy()  # writing to it changes no other seat
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
            lane = np.zeros(1, np.int64)
            moves = call_batch(self.player, self.game.rules, self.game.array, lane, self.memory)
            return int(moves[0])
        try:
            return int(ask(self._code.act, self.view(), *self._places()))
        except Exception as error:
            raise self._fault("act", error) from error

    def observe(self) -> None:
        """Let the agent see the last move."""
        if isinstance(self.player, Agent) and self._code.observe:
            try:
                tell(self._code.observe, self.view(), self.game.events[-1], *self._places())
            except Exception as error:
                raise self._fault("observe", error) from error

    def _places(self) -> tuple[int, int]:
        """Addresses of memory and parameters."""
        return self.memory.ctypes.data, self._params.ctypes.data

    def explain(self) -> list[Row]:
        """Rows of (reason, value) for what the agent would do now; empty if it does not explain.

        The function gets copies, so that nothing it writes affects later play.
        """
        if not isinstance(self.player, Agent) or self.player.explain_function is None:
            return []
        memory, params = self.memory.copy(), self._params.copy()
        try:
            rows = self.player.explain_function(self.view(), memory[0], params[0])
            return [(str(reason), value) for reason, value in rows]
        except Exception as error:
            raise self._fault("explain", error) from error

    def believe(self) -> np.ndarray:
        """[slot, card] -> probability of each card in the seat's own slots, according to its agent.

        For an agent without its own beliefs it is found by counting: every deal that agrees with
        the hints is equally likely. Rows of held cards add up to 1, those of empty slots are 0. The
        function gets copies, so that nothing it writes affects later play.
        """
        counted = counted_beliefs(self.view())
        if not isinstance(self.player, Agent) or self.player.believe_function is None:
            return counted
        memory, params = self.memory.copy(), self._params.copy()
        try:
            beliefs = self.player.believe_function(self.view(), memory[0], params[0])
            return _checked_beliefs(np.array(beliefs, np.float64), counted)
        except Exception as error:
            raise self._fault("believe", error) from error

    def _fault(self, function: str, error: Exception) -> AgentFault:
        turn = self.game.turn + (function != "observe")  # counted from 1
        return AgentFault(f"agent {self.player.spec!r} in seat {self.seat}, turn {turn}: its "
                          f"{function} function raised {exception_text(error)}")  # fmt: skip


def _checked_beliefs(beliefs: np.ndarray, counted: np.ndarray) -> np.ndarray:
    """Beliefs scaled so that rows add up to 1, checked to be probabilities of possible cards."""
    if beliefs.shape != counted.shape:
        raise ValueError(f"expected an array of {len(counted)} slots and {N_CARDS} cards, "
                         f"not of {beliefs.shape}")  # fmt: skip
    for slot, (row, possible) in enumerate(zip(beliefs, counted, strict=True)):
        for card in np.flatnonzero(~(row >= 0) | (row > 0) & (possible == 0)):
            wanted = "0 to 1" if possible[card] else "0, as it is impossible"
            raise ValueError(f"the probability of {card_name(int(card))} in slot {slot} is "
                             f"{row[card]:g}: expected {wanted}")  # fmt: skip
        total, expected = row.sum(), possible.sum()
        if abs(total - expected) > TOLERANCE:
            raise ValueError(f"the probabilities of slot {slot} add up to {total:g}, "
                             f"not to {expected:.0f}")  # fmt: skip
        if total > 0:
            row /= total
    return beliefs
