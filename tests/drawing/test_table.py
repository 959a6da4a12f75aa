"""Drawings of games and views: what they show, and what a view's drawing must not."""

import re
from random import Random
from xml.etree import ElementTree

import numpy as np
import pytest
from numba import typeof

from support import permuted, play_randomly
from tamaya.cards import BIT, COLOUR_LETTERS, card_name, parse_card
from tamaya.drawing import table_svg
from tamaya.drawing.faces import SYMBOLS
from tamaya.drawing.scene import scene_of
from tamaya.game import Game
from tamaya.records import VIEW
from tamaya.rules import OBSERVATIONS, Rules

pytestmark = pytest.mark.interpreted

TABLES = [
    Rules(players=2),
    Rules(players=5, refill="in_place"),
    Rules(players=3, colours=2, ranks=3, hand_size=2, tokens=20, lives=1),
    Rules(players=2, hand_size=8, observation="minimal"),
    Rules(players=4, observation="seer", empty_hints=True),
]


def some_positions(rules: Rules, seed: int = 1):
    """The deal, the end and a few positions between of a random game."""
    game = play_randomly(Game(rules, seed=seed), Random(seed))
    return [game.at(turn) for turn in sorted({0, game.turn // 3, 2 * game.turn // 3, game.turn})]


def slots_of(svg: str) -> list[str]:
    """The titles of all cards in hands, seat by seat."""
    return re.findall(r"<title>(slot [^<]*)</title>", svg)


@pytest.mark.parametrize("rules", TABLES, ids=Rules.to_text)
def test_every_position_is_well_formed(rules):
    for game in some_positions(rules):
        for svg in (game.svg(), *(game.svg(seat) for seat in range(rules.players))):
            root = ElementTree.fromstring(svg)
            width, height = float(root.get("width", 0)), float(root.get("height", 0))
            assert 500 < width < 900 and 400 < height < 900
            assert not [node for node in root.iter() if "id" in node.attrib]
            numbers = re.findall(r"translate\(([-\d.]+) ([-\d.]+)\)", svg)
            assert all(-30 <= float(x) <= width and -30 <= float(y) <= height for x, y in numbers)


@pytest.mark.parametrize("rules", TABLES, ids=Rules.to_text)
def test_a_game_shows_every_card_in_hands(rules):
    for game in some_positions(rules):
        shown = [title.split()[2].rstrip(",") for title in slots_of(game.svg())]
        assert shown == [card_name(card) for hand in game.hands for card in hand]


@pytest.mark.once
@pytest.mark.parametrize("observation", OBSERVATIONS)
def test_a_view_shows_nothing_that_its_seat_cannot_see(observation):
    rng, n_different = Random(3), 0
    for seed in range(8):
        start = Game(Rules(players=3, observation=observation), seed=seed)
        for game in some_positions_of(play_randomly(start, rng)):
            for seat in range(3):
                other = permuted(game, seat, rng)
                assert other.svg(seat) == game.svg(seat)
                n_different += other.svg() != game.svg()
    assert n_different > 0 or observation == "seer"


def some_positions_of(game: Game):
    return [game.at(turn) for turn in range(0, game.turn, 7)]


def test_own_cards_are_sets_and_those_of_others_faces():
    game = Game(Rules(players=3), seed=2)
    game.apply("h1" + card_name(game.hands[1][0])[0])
    svg = game.svg(1)
    slots = slots_of(svg)
    assert [slot.split()[2] for slot in slots[:5]] == [
        card_name(card) + "," for card in game.hands[0]
    ]
    possible = int(scene_of(game.view(1)).own[1, 0])
    assert possible & int(BIT[game.hands[1][0]])
    for slot, words in enumerate(slots[5:10]):
        assert words.startswith(f"slot {slot}: ")
        assert not words.startswith(f"slot {slot}: {card_name(game.hands[1][slot])},")


def test_the_last_hint_points_at_the_cards_it_touches():
    game = Game(Rules(players=2), seed=5)
    colour = game.hands[1][0] // 5
    game.apply(f"h1{COLOUR_LETTERS[colour]}")
    touched = sum(card // 5 == colour for card in game.hands[1])
    pin = "M0 14L-4.5 7A8.5 8.5 0 1 1 4.5 7Z"
    assert game.svg().count(pin) == game.svg(1).count(pin) == touched
    assert "Seat 0 tells seat 1 " in game.svg()
    game.apply("d0")
    assert pin not in game.svg()


def stacked(*tops: str) -> Game:
    """A game for two whose deck begins with some cards."""
    rules = Rules(players=2)
    rest = list(Game(rules, seed=9).deck)
    first = [parse_card(name) for name in tops]
    for card in first:
        rest.remove(card)
    return Game(rules, deck=first + rest)


def test_marks_say_what_can_be_played_is_critical_or_dead():
    game = stacked("R1", "R1", "R5", "R2", "Y3")
    game.apply("p0")  # then seat 0 holds R1 R5 R2 Y3
    titles = slots_of(game.svg())
    assert [title.split(", its holder")[0] for title in titles[:4]] == [
        "slot 0: R1, dead",
        "slot 1: R5, critical",
        "slot 2: R2, playable",
        "slot 3: Y3",
    ]


def test_the_end_shows_the_score_and_why():
    game = stacked("R5", "Y5", "G5", "W5", "B5")
    for _ in range(2):
        game.apply("p0")
        game.apply("d0" if game.record.tokens < 8 else "h1" + card_name(game.hands[0][0])[0])
    game.apply("p0")
    svg = game.svg()
    assert game.status == "out of lives"
    assert ">out of lives on turn 5<" in svg and ">0 points<" in svg
    assert "can be played now" not in svg


def test_names_are_escaped_and_cut():
    svg = Game().svg(names=["<b>", "a very long name"])
    assert "&lt;b&gt;" in svg and "<b>" not in svg
    assert ">a very lon…<" in svg


def test_views_draw_themselves_and_events_do_not():
    game = Game(Rules(players=2), seed=3)
    game.apply(game.legal_moves[-1])
    view = game.view(0)
    assert view._repr_html_() == game.svg(0)
    assert game._repr_html_() == game.svg()
    event = view.history[0]
    assert getattr(event, "_repr_html_", lambda: None)() is None


def test_a_drawn_view_is_a_view():
    game = Game(Rules(players=2), seed=3)
    plain = np.zeros(1, VIEW)
    plain[0] = game.view(1)
    assert game.view(1).dtype == VIEW
    assert typeof(game.view(1)) == typeof(plain[0])  # kernels are not compiled once more
    assert table_svg(plain[0]) == game.svg(1)


def test_no_two_symbols_are_the_same():
    assert len(set(SYMBOLS)) == len(COLOUR_LETTERS)
