"""The example agent: legal under all rules, as strong as it was, and it does what it says."""

from random import Random

import pytest

from support import decide, pick_rules, scaled
from tamaya.cards import parse_card
from tamaya.game import Game
from tamaya.moves import move_text
from tamaya.registry import find_agent
from tamaya.rules import Rules
from tamaya.table import play

EXAMPLE = find_agent("example")


def move_after(hands: str, *moves: str) -> str:
    """The example's move after others in a game of two, given both hands and the next cards."""
    top = [parse_card(name) for name in hands.split()]
    rest = Game().deck
    for card in top:
        rest.remove(card)
    game = Game(deck=[*top, *rest])
    for move in moves:
        game.apply(move)
    return move_text(game.rules, decide(EXAMPLE, game, game.mover))


@pytest.mark.checked
@pytest.mark.interpreted
@pytest.mark.parametrize("players", range(2, 6))
def test_its_moves_are_legal_in_the_full_game(players):
    results = play(EXAMPLE, Rules(players=players), scaled(500)).results
    assert results["n_moves"].min() > 0


@pytest.mark.checked
@pytest.mark.interpreted
def test_its_moves_are_legal_under_any_rules():
    rng = Random(0)
    for seed in range(scaled(300)):
        played = play(EXAMPLE, pick_rules(rng.choice), 10, seed=seed, threads=1)
        assert played.results["status"].all()


@pytest.mark.parametrize(
    ("players", "mean"), [(2, 11.56), (3, 16.25), (4, 17.29), (5, 16.59)]
)  # fmt: skip
def test_it_is_as_strong_as_it_was(players, mean):
    """Means of 20000 games of seed 1: `tamaya selfplay example -p 2-5 -n 20000 --seed 1`."""
    scores = play(EXAMPLE, Rules(players=players), 5000, seed=2).results["score"]
    assert abs(scores.mean() - mean) < 4 * scores.std() / len(scores) ** 0.5


def test_it_tells_which_cards_can_be_played():
    assert move_after("R2 R2 R3 R3 R4  R1 Y1 Y2 Y2 Y3") == "h11"


def test_it_tells_a_colour_when_the_rank_would_touch_a_useless_card():
    assert move_after("Y1 R2 R2 R3 R3  R1 Y1 G2 G2 W2  R4 W4", "p0", "p4") == "h1R"


def test_it_plays_what_it_was_told_about():
    assert move_after("Y2 Y2 Y3 Y3 Y4  R2 R1 G2 G2 G3", "h11") == "p1"


def test_it_does_not_play_what_it_knows_to_be_too_high():
    assert move_after("Y2 Y2 Y3 Y3 Y4  R2 R2 G2 G2 G3", "h12") == "d0"


def test_with_all_tokens_and_nothing_to_say_it_says_anything():
    assert move_after("Y2 Y2 Y3 Y3 Y4  R2 R2 G2 G2 G3") == "h13"
