"""Faults: what an illegal move was, why it is none, and exceptions in the agent's own words."""

import numpy as np
import pytest

from tamaya.agent import Agent, AgentFault
from tamaya.compiled import JIT
from tamaya.faults import FAILED_TO_ACT, FAULT, ILLEGAL, agent_fault
from tamaya.game import Game
from tamaya.moves import parse_move
from tamaya.rules import Rules

pytestmark = pytest.mark.interpreted


def raise_from_turn_two(view, memory, params):
    """Fails as soon as two moves have been made."""
    if view.n_moves >= params.turn:
        raise ValueError("my own words")
    return view.hand_size


SHAKY = Agent("shaky", raise_from_turn_two, params={"turn": 2})


def fault_of(game: Game, player: Agent, **fields: int) -> AgentFault:
    """The exception for a fault of the seat to move in a game."""
    fault = np.zeros(1, FAULT)
    for name, value in {"seat": game.mover, **fields}.items():
        fault[name] = value
    seatings = np.zeros((1, game.rules.players), np.int64)
    return agent_fault(fault[0], [player], seatings, game.rules, 3, 0, game.record)


@pytest.mark.parametrize(
    ("moves", "move", "message"),
    [
        ("", "d0", r"illegal move 0 \(d0, discard slot 0\) of discard\(view, slot=0\): all hint"),
        ("", "h2B", r"\(h2B, tell \+2 blue\) of hint_colour\(view, offset=2, colour=4\): it touch"),
        ("", "h11", r"\(h11, tell \+1 rank 1\) of hint_rank\(view, offset=1, rank=0\): it touches"),
        ("h13", "h13", r"of hint_rank\(view, offset=1, rank=2\): no hint token is left"),
    ],
)
def test_an_illegal_move_is_named_with_its_call_and_the_reason(moves, move, message):
    game = Game(Rules(players=3, tokens=1), deck=ordered_deck())
    for text in moves.split():
        game.apply(text)
    error = fault_of(game, SHAKY, kind=ILLEGAL, move=parse_move(game.rules, move))
    with pytest.raises(AgentFault, match=message):
        raise error


def ordered_deck() -> list[int]:
    """The cards of the whole deck colour by colour, ranks from 1 to 5."""
    copies = [3, 2, 2, 2, 1]
    return [5 * colour + rank for colour in range(5) for rank in range(5)
            for _ in range(copies[rank])]  # fmt: skip


def test_ids_that_do_not_exist_remind_of_offsets():
    error = fault_of(Game(Rules(players=4)), SHAKY, kind=ILLEGAL, move=38)
    assert "illegal move 38, ids go from 0 to 37; hints take an offset from 1 to 3" in str(error)


def test_an_exception_keeps_its_words_and_is_the_cause():
    game = Game()
    game.apply("p0")
    game.apply("p0")
    error = fault_of(game, SHAKY, kind=FAILED_TO_ACT)
    assert str(error).endswith("its act function raised ValueError: my own words")
    assert isinstance(error.__cause__, ValueError)


@pytest.mark.skipif(not JIT, reason="interpreted agents raise where they are called")
def test_an_exception_that_does_not_come_again_is_still_reported():
    error = fault_of(Game(), SHAKY, kind=FAILED_TO_ACT)
    assert str(error).endswith("its act function raised an exception")
