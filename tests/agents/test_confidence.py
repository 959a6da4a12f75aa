"""The confidence player: published strength, common memory, promises in positions."""

import pytest

from agents.stacking import BOUZY, assert_as_strong, assert_memory_is_common, stacked
from support import decide, scaled
from tamaya.moves import move_text
from tamaya.registry import find_agent
from tamaya.rules import Rules
from tamaya.seat import Seat
from tamaya.table import play

TWO = Rules.parse(f"players=2 hand_size=3 {BOUZY}")


def choice(game, agent: str = "confidence") -> str:
    return move_text(game.rules, decide(find_agent(agent), game, game.mover))


@pytest.mark.parametrize("size", [(n, m) for n in (2, 3, 4, 5) for m in (3, 4, 5)])
def test_strength(size):
    assert_as_strong("confidence", "bouzy-1", "confidence", size, 1000)


def test_counting_beats_the_plain_reading():
    rules = Rules.parse(f"players=4 {BOUZY}")
    means = [play(agent, rules, 2000).results["score"].mean()
             for agent in ("confidence:plain=true", "confidence")]  # fmt: skip
    assert means[0] < means[1]


@pytest.mark.checked
@pytest.mark.interpreted
@pytest.mark.parametrize("rules", [f"players=2 {BOUZY}", "players=5", "players=3 colours=2"])
def test_memory_is_common_knowledge(rules):
    assert_memory_is_common("confidence", Rules.parse(rules), scaled(60))


@pytest.mark.checked
@pytest.mark.interpreted
@pytest.mark.parametrize(
    "rules",
    [
        "players=3 hand_size=8 empty_hints=true",
        "players=4 tokens=0 lives=9",
        "players=2 colours=1 ranks=1 hand_size=1",
        "players=3 refill=in_place discard_at_full=true",
        "players=3 observation=minimal",
        "players=2 observation=seer",
    ],
)
@pytest.mark.parametrize("agent", ["confidence", "confidence:plain=true"])
def test_any_rules_can_be_played(agent, rules):
    play(agent, Rules.parse(rules), scaled(100))


def test_strangers_are_borne_with():
    play(["confidence", "random", "hat-information"], Rules(players=3), 300)


def test_it_promises_two_cards_rather_than_one():
    assert choice(stacked("R5 Y5 G5  R1 Y1 B4", TWO)) == "h11"


def test_it_promises_no_card_that_cannot_be_played():
    assert choice(stacked("R5 Y5 G5  R1 R3 B4", TWO)) == "h11"
    assert choice(stacked("R5 Y5 G5  R1 R3 B1", TWO)) == "h11"
    assert choice(stacked("R5 Y5 G5  R1 R3 R1", TWO)) != "h11"  # the second R1 could not be played


def test_a_promised_card_is_played_at_once():
    game = stacked("R5 Y5 G5  R4 B1 B4", TWO)
    game.apply("h11")
    assert choice(game) == "p1"


def test_a_card_shown_to_be_worthless_is_discarded():
    rules = Rules.parse(f"players=2 hand_size=3 colours=1 {BOUZY}")
    game = stacked("R5 R4 R4  R1 R3 R3  R1", rules)
    for move in ("h11", "p0"):
        game.apply(move)
    assert choice(game) == "h11"
    game.apply("h11")
    assert choice(game) == "d2"


def test_a_worthless_card_that_its_holder_would_play_is_not_hinted():
    game = stacked("R5 Y5 G5  R1 B4 B3  R1", TWO)
    for move in ("h11", "p0"):
        game.apply(move)
    assert not choice(game).startswith("h")  # red may be R2, a one may be another colour's


def test_explanations_show_promises():
    game = stacked("R5 Y5 G5  R4 B1 B4", TWO)
    me = Seat(find_agent("confidence"), game, 1)
    game.apply("h11")
    me.observe()
    rows = dict(me.explain())
    assert rows["slot 1 promised"] == "R1 Y1 G1 W1 B1"
    assert rows["slot 0 not promised"] == "20 cards"
