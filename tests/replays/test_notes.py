"""Notes in hanab.live's shorthands, names and notes of documents."""

import json

import pytest

from tamaya.cards import card_name
from tamaya.game import Game
from tamaya.replays import ReplayError, from_json, names_of, notes_of, to_json
from tamaya.replays.notes import MEANINGS, parse_note
from tamaya.rules import Rules


def cards(text: str, rules: Rules | None = None) -> list[str] | None:
    mask = parse_note(rules or Rules(), text).cards
    return None if mask is None else [card_name(card) for card in range(25) if mask >> card & 1]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("r2", ["R2"]),
        ("R2", ["R2"]),
        ("red 2", ["R2"]),
        ("2 red", ["R2"]),
        ("red2", ["R2"]),
        ("r2,r3", ["R2", "R3"]),
        ("b1, p5", ["W1", "B5"]),  # by index: blue is our white, purple our blue
        ("rb23", ["R2", "R3", "W2", "W3"]),
        ("r", ["R1", "R2", "R3", "R4", "R5"]),
        ("r,!2,!3", ["R1", "R4", "R5"]),
        ("r2 | g4", ["G4"]),
        ("was [r2] [2] surely", ["R2"]),
        ("[r][b]", ["W1", "W2", "W3", "W4", "W5"]),  # the last word wins if they contradict
        ("", None),
        ("   ", None),
        ("|", None),
        ("kt", None),
        ("hello", None),
        ("[]", None),
        ("!", None),
        ("r6", None),
        ("r2, perhaps", None),
        ("r2|[cm]", ["R2"]),
        ("r2, [f]", ["R2"]),
        ("r2 [f], r3", ["R2", "R3"]),
        ("g4 | r2 | f | ?", ["R2"]),
        ("r2 | kt", None),  # it was taken for something else
        ("r2 | hello", None),
        ("r2 | hello | [f]", None),
        ("<script>alert(1)</script>", None),
    ],
)
def test_what_a_card_may_be(text, found):
    assert cards(text) == found


def test_what_a_card_is_not():
    assert len(cards("!r2") or []) == 24
    assert len(cards("!3") or []) == 20


def test_colours_are_those_of_the_variant():
    assert cards("g1", Rules(colours=3)) == ["Y1"]  # red, green, blue
    assert cards("y1", Rules(colours=3)) is None
    assert cards("b1", Rules(colours=4)) == ["W1"]
    assert cards("p1", Rules(colours=4)) is None
    assert cards("5", Rules(ranks=4)) is None


@pytest.mark.parametrize("meaning", MEANINGS)
def test_words_have_meanings(meaning):
    for word in MEANINGS[meaning]:
        for text in (word, f"[{word}]", f"so [{word.upper()}] it is", f"x | {word}"):
            note = parse_note(Rules(), text)
            assert note.meanings == {meaning}
            assert note.has_meaning and note.text == text
    assert parse_note(Rules(), "[f] [r2]").cards == 2
    assert parse_note(Rules(), "r2 | [f]").meanings == {"finessed"}
    assert parse_note(Rules(), "kt | [f]").meanings == {"finessed"}
    assert not parse_note(Rules(), "what a move").has_meaning


def test_long_and_strange_notes_are_read_at_once():
    for text in ("[" * 100_000, "r2," * 100_000, "]" * 1000, "\u202er2", "\0"):
        parse_note(Rules(), text)


@pytest.mark.parametrize("rules", [Rules(players=3), Rules(players=2, colours=3, bomb="keep")])
def test_names_and_notes_come_back(rules):
    game = Game(rules, seed=1)
    game.apply("p0")
    names = ["Ann <b>", "Ben", "Cho"][: rules.players]
    notes = [["", "r2 | [f]", "ünïcode"], [], ["kt"]][: rules.players]
    document = json.loads(json.dumps(to_json(game, names, notes)))
    assert names_of(document) == names
    assert notes_of(document) == notes
    assert to_json(from_json(document), names_of(document), notes_of(document)) == document
    assert notes_of(to_json(game)) == []


def test_mistakes_are_named():
    document = to_json(Game(), ["Ann", "Ben"], [[], []])
    with pytest.raises(ReplayError, match="players: missing"):
        names_of({})
    with pytest.raises(ReplayError, match=r"players\[0\]: expected a text, found 1"):
        names_of({"players": [1, "Ben"]})
    with pytest.raises(ReplayError, match="notes: 1 lists for 2 players"):
        notes_of(document | {"notes": [[]]})
    with pytest.raises(ReplayError, match=r"notes\[1\]\[0\]: expected a text"):
        notes_of(document | {"notes": [[], [{}]]})


def test_games_of_ours_have_other_colours():
    ours = ("red", "yellow", "green", "white", "blue")
    assert parse_note(Rules(), "b1", ours).cards == 1 << 20
    assert parse_note(Rules(), "w1", ours).cards == parse_note(Rules(), "b1").cards == 1 << 15
    assert parse_note(Rules(), "p1", ours).cards is None
