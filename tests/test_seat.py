"""An agent in one seat: plays as at the table, and only when it may."""

import numpy as np
import pytest

from tamaya.agent import Agent, AgentFault, BatchAgent
from tamaya.game import Game
from tamaya.knowledge.hand_beliefs import counted_beliefs
from tamaya.moves import move_text
from tamaya.registry import find_agent
from tamaya.rng import random_below
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


def test_an_explanation_that_scribbles_changes_nothing():
    def scribble(view, memory, params):
        memory["total"] = 99
        memory["rng"] = 1
        params["slot"] = 3
        view["tokens"] = 0
        return [("slot", int(params["slot"])), ("total", int(memory["total"]))]

    neat = Agent("neat", play_a_slot, memory=[("total", np.int64)], params={"slot": 1})
    messy = Agent("messy", play_a_slot, memory=[("total", np.int64)], params={"slot": 1})
    messy.explain(scribble)
    games = [Game(Rules(lives=20), seed=1), Game(Rules(lives=20), seed=1)]
    seats = [[Seat(player, game, seat) for seat in (0, 1)]
             for player, game in zip((neat, messy), games, strict=True)]  # fmt: skip
    for _ in range(10):
        for game, pair in zip(games, seats, strict=True):
            if pair[0].player is messy:
                assert pair[game.mover].explain() == [("slot", 3), ("total", 99)]
            game.apply(pair[game.mover].act())
    assert games[0] == games[1]
    assert messy.compile().params["slot"] == 1


def play_a_slot(view, memory, params):
    """Plays a slot that depends on all that an explanation may scribble on."""
    memory.total += 1
    return view.hand_size + (params.slot + memory.total + random_below(memory, 2)) % 5


def fail(view, memory, params):
    """Fails."""
    raise ValueError("my own words")


def fail_to_see(view, event, memory, params):
    """Fails."""
    raise IndexError("no such card")


def test_exceptions_keep_their_words():
    agent = Agent("shaky", fail)
    agent.observe(fail_to_see)
    agent.explain(fail)
    agent.prepare(lambda samples: samples[0])
    game = Game()
    seat = Seat(agent, game, 0)
    where = "agent 'shaky' in seat 0, turn 1: its"
    with pytest.raises(AgentFault, match=f"{where} act function raised ValueError: my own words"):
        seat.act()
    with pytest.raises(AgentFault, match=f"{where} explain function raised ValueError: my own"):
        seat.explain()
    game.apply("p0")
    with pytest.raises(AgentFault, match="its observe function raised IndexError: no such card"):
        seat.observe()
    with pytest.raises(AgentFault, match="'shaky': its prepare function raised IndexError: list"):
        agent.prepared([])


def scribble_on_games(samples):
    """Plays on in the sample games, and drops one."""
    for game in samples:
        game.apply("p0")
    del samples[1:]
    return {}


def test_sample_games_are_lent_as_copies():
    agent = Agent("scribbling", play_a_slot, params={"slot": 1}, memory=[("total", np.int64)])
    agent.prepare(scribble_on_games)
    samples = [Game(seed=1), Game(seed=2)]
    agent.prepared(samples)
    assert samples == [Game(seed=1), Game(seed=2)]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("certainty", Game(), 0), r"player must be an agent, .* not 'certainty'"),
        ((Agent("fails", fail), 2, 0), r"game must be a Game, .* not 2"),
        ((Agent("fails", fail), Game(), "0"), "seat must be a whole number, not '0'"),
    ],
)
def test_what_is_something_else_is_refused_and_shown(arguments, message):
    with pytest.raises(TypeError, match=message):
        Seat(*arguments)


def test_a_batch_agent_sees_its_own_seat():
    seen = []

    def look(observations, legal, state):
        seen.append(observations[0].copy())
        return legal.argmax(axis=1)

    game = Game(Rules(players=2), seed=4)
    game.apply(game.legal_moves[0])
    Seat(BatchAgent("looker", look, dtype=np.uint8), game, 1).act()
    assert (seen[0] == game.vector(1)).all()


# Beliefs.


def test_whoever_has_no_beliefs_of_its_own_counts():
    game = Game(seed=3)
    expected = counted_beliefs(game.view(0))
    for player in (find_agent("certainty"), BatchAgent("blind", lambda *arguments: None)):
        assert (Seat(player, game, 0).believe() == expected).all()


def test_beliefs_that_scribble_change_nothing():
    def scribble(view, memory, params):
        found = counted_beliefs(view)
        memory["total"], memory["rng"], params["slot"], view["tokens"] = 99, 1, 3, 0
        return found

    neat = Agent("neat", play_a_slot, memory=[("total", np.int64)], params={"slot": 1})
    messy = Agent("messy", play_a_slot, memory=[("total", np.int64)], params={"slot": 1})
    messy.believe(scribble)
    assert messy.has_beliefs and not neat.has_beliefs
    games = [Game(Rules(lives=20), seed=1), Game(Rules(lives=20), seed=1)]
    seats = [[Seat(player, game, seat) for seat in (0, 1)]
             for player, game in zip((neat, messy), games, strict=True)]  # fmt: skip
    for _ in range(10):
        for game, pair in zip(games, seats, strict=True):
            pair[game.mover].believe()
            game.apply(pair[game.mover].act())
    assert games[0] == games[1]


def believing(change) -> Seat:
    """A seat whose agent changes what counting says."""
    agent = Agent("believer", play_a_slot, memory=[("total", np.int64)], params={"slot": 1})
    agent.believe(lambda view, memory, params: change(counted_beliefs(view)))
    game = Game(seed=3)
    game.apply("h11" if "h11" in [move_text(game.rules, m) for m in game.legal_moves] else "p0")
    return Seat(agent, game, 1)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda found: found[:4], r"expected an array of 5 slots and 25 cards, not of \(4, 25\)"),
        (lambda found: found / 2, "the probabilities of slot 0 add up to 0.5, not to 1"),
        (lambda found: found * np.nan, "in slot 0 is nan: expected 0"),
        (lambda found: -found, "expected 0 to 1"),
        (lambda found: np.full((5, 25), 0.04), "is 0.04: expected 0, as it is impossible"),
    ],
)
def test_what_cannot_be_believed_is_refused(change, message):
    with pytest.raises(AgentFault, match=f"its believe function raised ValueError: .*{message}"):
        believing(change).believe()


def test_rounding_is_forgiven():
    found = believing(lambda found: found.astype(np.float32) * np.float32(1.00001)).believe()
    np.testing.assert_allclose(found.sum(axis=1), 1, rtol=1e-12)
