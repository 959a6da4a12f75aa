"""An agent in one seat: plays as at the table, and only when it may."""

import numpy as np
import pytest

from tamaya.agent import BatchAgent
from tamaya.game import Game
from tamaya.registry import find_agent
from tamaya.rules import Rules
from tamaya.seat import Seat
from tamaya.table import play


@pytest.mark.parametrize("name", ["random", "certainty", "example"])
def test_seats_play_the_games_of_the_table(name):
    rules = Rules(players=3)
    played = play(name, rules, 5, seed=2, record=True)
    for number in range(5):
        finished = played.game(number)
        game = finished.at(0)
        seats = [Seat(find_agent(name), game, seat) for seat in range(3)]
        while not game.is_over:
            game.apply(seats[game.mover].act())
            for seat in seats:
                seat.observe()
        assert game == finished


@pytest.mark.parametrize("seat", [-1, 2, 10**6])
def test_seats_that_do_not_exist_are_refused(seat):
    with pytest.raises(ValueError, match=f"seat {seat} is not a seat of 2 players"):
        Seat(find_agent("certainty"), Game(), seat)


def test_nobody_acts_or_sees_out_of_turn():
    def fail(observations, legal, state):
        raise AssertionError("it was shown the view of another seat")

    for player in (find_agent("certainty"), BatchAgent("spy", fail)):
        with pytest.raises(ValueError, match="it is not the turn of seat 1"):
            Seat(player, Game(), 1).act()


def test_a_batch_agent_sees_its_own_seat():
    seen = []

    def look(observations, legal, state):
        seen.append(observations[0].copy())
        return legal.argmax(axis=1)

    game = Game(Rules(players=2), seed=4)
    game.apply(game.legal_moves[0])
    Seat(BatchAgent("looker", look, dtype=np.uint8), game, 1).act()
    assert (seen[0] == game.vector(1)).all()
