"""Each convention on a deal made for it: what everybody believes of which card afterwards."""

import numpy as np
import pytest

from agents.stacking import stacked
from tamaya.agents.fireflower.actions import DELIBERATE, MISPLAY, SACRIFICE
from tamaya.agents.fireflower.belief_state import JUNK, NOTHING, PLAY, SAVE
from tamaya.agents.fireflower.finesse import FINESSE
from tamaya.agents.fireflower.hints import CHAIN, JUNK_HINT, LATER_HINT, PLAY_HINT, SAVE_HINT
from tamaya.cards import card_name
from tamaya.registry import find_agent
from tamaya.rules import Rules
from tamaya.seat import Seat

pytestmark = pytest.mark.interpreted

TWO, THREE = Rules(players=2), Rules(players=3)
NAMES = {NOTHING: "-", PLAY: "play", SAVE: "save", JUNK: "junk"}


def states_after(deal: str, moves: str, rules: Rules = TWO) -> list[np.record]:
    """The states of all seats after some moves; seat 0 holds the first cards, oldest first."""
    game = stacked(deal, rules)
    seats = [Seat(find_agent("fireflower"), game, seat) for seat in range(rules.players)]
    for move in moves.split():
        game.apply(move)
        for seat in seats:
            seat.observe()
    return [seat.memory[0].states[0].copy() for seat in seats]


def beliefs(state: np.record, seat: int) -> str:
    """What is believed of a hand, oldest first; the place in a group follows if it is not 0."""
    words = []
    for slot in range(state.n_cards[seat]):
        order = state.hand[seat, slot]
        place = state.place[order] if state.kind[order] == PLAY else 0
        promise = state.promise[order]
        words.append(
            NAMES[state.kind[order]]
            + (str(place) if place else "")
            + (f"={card_name(promise)}" if promise >= 0 else "")
        )
    return " ".join(words)


def agreed(states: list[np.record], seat: int) -> str:
    """What all seats believe of a hand, if they agree."""
    (only,) = {beliefs(state, seat) for state in states}
    return only


REST = "W4 B4 G4 Y4 R4"  # cards of seat 0 that do not matter


@pytest.mark.parametrize(
    ("hand", "move", "reading", "expected"),
    [
        # The next discard is slot 0, the oldest.
        ("W3 R1 Y3 B3 G3", "h1R", PLAY_HINT, "- play - - -"),
        ("R1 W3 Y1 B3 G3", "h11", PLAY_HINT, "play1 - play - -"),  # newest first
        ("R5 W3 Y3 B3 G3", "h15", SAVE_HINT, "save - - - -"),
        ("W3 Y3 B5 R3 G2", "h15", LATER_HINT, "- - save - -"),
        # Red on the next discard: it may be a five. A new card says "play" all the same.
        ("R3 W3 Y3 B3 G3", "h1R", PLAY_HINT, "play - - - -"),
    ],
)
def test_classes_of_hints(hand, move, reading, expected):
    states = states_after(f"{REST} {hand}", move)
    assert agreed(states, 1) == expected
    assert {state.reading for state in states} == {reading}


def test_a_hint_on_trash_saves_what_is_older():
    rules = Rules(players=2, colours=1, hand_size=3)
    states = states_after("R4 R4 R3 R2 R1 R1", "h11 p2 h11", rules)
    assert states[0].reading == JUNK_HINT
    assert agreed(states, 1) == "save junk -"


def test_a_colour_is_queued_behind_a_play_of_the_other_seat():
    states = states_after("W4 R2 G4 Y4 B4 W3 R1 Y3 B3 G3", "h1R h1R")
    assert states[0].reading == PLAY_HINT | CHAIN
    assert agreed(states, 1) == "- play - - -"
    assert agreed(states, 0) == "- play1 - - -"


def test_a_play_brings_the_next_card_of_the_queue_forward():
    states = states_after("W4 R2 G4 Y4 B4 W3 R1 Y3 B3 G3", "h1R h1R d0 p1")
    assert agreed(states, 0).split()[0] == "play"


FINESSED = "W4 B4 G4 Y4 R4  Y3 B3 G3 W3 R1  Y4 R2 B3 W3 G3"


def test_a_finesse_promises_the_missing_card():
    states = states_after(FINESSED, "h22", THREE)
    assert beliefs(states[0], 1) == beliefs(states[1], 1) == "- - - - play=R1"
    assert states[0].reading == states[1].reading == LATER_HINT | FINESSE
    # Whoever got the hint does not know his card, and so does not know of the finesse.
    assert beliefs(states[2], 1) == "- - - - -"
    assert states[2].reading == LATER_HINT
    assert agreed(states, 2) == "- save - - -"


def test_a_finesse_that_is_not_answered_is_withdrawn():
    states = states_after(FINESSED, "h22 d0", THREE)
    assert agreed(states, 1) == "- - - - -"


def test_a_finesse_may_be_meant_for_oneself_alone():
    deal = "W4 B4 G4 Y4 R4  Y3 B3 G3 W3 B2  Y3 W3 G3 B3 R1  Y4 R2 B5 W5 G5"
    rules = Rules(players=4, hand_size=5)
    states = states_after(deal, "h32", rules)
    # Seats 0 and 1 see the card in seat 2. Seat 2 sees no such card in seat 1, so it is its own.
    for seat in (0, 1, 2):
        assert beliefs(states[seat], 1) == "- - - - -"
        assert beliefs(states[seat], 2) == "- - - - play=R1"


def test_a_deliberate_discard_names_the_copy_of_the_other_seat():
    states = states_after("W4 R1 G4 Y4 B4  W3 Y3 B3 G3 R1", "h13 h1R d1")
    assert states[0].reading == DELIBERATE
    assert agreed(states, 1).split()[-1] == "play"


def test_a_sacrifice_saves_the_next_discard():
    rules = Rules(players=2, tokens=1)
    states = states_after("W4 B4 G4 Y4 R4  W3 Y3 B3 R1 G3", "h1R d0", rules)
    assert states[0].reading == SACRIFICE
    assert agreed(states, 0) == "save - - - -"


def test_a_misplay_saves_what_is_older():
    states = states_after("W4 B4 G4 Y4 R3  W3 Y3 B3 R4 G3", "h1R p3")
    assert states[0].reading == MISPLAY
    assert agreed(states, 1) == "save save save - -"


def test_where_slots_are_refilled_age_still_counts():
    rules = Rules(players=2, refill="in_place")
    deal = "W4 B4 G4 Y4 R4  W3 R1 Y3 B3 G3  Y1 B1"
    states = states_after(deal, "h1R p1 h1B", rules)  # the new card stands in slot 1 of the table
    game = stacked(deal, rules)
    for move in ("h1R", "p1", "h1B"):
        game.apply(move)
    assert [card_name(card) for card in game.hands[1]] == ["W3", "Y1", "Y3", "B3", "G3"]
    assert [int(order) for order in states[0].hand[1, :5]] == [5, 7, 8, 9, 10]
    assert agreed(states, 1) == "- - play - -"
