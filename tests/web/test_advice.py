"""Advice: the right adviser, the asker's own view, and words that people understand."""

import asyncio
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from support import permuted
from tamaya.compiled import JIT
from tamaya.game import Game
from tamaya.lookup import find_agent
from tamaya.rules import Rules
from tamaya.seat import Seat
from tamaya.table import play
from tamaya.web.advice import PLAIN, advise, adviser_for, agreeing, plain_rows, why
from tamaya.web.engines import DEFAULT_AGENT, Engines, Position, Question
from tamaya.web.events import AGENT, PERSON, Event, Opening, Role, SeatState
from tamaya.web.eyes import scene_of
from tamaya.web.grounds import grounds_of, unseen_copies
from tamaya.web.table import Table, TableError

ANN = SeatState(PERSON, "Ann", token_hash="a")


def sitter(agent: str) -> SeatState:
    return SeatState(AGENT, agent, agent, agent)


def table_of(*seats: SeatState, seed: int = 3, **rules: Any) -> Table:
    return Table(Opening("t", Rules(players=len(seats), **rules), seats, seed))


@pytest.fixture(scope="module")
def runner() -> Iterator[asyncio.Runner]:
    with asyncio.Runner() as runner:
        yield runner


@pytest.fixture(scope="module")
def engines(runner) -> Iterator[Engines]:
    if not JIT:
        pytest.skip("engines are about compiled code")
    engines = Engines()
    yield engines
    runner.run(engines.stop())


async def let_move(engines: Engines, table: Table) -> None:
    """Let the agent whose turn it is move."""
    seat = table.game.mover
    position = Position.of(table.game)
    asked = Question(position, seat, table.seats[seat].agent, *table.memory_of(seat))
    answer = await engines.move(asked)
    revision = table.revision
    table.apply(table.agent_move(seat, table.turn, answer.move, answer.memory, revision=revision))


# Who advises.


@pytest.mark.parametrize(
    ("mates", "adviser"),
    [
        (["tamaya-mixed"], "tamaya-mixed"),
        (["iggi"], "tamaya-mixed"),
        (["random"], "tamaya-mixed"),
        (["rules:PlaySafeCard,LegalRandom"], "tamaya-mixed"),
        (["smartbot"], "smartbot"),
        (["smartbot:refined=True"], "smartbot:refined=True"),
        (["fireflower"], "fireflower"),
        (["tamaya-mirror"], "tamaya-mirror"),
        (["information"], "information"),
        (["ppo"], "ppo"),
        (["hatbot"] * 4, "hatbot"),
        (["search:blueprint=information"], "information"),  # searching takes too long
        (["search:blueprint=iggi"], "tamaya-mixed"),
        (["search"], "tamaya-mixed"),  # its blueprint is made for other rules
        (["mcts"], "tamaya-mixed"),
        (["smartbot", "information"], "tamaya-mixed"),
        (["smartbot", "smartbot"], "smartbot"),
        (["a-file-that-is-gone"], "tamaya-mixed"),
    ],
)
def test_only_a_fellow_advises_beside_those_with_a_language_of_their_own(mates, adviser):
    table = table_of(ANN, *map(sitter, mates))
    assert adviser_for(table, 0) == adviser


def test_among_persons_hints_mean_what_they_say():
    assert adviser_for(table_of(ANN, ANN, sitter("information")), 0) == DEFAULT_AGENT
    assert adviser_for(table_of(ANN, SeatState()), 0) == DEFAULT_AGENT
    assert adviser_for(table_of(sitter("ppo"), sitter("ppo")), None) == "ppo"


# What is said.


def test_every_rule_of_the_default_adviser_has_plain_words():
    player: Any = find_agent(DEFAULT_AGENT)
    names = {step.rule.name for players in range(2, 6) for step in player.steps(players)}
    assert names == set(PLAIN)


def test_of_a_rule_list_the_rule_that_applies_is_told_in_plain_words():
    rows = [("1 PlaySafeCard", "does not apply"), ("2 IfLives>1:TellSteer(0.6,4)", "applies")]
    plain, details = plain_rows(rows)
    assert plain == [("why", PLAIN["TellSteer"])]
    assert [detail[:2] for detail in details] == rows  # as it is written, and what it does
    assert [words.split()[0] for _, _, words in details] == ["Plays", "Makes"]
    assert plain_rows([("1 TellUnknown", "applies")])[0] == [
        ("why", "Tells the next seat the first card that is not fully known: colour, else rank."),
    ]
    rows = [("1 PlayProbablySafe(0.6)", "applies")]
    (_, to_you), (_, of_it) = (plain_rows(rows, whose)[0][0] for whose in ("your", "its"))
    assert str(to_you).startswith("of your cards") and str(of_it).startswith("of its cards")
    others = [("no rule applies", ""), ("slot 1", "applies")]
    assert plain_rows(others) == (others, [])


def test_of_a_certain_play_nobody_says_that_it_is_likely():
    likely, certain = [("why", PLAIN["PlayProbablySafe"])], [("why", PLAIN["PlaySafeCard"])]
    for chance, said in (("surely", certain), ("80 %, 8 of 10 cards it may be", likely)):
        grounds = [("it can be played", chance)]
        assert agreeing(grounds, likely) == [*grounds, *said]


def test_grounds_say_what_the_seat_could_see_for_itself():
    game = Game(seed=3)
    scene = scene_of(game, 0)
    assert sum(unseen_copies(scene)) == 45
    touched = [slot for slot, card in enumerate(game.hands[1]) if card % 5 == 0]
    rows = grounds_of(scene, "h11")
    assert [reason for reason, _ in rows] == [f"seat 1 slot {slot}" for slot in touched]
    assert all(value.endswith(", playable, news") for _, value in rows)
    game.apply("h11")
    game.apply("h1" + str(game.hands[0][2] % 5 + 1))
    scene = scene_of(game, 0)
    assert all(value.endswith("told before") for _, value in grounds_of(scene, "h11"))
    rank = game.hands[0][2] % 5 + 1
    kinds = dict(grounds_of(scene, "p2"))["slot 2 can be"].split()
    assert kinds and {kind[1] for kind in kinds} == {str(rank)}
    assert grounds_of(scene, "x") == []


def test_grounds_count_cards_that_are_seen():
    """At the last turns of a game few cards are left, and chances are certainties."""
    game = play("tamaya-mixed", Rules(), 1, seed=5, record=True).game(0)
    for turn in range(game.turn):
        position = game.at(turn)
        scene = scene_of(position, position.mover)
        left = unseen_copies(scene)
        own = position.hands[position.mover]
        assert sum(left) == len(own) + int(position.record.deck_size) and min(left) >= 0
        for slot, card in enumerate(own):
            plays, drops = (dict(grounds_of(scene, f"{kind}{slot}")) for kind in "pd")
            is_playable = position.record.firework[card // 5] == card % 5
            if plays["it can be played"].startswith("surely"):
                assert (plays["it can be played"] == "surely") == is_playable
            assert f"slot {slot} can be" in drops and len(drops) == 3


# Asking.


def test_a_game_by_advice_is_the_game_of_the_compiled_table(engines, runner):
    table = table_of(ANN, sitter(DEFAULT_AGENT), seed=11)
    ann = Role(0)

    async def game() -> None:
        while table.phase == "playing":
            if table.game.mover == 0:
                frame = await advise(table, ann, table.turn, engines)
                assert frame["kind"] == "advise" and frame["agent"] == DEFAULT_AGENT
                assert all(row["parts"] and row["value"] for row in frame["rows"])
                assert frame["rows"] and frame["words"].startswith("tamaya-mixed would ")
                event = table.move(ann, table.turn, frame["move"])
                assert event is not None
                table.apply(event)
            else:
                await let_move(engines, table)

    runner.run(game())
    assert table.game.moves == play(DEFAULT_AGENT, Rules(), 1, seed=11, record=True).game(0).moves


def test_advice_of_somebody_else_and_about_the_past(engines, runner):
    table = table_of(ANN, sitter("iggi"))
    frame = runner.run(advise(table, Role(0), 0, engines, agent="smartbot"))
    assert frame["agent"] == "smartbot" and frame["turn"] == 0
    event = table.move(Role(0), 0, "h11")
    assert event is not None
    table.apply(event)
    assert runner.run(advise(table, Role(0), 0, engines, agent="smartbot")) == frame
    with pytest.raises(TableError, match="seat 0 does not move at turn 1"):
        runner.run(advise(table, Role(0), 1, engines))
    with pytest.raises(TableError, match="has not been"):
        runner.run(advise(table, Role(0), 5, engines))
    with pytest.raises(TableError, match="shown after the game"):
        runner.run(advise(table, Role(None), 0, engines))


def test_advice_depends_on_what_the_seat_sees_alone(engines, runner):
    """Everything that the asker cannot see is exchanged: the frames stay the same."""
    rng = Random(4)
    finished = play(["tamaya-mixed", "smartbot"], Rules(), 1, seed=2, record=True).game(0)
    for turn in (6, 18, 40):
        frames = []
        for game in (finished.at(turn), permuted(finished.at(turn), 0, rng)):
            opening = Opening(
                "t", game.rules, (ANN, sitter("smartbot")), 2, deck=tuple(game.deck), start=0
            )
            table = Table(opening)
            for move in game.moves:
                table.game.apply(move)
            frames.append(runner.run(advise(table, Role(0), turn, engines)))
        assert frames[0] == frames[1]


def test_reasons_of_agents_are_those_of_their_seats(engines, runner):
    """Watchers of agents hear why, at every turn, what ``Seat.explain`` says."""
    team = ["fireflower", "internal"]
    table = table_of(*map(sitter, team), seed=7)
    watcher = Role(None)
    game = Game(seed=7)
    seats = [Seat(find_agent(agent), game, seat) for seat, agent in enumerate(team)]
    expected = []
    for _ in range(12):
        expected.append([row[0] for row in seats[game.mover].explain()])
        game.apply(seats[game.mover].act())
        for seat in seats:
            seat.observe()
        runner.run(let_move(engines, table))
    assert table.game.moves == game.moves
    for turn, reasons in enumerate(expected):
        frame = runner.run(why(table, watcher, turn, None, engines))
        assert frame["seat"] == turn % 2 and frame["kind"] == "why"
        grounds = grounds_of(scene_of(table.game.at(turn), turn % 2), frame["move"])
        if turn % 2:  # a rule list: plain words, and the list itself as details
            assert len(frame["details"]) == len(reasons)
            assert [row["parts"] for row in frame["rows"][len(grounds) :]] == [[{"text": "why"}]]
        else:
            assert len(frame["rows"]) == len(grounds) + len(reasons) and not frame["details"]
    assert runner.run(why(table, watcher, table.turn, None, engines))["move"] is None


def test_nobody_hears_why_before_the_end_who_does_not_see_all(engines, runner):
    table = table_of(ANN, sitter("smartbot"))
    event = table.move(Role(0), 0, "h11")
    assert event is not None
    table.apply(event)
    runner.run(let_move(engines, table))
    for role in (Role(0), Role(0, is_host=True), Role(None)):
        with pytest.raises(TableError, match="shown after the game"):
            runner.run(why(table, role, 1, 1, engines))
    with pytest.raises(TableError, match="only agents give their reasons"):
        runner.run(why(table, Role(0), 0, 0, engines))


def test_a_turn_that_is_taken_back_meanwhile_is_not_spoken_of(engines, runner):
    table = table_of(ANN, sitter("smartbot"))

    async def undone() -> None:
        asking = asyncio.create_task(advise(table, Role(0), 0, engines))
        await asyncio.sleep(0)
        table.apply(Event("seat", 0, 1, sitter=sitter("iggi")))
        await asking

    with pytest.raises(TableError, match="changed meanwhile"):
        runner.run(undone())
