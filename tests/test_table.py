"""The table: the same games on any number of threads, memories, line-ups, and faults."""

from itertools import pairwise

import numpy as np
import pytest

from support import decisions, replay, scaled
from tamaya import table
from tamaya.agent import Agent, AgentError
from tamaya.compiled import JIT, popcount
from tamaya.game_kernels import legal_mask, nth_move
from tamaya.records import OUT_OF_LIVES, RUNNING
from tamaya.rng import random_below
from tamaya.rules import Rules
from tamaya.table import AgentFault, play

pytestmark = [pytest.mark.checked, pytest.mark.interpreted]

needs_compiler = pytest.mark.skipif(not JIT, reason="exceptions pass through interpreted loops")


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch):
    """Let few games make many tasks."""
    monkeypatch.setattr(table, "LARGEST_CHUNK", 16)


def last_legal(view, memory, params):
    """Makes the legal move with the highest id."""
    legal = legal_mask(view)
    return nth_move(legal, popcount(legal) - 1)


LAST = Agent("last-legal", last_legal)


def move_by_sum(view, memory, params):
    """Chooses by what it has noted."""
    legal = legal_mask(view)
    return nth_move(legal, memory.total % popcount(legal))


def note_event(view, event, memory, params):
    """Notes what everybody saw."""
    memory.total = (3 * memory.total + event.move + event.touched) % 1000003
    memory.n_events += 1


def note_event_and_hand(view, event, memory, params):
    """Notes what only its own seat sees."""
    for seat in range(view.players):
        memory.total = (3 * memory.total + view.card[seat, 0] + 1) % 1000003
    memory.n_events += 1


MEMORY = [("n_events", np.int64), ("total", np.int64)]


def noting_agent(name, observe, **options) -> Agent:
    """An agent that chooses by the sum of its notes."""
    agent = Agent(name, move_by_sum, memory=MEMORY, **options)
    agent.observe(observe)
    return agent


PRIVATE = noting_agent("private", note_event_and_hand)
APART = noting_agent("apart", note_event)
SHARED = noting_agent("shared", note_event, shared=True)


def all_moves(played) -> list[list[int]]:
    """The moves of each game of a recorded run."""
    return [played.game(k).moves for k in range(len(played.results))]


# The same whatever the order.


@pytest.mark.parametrize("agent", ["random", PRIVATE, SHARED], ids=str)
def test_results_do_not_depend_on_threads(agent):
    runs = [play(agent, games=scaled(1500), seed=3, threads=n).results for n in (1, 2, 3)]
    assert runs[0].tobytes() == runs[1].tobytes() == runs[2].tobytes()


@pytest.mark.once
@pytest.mark.parametrize("agent", ["random", PRIVATE], ids=str)
def test_a_run_can_be_played_in_parts(agent):
    rules = Rules(players=3, random_start=True)
    whole = play(agent, rules, 50, seed=5).results
    cuts = [0, 1, 20, 50]
    parts = [play(agent, rules, b - a, seed=5, first=a).results for a, b in pairwise(cuts)]
    assert np.concatenate(parts).tolist() == whole.tolist()


def test_other_seeds_are_other_games():
    runs = {play("random", games=30, seed=seed).results.tobytes() for seed in (0, 1, -1, 2**63)}
    assert len(runs) == 4


def test_recorded_games_are_the_games_that_were_played():
    rules = Rules(players=3, bomb="keep", random_start=True)
    played = play("random", rules, 40, seed=1, record=True)
    assert played.results.tobytes() == play("random", rules, 40, seed=1).results.tobytes()
    for k, result in enumerate(played.results):
        game = played.game(k)
        again = replay(game)
        assert again == game
        assert (again.score, again.points, again.turn) == (
            result.score, result.points, result.n_moves,
        )  # fmt: skip
        assert (again.record.status, again.record.lives) == (result.status, result.lives)
        assert (result.status == OUT_OF_LIVES) == (result.lives == 0)
        assert result.status != RUNNING


def test_games_that_were_not_recorded_cannot_be_shown():
    with pytest.raises(ValueError, match="play with record=True"):
        play("random", games=1).game(0)


def test_a_run_remembers_what_it_was():
    played = play(["random", LAST], Rules(lives=2), 3, seed=8, first=6)
    assert played.rules == Rules(lives=2)
    assert [agent.name for agent in played.agents] == ["random", "last-legal"]
    assert (played.seed, played.first, len(played.results)) == (8, 6, 3)


def test_progress_adds_up():
    steps = []
    play("random", games=50, on_progress=steps.append)
    assert sum(steps) == 50 and len(steps) > 3


def test_no_games_give_no_results():
    for games in (play("random", games=0, record=True), play(LAST, games=0)):
        assert len(games.results) == 0


# Randomness.


def any_legal(view, memory, params):
    """Makes any legal move."""
    legal = legal_mask(view)
    return nth_move(legal, random_below(memory, popcount(legal)))


def test_random_seats_and_games_differ_but_come_again():
    rules = Rules(players=5, tokens=0, lives=20)  # ten moves: play any of four slots
    first = all_moves(play("random", rules, 60, record=True))
    assert first == all_moves(play("random", rules, 60, record=True))
    openings = [tuple(moves[:5]) for moves in first]
    assert len(set(openings)) > 50  # of 4**5
    by_seat = list(zip(*openings, strict=True))
    assert len(set(by_seat)) == 5
    assert all(set(column) == {4, 5, 6, 7} for column in by_seat)


def test_two_random_agents_of_equal_seeds_play_alike():
    mine = Agent("mine", any_legal)
    assert all_moves(play(mine, games=20, record=True)) == all_moves(
        play("random", games=20, record=True)
    )


# Memories.


@pytest.mark.parametrize("agent", [PRIVATE, APART, SHARED], ids=str)
def test_recorded_moves_are_those_of_seats_that_remember(agent):
    for players in (2, 5):
        played = play(agent, Rules(players=players), 5, record=True)
        for k in range(5):
            game = played.game(k)
            for seat in range(players):
                own = [int(event.move) for event in game.events if event.seat == seat]
                assert decisions(agent, game, seat) == own


@pytest.mark.parametrize("players", range(2, 6))
def test_a_shared_memory_plays_like_separate_ones(players):
    rules = Rules(players=players, random_start=True)
    together = play(SHARED, rules, scaled(300), record=True)
    apart = play(APART, rules, scaled(300), record=True)
    assert all_moves(together) == all_moves(apart)


def test_an_agent_that_shares_keeps_to_itself_in_a_mixed_team():
    mixed = play([SHARED, LAST], Rules(), 20, record=True)
    apart = play([APART, LAST], Rules(), 20, record=True)
    assert all_moves(mixed) == all_moves(apart)


def test_the_memories_matter():
    assert all_moves(play(PRIVATE, games=20, record=True)) != all_moves(
        play(APART, games=20, record=True)
    )


# Who sits where.


def test_each_seat_gets_its_agent():
    played = play(["first-legal", LAST, "first-legal"], Rules(players=3), 20, record=True)
    for k in range(20):
        assert_seats(played.game(k), [0, 1, 0])


def test_seating_seat_each_game_anew():
    rules = Rules(players=4)
    seatings = np.random.default_rng(0).integers(0, 2, (20, 4))
    played = play(["first-legal", LAST], rules, 20, seatings=seatings, record=True)
    for k in range(20):
        assert_seats(played.game(k), seatings[k])


def assert_seats(game, seating) -> None:
    """Every move is the lowest legal one for agent 0 and the highest for agent 1."""
    position = replay(game, turns=0)
    for event in game.events:
        assert event.move == position.legal_moves[-1 if seating[event.seat] else 0]
        position.apply(event.move)


def test_agents_with_memories_of_different_size_share_a_table():
    big = Agent("big", last_legal, memory=[("notes", np.int64, 100)])
    mixed = play([PRIVATE, big, "random"], Rules(players=3), 30, record=True)
    assert all_moves(mixed) == all_moves(
        play([PRIVATE, LAST, "random"], Rules(players=3), 30, record=True)
    )


# What is refused.


@pytest.mark.parametrize(
    ("team", "options", "message"),
    [
        (["random"] * 2, {}, "2 agents for 3 seats: expected one for all, or one per seat"),
        ([], {}, "0 agents for 3 seats"),
        ("nobody", {}, "unknown agent 'nobody'"),
        ("random", {"games": -1}, "games must not be negative, not -1"),
        ("random", {"seatings": np.zeros((4, 2), int)}, r"shape \(4, 2\), expected \(4, 3\)"),
        ("random", {"seatings": np.ones((4, 3), int)}, "indices of the 1 agents of the team"),
        ("random", {"seatings": -np.ones((4, 3), int)}, "indices of the 1 agents of the team"),
        (Agent("pair", last_legal, players="2"), {}, "'pair' plays with 2 players, not 3"),
        ("random", {"threads": -1}, "threads must be 0 to 1,024, not -1"),
        ("random", {"threads": 99_999}, "threads must be 0 to 1,024, not 99,999"),
        ("random", {"seatings": [[0] * 3] * 4, "lineups": [[0] * 3] * 4}, "use only one of them"),
    ],
)
def test_a_wrong_team_is_refused(team, options, message):
    with pytest.raises(ValueError, match=message):
        play(team, Rules(players=3), **{"games": 4, **options})


@pytest.mark.parametrize(
    ("team", "rules", "message"),
    [
        ("random", 2, r"rules must be Rules, such as Rules\(players=3\), not 2"),
        (["random", 3], None, "a seat takes an agent or its text, such as 'certainty', not 3"),
        (7, None, "a team is an agent or a list of them, not 7"),
        ("random", {"players": 2}, "rules must be Rules"),
    ],
)
def test_what_is_something_else_is_refused_and_shown(team, rules, message):
    with pytest.raises(TypeError, match=message):
        play(team, rules, 2)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"games": 2.5}, "games must be a whole number, not 2.5"),
        ({"games": "many"}, "games must be a whole number, not 'many'"),
        ({"seed": "x"}, "seed must be a whole number, not 'x'"),
        ({"threads": 1.5}, "threads must be a whole number, not 1.5"),
    ],
)
def test_what_is_no_whole_number_is_named(options, message):
    with pytest.raises(TypeError, match=message):
        play("random", Rules(players=2), **{"games": 2, **options})


def test_seatings_may_be_given_by_their_former_name():
    seatings = np.array([[0, 1], [1, 0]])
    now = play(["random", LAST], games=2, seatings=seatings).results
    with pytest.warns(DeprecationWarning, match="lineups is now seatings"):
        before = play(["random", LAST], games=2, lineups=seatings).results
    assert now.tobytes() == before.tobytes()


# Faults.


def illegal_after_seven(view, memory, params):
    """Plays its oldest card, and something else after seven moves."""
    return params.move if view.n_moves == 7 else view.hand_size


def raise_after_seven(view, memory, params):
    """Plays its oldest card, and fails after seven moves."""
    if view.n_moves == 7:
        raise ValueError("lost my glasses")
    return view.hand_size


def raise_when_told(view, event, memory, params):
    """Cannot bear to see the seventh move."""
    if view.n_moves == 7:
        raise IndexError


LONG = Rules(lives=20)


@pytest.mark.parametrize(
    ("move", "shown"),
    [
        (63, r"illegal move 63, ids go from 0 to 19; hints take an offset from 1 to 1, not a seat"),
        (-1, r"illegal move -1, ids go from 0 to 19"),
        (10**12, r"illegal move 1000000000000, ids go from 0 to 19"),
        (0, r"illegal move 0 \(d0, discard slot 0\) of discard\(view, slot=0\): all hint tokens"),
    ],
)
@pytest.mark.parametrize("threads", [1, 2])
def test_an_illegal_move_is_reported_with_its_place(move, shown, threads):
    agent = Agent("blind", illegal_after_seven, params={"move": 0}).with_params({"move": move})
    where = rf"agent 'blind(:move=.*)?' in seat 1, seed 5, game 100, turn 8 \({LONG.to_text()}\): "
    with pytest.raises(AgentFault, match=where + shown):
        play(agent, LONG, 40, seed=5, first=100, threads=threads)


def test_a_fault_names_the_agent_of_the_seating():
    blind = Agent("blind", illegal_after_seven, params={"move": 63})
    seatings = np.array([[0, 0], [0, 1], [1, 0]])
    with pytest.raises(AgentFault, match=r"agent 'blind' in seat 1, seed 0, game 1, turn 8"):
        play(["first-legal", blind], LONG, 3, seatings=seatings)


@needs_compiler
@pytest.mark.parametrize("threads", [1, 2])
def test_an_exception_of_an_agent_is_reported_with_its_place(threads):
    where = "agent 'shaky' in seat 1, seed 5, game 100, turn 8"
    words = ".*: its act function raised ValueError: lost my glasses$"
    with pytest.raises(AgentFault, match=where + words):
        agent = Agent("shaky", raise_after_seven)
        play(agent, LONG, 40, seed=5, first=100, threads=threads)


@needs_compiler
@pytest.mark.parametrize("shared", [False, True])
def test_an_exception_of_an_observer_is_reported_with_its_place(shared):
    agent = Agent("shy", last_legal, shared=shared)
    agent.observe(raise_when_told)
    words = "its observe function raised IndexError$"
    with pytest.raises(AgentFault, match=rf"'shy' in seat ., seed 2, game 0, turn 7.*{words}"):
        play(agent, LONG, 10, seed=2)


def raise_after_notes(view, memory, params):
    """Fails once it has noted enough, in a state that only this game leads to."""
    if memory.n_events > 9 and memory.total % 3 == 1:
        raise ValueError("too much to remember")
    memory.n_events += 1
    legal = legal_mask(view)
    return nth_move(legal, random_below(memory, popcount(legal)))


@needs_compiler
def test_an_exception_that_depends_on_memory_and_chance_keeps_its_words():
    agent = Agent("moody", raise_after_notes, memory=MEMORY)
    agent.observe(note_event_and_hand)
    for team in (agent, ["random", agent]):
        with pytest.raises(AgentFault, match=r"'moody'.*raised ValueError: too much to remember$"):
            play(team, LONG, 100, seed=1)


@needs_compiler
def test_the_table_goes_on_after_a_fault():
    before = play("random", games=20).results.tobytes()
    shaky = Agent("shaky", raise_after_seven)
    for _ in range(50):
        with pytest.raises(AgentFault):
            play(shaky, LONG, 2)
    assert play("random", games=20).results.tobytes() == before


def test_a_fault_is_an_agent_error():
    assert issubclass(AgentFault, AgentError)
