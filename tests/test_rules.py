"""Rules: what is accepted, what is refused and how, derived sizes, text."""

import json
from dataclasses import replace

import pytest
from hypothesis import given

from support import any_rules, examples
from tamaya.rules import MAX_MOVES, Rules, RulesError


@pytest.mark.parametrize(("players", "hand_size"), [(2, 5), (3, 5), (4, 4), (5, 4)])
def test_hands_have_the_usual_size(players, hand_size):
    assert Rules(players=players).hand_size == hand_size


@pytest.mark.parametrize(("players", "n_moves"), [(2, 20), (3, 30), (4, 38), (5, 48)])
def test_the_full_game_has_the_move_ids_of_hle(players, n_moves):
    assert Rules(players=players).n_moves == n_moves


@pytest.mark.parametrize(("players", "longest"), [(2, 90), (3, 81), (4, 80), (5, 73)])
def test_the_full_game_is_bounded_as_published(players, longest):
    assert Rules(players=players).longest_game == longest


def test_the_full_deck_has_fifty_cards_and_twenty_five_points():
    assert (Rules().deck_size, Rules().max_score) == (50, 25)


@pytest.mark.parametrize(("ranks", "deck_size"), [(1, 6), (2, 8), (3, 12), (4, 16), (5, 20)])
def test_two_colours_make_smaller_decks(ranks, deck_size):
    assert Rules(colours=2, ranks=ranks, hand_size=1).deck_size == deck_size


def test_no_rules_allow_a_game_longer_than_the_history():
    longest = Rules(players=2, hand_size=1, tokens=50, lives=100, discard_at_full=True).longest_game
    assert 140 < longest <= MAX_MOVES


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("players", 1), ("players", 6), ("players", 2.0), ("players", True),
        ("colours", 0), ("colours", 6), ("ranks", 0), ("ranks", 6),
        ("hand_size", -1), ("hand_size", 9), ("hand_size", False), ("hand_size", "5"),
        ("tokens", -1), ("tokens", 51), ("tokens", None),
        ("lives", 0), ("lives", 101), ("lives", 3.5),
        ("observation", "all"), ("bomb", "half"), ("refill", "left"), ("refill", 1),
        ("random_start", 1), ("empty_hints", "true"), ("discard_at_full", None),
        ("no_completion_token", 0),
    ],
)  # fmt: skip
def test_a_bad_value_is_refused_and_named(option, value):
    with pytest.raises(RulesError, match=f"{option} must be .*{value!r}"):
        Rules(**{option: value})


@pytest.mark.parametrize("value", ["3", None, [3]])
def test_players_that_are_no_number_are_refused_and_named(value):
    with pytest.raises(RulesError, match="players must be"):
        Rules(players=value)


def test_hands_must_fit_into_the_deck():
    with pytest.raises(
        RulesError, match="hand_size 5 for 3 players needs 15 cards, the deck has 10"
    ):
        Rules(players=3, colours=1)
    assert Rules(players=5, colours=1, hand_size=2).deck_size == 10


@pytest.mark.parametrize("name", ["Hanabi-Small", "small", "SMALL"])
def test_presets_go_by_the_names_of_hle(name):
    small = Rules(players=3, colours=2, ranks=5, hand_size=2, tokens=3, lives=1)
    assert Rules.preset(name, players=3) == small


def test_a_preset_can_be_varied():
    assert Rules.preset("full-minimal", players=4, lives=1) == Rules(
        players=4, observation="minimal", lives=1
    )


def test_an_unknown_preset_is_named_with_the_known_ones():
    with pytest.raises(RulesError, match=r"unknown preset 'tiny'.*very-small"):
        Rules.preset("tiny")


@examples(200)
@given(any_rules())
def test_text_reads_back_as_the_same_rules(rules):
    assert Rules.parse(rules.to_text()) == rules


@examples(50)
@given(any_rules())
def test_a_mapping_through_json_gives_the_same_rules(rules):
    assert Rules.from_mapping(json.loads(json.dumps(rules.as_dict()))) == rules


def test_text_names_players_hand_size_and_what_is_unusual():
    assert Rules(players=3).to_text() == "players=3 hand_size=5"
    rules = Rules(bomb="keep", empty_hints=True, tokens=0)
    assert rules.to_text() == "players=2 hand_size=5 tokens=0 bomb=keep empty_hints=true"


def test_documents_from_before_an_option_was_added_mean_its_default():
    rules = Rules(players=3, bomb="keep")
    assert "no_completion_token" not in rules.as_dict()
    assert Rules.from_mapping(rules.as_dict()) == rules
    rules = replace(rules, no_completion_token=True)
    assert Rules.from_mapping(rules.as_dict()) == rules


def test_parse_fills_in_defaults_and_takes_commas():
    assert Rules.parse("") == Rules()
    assert Rules.parse("players=4, refill=in_place") == Rules(players=4, refill="in_place")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("players", "'players' is not a rule"),
        ("jokers=2", "'jokers=2' is not a rule.*one of players"),
        ("players=two", "players must be a whole number, not 'two'"),
        ("players=7", "players must be a whole number from 2 to 5, not 7"),
        ("empty_hints=yes", "empty_hints must be true or false, not 'yes'"),
        ("bomb=", "bomb must be one of zero, keep, not ''"),
    ],
)
def test_parse_says_what_is_wrong(text, message):
    with pytest.raises(RulesError, match=message):
        Rules.parse(text)


def test_a_mapping_with_an_unknown_name_is_refused():
    with pytest.raises(RulesError, match="unknown rule 'hands'"):
        Rules.from_mapping({"hands": 3})
