"""What moves mean, read from every seat, and what becomes of it when somebody means otherwise."""

import pytest

from agents.smartbot.seated import Table, cards
from support import replay, scaled
from tamaya.agents.smartbot.deciding import private_set, survey
from tamaya.agents.smartbot.listening import FINESSED, NOTHING, PASSED, POINTED, SHOWN, WARNED
from tamaya.cards import ALL_CARDS, COLOUR_MASK, RANK_MASK
from tamaya.knowledge.tables import public_set
from tamaya.registry import find_agent
from tamaya.rules import Rules
from tamaya.seat import Seat
from tamaya.table import play

pytestmark = pytest.mark.interpreted

ONES, TWOS, FIVES = (int(RANK_MASK[rank]) for rank in (0, 1, 4))
RED = int(COLOUR_MASK[0])


HANDS = "Y4 G4 W4 B4 R4  R1 Y3 R3 G3 W3  R2 Y2 G2 W2 B2"


def test_a_colour_points_at_the_newest_card_that_may_be_playable():
    table = Table(HANDS, "h1R")
    assert table.meaning() == POINTED
    assert table.public(1, 2) == cards("R1")  # though it is R3
    assert table.public(1, 0) == RED
    assert table.public(1, 1) == ALL_CARDS & ~RED


def test_a_hint_that_shows_a_playable_card_points_at_none():
    table = Table(HANDS, "h11")
    assert table.meaning() == SHOWN
    assert table.public(1, 0) == ONES
    assert table.public(1, 1) == ALL_CARDS & ~ONES


def test_the_words_may_show_an_untouched_card():
    table = Table("R1 Y4 G4 W4 B4  R2 Y3 R3 G3 W3  R1 Y2 G1 W1 B1")
    table.believe(10, "R1 R2")  # seat 2's oldest
    table.apply("h22")
    assert table.meaning() == SHOWN
    assert table.public(2, 0) == cards("R1")


def test_a_rank_that_touches_the_chop_of_the_next_seat_warns():
    table = Table("Y4 G4 W4 B4 R4  R5 Y3 R3 G3 W3  R2 Y2 G2 W2 B2", "h15")
    assert table.meaning() == WARNED
    assert table.public(1, 0) == FIVES
    assert table.chop(1) == 1


def test_only_the_next_seat_can_be_warned():
    hands = "Y4 G4 W4 B4 R4  R2 Y2 G2 W2 B2  R5 R3 Y3 G3 W3"
    table = Table(hands, "h1Y", "h2G", "h2W", "h25")
    assert table.chop(2) == 1
    assert table.meaning() == NOTHING


def test_silence_clears_the_chop_of_the_next_seat():
    table = Table(HANDS, "h2R")
    assert table.public(1, 0) == ALL_CARDS & ~FIVES
    assert table.public(1, 1) == ALL_CARDS


def test_who_hints_the_next_seat_is_not_silent():
    table = Table(HANDS, "h1Y")
    assert table.public(1, 0) == ALL_CARDS & ~int(COLOUR_MASK[1])


def test_plays_and_discards_are_silence_too():
    table = Table(HANDS, "p0")
    assert table.public(1, 0) == ALL_CARDS & ~FIVES
    table.apply("h1Y")
    table.apply("d0")
    assert not table.public(0, 0) & FIVES


def test_without_tokens_or_deck_there_is_no_silence():
    table = Table(HANDS, "p0", rules="players=3 tokens=0")
    assert table.public(1, 0) == ALL_CARDS
    few = "players=2 colours=1 ranks=5 hand_size=5"
    table = Table("R1 R1 R1 R2 R2  R3 R3 R4 R4 R5", "p0", rules=few)
    assert table.public(1, 0) & cards("R5")


def test_a_pass_has_no_meaning_but_its_words():
    start = "R1 R2 Y2 G4 W4  Y3 G3 W3 B3 R3  Y4 R4 G4 W4 B4  B5"
    table = Table(start, "p0", "h22")  # seat 0 now holds R2 in slot 0, 8 tokens
    assert table.meaning() == PASSED
    assert table.public(0, 0) == TWOS == table.public(0, 1)
    # With seven tokens it is no pass, and the chop cannot be critical by it.
    table = Table(start, "p0", "h1Y", "h12")
    assert table.meaning() == POINTED
    assert table.public(0, 1) == cards("R2")


FINESSE = ("R1 Y4 G4 W4 B4  R3 Y3 G3 W3 B3  R2 Y2 G2 W2 R1", "h1Y", "h2R", "h11")


def test_a_finesse_tells_the_holder_his_newest_card():
    table = Table(*FINESSE)
    assert {table.public(0, 0, by) for by in range(3)} == {cards("R1")}
    table.apply("d0")
    assert table.meaning() == FINESSED
    assert {table.public(2, 4, by) for by in range(3)} == {cards("R1")}


def test_a_false_finesse_is_taken_by_each_seat_for_its_own():
    hands = FINESSE[0].replace("W2 R1", "W2 B2")
    table = Table(hands, *FINESSE[1:], "d0")
    assert table.public(1, 4, by=1) == cards("R1") == table.public(2, 4, by=2)
    assert table.public(2, 4, by=1) != cards("R1")
    assert table.public(0, 4, by=0) != cards("R1")


def test_the_last_copies_are_counted():
    hands = "R1 R1 Y1 W4 B4  R1 Y3 G3 W3 B3  R2 Y2 G2 W2 B2"
    table = Table(hands, "p0", "h1Y", "h11")
    assert table.public(0, 0) == ONES
    table = Table(hands, "h1R", "h2R", "h11")  # R1 in three hands, two of them recognised
    assert {table.public(0, slot) for slot in (0, 1)} == {cards("R1")}


# What others mean otherwise.


def test_words_replace_a_set_that_they_contradict():
    table = Table(HANDS, "h1R")
    assert table.public(1, 2) == cards("R1")
    table.apply("p0")
    table.apply("h23")
    assert table.public(1, 1) == cards("R3")


def test_words_correct_a_silence_that_was_none():
    table = Table(HANDS.replace("R1 Y3", "R5 Y3"), "p0")
    assert not table.public(1, 0) & FIVES
    table.apply("h1R")
    table.apply("h25")
    assert table.public(1, 0) == FIVES


def test_a_meaning_that_cannot_be_is_not_believed():
    table = Table(*FINESSE)
    table.believe(14, "R2 Y2")  # seat 2's newest, which is really R1
    table.apply("d0")
    assert table.public(2, 4) == cards("R2 Y2")


def test_who_sees_that_his_set_is_wrong_goes_by_the_words():
    hands = "R1 R1 G4 W4 B4  R2 Y3 R3 G3 W3  R1 Y2 G2 W2 B2"
    table = Table(hands, "h1R")
    assert table.public(1, 2) == cards("R1")
    assert table.private(1, 2) == RED & ~cards("R1")
    assert table.seats[1].act() != table.game.rules.hand_size + 2


def test_a_recognised_card_that_is_gone_is_recognised_no_more():
    table = Table("R5 Y1 G1 W4 B4  R2 Y3 R3 G3 W3  R4 Y2 G2 W2 B2")
    table.believe(7, "R5")
    table.apply("p0")
    assert table.public(1, 2) == ALL_CARDS & ~cards("R5")


def test_two_cards_recognised_as_the_same_last_copy():
    table = Table("R5 Y1 G1 W4 B4  R2 Y3 R3 G3 W3  R4 Y2 G2 W2 B2")
    table.believe(7, "R5")
    table.believe(8, "R5")
    table.apply("p1")
    assert table.public(1, 2) == cards("R5")
    assert table.public(1, 3) == ALL_CARDS & ~cards("R5")


@pytest.mark.parametrize(
    "rules", ["players=2", "players=3", "players=4 observation=minimal", "players=5"]
)
def test_sets_stay_possible_whoever_plays(rules):
    table = Rules.parse(rules)
    team = ["smartbot", "random", "iggi", "smartbot", "hat-information"][: table.players]
    n_games = 1 + scaled(10)
    played = play(team, table, n_games, record=True)
    for k in range(n_games):
        game = played.game(k)
        position = replay(game, turns=0)
        seats = [Seat(find_agent("smartbot"), position, seat) for seat in range(table.players)]
        for move in game.moves:
            position.apply(move)
            for me in seats:
                me.observe()
                assert_possible(me)


def assert_possible(me: Seat) -> None:
    """No set is empty or goes beyond the words; own ones have a card that is not all in sight."""
    view, memory = me.view(), me.memory[0]
    unseen = survey(view, memory)[1]
    for seat in range(view.players):
        for slot in range(view.n_cards[seat]):
            public = int(public_set(view, memory, seat, slot))
            assert public
            assert public & ~int(view.possible[seat, slot]) == 0
            if seat == view.seat:
                assert int(private_set(view, memory, slot, unseen)) & int(unseen.cards)
