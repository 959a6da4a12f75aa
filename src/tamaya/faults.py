"""Faults: what an agent did wrong in a game and where, with its own error message.

Compiled loops only record the kind of a fault. Its message is composed afterwards: an exception is
reproduced by replaying the agent's part of the game, call by call.
"""

from collections.abc import Sequence

import numpy as np

from tamaya.agent import Agent, AgentFault, Player, exception_text
from tamaya.game import Game
from tamaya.moves import move_call, move_phrase, move_text
from tamaya.records import record
from tamaya.rules import Rules
from tamaya.seat import Seat

PLAYED, ILLEGAL, FAILED_TO_ACT, FAILED_TO_OBSERVE = 0, 1, 2, 3

FAULT = record([
    ("kind", np.int64), ("game", np.int64), ("seat", np.int64), ("move", np.int64),
])  # fmt: skip


def agent_fault(
    fault: np.record,
    agents: Sequence[Player],
    seatings: np.ndarray,
    rules: Rules,
    seed: int,
    first: int,
    game: np.record,
) -> AgentFault:
    """The exception for a fault: names agent, seat, seed, game, turn, and what happened."""
    seating = seatings[(fault.game - first) % len(seatings)]
    player = agents[seating[fault.seat]]
    turn = int(game.n_moves) + (fault.kind != FAILED_TO_OBSERVE)  # counted from 1
    where = (
        f"agent {player.spec!r} in seat {fault.seat}, seed {seed}, game {fault.game}, "
        f"turn {turn} ({rules.to_text()})"
    )
    if fault.kind == ILLEGAL:
        return AgentFault(f"{where}: illegal move {_shown(rules, int(fault.move), game)}")
    function = "act" if fault.kind == FAILED_TO_ACT else "observe"
    cause = _exception(player, Game.from_record(rules, game), int(fault.seat))
    what = exception_text(cause) if cause else "an exception"
    error = AgentFault(f"{where}: its {function} function raised {what}")
    error.__cause__ = cause
    return error


def _shown(rules: Rules, move: int, game: np.record) -> str:
    """An illegal move in words, with the reason and the arguments of the hint function."""
    if not 0 <= move < rules.n_moves:
        hints = f"hints take an offset from 1 to {rules.players - 1}, not a seat"
        return f"{move}, ids go from 0 to {rules.n_moves - 1}; {hints}"
    reason = Game.from_record(rules, game).why_illegal(move)
    names = f"{move_text(rules, move)}, {move_phrase(rules, move)}"
    return f"{move} ({names}) of {move_call(rules, move)}: {reason}"


def _exception(player: Player, failed: Game, seat: int) -> BaseException | None:
    """The exception of an agent in the last call of a game, if it occurs again."""
    if not isinstance(player, Agent):
        return None
    game = failed.at(0)
    again = Seat(player, game, seat)
    try:
        for move in failed.moves:
            if game.mover == seat:
                again.act()
            game.apply(move)
            again.observe()
        again.act()
    except AgentFault as error:
        return error.__cause__
    except ValueError:  # it was not its turn: the fault did not occur again
        return None
    return None
