"""Who is held out: whole people, by the seed of the split, and not those who played most."""

import pytest

from choosing import some_games
from tamaya.game import Game
from tamaya.learn.imitation.games import (
    MOST_GAMES,
    TEST,
    TEST_SHARE,
    TRAIN,
    VALIDATION,
    PersonGame,
    common_rules,
    games_in,
    parts_of,
)
from tamaya.rules import Rules


def crowd(n: int) -> list[PersonGame]:
    return [PersonGame(Game(), (1,), f"p{k}") for k in range(n)]


def test_parts_are_of_people_and_together_everybody():
    games = crowd(1000) + crowd(300)
    parts = [{each.person for each in games_in(games, [part], 1)}
             for part in (TRAIN, VALIDATION, TEST)]  # fmt: skip
    assert sum(map(len, parts)) == len(set.union(*parts)) == 1000
    assert abs(len(parts[2]) / 1000 - TEST_SHARE) < 4 * (0.3 * 0.7 / 1000) ** 0.5
    assert len(games_in(games, (TRAIN, VALIDATION, TEST), 1)) == 1300


def test_a_part_depends_on_the_seed_and_not_on_the_others():
    alone, all_of_them = parts_of(crowd(20), 1), parts_of(crowd(200), 1)
    assert all(all_of_them[person] == part for person, part in alone.items())
    assert parts_of(crowd(200), 2) != all_of_them


def test_whoever_played_most_is_learned_from():
    held_out = next(p for p, part in parts_of(crowd(50), 1).items() if part == TEST)
    many = [PersonGame(Game(), (1,), held_out)] * (MOST_GAMES + 1)
    assert parts_of(many, 1) == {held_out: TRAIN}
    assert parts_of(many[:MOST_GAMES], 1) == {held_out: TEST}


def test_games_must_share_their_rules():
    two, three = some_games(1, Rules(players=2)), some_games(1, Rules(players=3))
    assert common_rules(two) == Rules(players=2)
    with pytest.raises(ValueError, match=r"different rules: players=2.*players=3.*choose a number"):
        common_rules(two + three)
    with pytest.raises(ValueError, match="no games of people"):
        common_rules([])
