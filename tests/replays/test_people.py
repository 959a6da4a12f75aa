"""What people lose: whose turns count, which games are drawn, and errors from person to person."""

from math import isnan, sqrt

import pytest

from tamaya.replays.data_files import DataGame
from tamaya.replays.game_rows import GameRow
from tamaya.replays.marks import SeatSummary
from tamaya.replays.people import (
    NOT_SAID,
    answer_of,
    check_question,
    rows_by,
    sample_of,
    turns_of_people,
)
from tamaya.rules import Rules
from tamaya.table import play


@pytest.fixture(scope="module")
def game():
    return play("iggi", Rules(players=2, colours=2), 1, seed=4, record=True).game(0)


def about(participant: str, exp: str | None) -> dict:
    return {"participant": participant, "survey": {"exp": exp} if exp else None, "partner": "full"}


def row_of(about: dict, turns: int, loss: float, players: int = 2) -> GameRow:
    seat = SeatSummary(1, turns, 1, 0, 2, 3, loss, turns, 4)
    return GameRow("game", f"players={players}", 25, 3, "complete", (seat,), about)


def test_only_turns_of_people_count(game):
    person = DataGame("game", game, about={"human_seats": [1]})
    turns = turns_of_people(person)
    assert turns == list(range(2, game.turn + 1, 2))
    assert all(game.at(turn - 1).mover == 1 for turn in turns)
    assert turns_of_people(DataGame("game", game)) == list(range(1, game.turn + 1))


def test_answers_are_those_of_the_survey_or_of_the_file():
    said = about("p1", "new")
    assert answer_of(said, "exp") == "new"
    assert answer_of(said, "partner") == "full"
    assert answer_of(about("p1", None), "exp") == answer_of(said, "human_seats") == NOT_SAID


def test_an_unknown_question_names_the_known_ones(game):
    found = [DataGame("game", game, about=about("p1", "new"))]
    check_question(found, "exp")
    with pytest.raises(
        ValueError, match="--by age: no game answers it; they answer exp, participant"
    ):
        check_question(found, "age")


def test_samples_are_spread_over_people_and_grow(game):
    people = ["a"] * 50 + ["b"] * 3 + ["c"]
    found = [DataGame(f"{k}", game, about=about(who, "new")) for k, who in enumerate(people)]
    found += [DataGame(f"{54 + k}", game, about=about(f"x{k}", "expert")) for k in range(2)]
    found.append(DataGame("bad", None, "not JSON"))

    def drawn(n: int, seed: int = 0) -> list[str]:
        return [each.name for each in sample_of(found, "exp", n, seed)]

    three = drawn(3)
    assert three[-3:] == ["54", "55", "bad"]  # all of a small group; what cannot be read is said
    assert {people[int(name)] for name in three[:3]} == {"a", "b", "c"}
    assert set(three) < set(drawn(10))  # so that more games extend what was worked out
    assert sum(people[int(name)] == "b" for name in drawn(10)[:-3]) == 3
    assert drawn(3) == three != drawn(3, seed=1)
    assert len(drawn(1000)) == len(found)


def test_every_person_counts_alike():
    rows = [row_of(about("a", "new"), 10, 1.0)] * 8  # 0.1 a move, eight times
    rows += [row_of(about("b", "new"), 10, 3.0), row_of(about("c", "expert"), 20, 1.0)]
    new, expert = rows_by(rows, "exp")
    assert (new.answer, new.participants, new.games, new.moves) == ("new", 2, 9, 90)
    assert new.loss_per_move == pytest.approx(0.2)
    assert new.se == pytest.approx(sqrt(0.02) / sqrt(2))  # from a to b
    assert (new.blunder, new.inaccuracy) == (9, 18)
    assert isnan(expert.se)
    assert expert.as_dict()["se"] is None


def test_without_names_every_game_counts_alike():
    rows = [row_of({}, 10, 1.0, 3), row_of({}, 40, 12.0, 3), row_of(about("c", "expert"), 20, 1.0)]
    expert, nobody = rows_by(rows, "exp")
    assert (expert.players, nobody.players, nobody.answer) == (2, 3, NOT_SAID)
    assert (nobody.participants, nobody.games) == (0, 2)
    assert nobody.loss_per_move == pytest.approx(0.2)
    assert nobody.se == pytest.approx(0.1)
