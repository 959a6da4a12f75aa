"""Compact links: round trips, the letters themselves, and messages for damaged links."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support import examples, play_randomly, scaled
from tamaya.game import Game
from tamaya.replays import ReplayError, from_link, replay_url, to_link
from tamaya.replays.link import ALPHABET, looks_like_link, lost_in_a_link, numbered_game
from tamaya.rules import Rules

# One of each card by colour, then the other copies: dealt without shuffling.
SORTED = [*range(25), *(c * 5 for c in range(5)), *(c * 5 for c in range(5)),
          *(5 * c + r for c in range(5) for r in (1, 2, 3))]  # fmt: skip


def short_game() -> Game:
    """Three moves of two players, all kinds but a discard."""
    game = Game(Rules(), deck=SORTED)
    for move in ("p0", "h1R", "h11"):
        game.apply(move)
    return game


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("colours", [3, 4])
def test_games_of_fewer_colours_come_back_identical(players, colours):
    """Those of five colours are in the tests of JSON."""
    for seed in range(scaled(30)):
        game = play_randomly(Game(Rules(players, colours), seed), Random(seed))
        again = from_link(to_link(game))
        assert again == game
        assert again.events.tobytes() == game.events.tobytes()


def test_the_letters_are_those_of_hanab_live():
    """Worked out by hand from the description of the format."""
    link = to_link(short_game())
    cards = "abcdefghijklmnopqrstuvwxy" + "afkpu" * 2 + "bcdghilmnqrsvwx"
    # Types 0 to 3, four of them: play has no value, 0 * 4 + 0 = a; colour 0 is 1 * 4 + 2 = g;
    # rank 1 is 2 * 4 + 3 = l. Targets: card 0 = a, seat 0 = a, seat 1 = b.
    assert link.replace("-", "") == f"215{cards},03aagalb,0"
    assert [len(group) for group in link.split("-")] == [20, 20, 20, 4]


def test_a_game_without_moves_has_two_zeros():
    game = Game(Rules(players=4, colours=3), seed=1)
    assert to_link(game).replace("-", "").endswith(",00,18")
    assert from_link(to_link(game)) == game


@pytest.mark.parametrize(
    "shape",
    [
        "{}",
        "  {}\n",
        "https://hanab.live/replay-json/{}",
        "https://hanab.live/shared-replay-json/{}#12",
        "http://localhost:8000/replay-json/{}?x=1#3",
        "hanab.live/shared-replay-json/{}",
        "/replay-json/{}",
        "{},",
        "{},p2v0s1",
        "https://hanab.live/replay-json/{},legacy-1-p2v0s1_x#4",
    ],
)
def test_a_link_may_stand_in_an_address_and_end_with_a_seed(shape):
    game = short_game()
    assert from_link(shape.format(to_link(game))) == game
    assert from_link(shape.format(to_link(game).replace("-", ""))) == game
    assert replay_url(game) == "https://hanab.live/replay-json/" + to_link(game)


def test_a_value_of_zero_and_an_early_end_are_read():
    """Other programs write the value 0 of hanab.live's database with plays and discards."""
    deck = to_link(short_game()).replace("-", "").split(",")[0]
    # Five types, 0 to 4: a play with value 0 is 1 * 5 + 0 = f, an end with value 4 is 5 * 5 + 4.
    game = from_link(f"{deck},04fa{ALPHABET[29]}b,0")
    assert (game.moves, game.status) == ([5], "running")


@pytest.mark.parametrize(
    ("rules", "start", "lost"),
    [
        (Rules(bomb="keep"), 0, "bomb=keep"),
        (Rules(refill="in_place", lives=1), 0, "lives=1, refill=in_place"),
        (Rules(ranks=4), 0, "ranks=4"),
        (Rules(colours=2), 0, "colours=2"),
        (Rules(hand_size=4), 0, "hand_size=4"),
        (Rules(empty_hints=True), 0, "empty_hints=true"),
        (Rules(observation="seer"), 0, "observation=seer"),
        (Rules(random_start=True), 0, "random_start=true"),
        (Rules(players=3), 2, "start=2"),
    ],
)
def test_what_a_link_cannot_carry_is_named(rules, start, lost):
    with pytest.raises(ValueError, match=f"^a link cannot carry {lost}; json and text can"):
        to_link(Game(rules, start=start))


BARE = to_link(short_game()).replace("-", "")  # 53 characters, a comma, 8, a comma, 1


@pytest.mark.parametrize(
    ("place", "length", "new", "message"),
    [
        (1, 1, "6", "character 1: 6 players, expected 2 to 5"),
        (1, 1, "x", "character 1: expected a digit, found 'x'"),
        (2, 1, "2", "character 2: rank 2, expected ranks from 1 to 5"),
        (3, 1, "z", "character 3: expected a digit, found 'z'"),
        (4, 1, "z", "character 4: colour 5 does not exist: expected 0 to 4"),
        (5, 1, "e", "character 8: colour 0 rank 5 comes more than 1 times"),
        (9, 1, "!", "character 9: '!' cannot be part of a link"),
        (9, 1, " ", "character 9: ' ' cannot be part of a link"),
        (10, 1, "", "character 52: 49 cards, expected 50"),
        (54, 1, "", "character 64: the link ends in part 2 of 3"),
        (55, 1, "4", "character 55: action types from 4 to 3"),
        (55, 1, "x", "character 55: expected a digit, found 'x'"),
        (56, 1, "9", "character 59: type 6 does not exist: expected 0 to 5"),
        (57, 1, "i", "character 57: a play or discard has no value"),
        (58, 1, "f", "character 58: card 5 is not in the hand of player 0"),
        (60, 1, "b", "character 60: player 1 gives a hint to itself"),
        (62, 1, "", "character 61: half an action"),
        (64, 1, "1", "character 64: unknown variant '1': expected one of 0, 15, 18"),
        (64, 1, "0x", "character 64: unknown variant '0x'"),
        (64, 1, "", "character 64: the link ends in part 3 of 3"),
        (65, 0, ",s,t", "character 67: more than three parts and a seed"),
        (54, 0, ",", "character 55: a part of the link is empty"),
        (1, 99, "", "character 1: the link ends in part 1 of 3"),
    ],
)
def test_a_damaged_link_is_refused_with_place_and_reason(place, length, new, message):
    with pytest.raises(ReplayError) as caught:
        from_link(BARE[: place - 1] + new + BARE[place - 1 + length :])
    assert str(caught.value).startswith(message)


def test_places_count_the_address_and_the_hyphens():
    address = "https://hanab.live/replay-json/"
    link = to_link(short_game())
    with pytest.raises(ReplayError, match=f"^character {len(address) + 25}: '!' cannot be part"):
        from_link(address + link[:24] + "!" + link[25:])


@examples(400)
@given(
    st.integers(0, len(BARE)), st.integers(0, 3), st.text(ALPHABET + ",-#?/_ \u0661é", max_size=3)
)
def test_any_damaged_link_is_read_or_refused(place, length, new):
    try:
        game = from_link(BARE[:place] + new + BARE[place + length :])
    except ReplayError as error:
        assert str(error).startswith("character ")
    else:
        assert from_link(to_link(game)) == game


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("https://hanab.live/replay/1", 1),
        ("hanab.live/shared-replay/987654#12", 987654),
        ("/replay/12/3", 12),
        ("https://www.hanab.live/export/77", 77),
        ("0", 0),
        ("#5", 5),
        ("12345.json", None),
        ("replay/12345", None),  # may be a file
        ("https://hanab.live/replay/", None),
        ("https://hanab.live/replay/12x", None),
        ("https://hanab.live/seed/12", None),
        ("215ab,03,0", None),
        ("1" * 19, None),
        ("١٢", None),
        ("", None),
    ],
)
def test_numbers_of_games_are_recognised(text, number):
    assert numbered_game(text) == number
    assert not (number is not None and looks_like_link(text))


def test_what_a_link_loses_is_named():
    assert lost_in_a_link(Game(Rules(players=3, colours=4))) == []
    rules = Rules(players=2, colours=2, bomb="keep", empty_hints=True)
    assert lost_in_a_link(Game(rules, start=1)) == [
        "colours=2", "bomb=keep", "empty_hints=true", "start=1",
    ]  # fmt: skip
