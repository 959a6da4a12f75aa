"""Eger's players repeat whole games of his program, and score in the mean what it scores."""

import pytest

from support import scaled
from tamaya.game import Game
from tamaya.moves import move_text
from tamaya.registry import find_agent
from tamaya.rules import Rules
from tamaya.seat import Seat
from tamaya.table import play

RULES = Rules.parse("players=2 bomb=keep discard_at_full=true")
# Agent, points, deck as letters a to y for cards 0 to 24, and moves.
GAMES = [
    (
        "eger-full",
        20,
        "neaciubggpkfwcqiydjlqovtsmfrhudxunrxkbhaklvsppfwam",
        "h11 p0 h11 p3 h11 p3 h1Y p3 d0 h1W p4 h11 p1 d4 h12 p0 h1B d2 h12 p0 h1G p3 d4 d0 d4 "
        "h13 p1 h1G p4 h11 d4 h1W p4 h1Y p4 d0 h1R p4 d4 h14 p1 d0 p2 h1G p3 d3 d1 h11 d1 h11 "
        "d2 h1R p0 h11 d2 h13 d1 d3 d1 h11 d4 h11 d4 d3 h15 p1 h1W p1",
    ),
    (
        "eger-full",
        19,
        "usqmxqbcgfghfkfeimrwpucvahltdpsnnkajoildrypkavbxwu",
        "h11 p4 h1Y p3 h13 p4 h12 d3 h1G p4 d0 h13 d2 h1Y p4 d2 h13 d4 h13 d4 h1W p4 h1B p4 d0 "
        "p0 d0 h12 p3 h12 p4 h1G p2 h1B d0 d2 d3 h1G p4 h14 d4 d2 h1R p2 h11 d1 h15 p3 h1G p3 "
        "h1G d4 h1Y d3 h13 p4 h1W p1 h11 d1 h11 d3 h11 d3 d1 p0 h12 d3 h13 p4 h11 d2",
    ),
    (
        "eger-intentional",
        14,
        "nxcwdsaglligrhiowpnajuabykceffpvskdxbmrpqtvfhkmuuq",
        "h1R d0 h11 p0 d0 d4 d0 d4 d0 d4 h1W d3 h11 p3 d0 d4 h1B d3 d0 h1R d0 h12 p3 h1G d4 h1R "
        "d4 d4 h11 p3 h1Y p3 h12 p0 h1B d3 h12 p3 h11 d2 h1G p3 d4 p1 h1G d0 d4 h13 d4 h1W p1 "
        "h12 p3 h12 d4 h11 d4 h1Y h13 p3 h1W p3 d3 h13 p3 d4 h1B d2",
    ),
    (
        "eger-intentional",
        16,
        "fomdlhcimacuiskqprnafkgewpjxnukwvuargfbbdphsqxytlv",
        "h11 p4 d0 h1B d0 h11 p3 d4 h1G d3 h11 p3 h1W h12 h11 p4 h12 p3 h1W h1G p2 h13 p0 d4 "
        "h13 p3 d3 h1Y d2 h11 p2 d3 h12 d4 h1Y p3 d4 p0 h11 d4 h1G d4 h12 d4 h11 d4 h11 d4 h13 "
        "d2 h14 p2 d4 p1 h1R d2 h12 p3 d1 p0 h14 d1 h1R p1 d3 d0 h11 d0 d0 h1R d1",
    ),
]
# Two agents, their mean and its standard error, measured with other implementations.
STRENGTHS = [
    ("eger-full", "eger-full", 17.11, 0.04),
    ("eger-intentional", "eger-intentional", 12.60, 0.05),
    ("eger-intentional", "eger-full", 14.69, 0.07),
    ("eger-outer", "eger-outer", 12.90, 0.05),
    ("eger-outer", "eger-intentional", 13.16, 0.09),
    ("eger-outer", "eger-full", 6.85, 0.17),
]


@pytest.mark.interpreted
@pytest.mark.parametrize(("agent", "points", "deck", "moves"), GAMES)
def test_a_game_of_the_program(agent, points, deck, moves):
    game = Game(RULES, deck=[ord(letter) - ord("a") for letter in deck])
    seats = [Seat(find_agent(agent), game, seat) for seat in range(2)]
    for move in moves.split():
        assert move_text(RULES, seats[game.mover].act()) == move, game.turn
        game.apply(move)
        for seat in seats:
            seat.observe()
    assert game.is_over
    assert game.points == points


@pytest.mark.parametrize(("one", "other", "mean", "error"), STRENGTHS)
def test_strength(one, other, mean, error):
    n = 4000
    scores = play([one, other], RULES, n, seed=1, threads=1).results["score"]
    combined = (scores.var() / n + error**2) ** 0.5
    assert abs(scores.mean() - mean) < 4 * combined


def test_mirror_games_lose_no_life():
    for agent in ("eger-full", "eger-intentional"):
        results = play(agent, RULES, scaled(500), seed=2, threads=1).results
        assert (results["lives"] == 3).all()


@pytest.mark.checked
@pytest.mark.interpreted
@pytest.mark.parametrize("agent", ["eger-full", "eger-intentional", "eger-outer"])
@pytest.mark.parametrize(
    "rules",
    [
        "",
        "colours=3 ranks=4 hand_size=8",
        "tokens=0 lives=9",
        "colours=1 ranks=1 hand_size=1",
        "refill=in_place empty_hints=true",
        "observation=minimal",
        "observation=seer",
    ],
)
def test_any_rules_can_be_played(agent, rules):
    play(agent, Rules.parse(f"players=2 {rules}"), scaled(100))
    play([agent, "random"], Rules.parse(f"players=2 {rules}"), scaled(100))
