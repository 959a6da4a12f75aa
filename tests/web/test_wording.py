"""What people read and hear: events, cards, seats, and the parts of an agent's reasons."""

import pytest

from support import replay
from tamaya.cards import card_name
from tamaya.moves import move_phrase, move_text
from tamaya.registry import find_agent
from tamaya.rules import Rules
from tamaya.seat import Seat
from tamaya.table import play
from tamaya.web.table import OPEN, PERSON, SeatState
from tamaya.web.wording import (
    HANAB_LIVE,
    TAMAYA,
    Speaker,
    agent_label,
    card_label,
    event_words,
    joined,
    known_words,
    row_parts,
    seat_names,
    set_words,
    slot_numbers,
    value_text,
)

NAMES = ("Ann", "Ben", "Cho")
ALL = (1 << 25) - 1


def mask(*names: str) -> int:
    """The set of some cards."""
    cards = [card for card in range(25) for name in names if card_name(card) == name]
    return sum(1 << card for card in cards)


def test_lists_of_words():
    assert [joined(words) for words in ([], ["1"], ["1", "2"], ["1", "2", "4"])] == [
        "", "1", "1 and 2", "1, 2 and 4",
    ]  # fmt: skip


def test_seats_have_names_or_numbers():
    left = SeatState(OPEN, "Cho", token_hash="x")
    assert seat_names([SeatState(PERSON, "Ann"), SeatState(), left]) == ("Ann", "seat 2", "Cho")


@pytest.mark.parametrize(("spec", "label"), [
    ("smartbot", "smartbot"),
    ("search:blueprint=/home/ann/bots/mine.py,ms=50", "search:blueprint=mine.py,ms=50"),
    ("/home/ann/bots/mine.py", "mine.py"),
    ("", ""),
])  # fmt: skip
def test_agents_are_shown_without_the_folders_of_their_files(spec, label):
    assert agent_label(spec) == label


def test_slots_are_counted_from_the_newest_card():
    assert slot_numbers([3, 7, 9, 12]) == [4, 3, 2, 1]
    assert slot_numbers([3, 7, -1, -1]) == [2, 1, 0, 0]
    assert slot_numbers([3, -1, 9, -1]) == [2, 0, 1, 0]


@pytest.mark.parametrize(("cards", "words"), [
    (mask("R3", "B3"), "red or blue, rank 3"),
    (mask("Y4"), "yellow 4"),
    (mask("R1", "R2", "R3", "R4", "R5"), "red"),
    (mask("R1", "Y2"), "red or yellow, rank 1 or 2"),
    (mask("R2", "Y2", "G2", "W2", "B2"), "rank 2"),
    (mask("R1", "Y2", "G3", "W4", "B5"), "unknown"),
    (ALL, "unknown"),
])  # fmt: skip
def test_what_a_card_may_be(cards, words):
    assert set_words(cards, ALL) == words


def test_in_a_small_game_all_of_its_cards_say_nothing():
    small = mask("R1", "R2", "Y1", "Y2")
    assert set_words(small, small) == "unknown"
    assert set_words(mask("R1", "Y1"), small) == "rank 1"


@pytest.mark.parametrize(("cards", "words"), [
    (mask("Y4"), "yellow 4"), (mask("Y4", "B4"), "rank 4"), (mask("Y4", "Y1"), "yellow"),
    (mask("Y4", "R1"), ""), (ALL, ""),
])  # fmt: skip
def test_what_the_holder_of_a_card_knows(cards, words):
    assert known_words(cards) == words


def test_palettes_name_colours_by_index():
    assert (TAMAYA.card(16), HANAB_LIVE.card(16)) == ("white 2", "blue 2")
    assert HANAB_LIVE.letters == "RYGBP"
    assert set_words(mask("W3", "B3"), ALL, HANAB_LIVE) == "blue or purple, rank 3"


# Events and cards.

PLAYED = {"turn": 3, "seat": 1, "kind": "play", "card": 16, "scored": True, "token": False,
          "blind": False}  # fmt: skip
HINT = {"turn": 8, "seat": 0, "kind": "rank", "target": 1, "value": 2}


@pytest.mark.parametrize(("change", "words"), [
    ({}, "Ben plays white 2, scores"),
    ({"blind": True}, "Ben plays white 2 blind, scores"),
    ({"scored": False}, "Ben plays white 2, loses a life"),
    ({"card": 19, "token": True}, "Ben plays white 5, scores, a token back"),
    ({"kind": "discard"}, "Ben discards white 2"),
])  # fmt: skip
def test_plays_and_discards_in_words(change, words):
    assert event_words(PLAYED | change, NAMES, []) == words


@pytest.mark.parametrize(("change", "numbers", "words"), [
    ({}, [5, 1], "Ann tells Ben rank 3: slots 1 and 5"),
    ({"kind": "colour"}, [2], "Ann tells Ben green: slot 2"),
    ({"kind": "colour", "value": 3}, [], "Ann tells Ben white: no card"),
])  # fmt: skip
def test_hints_in_words(change, numbers, words):
    assert event_words(HINT | change, NAMES, numbers) == words


def test_who_did_it_or_was_told_is_called_you():
    assert event_words(PLAYED, NAMES, [], you=1) == "you play white 2, score"
    assert event_words(PLAYED | {"scored": False}, NAMES, [], you=1) == (
        "you play white 2, lose a life"
    )
    assert event_words(HINT, NAMES, [1], you=1) == "Ann tells you rank 3: slot 1"
    assert event_words(HINT, NAMES, [1], you=0) == "you tell Ben rank 3: slot 1"
    assert event_words(PLAYED, NAMES, [], palette=HANAB_LIVE) == "Ben plays blue 2, scores"


def test_a_hidden_card_is_read_aloud():
    held = {"card": None, "sight": mask("R3", "B3"), "hints": ALL, "marks": []}
    label = card_label("slot 2", held, [HINT], ALL)
    assert label == "slot 2, red or blue, rank 3, told rank 3 at turn 9"
    held["marks"] = ["playable"]
    label = card_label("slot 1, newest", held, [], ALL)
    assert label == "slot 1, newest, red or blue, rank 3, playable"


def test_a_card_that_is_seen_is_read_aloud():
    held = {"card": 8, "hints": mask("Y4", "R4"), "marks": ["critical"]}
    label = card_label("Ben, slot 1, newest", held, [HINT], ALL)
    assert label == "Ben, slot 1, newest: yellow 4, critical, knows rank 4"
    held |= {"hints": ALL, "marks": []}
    assert card_label("Ben, slot 1", held, [], ALL) == "Ben, slot 1: yellow 4"


# Moves and reasons.

SPEAKER = Speaker(Rules(players=3), 2, NAMES, (5, 4, 3, 2, 1))


@pytest.mark.parametrize(("text", "words"), [
    ("p0", "play slot 5"), ("d4", "discard slot 1"), ("h1R", "tell Ann red"),
    ("h25", "tell Ben rank 5"), ("x", "give up"), ("what?", "what?"),
])  # fmt: skip
def test_moves_in_words(text, words):
    assert SPEAKER.move(text) == words


def slot(number: int, seat: int = 2) -> dict[str, int]:
    """A part that is a slot."""
    return {"slot": number, "seat": seat}


@pytest.mark.parametrize(("reason", "value", "parts", "value_parts"), [
    ("slot 0 uncertain", "R2 R4", [slot(0), {"text": " uncertain"}],
     [{"card": 1}, {"text": " "}, {"card": 3}]),
    ("a hint would tell seat 1 to play", "slot 2 B1", [{"text": "a hint would tell Ben to play"}],
     [slot(2, 1), {"text": " "}, {"card": 20}]),
    ("the next seat's chop", "slot 4", [{"text": "Ann's chop"}], [slot(4, 0)]),
    ("my chop", "none", [{"text": "my chop"}], [{"text": "none"}]),
    ("tell +1 red", "0.8 (play hint; then seat 0 plays slot 2 or 3)",
     [{"move": "h1R", "text": "tell Ann red"}],
     [{"text": "0.8 (play hint; then Ann plays "}, slot(2, 0), {"text": " or "}, slot(3, 0),
      {"text": ")"}]),
    ("tell +2 rank 4", "best", [{"move": "h24", "text": "tell Ben rank 4"}], [{"text": "best"}]),
    ("play slot 0", 19.25, [{"move": "p0", "text": "play slot 5"}], [{"text": "19.25"}]),
    ("seat 1 was told to play slot 3", "", [{"text": "Ben was told to play "}, slot(3, 1)], []),
    ("the blueprint's move", "discard slot 1", [{"text": "the blueprint's move"}],
     [{"move": "d1", "text": "discard slot 4"}]),
    ("h1R before p0", True, [{"move": "h1R", "text": "tell Ann red"}, {"text": " before "},
                             {"move": "p0", "text": "play slot 5"}], [{"text": "yes"}]),
    ("1 IfLives>1:PlayProbablySafe(0.8)", "applies",
     [{"text": "1 IfLives>1:PlayProbablySafe(0.8)"}], [{"text": "applies"}]),
    ("seat 4", "is nobody", [{"text": "seat 4"}], [{"text": "is nobody"}]),
    ("slots 1, 2 and 4", "x", [slot(1), {"text": ", "}, slot(2), {"text": " and "}, slot(4)],
     [{"text": "x"}]),
])  # fmt: skip
def test_rows_are_split_into_parts(reason, value, parts, value_parts):
    assert row_parts([(reason, value)], SPEAKER) == [{"parts": parts, "value": value_parts}]


@pytest.mark.parametrize(("value", "text"), [
    (False, "no"), (None, ""), (0.123456, "0.1235"), (12, "12"), ("x", "x"),
])  # fmt: skip
def test_values_as_people_read_them(value, text):
    assert value_text(value) == text


def test_every_move_of_an_explanation_is_found():
    rules = Rules(players=3)
    for move in range(rules.n_moves):
        (row,) = row_parts([(move_phrase(rules, move), "")], SPEAKER)
        assert [part["move"] for part in row["parts"]] == [move_text(rules, move)]


@pytest.mark.parametrize("name", ["certainty", "hatbot", "smartbot", "piers"])
def test_nothing_of_a_real_explanation_is_lost(name):
    agent = find_agent(name)
    players = agent.players[1]
    game = play(agent, Rules(players=players), 1, record=True).game(0)
    names = tuple(f"seat {seat}" for seat in range(players))
    for turn in range(0, game.turn, 7):
        position = replay(game, turns=turn)
        mind = Seat(agent, position, position.mover)
        size = position.rules.hand_size
        speaker = Speaker(position.rules, position.mover, names, tuple(range(size)))
        for (reason, value), row in zip(
            mind.explain(), row_parts(mind.explain(), speaker), strict=True
        ):
            meant = (text.replace("the next seat", names[speaker.at_offset(1)])
                     for text in (reason, value_text(value)))  # fmt: skip
            assert (said(row["parts"]), said(row["value"])) == tuple(meant)


def said(parts: list[dict]) -> str:
    """Parts as the agent said them."""
    texts = []
    for part in parts:
        before = "".join(texts)
        if "slot" in part:
            is_listed = before.endswith((" or ", ", ", " and ")) and "slot" in before
            texts.append(str(part["slot"]) if is_listed else f"slot {part['slot']}")
        elif "card" in part:
            texts.append(card_name(part["card"]))
        else:
            texts.append(part["text"])
    return "".join(texts)


def test_every_seat_is_called_otherwise():
    sitters = [SeatState("person", name) for name in ("Ann", "Ann", "", "Ann 2", "Ann")]
    assert seat_names(sitters) == ("Ann", "Ann 2", "seat 3", "Ann 2 2", "Ann 3")
