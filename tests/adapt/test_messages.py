"""Messages: forms of moves, lists of slots, and what statements make of the weights of cards."""

import numpy as np
import pytest

from tamaya.adapt.messages import (
    BY_AGE,
    BY_YOUTH,
    CODE,
    COLOUR_OFF,
    COLOUR_ON,
    FORCED,
    HAND,
    KNOWS,
    LIE,
    LIKELIEST,
    LIKELY_NEW,
    LIKELY_OLD,
    NEWEST,
    OLDEST,
    PLAYED,
    PUBLIC,
    RANK_OFF,
    RANK_ON,
    SPARING,
    STATEMENTS,
    THREE_RISING,
    TWO_RISING,
    VAGUEST_NEW,
    VAGUEST_OLD,
    form_of,
    hear,
    list_slots,
    look,
    reference_slot,
    survey,
)
from tamaya.cards import BIT
from tamaya.game import Game
from tamaya.moves import parse_move
from tamaya.rules import Rules

TWO = Rules(players=2)
DECK = [0, 5, 10, 15, 20, 1, 6, 11, 16, 21, *[card for card in range(25) for _ in range(2)][:40]]


def a_game() -> Game:
    """Seat 0 has five 1s, seat 1 five 2s, and seat 0 begins."""
    rest = [card for card in range(25) for _ in range((3, 2, 2, 2, 1)[card % 5])]
    for card in DECK[:10]:
        rest.remove(card)
    return Game(TWO, deck=[*DECK[:10], *rest], start=0)


def looked_at(game: Game, seat: int, code: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What everybody knows of a hand before any message."""
    public, hand = np.zeros(1, PUBLIC), np.zeros(1, HAND)
    public["weight"] = 1.0
    survey(game.record, public[0])
    look(game.record, public[0], code[0], seat, hand[0])
    return public, hand


def listed(chances: list[float], how: int, has_all_forms: int = 0) -> list[int]:
    """The list of open slots with these chances."""
    game, hand = a_game(), np.zeros(1, HAND)
    hand["open"], hand["has_all_forms"] = 31, has_all_forms
    hand["chance"][0, :5] = chances
    list_slots(game.record, hand[0], how)
    return hand["slot"][0, : hand["n"][0]].tolist()


def test_slots_are_listed_by_chance_or_age():
    chances = [0.2, 0.5, 0.2, 0.0, 0.3]
    assert listed(chances, LIKELY_OLD) == [1, 4, 0, 2]
    assert listed(chances, LIKELY_NEW) == [1, 4, 2, 0]
    assert listed(chances, TWO_RISING) == [4, 1, 0, 2]
    assert listed(chances, TWO_RISING, 1) == listed(chances, THREE_RISING) == [0, 4, 1, 2]
    assert listed(chances, BY_AGE) == [0, 1, 2, 4]
    assert listed(chances, BY_YOUTH) == [4, 2, 1, 0]


def test_moves_have_forms():
    game, code = a_game(), np.zeros(1, CODE)
    code["reference"] = OLDEST
    _, hand = looked_at(game, 1, code)
    for text, touched, form in (("h12", 1, RANK_ON), ("h12", 30, RANK_OFF), ("h1R", 1, COLOUR_ON),
                                ("h1R", 2, COLOUR_OFF), ("p0", 0, PLAYED)):  # fmt: skip
        move = parse_move(TWO, text)
        assert form_of(game.record, hand[0], code[0], 1, move, touched) == form
    discard = parse_move(TWO, "d0")
    assert form_of(game.record, hand[0], code[0], 1, discard, 0) == SPARING
    game.record["tokens"] = 0
    assert form_of(game.record, hand[0], code[0], 1, discard, 0) == FORCED


def test_references():
    game, code = a_game(), np.zeros(1, CODE)
    game.apply("h1R")  # slot 0 of seat 1
    game.apply("h11")
    public, hand = looked_at(game, 1, code)
    slots = [reference_slot(game.record, hand[0], 1, which)
             for which in (OLDEST, NEWEST, VAGUEST_OLD, VAGUEST_NEW)]  # fmt: skip
    assert slots == [0, 4, 1, 4]
    public["weight"][0, game.record["order"][1, 3], 0:25:5] = 9.0  # a 1, say messages
    look(game.record, public[0], code[0], 1, hand[0])
    assert reference_slot(game.record, hand[0], 1, LIKELIEST) == 3


@pytest.mark.parametrize("form_text", ["h1R", "h1Y"])
def test_a_message_is_believed_by_its_statement(form_text):
    game, code = a_game(), np.zeros(1, CODE)
    second = STATEMENTS.tolist().index([1, 2])  # not the first, but the second is playable
    code["said"][0, 0, COLOUR_ON] = second
    code["listing"] = LIKELY_OLD
    public, hand = looked_at(game, 1, code)
    before = hand["chance"][0].copy()
    touched = 1 if form_text == "h1R" else 2
    hear(game.record, public[0], hand[0], code[0], 1, parse_move(TWO, form_text), touched)
    look(game.record, public[0], code[0], 1, hand[0])
    if form_text == "h1Y":  # another form, in which nothing is said
        assert np.array_equal(hand["chance"][0], before)
        return
    good, others = before[0] * LIE, 1 - before[0]
    assert hand["chance"][0, 0] == pytest.approx(good / (good + others))
    good, others = before[1], (1 - before[1]) * LIE
    assert hand["chance"][0, 1] == pytest.approx(good / (good + others))
    assert np.array_equal(hand["chance"][0, 2:], before[2:])
    assert hand["context"][0] == KNOWS


def test_plays_and_discards_may_say_nothing():
    game, code = a_game(), np.zeros(1, CODE)
    code["said"] = STATEMENTS.tolist().index([31, 0])
    for hints_only in (0, 1):
        code["hints_only"] = hints_only
        public, hand = looked_at(game, 1, code)
        hear(game.record, public[0], hand[0], code[0], 1, parse_move(TWO, "p0"), 0)
        assert (public["weight"] == 1).all() == bool(hints_only)


def test_a_recognised_card_is_not_elsewhere():
    game, code = a_game(), np.zeros(1, CODE)
    order = game.record["order"][1, 0]
    public, _ = looked_at(game, 1, code)
    assert public["free"][0, 4] == 1
    public["weight"][0, order] = 0.0
    public["weight"][0, order, 4] = 1.0
    survey(game.record, public[0])
    assert public["free"][0, 4] == 0
    assert public["copies"][0, 4] == 1
    assert BIT[0] & int(public["playable"][0])
