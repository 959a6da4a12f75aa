"""Discretion: careful play among teams that speak a code."""

import numpy as np
import pytest

from support import scaled
from tamaya.adapt.deciphering import SILENT, code_of
from tamaya.adapt.discreet import own_chances
from tamaya.compiled import JIT
from tamaya.game import Game
from tamaya.lookup import find_agent
from tamaya.rules import Rules
from tamaya.seat import Seat
from tamaya.table import play

TWO = Rules(players=2)
WTFWTHAT = "2210" + "2566400" + "0000000" + "2567400" + "0000000"


def scores(code: str, partner: str, players: int, n: int) -> np.ndarray:
    """Results of one careful player among copies of a partner."""
    team = [f"adaptive:code={code}", *[partner] * (players - 1)]
    return play(team, Rules(players=players), scaled(n), seed=75_500).results["score"]


@pytest.mark.skipif(not JIT, reason="too slow without the compiler")
def test_who_knows_the_code_plays_better_than_who_does_not():
    known, unknown = (scores(code, "wtfwthat", 2, 200) for code in (WTFWTHAT, SILENT))
    error = np.hypot(known.std(), unknown.std()) / 200**0.5
    assert known.mean() > unknown.mean() + 4 * error
    assert known.mean() > 11


@pytest.mark.skipif(not JIT, reason="too slow without the compiler")
def test_at_larger_tables_it_is_silent():
    played = play(["adaptive:code=silent", *["hat-information"] * 3], Rules(players=4), 20, seed=3,
                  record=True)  # fmt: skip
    assert played.results["score"].mean() > 12
    for k in range(20):
        assert all(event["move"] < 8 for event in played.game(k).events if event["seat"] == 0)


def test_a_message_makes_an_own_card_playable_that_no_hint_names():
    hands = [11, 0, 7, 8, 17, 1, 2, 3, 6, 12]  # G2 R1 Y3 Y4 W3, and seat 1's
    rest = [card for card in range(25) for _ in range((3, 2, 2, 2, 1)[card % 5])]
    for card in hands:
        rest.remove(card)
    game = Game(TWO, deck=[*hands, *rest], start=1)
    game.apply("h1Y")  # a colour that does not touch the oldest card: the second is playable
    chances = {}
    for text in (WTFWTHAT, SILENT):
        found = np.zeros(8)
        own_chances(game.view(0), code_of(text)[0], np.uint64(1), found)
        chances[text] = found
    assert chances[WTFWTHAT][1] > 0.85 > 0.6 > chances[SILENT][1]
    rows = Seat(find_agent(f"adaptive:code={WTFWTHAT}"), game, 0).explain()
    assert rows[0] == ("takes its partner for", "a stranger who speaks a code")
    assert "takes slot 1 to be playable" in dict(rows)


def test_its_moves_are_legal_under_all_rules():
    for rules in ("players=3", "players=2 colours=3 ranks=4 hand_size=3", "players=2 hand_size=8",
                  "players=2 lives=5 discard_at_full=true"):  # fmt: skip
        play(f"adaptive:code={WTFWTHAT}", Rules.parse(rules), scaled(4), seed=1)
