"""The JSON of hanab.live: round trips, a file from elsewhere, and messages for malformed files."""

import json
from copy import deepcopy
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support import any_game, examples, pick_rules, play_randomly, scaled
from tamaya.cards import COLOUR_LETTERS
from tamaya.game import Game
from tamaya.moves import move_text
from tamaya.replays import (
    ReplayError,
    from_json,
    from_link,
    parse_json,
    to_json,
    to_link,
    unknown_rules,
)
from tamaya.rules import Rules

ABSENT = object()  # stands for a field that is taken away

# Colour and rank of each card, top first: the hands of three players, then the rest.
FOREIGN_DECK = """
    01 13 22 34 02  11 01 31 25 04  21 31 12 03 11
    01 02 03 04 05 11 12 13 14 14 15 21 21 22 23 23 24 24 31 32 32 33 33 34 35
"""


def foreign() -> dict[str, Any]:
    """A game as hanab.live exports it: four suits, player 1 begins, ended by a player."""
    return {
        "id": 12345,
        "players": ["Ann", "Ben", "Cho"],
        "deck": [{"suitIndex": int(c), "rank": int(r)} for c, r in FOREIGN_DECK.split()],
        "actions": [
            {"type": 0, "target": 5, "value": 0},
            {"type": 3, "target": 0, "value": 1},
            {"type": 0, "target": 0},
            {"type": 2, "target": 2, "value": 3},
            {"type": 0, "target": 11, "value": 0},
            {"type": 1, "target": 1, "value": 0},
            {"type": 4, "target": 1, "value": 4},
        ],
        "options": {"variant": "4 Suits", "startingPlayer": 1, "timed": True, "timeBase": 120},
        "notes": [["r1", "", "kt"], [], [""] * 43 + ["on a firework"]],
        "seed": "p3v15s7",
    }


def changed(document: dict[str, Any], path: str, value: object) -> dict[str, Any]:
    """The document with one field replaced, added or taken away."""
    *way, last = [int(step) if step.isdecimal() else step for step in path.split(".")]
    document = node = deepcopy(document)
    for step in way:
        node = node[step]
    if value is ABSENT:
        del node[last]
    elif isinstance(node, list) and last == len(node):
        node.append(value)
    else:
        node[last] = value
    return document


def assert_same(again: Game, game: Game) -> None:
    assert again == game
    assert again.events.tobytes() == game.events.tobytes()
    assert str(again) == str(game)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_games_come_back_identical(players):
    """1,040 games as JSON and as links."""
    for seed in range(scaled(260)):
        game = play_randomly(Game(Rules(players=players), seed), Random(seed))
        assert_same(from_json(to_json(game)), game)
        assert_same(from_link(to_link(game)), game)


def test_games_under_any_rules_come_back_identical():
    rng = Random(5)
    for seed in range(scaled(300)):
        game = play_randomly(Game(pick_rules(rng.choice), seed), rng)
        document = json.loads(json.dumps(to_json(game)))
        assert_same(from_json(document), game)


@examples(100)
@given(any_game())
def test_unfinished_games_come_back_identical(game):
    assert_same(parse_json(json.dumps(to_json(game))), game)


def test_the_document_is_the_documented_one():
    game = Game(Rules(players=2), seed=1)
    for move in (f"h1{COLOUR_LETTERS[game.hands[1][0] // 5]}", "p0", "d3"):
        game.apply(move)
    document = to_json(game)
    assert list(document) == ["players", "deck", "actions", "tamaya"]
    assert document["players"] == ["Alice", "Bob"]
    assert document["deck"][7] == {"suitIndex": game.deck[7] // 5, "rank": game.deck[7] % 5 + 1}
    assert document["actions"] == [
        {"type": 2, "target": 1, "value": game.deck[5] // 5},
        {"type": 0, "target": 5},
        {"type": 1, "target": 3},
    ]
    assert document["tamaya"]["rules"] == "players=2 hand_size=5"
    assert document["tamaya"]["colours"].startswith("by index")
    assert document["tamaya"]["unknown_to_hanab_live"] == []


@pytest.mark.parametrize(
    ("rules", "start", "options"),
    [
        (Rules(players=4), 0, None),
        (Rules(colours=4), 0, {"variant": "4 Suits"}),
        (Rules(colours=3, empty_hints=True), 1, {"variant": "3 Suits", "emptyClues": True,
                                                 "startingPlayer": 1}),
        (Rules(players=4, hand_size=5), 0, {"oneExtraCard": True}),
        (Rules(players=3, hand_size=4), 2, {"oneLessCard": True, "startingPlayer": 2}),
    ],
)  # fmt: skip
def test_rules_become_options(rules, start, options):
    game = play_randomly(Game(rules, seed=3, start=start), Random(3))
    document = to_json(game)
    assert document.get("options") == options
    assert document.pop("tamaya")["unknown_to_hanab_live"] == []
    assert_same(from_json(document), game)  # hanab.live's own words are enough


def test_rules_without_words_are_named():
    rules = Rules(colours=2, hand_size=7, refill="in_place", bomb="keep", tokens=3)
    assert unknown_rules(rules) == ["tokens", "bomb", "refill", "colours", "hand_size"]
    assert to_json(Game(rules))["tamaya"]["unknown_to_hanab_live"] == unknown_rules(rules)
    assert unknown_rules(Rules(no_completion_token=True)) == ["no_completion_token"]


def test_names_notes_and_seed_are_written():
    document = to_json(Game(), ["x", "y"], [["r2", "", ""], ["", "?"]], "p2v0s1")
    assert document["players"] == ["x", "y"]
    assert document["notes"] == [["r2"], ["", "?"]]
    assert document["seed"] == "p2v0s1"
    assert from_json(document) == Game()
    with pytest.raises(ReplayError, match="players: 3 names for 2 players"):
        to_json(Game(), ["x", "y", "z"])
    with pytest.raises(ReplayError, match="notes: 1 lists for 2 players"):
        to_json(Game(), notes=[["r2"]])


def test_a_foreign_file_is_read():
    game = from_json(foreign())
    assert game.rules == Rules(players=3, colours=4)
    assert game.record.start == 1
    assert [move_text(game.rules, move) for move in game.moves] == [
        "p0", "h11", "p0", "h1W", "p1", "d0",
    ]  # fmt: skip
    assert (game.points, game.status, game.mover) == (3, "running", 1)


@pytest.mark.parametrize("end", [{"type": 5, "target": -1, "value": 10},
                                 {"type": 4, "target": -1, "value": 6}])  # fmt: skip
def test_other_early_ends_are_read(end):
    assert from_json(changed(foreign(), "actions.6", end)) == from_json(foreign())


def test_default_options_may_be_spelt_out():
    options = {"variant": "No Variant", "startingPlayer": 0, "emptyClues": False, "speedrun": True,
               "cardCycle": True, "allOrNothing": False, "somethingNew": False}  # fmt: skip
    game = play_randomly(Game(seed=2), Random(2))
    assert_same(from_json(to_json(game) | {"options": options}), game)


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("players", ABSENT, "players: missing"),
        ("players", "Ann", "players: expected a list, found 'Ann'"),
        ("players.0", 3, "players[0]: expected a text, found 3"),
        ("players", ["a"] * 6, "players: 6 names, expected 2 to 5"),
        ("options", [], "options: expected an object, found a list"),
        ("options.variant", "6 Suits", "options.variant: unknown variant '6 Suits'"),
        ("options.variant", 15, "options.variant: expected a text, found 15"),
        ("options.startingPlayer", 3, "options.startingPlayer: player 3 does not exist"),
        ("options.startingPlayer", True, "options.startingPlayer: expected a whole number"),
        ("options.emptyClues", 1, "options.emptyClues: expected true or false, found 1"),
        ("options.allOrNothing", True, "options.allOrNothing: this option is not supported"),
        ("options.jokers", 2, "options.jokers: this option is not supported"),
        ("deck", ABSENT, "deck: missing"),
        ("deck", [], "deck: 0 cards, expected 40; a seed alone is not enough"),
        ("deck.39", ABSENT, "deck: 39 cards, expected 40"),
        ("deck.4", [0, 2], "deck[4]: expected an object, found a list"),
        ("deck.4.rank", ABSENT, "deck[4].rank: missing"),
        ("deck.4.rank", 6, "deck[4].rank: rank 6 does not exist: expected 1 to 5"),
        ("deck.4.rank", 2.0, "deck[4].rank: expected a whole number, found 2.0"),
        ("deck.4.suitIndex", 4, "deck[4].suitIndex: colour 4 does not exist: expected 0 to 3"),
        ("deck.4.suitIndex", -(10**99), "deck[4].suitIndex: colour a huge number does not exist"),
        ("deck.2.rank", 5, "deck[8]: colour 2 rank 5 comes more than 1 times"),
        ("notes", {}, "notes: expected a list, found an object"),
        ("notes.2", ABSENT, "notes: 2 lists for 3 players"),
        ("notes.1", "kt", "notes[1]: expected a list, found 'kt'"),
        ("notes.0.1", None, "notes[0][1]: expected a text, found null"),
        ("notes.2.44", "more", "notes[2]: 45 notes, at most 44 are possible"),
        ("actions", ABSENT, "actions: missing"),
        ("actions", {}, "actions: expected a list, found an object"),
        ("actions.0", 5, "actions[0]: expected an object, found 5"),
        ("actions.0.type", ABSENT, "actions[0].type: missing"),
        ("actions.0.type", 6, "actions[0].type: type 6 does not exist: expected 0 to 5"),
        ("actions.0.type", "play", "actions[0].type: expected a whole number, found 'play'"),
        ("actions.0.target", ABSENT, "actions[0].target: missing"),
        ("actions.0.target", 40, "actions[0].target: card 40 does not exist: expected 0 to 39"),
        ("actions.0.target", 0, "actions[0].target: card 0 is not in the hand of player 1"),
        ("actions.4.target", 17, "actions[4].target: card 17 is not in the hand of player 2, it "
         "is still in the deck"),
        ("actions.0.value", 3, "actions[0].value: a play or discard has no value, found 3"),
        ("actions.0.value", False, "actions[0].value: a play or discard has no value, found false"),
        ("actions.0.type", 1, "actions[0]: a discard is not legal at 8 tokens"),
        ("actions.1.target", 2, "actions[1].target: player 2 gives a hint to itself"),
        ("actions.1.target", 3, "actions[1].target: player 3 does not exist: expected 0 to 2"),
        ("actions.1.value", ABSENT, "actions[1].value: missing"),
        ("actions.1.value", 0, "actions[1].value: rank 0 does not exist: expected 1 to 5"),
        ("actions.3.value", 4, "actions[3].value: colour 4 does not exist: expected 0 to 3"),
        ("actions.1.value", 5, "actions[1]: a hint that touches no card is not legal"),
        ("actions.6.target", 3, "actions[6].target: player 3 does not exist: expected -1 to 2"),
        ("actions.7", {"type": 0, "target": 6}, "actions[7]: actions[6] has ended the game"),
        ("tamaya", 1, "tamaya: expected an object, found 1"),
        ("tamaya", {}, "tamaya.rules: missing"),
        ("tamaya", {"rules": "", "version": 2}, "tamaya.version: version 2 does not exist"),
        ("tamaya", {"rules": "players=9"}, "tamaya.rules: players must be a whole number"),
        ("tamaya", {"rules": "players=2"}, "tamaya.rules: 2 players, but 3 names"),
        ("tamaya", {"rules": "players=3"}, "options.variant: '4 Suits' contradicts tamaya.rules, "
         "which mean 'No Variant'"),
    ],
)  # fmt: skip
def test_a_malformed_document_is_refused_with_place_and_reason(path, value, message):
    with pytest.raises(ReplayError) as caught:
        from_json(changed(foreign(), path, value))
    assert str(caught.value).startswith(message)


def test_hints_without_tokens_and_moves_after_the_end_are_refused():
    hints = [{"type": 3, "target": (k + 2) % 3, "value": v} for k, v in enumerate([1, 1, 1] * 3)]
    with pytest.raises(ReplayError, match=r"^actions\[8\]: a hint is not legal without a token"):
        from_json(changed(foreign(), "actions", hints))
    over = to_json(play_randomly(Game(seed=4), Random(4)))
    n = len(over["actions"])
    with pytest.raises(ReplayError, match=rf"^actions\[{n}\]: the game is over already \("):
        from_json(changed(over, f"actions.{n}", {"type": 0, "target": 49}))


@pytest.mark.parametrize("document", [None, [], "{}", 3, {}])
def test_what_is_no_document_is_refused(document):
    with pytest.raises(ReplayError, match=r"^(document: expected an object|players: missing)"):
        from_json(document)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1, column 1: not JSON: Expecting value"),
        ('{\n"players": [}', "line 2, column 13: not JSON: Expecting value"),
        ("{} and more", "line 1, column 4: not JSON: Extra data"),
        ("[" * 100_000, "document: not JSON: nested too deeply"),
        (f'{{"id": {"9" * 5000}}}', "document: not JSON: a number is too long"),
        ('{"id": 1, "deck": [], "id": 2}', "document: 'id' occurs twice"),
        ('{"id": NaN}', "document: NaN is not a JSON number"),
    ],
)
def test_what_is_no_json_is_refused_with_line_and_column(text, message):
    with pytest.raises(ReplayError) as caught:
        parse_json(text)
    assert str(caught.value).startswith(message)


# Anything may stand in a file.

TEXT = json.dumps(foreign())
ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 60) | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=5,
)


def read_or_refuse(document: object, text: str) -> None:
    for read, what in ((from_json, document), (parse_json, text)):
        try:
            game = read(what)
        except ReplayError as error:
            assert str(error) and len(str(error)) < 300
        else:
            assert_same(from_json(to_json(game)), game)


@examples(200)
@given(st.integers(0, len(TEXT)), st.integers(0, 4), st.text('0123456789{}[]":,-e.x\n', max_size=3))
def test_a_damaged_text_is_read_or_refused(place, length, new):
    read_or_refuse(foreign(), TEXT[:place] + new + TEXT[place + length :])


@examples(150)
@given(st.data())
def test_a_damaged_document_is_read_or_refused(data):
    document = foreign()
    if data.draw(st.booleans()):
        document["tamaya"] = {"version": 1, "rules": "players=3 colours=4"}
    for _ in range(data.draw(st.integers(1, 3))):
        node: Any = document
        while isinstance(node, (dict, list)) and node:
            key = data.draw(st.sampled_from(sorted(node) if isinstance(node, dict)
                                            else range(len(node))))  # fmt: skip
            if not isinstance(node[key], (dict, list)) or data.draw(st.integers(0, 3)) == 0:
                node[key] = data.draw(ANY_JSON)
                break
            node = node[key]
    read_or_refuse(document, json.dumps(document))
