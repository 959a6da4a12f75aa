"""Recommendation lists on hands made for each of their rules."""

import pytest

from agents.stacking import facing
from tamaya.agents.hat.advice import COUNTING, PROGRAM, TEXT, advice, advice_facts

pytestmark = [pytest.mark.checked, pytest.mark.interpreted]

STYLES = {"text": TEXT, "program": PROGRAM, "counting": COUNTING}


def advised(style: str, hand: str, fireworks: str = "", discards: str = "") -> str:
    """The recommendation for a hand, as ``play 0`` or ``discard 0``."""
    view = facing(hand, fireworks, discards)
    number = int(advice(view, 1, STYLES[style], advice_facts(view, STYLES[style])))
    verb = "play" if number < view.hand_size else "discard"
    return f"{verb} {number % view.hand_size}"


@pytest.mark.parametrize(
    ("hand", "fireworks", "discards", "text", "program", "counting"),
    [
        # A playable 5 comes first; HanSim takes the newest of two.
        ("R1 Y5 G5 W2", "Y4 G4", "", "play 1", "play 2", "play 1"),
        # Then the lowest rank; HanSim breaks ties by colour, the others by age.
        ("B2 R1 Y1 W3", "B1", "", "play 1", "play 1", "play 1"),
        ("Y1 R1 R4 W3", "", "", "play 0", "play 1", "play 0"),
        # Then a dead card: the oldest, or HanSim's highest.
        ("R4 Y1 Y2 W3", "Y2", "", "discard 1", "discard 2", "discard 1"),
        # Then the highest card that is not the last of its kind; of equals the oldest.
        ("R5 Y2 G4 W4", "", "", "discard 2", "discard 3", "discard 2"),
        ("R5 Y2 G4 W4", "", "G4", "discard 3", "discard 3", "discard 3"),
        # HanSim keeps every card of which a copy is discarded, even a 2 of two discarded 1s.
        ("R5 Y3 G4 W4", "", "G4 W4", "discard 1", "discard 1", "discard 1"),
        # Then the oldest, the newest, the highest.
        ("Y2 R5 G4 W4", "", "Y2 G4 W4", "discard 0", "discard 3", "discard 1"),
        # Out of reach counts as dead for the counting player only.
        ("R5 Y3 G4 W4", "", "Y2 Y2", "discard 2", "discard 3", "discard 1"),
    ],
)
def test_lists(hand, fireworks, discards, text, program, counting):
    found = [advised(style, hand, fireworks, discards) for style in STYLES]
    assert found == [text, program, counting]


def test_a_short_hand_is_advised_by_its_cards():
    view = facing("R1 Y2 G3 W4")
    view.card[1, 0] = -1
    facts = advice_facts(view, TEXT)
    assert advice(view, 1, TEXT, facts) == 4 + 3
