"""What SmartBot does: positions for each step of its decision."""

import pytest

from agents.smartbot.seated import Table, cards
from tamaya.agents.smartbot.deciding import (
    FINESSE,
    GAMBLE,
    HINT,
    PASS,
    PLAY_SURE,
    THROW_CHOP,
    THROW_DEAD,
    THROW_LEAST,
    WARN,
)

pytestmark = [pytest.mark.checked, pytest.mark.interpreted]

QUIET = "Y4 G4 W4 B4 R4  R2 Y3 G4 W2 B3"  # two hands without anything to say


def test_a_warning_comes_before_a_play():
    table = Table("R1 G4 W4 B4 R4  R5 Y3 G4 W2 B3  R2 Y2 G2 W2 B2")
    table.believe(0, "R1")
    assert table.choice() == (WARN, "h15")


def test_a_hint_that_makes_the_next_seat_play_is_the_better_warning():
    table = Table("Y4 G4 W4 B4 R4  R5 Y1 Y3 W2 B3  R2 Y2 G2 W2 B2")
    assert table.choice() == (WARN, "h11")


def test_nobody_is_warned_of_what_he_will_not_discard():
    table = Table("R1 G4 W4 B4 R4  R5 Y1 Y3 W2 B3  R2 Y2 G2 W2 B2")
    table.believe(0, "R1")
    table.believe(6, "Y1")
    assert table.choice() == (PLAY_SURE, "p0")


def test_a_playable_card_is_left_to_the_only_seat_that_has_it_as_its_newest():
    moves = "h1Y", "h2R", "h11"
    hands = "R1 Y4 G4 W4 B4  R3 Y3 G3 W3 {}  R2 Y2 G2 W2 {}"
    assert Table(hands.format("B3", "R1"), *moves).choice() == (FINESSE, "d0")
    assert Table(hands.format("R1", "R1"), *moves).choice() == (PLAY_SURE, "p0")
    assert Table(hands.format("B3", "B2"), *moves).choice() == (PLAY_SURE, "p0")


def test_what_others_do_not_know_to_be_playable_is_played_first():
    table = Table("R1 Y1 G4 W4 B4  Y2 Y2 G3 W3 B3  R2 R3 G2 W2 B2")
    table.believe(0, "R1")
    table.believe(1, "Y1 Y2")
    assert table.private(0, 1) == cards("Y1")
    assert table.choice() == (PLAY_SURE, "p1")


def test_unknown_ranks_are_played_before_low_ones_and_those_before_high_ones():
    table = Table("Y1 R2 R2 W4 B4  R3 Y3 G4 W2 B3", rules="players=2")
    table.put(fireworks="R1")
    table.believe(2, "R2")
    assert table.choice() == (PLAY_SURE, "p2")
    table.believe(0, "Y1")
    assert table.choice() == (PLAY_SURE, "p0")
    table.believe(1, "R2 G1")
    assert table.choice() == (PLAY_SURE, "p1")


def test_the_hint_that_tells_most_is_given():
    table = Table("Y4 G4 W4 B4 R4  R1 Y3 G4 W2 B3", rules="players=2")
    assert table.choice() == (HINT, "h1R")


def test_a_hint_that_misleads_is_not_given():
    table = Table("Y4 G4 W4 B4 R4  R1 Y3 G4 R2 B3", rules="players=2")
    assert table.choice() == (HINT, "h11")


def test_a_hint_that_would_be_taken_for_a_warning_is_not_given():
    table = Table("Y4 G4 W4 B4 R4  Y1 Y3 G4 W2 B3", rules="players=2")
    table.put(tokens=7)
    assert table.choice() == (HINT, "h11")
    table.put(discards="R1 R1")  # the chop could be the last R1, which it is not
    assert table.choice() == (THROW_CHOP, "d0")


def test_a_pass_names_the_oldest_card_on_the_right():
    assert Table(QUIET, rules="players=2").choice() == (PASS, "h12")
    three = QUIET + "  B2 Y2 G2 W3 R3"
    assert Table(three).choice() == (PASS, "h22")


def test_the_dead_card_that_others_least_expect_is_thrown_away():
    table = Table("Y4 G4 W4 R1 R2  Y3 Y3 G4 W2 B3", rules="players=2")
    table.put(tokens=7, fireworks="R2")
    table.believe(3, "R1")
    assert table.choice() == (THROW_DEAD, "d3")
    table.believe(4, "R1 R2 Y3")
    assert table.private(0, 4) == cards("R1 R2")
    assert table.choice() == (THROW_DEAD, "d4")


def test_the_chop_is_the_card_most_likely_to_be_dead():
    table = Table(QUIET, rules="players=2")
    table.put(tokens=7, fireworks="Y1")
    assert table.choice() == (THROW_CHOP, "d0")
    table.believe(0, "B5 B4")
    assert table.choice() == (THROW_CHOP, "d1")
    table.believe(3, "Y1 G5")
    assert table.choice() == (THROW_CHOP, "d3")


def test_if_all_cards_are_critical_the_highest_goes():
    table = Table(QUIET, rules="players=2")
    table.put(tokens=7, discards="R3")
    for order, held in enumerate(["R5 R3", "R3", "Y5", "W5 B5", "G5"]):
        table.believe(order, held)
    assert table.choice() == (THROW_LEAST, "d2")


def test_lives_are_risked_when_the_deck_runs_out():
    table = Table(QUIET, rules="players=2")
    assert table.choice()[0] == PASS
    table.put(deck_size=3)
    assert table.choice() == (GAMBLE, "p4")
    assert table.choice("smartbot:risk=1")[0] == PASS
    table.put(lives=2)
    assert table.choice()[0] == PASS
    for lives in (2, 1):
        table.put(lives=lives, deck_size=1)
        assert table.choice() == (GAMBLE, "p4")


def test_the_refined_one_spares_its_last_life():
    table = Table(QUIET, rules="players=2")
    table.put(deck_size=1, lives=2)
    assert table.choice("smartbot-refined") == (GAMBLE, "p4")
    table.put(lives=1)
    assert table.choice("smartbot-refined")[0] == PASS
    table.put(keeps_points=1)
    assert table.choice("smartbot-refined") == (GAMBLE, "p4")


def test_the_refined_one_leaves_out_what_somebody_will_play():
    table = Table("Y4 G4 W4 B4 R4  R1 Y3 G4 W2 B3  R1 Y2 G2 W2 B2")
    table.put(tokens=7)
    table.believe(10, "R1 Y1")  # seat 2 is going to play its R1
    assert table.choice() == (HINT, "h1R")
    assert table.choice("smartbot-refined") == (THROW_CHOP, "d0")


def test_the_refined_one_plays_rather_than_leaving_a_card():
    table = Table("R1 Y4 G4 W4 B4  R3 Y3 G3 W3 B3  R2 Y2 G2 W2 R1", "h1Y", "h2R", "h11")
    assert table.choice("smartbot-refined") == (PLAY_SURE, "p0")


def test_with_an_empty_deck_nobody_is_warned():
    table = Table("R1 G4 W4 B4 R4  R5 Y3 G4 W2 B3  R2 Y2 G2 W2 B2")
    table.believe(0, "R1")
    table.put(deck_size=0)
    assert table.choice() == (PLAY_SURE, "p0")


def test_reasons_are_given():
    table = Table("R1 G4 W4 B4 R4  R5 Y3 G4 W2 B3  R2 Y2 G2 W2 B2", "h15")
    rows = dict(table.seats[1].explain())
    assert rows["the last move"] == "warned of discarding a critical card: my slot 0"
    assert rows["slot 0"] == "R5 Y5 G5 W5 B5, critical"
    assert rows["slot 1"] == "20 cards, 5 playable"
    assert rows["my chop"] == "slot 1"
    assert rows["the next seat's chop"] == "slot 0"
    assert rows["step"] == "the hint that tells most"
    table.apply("p4")
    assert "step" not in dict(table.seats[1].explain())
    rows = dict(table.seats[2].explain())
    assert rows["the last mover was silent"] == "my slot 0 is not critical"
    assert rows["slot 0"] == "19 cards (publicly 20 cards), 5 playable, 1 critical"
