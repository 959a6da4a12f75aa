"""Osawa's random, internal and outer strategies: a check game move for move, measured means."""

import pytest

from support import scaled
from tamaya.game import Game
from tamaya.moves import move_text
from tamaya.registry import find_agent
from tamaya.rules import Rules
from tamaya.seat import Seat
from tamaya.table import play

RULES = Rules.parse("players=2 bomb=keep lives=5")
NAMES = ["internal", "outer", "random"]
DECK = "uvulffxfkktbabqhwpgncscoxdivheqkanmrsigpprmdaljyuw"  # a is card 0, y card 24
MOVES = (
    "h11 p0 h1G p2 h14 d2 h11 h11 h1R p4 h12 p3 h1B h1B p0 d0 d1 h12 p0 h1G p0 d0 h13 d0 h1B p2 d0 "
    "h11 d0 h1W p0 d0 h12 d0 h1R p0 d0 h14 d0 h1B p1 d0 h13 d0 h14 d0 h13 d0 h1G p3 d0 p2 h12 d0 "
    "h1Y p3 d0 h12 d0 h1W p0 d0 p2 h14 d0 h1R p2 d0 h14 p0 d0 d0"
)


def test_check_game_of_outer():
    game = Game(RULES, deck=[ord(letter) - ord("a") for letter in DECK])
    seats = [Seat(find_agent("osawa-2015-outer:lowest=true"), game, seat) for seat in (0, 1)]
    chosen = []
    while not game.is_over:
        move = seats[game.mover].act()
        chosen.append(move_text(RULES, move))
        game.apply(move)
    assert (" ".join(chosen), game.score, game.record.lives) == (MOVES, 18, 5)


# Means and deviations measured with another program, 20,000 games; those of the paper are 10.97,
# 14.53 and 2.20.
@pytest.mark.parametrize(
    ("name", "mean", "deviation"),
    [("internal", 11.12, 2.2), ("outer", 14.47, 2.3), ("random", 2.10, 1.62)],
)
def test_strength(name, mean, deviation):
    scores = play(f"osawa-2015-{name}", RULES, 10_000, seed=1, threads=1).results["score"]
    error = scores.std() * (1 / 10_000 + 1 / 20_000) ** 0.5
    assert abs(scores.mean() - mean) < 4 * error
    assert abs(scores.std() - deviation) < 0.1


def test_random_is_weaker_with_three_lives():
    scores = play("osawa-2015-random", Rules(players=2, bomb="keep"), 10_000, seed=1, threads=1)
    assert abs(scores.results["score"].mean() - 1.25) < 0.08


@pytest.mark.checked
@pytest.mark.interpreted
@pytest.mark.parametrize(
    "rules",
    ["", "tokens=0 lives=9", "observation=minimal", "observation=seer", "hand_size=8 tokens=1",
     "colours=1 ranks=1 hand_size=1", "refill=in_place empty_hints=true discard_at_full=true"],
)  # fmt: skip
@pytest.mark.parametrize("name", NAMES)
def test_any_rules_can_be_played(name, rules):
    play(f"osawa-2015-{name}", Rules.parse(f"players=2 {rules}"), scaled(30))
