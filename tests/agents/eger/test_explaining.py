"""The explanation panel of Eger's players."""

import pytest

from agents.stacking import stacked
from tamaya.registry import find_agent
from tamaya.rules import Rules
from tamaya.seat import Seat

RULES = Rules.parse("players=2 hand_size=3 bomb=keep discard_at_full=true")


def panel(agent: str, deck: str, *moves: str) -> dict[str, str]:
    """The rows of the seat to move after some moves."""
    game = stacked(deck, RULES)
    seats = [Seat(find_agent(agent), game, seat) for seat in range(2)]
    for move in moves:
        game.apply(move)
        for seat in seats:
            seat.observe()
    return dict(seats[game.mover].explain())


@pytest.mark.interpreted
@pytest.mark.parametrize("agent", ["eger-full", "eger-intentional"])
def test_intentions_and_what_hints_would_do(agent):
    rows = panel(agent, "R5 Y5 G5  R1 R3 B5")
    assert rows["your hand"] == "R1, R3, B5"
    assert rows["intentions"] == "play, can discard, keep"
    assert rows["if I hint rank 1"] == "play, keep, keep"
    assert rows["if I hint red"] == "play, play: not intended"  # R3 may be R1
    assert rows["if I hint green"] == "invalid"
    assert "what you want me to do" not in rows


@pytest.mark.interpreted
def test_full_says_what_a_hint_asks_for():
    rows = panel("eger-full", "R5 Y5 G5  R1 R3 B5", "h11")
    assert rows["what you want me to do"] == "play, keep, keep"
    assert rows["slot 0, my knowledge"] == "G1 x3, Y1 x3, W1 x3, B1 x3, R1 x3"
    # Each of five: probability 1/5, loss 5 x 1/5 / 1.
    assert rows["slot 0, discard score"].startswith("-1.00: G1 (20.00%) -0.20")
    assert "what you want me to do" not in panel("eger-intentional", "R5 Y5 G5  R1 R3 B5", "h11")


@pytest.mark.interpreted
def test_a_hint_given_twice_says_nothing_new():
    rows = panel("eger-full", "R5 Y5 G5  R4 R3 B5", "h15", "h15")
    assert rows["if I hint rank 5"] == "no new information"


@pytest.mark.interpreted
def test_without_tokens_no_hint_is_considered():
    rows = panel("eger-full", "R5 Y5 G5  R4 R3 B5", *["h15"] * 8)
    assert "intentions" in rows
    assert not any(row.startswith("if I hint") for row in rows)
