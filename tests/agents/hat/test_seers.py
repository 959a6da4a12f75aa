"""Seers: published strength, positions in which they play, discard or pass."""

import pytest

from agents.stacking import assert_as_strong, stacked
from support import decide, scaled
from tamaya.moves import move_text
from tamaya.registry import find_agent
from tamaya.rules import Rules
from tamaya.seat import Seat
from tamaya.table import play

SEERS = "bomb=keep empty_hints=true observation=seer"
TWO = Rules.parse(f"players=2 hand_size=3 {SEERS}")
SIZES = [(n, m) for n in (2, 3, 4, 5) for m in (3, 4, 5)]

# Mean scores of the specification's own program for the plain reading, 10,000 games, by size.
PLAIN = {(2, 3): 22.25, (2, 5): 24.71, (3, 3): 24.04, (4, 4): 24.85, (5, 5): 24.74}


@pytest.mark.parametrize("size", SIZES)
def test_strength_by_recommendation(size):
    assert_as_strong("seer-recommendation", "bouzy-3", "RECOMPROG", size, 2000)


@pytest.mark.parametrize("size", SIZES)
def test_strength_by_information(size):
    assert_as_strong("seer-information", "bouzy-3", "hat info decision", size, 2000)


@pytest.mark.parametrize("size", PLAIN)
def test_the_plain_reading_agrees_with_the_specification(size):
    rules = Rules.parse(f"players={size[0]} hand_size={size[1]} {SEERS}")
    scores = play("seer-recommendation:plain=true", rules, 10_000, seed=1).results["score"]
    assert abs(scores.mean() - PLAIN[size]) < 4 * scores.std() / 100 * 2**0.5


@pytest.mark.interpreted
@pytest.mark.parametrize("agent", ["seer-recommendation", "seer-information"])
@pytest.mark.parametrize("plain", ["", ":plain=true"])
@pytest.mark.parametrize(
    "rules", [SEERS, "players=4", f"tokens=0 lives=9 {SEERS}", f"hand_size=8 colours=4 {SEERS}"]
)
def test_any_rules_can_be_played(agent, plain, rules):
    play(agent + plain, Rules.parse(rules), scaled(100))


@pytest.mark.parametrize("agent", ["seer-recommendation", "seer-information"])
def test_seers_lose_no_life(agent):
    assert (play(agent, TWO, 1000).results["lives"] == 3).all()


def choice(agent: str, cards: str, *moves: str) -> str:
    game = stacked(cards, TWO)
    for move in moves:
        game.apply(move)
    return move_text(game.rules, decide(find_agent(agent), game, game.mover))


def test_the_lowest_card_is_played_unless_the_successor_of_another_is_held():
    assert choice("seer-recommendation", "R4 Y1 G1  B4 B3 G2") == "p1"
    assert choice("seer-information", "R4 Y1 G1  B4 B3 G2") == "p2"


def test_with_all_tokens_a_seer_passes():
    assert choice("seer-information", "R4 Y4 G4  B4 B3 G2").startswith("h")


def test_a_double_card_goes_if_it_is_seen():
    hands = "R4 Y4 G3  B4 R4 G2"
    assert choice("seer-information", hands, "h1R", "h1R") == "d0"


def test_a_needed_card_stays_while_another_seat_can_play():
    assert choice("seer-information", "R4 Y4 G3  B1 B3 G2", "h1R", "h1R").startswith("h")


def test_the_highest_card_that_is_not_critical_goes():
    hands = "R3 Y4 G5  B3 W3 G2"
    assert choice("seer-information", hands, "h1R", "h1R") == "d1"
    assert choice("seer-recommendation", hands, "h1R", "h1R") == "d1"


def test_explanations_name_the_cards():
    game = stacked("R1 Y4 G5  B3 Y4 G2", TWO)
    rows = dict(Seat(find_agent("seer-information"), game, 0).explain())
    assert rows["slot 0 R1"] == "can be played"
    assert rows["slot 1 Y4"] == "held twice"
    assert rows["slot 2 G5"] == "critical"
    assert rows["points to come, cards in the deck"] == "25, 44"
