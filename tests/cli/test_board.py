"""A position in the terminal, letter by letter."""

from io import StringIO

import pytest
from rich.console import Console

from tamaya.cards import parse_card
from tamaya.cli.board import LEGEND, board, hands, happening
from tamaya.game import Game
from tamaya.rules import Rules

FIRST = ["R1", "R2", "R1", "Y4", "W5", "Y1", "G1", "R1", "B1", "B5"]


def dealt(rules: Rules, names: list[str]) -> Game:
    """A game whose deck begins with these cards."""
    rest = list(Game(rules).deck)
    for name in names:
        rest.remove(parse_card(name))
    return Game(rules, deck=[*map(parse_card, names), *rest])


@pytest.fixture
def game() -> Game:
    return dealt(Rules(players=2), FIRST)


def text(shown: object, width: int = 100) -> list[str]:
    console = Console(width=width, file=StringIO())
    console.print(shown)
    return [line.rstrip() for line in console.file.getvalue().splitlines()]


def said(game: Game, move: str) -> str:
    game.apply(move)
    return happening(game.rules, game.events[-1]).plain


def test_moves_are_told_with_what_they_did(game):
    assert said(game, "p0") == "plays R1 from slot 0, which scores"
    assert said(game, "p2") == "plays R1 from slot 2, which costs a life"
    assert said(game, "h11") == "tells seat 1 rank 1: slots 0 1 2"
    assert said(game, "h1W") == "tells seat 0 white: slot 3"
    assert said(game, "d0") == "discards R2 from slot 0, a token back"


def test_the_last_card_of_a_firework_brings_a_token_back():
    game = dealt(Rules(players=2, colours=2, ranks=2, hand_size=2), ["R1", "R2", "Y1", "Y1"])
    game.apply("p0")
    game.apply("h1R")
    assert said(game, "p0") == "plays R2 from slot 0, which scores, a token back"


def test_a_hint_may_touch_nothing():
    game = Game(Rules(players=2, empty_hints=True), deck=sorted(Game().deck))
    assert said(game, "h1B") == "tells seat 1 blue: no card"


def test_the_board_is_one_line(game):
    game.apply("p0")
    game.apply("h1W")
    assert text(board(game)) == ["turn 3    R1 Y0 G0 W0 B0   tokens 7  lives 3  deck 39  points 1"]


def test_hands_show_cards_and_what_their_holders_know(game):
    game.apply("h15")
    shown = text(hands(game, ["one", "two"]))
    assert shown[2].split() == ["▶", "1", "two", "Y1", "G1", "R1", "B1", "B5", "·"]
    assert shown[3].split() == ["knows", *["RYGWB", "1234"] * 4, "RYGWB", "5"]
    assert shown[0].startswith("  0 one")


def test_an_empty_slot_is_shown_as_such():
    game = Game(Rules(players=2, colours=1, ranks=2, hand_size=2), seed=0)
    game.apply("p0")
    game.apply("p0")
    assert "--" in " ".join(text(hands(game, ["x"])))


def test_long_names_are_cut_and_cards_never(game):
    shown = text(hands(game, ["a-very-long-name:with=parameters"]), width=80)
    assert len(shown) == 4
    assert all(len(line) <= 80 for line in shown)
    assert shown[0].split()[-5:] == FIRST[:5]
    assert "…" in shown[0]


def test_the_legend_fits_a_terminal():
    assert len(LEGEND) < 80


def test_rule_lists_are_no_names_of_100_columns(game):
    shown = text(hands(game, ["rules:" + ",".join(["PlaySafeCard"] * 9)]), width=300)
    assert len(shown[0].rstrip()) < 140 and ",P…  R1" in shown[0]
