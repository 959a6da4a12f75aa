"""Minds: the same moves whether they are kept, built anew, or go back with the game."""

import zlib
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from tamaya.agent import AgentFault
from tamaya.game import Game
from tamaya.lookup import all_agents, find_agent
from tamaya.moves import parse_move
from tamaya.player import Player
from tamaya.rules import Rules
from tamaya.seat import Seat
from tamaya.table import play
from tamaya.web.minds import Mind, Minds
from tamaya.web.questions import (
    EngineError,
    Position,
    Question,
    dump_line,
    question_fields,
    question_of,
)

QUICK = [
    player
    for player in all_agents()
    if not player.is_slow and player.act_function.__module__.startswith("tamaya.")
]
Memories = dict[int, tuple[bytes | None, int]]


def asked(game: Game, agent: str, memories: Memories | None = None) -> Question:
    memory = (memories or {}).get(game.mover, (None, 0))
    return Question(Position.of(game), game.mover, agent, *memory)


def go_on(
    minds: Callable[[], Minds], agent: str, game: Game, memories: Memories, turns: int = 1000
) -> Game:
    """Let minds make moves for all seats, remembering what they remember."""
    while not game.is_over and turns:
        answer = minds().move(asked(game, agent, memories))
        memories[game.mover] = answer.memory, game.turn + 1
        game.apply(answer.move)
        turns -= 1
    return game


def table_for(player: Player, seed: int) -> Rules:
    low, high = player.players
    return Rules(players=low + seed % (high - low + 1), **player.made_for)


@pytest.mark.parametrize("player", QUICK, ids=lambda player: player.name)
def test_minds_move_as_the_compiled_table_does(player):
    """Kept from move to move, and built anew for each, as after the death of an engine."""
    for seed in (1, 2):
        rules = table_for(player, seed)
        expected = play(player.name, rules, 1, seed=seed, record=True).game(0)
        kept = Minds()
        for minds in (lambda kept=kept: kept, Minds):
            game = go_on(minds, player.name, Game(rules, seed=seed), {})
            assert (game.moves, game.status) == (expected.moves, expected.status)
        assert len(kept) <= rules.players


@pytest.mark.parametrize(
    "team",
    [
        ["smartbot", "random"],
        ["information", "internal", "smartbot"],
        ["smartbot", "smartbot", "fireflower"],
        ["hatbot", "hatbot", "sample", "cox-information", "confidence"],
        ["ppo", "acha"],
    ],
    ids="-".join,
)
def test_teams_of_different_agents_move_as_at_the_compiled_table(team):
    rules = Rules(players=len(team))
    expected = play(team, rules, 1, seed=3, record=True).game(0)
    game, memories, minds = Game(rules, seed=3), {}, Minds()
    while not game.is_over:
        go_on(lambda: minds, team[game.mover], game, memories, 1)
    assert (game.moves, game.status) == (expected.moves, expected.status)


@pytest.mark.parametrize("agent", ["internal", "acha", "fireflower", "mixed-old", "information"])
def test_moves_taken_back_are_made_again_and_others_forgotten(agent):
    """Undo gives minds an older memory: what follows is what would have followed."""
    rng = Random(3)
    minds, game, memories = Minds(), Game(seed=9), {}
    go_on(lambda: minds, agent, game, memories, 8)
    at_turn, before = dict(memories), game.copy()
    go_on(lambda: minds, agent, game, memories, 8)
    again = go_on(lambda: minds, agent, before.copy(), dict(at_turn), 8)
    assert again.moves == game.moves
    other = before.copy()
    other.apply(rng.choice([move for move in other.legal_moves if move != game.moves[8]]))
    kept = go_on(lambda: minds, agent, other.copy(), dict(at_turn), 12)
    fresh = go_on(Minds, agent, other.copy(), dict(at_turn), 12)
    assert kept.moves == fresh.moves


@pytest.mark.parametrize("agent", ["tamaya-mixed", "tamaya-mirror", "smartbot", "fireflower"])
def test_without_a_memory_agents_that_do_not_roll_dice_move_the_same(agent):
    """Whoever is only shown the moves, as an adviser is, comes to the same conclusions."""
    expected = play(agent, Rules(players=3), 1, seed=6, record=True).game(0)
    minds = Minds()
    for turn in range(0, len(expected.moves), 3):
        game = expected.at(turn)
        game.apply(minds.explain(asked(game, agent), Seat.act).move or "x")
        assert game.moves[-1] == expected.moves[turn]


@pytest.mark.parametrize("agent", ["fireflower", "internal"])
def test_reasons_are_those_of_the_seat_and_change_nothing(agent):
    player = find_agent(agent)
    game, memories, minds = Game(seed=2), {}, Minds()
    seats = [Seat(player, game, seat) for seat in range(2)]
    for _ in range(20):
        question = asked(game, agent, memories)
        rows = minds.explain(question, Seat.act).rows
        assert list(rows) == seats[game.mover].explain()
        answer = minds.move(question)
        assert answer == replace(Minds().move(question), ms=answer.ms)
        memories[game.mover] = answer.memory, game.turn + 1
        seats[game.mover].act()
        game.apply(answer.move)
        for seat in seats:
            seat.observe()


def test_questions_about_the_past_leave_the_present_alone():
    minds, game, memories = Minds(), Game(seed=2), {}
    early: Question | None = None
    for turn in range(10):
        early = asked(game, "smartbot", memories) if turn == 4 else early
        go_on(lambda: minds, "smartbot", game, memories, 1)
    assert early is not None
    before = {key: mind for key, mind in minds._minds.items()}
    minds.explain(early, Seat.act)
    assert minds._minds == before
    assert go_on(lambda: minds, "smartbot", game, memories).moves == (
        play("smartbot", Rules(), 1, seed=2, record=True).game(0).moves
    )


def test_whoever_was_asked_on_another_branch_begins_anew():
    """Asked for advice, then moves are taken back and others made: nobody has a memory."""
    game = Game(seed=2)
    minds = Minds()
    for second in ("h11", "h1R", "d0", "p1"):
        branch = game.copy()
        branch.apply("h1" + str(game.hands[1][0] % 5 + 1))
        if branch.why_illegal(parse_move(branch.rules, second)):
            continue
        branch.apply(second)
        question = asked(branch, "smartbot")
        assert minds.explain(question, Seat.act) == Minds().explain(question, Seat.act)


def test_a_mind_with_another_memory_than_the_question_says_is_not_used():
    """As after an answer that never reached the table, so that another one was written down."""
    agent, memories, others = "internal", {}, {}
    game = go_on(Minds, agent, Game(seed=4), memories, 2)
    go_on(Minds, agent, Game(seed=5), others, 2)
    minds = Minds()
    minds.explain(asked(game, agent, memories))
    question = asked(game, agent, others)
    assert question.memory != asked(game, agent, memories).memory
    answer = minds.move(question)
    assert answer == replace(Minds().move(question), ms=answer.ms)


def test_the_minds_used_longest_ago_make_room(monkeypatch):
    built: list[Question] = []
    build = Minds._built
    monkeypatch.setattr(
        Minds, "_built", lambda self, question: built.append(question) or build(self, question)
    )
    games = [Game(seed=seed) for seed in range(6)]
    minds = Minds(max_bytes=4 * 6500)  # room for four minds of this agent
    for game in games:
        minds.move(asked(game, "certainty"))
    assert len(minds) == 4 and len(built) == 6
    for game in reversed(games):
        minds.explain(asked(game, "van-den-bergh"))
        assert minds._n_bytes == sum(mind.n_bytes for mind in minds._minds.values())
    assert len(minds) == 1 and minds._n_bytes > 4 * 6500  # one is kept however large it is


def test_a_memory_of_somebody_else_or_damaged_is_not_used():
    game, memories = Game(seed=4), {}
    go_on(Minds, "smartbot", game, memories, 2)
    data, _ = memories[game.mover]
    assert data is not None
    good = asked(game, "smartbot", memories)
    alone = Minds().move(replace(good, memory=None, memory_turn=0))
    bomb = data[:8] + zlib.compress(bytes(1 << 24))
    for memory in (b"", data[:-5], data[:8] + b"no", bytes(8) + data[8:], bomb):
        answer = Minds().move(replace(good, memory=memory))
        assert (answer.move, answer.memory) == (alone.move, alone.memory)
    for agent in ("certainty", "information"):  # as if another agent took over the seat
        other, alone = (Minds().move(asked(game, agent, memory)) for memory in (memories, None))
        assert (other.move, other.memory) == (alone.move, alone.memory)


def test_a_memory_of_the_same_size_is_still_somebody_elses():
    game, memories = Game(seed=4), {}
    go_on(Minds, "sample", game, memories, 4)  # rolls dice, so that its generator has moved on
    other, alone = (Minds().move(asked(game, "internal", memory)) for memory in (memories, None))
    assert (other.move, other.memory) == (alone.move, alone.memory)


def test_a_memory_belongs_to_a_move_that_was_made():
    position = Position.of(Game(seed=4))
    for turn in (-1, 0, 1):
        with pytest.raises(ValueError, match=f"memory_turn {turn} is not in 1 to 0"):
            Question(position, 0, "smartbot", b"", turn)


def test_faults_forget_the_mind(tmp_path):
    path = tmp_path / "moody.py"
    path.write_text(
        "from tamaya.agent import agent\n\n\n"
        "@agent('moody')\n"
        "def moody(view, memory, params):\n"
        "    if view.n_moves == 2:\n"
        "        raise ValueError('not again')\n"
        "    return 0 if view.n_moves == 1 else 5\n"
    )
    minds, game = Minds(), Game(seed=4)
    game.apply(minds.move(asked(game, str(path))).move)
    assert len(minds) == 1
    with pytest.raises(EngineError, match="made an illegal move") as error:
        minds.move(asked(game, str(path)))
    assert error.value.code == "illegal" and "all hint tokens are there" in error.value.words
    game.apply("p0")
    with pytest.raises(AgentFault, match="not again"):
        minds.move(asked(game, str(path)))
    assert len(minds) == 0


def test_only_the_seat_to_move_is_asked():
    question = replace(asked(Game(seed=4), "smartbot"), seat=1)
    with pytest.raises(ValueError, match="not the turn of seat 1"):
        Minds().move(question)


def test_questions_travel_as_lines():
    game, memories = Game(Rules(players=4, bomb="keep"), seed=2**63), {}
    go_on(Minds, "smartbot", game, memories, 5)
    question = asked(game, "smartbot", memories)
    fields: dict[str, Any] = question_fields(question)
    line = dump_line(fields)
    assert line.endswith(b"\n") and line.count(b"\n") == 1
    assert question_of(fields) == question
    assert isinstance(Minds()._built(question_of(fields)), Mind)
