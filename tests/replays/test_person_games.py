"""Games with the people in them, from what data files say."""

import pytest

from tamaya.game import Game
from tamaya.learn.imitation.games import PersonGame
from tamaya.replays.data_files import DataGame
from tamaya.replays.person_games import MOST_OF_PERSON, person_games, seats_of_people
from tamaya.rules import Rules

GAME = Game(Rules(players=2), 1)


def test_people_seats_and_experience_come_from_the_file():
    about = {"human_seats": [1], "participant": "p7", "survey": {"exp": "new"}}
    [found] = person_games([DataGame("f#1", GAME, about=about)])
    assert (found.seats, found.person, found.experience) == ((1,), "p7", "new")


def test_games_that_name_nobody_are_each_somebodys():
    found = person_games([DataGame("f#1", GAME), DataGame("f#2", GAME, about={"id": 5})])
    assert [(each.person, each.seats) for each in found] == [("f#1", (0, 1)), ("5", (0, 1))]
    assert found[0].experience == ""


def test_other_tables_unreadable_games_and_programs_are_left_out():
    three = DataGame("f#1", Game(Rules(players=3), 1))
    broken, alone = (
        DataGame("f#2", None, "broken"),
        DataGame("f#3", GAME, about={"human_seats": []}),
    )
    assert person_games([three, broken, alone], players=2) == []
    assert len(person_games([three, broken])) == 1
    odd = DataGame("f#4", GAME, about={"survey": {"exp": "grandmaster"}})
    assert person_games([odd])[0].experience == ""


def test_behaviour_counts_every_seat_of_some_people_and_twenty_games_of_each():
    pair = [PersonGame(GAME, (0, 1), "p1", "new")] * (MOST_OF_PERSON + 5)
    other = PersonGame(GAME, (1,), "p2", "expert")
    games, seats = seats_of_people([*pair, other])
    assert len(games) == len(seats) == 2 * MOST_OF_PERSON + 1
    assert seats_of_people([*pair, other], "expert") == ([GAME], [1])
    with pytest.raises(ValueError, match=r"--people must be one of all, new, .*, not 'old'"):
        seats_of_people([other], "old")
