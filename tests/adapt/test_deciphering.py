"""Deciphering: codes are found in sample games, and not in random ones."""

import numpy as np
import pytest

from tamaya.adapt.deciphering import (
    LEAST_EVIDENCE,
    SILENT,
    code_of,
    code_text,
    deciphered,
    gain_of,
    is_plain,
)
from tamaya.adapt.messages import HAND, LIE, PUBLIC, STATEMENTS
from tamaya.compiled import JIT
from tamaya.game import Game
from tamaya.player import AgentError
from tamaya.rules import Rules
from tamaya.table import play

VAGUEST_OLD, LIKELY_OLD, TWO_RISING, THREE_RISING = 2, 0, 2, 3


def games_of(name: str, players: int = 2, n: int = 10) -> list[Game]:
    """Self-play games of an agent."""
    played = play(name, Rules(players=players), n, seed=21, record=True, threads=1)
    return [played.game(k) for k in range(n)]


@pytest.mark.skipif(not JIT, reason="too slow without the compiler")
@pytest.mark.parametrize("name, listing", [("wtfwthat", TWO_RISING), ("information", THREE_RISING),
                                           ("wtfwthat-2018", LIKELY_OLD)])  # fmt: skip
def test_codes_are_deciphered(name, listing):
    code = code_of(deciphered(games_of(name)))[0]
    assert (code["reference"], code["listing"]) == (VAGUEST_OLD, listing)


@pytest.mark.skipif(not JIT, reason="too slow without the compiler")
def test_random_hints_and_larger_tables_have_no_code():
    assert deciphered(games_of("random")) == SILENT
    assert deciphered(games_of("wtfwthat", players=3, n=1)) == SILENT
    assert deciphered(games_of("wtfwthat"), [0] * 10) == SILENT  # nobody's moves say nothing


def test_codes_by_age_are_plain():
    rest = "10" + "0" * 28
    assert is_plain("24" + rest) and is_plain("25" + rest)
    assert not is_plain("22" + rest) and not is_plain(SILENT)


def test_statements_gain_by_being_true_against_the_odds():
    game = Game(Rules(players=2), seed=1)
    card = game.record["card"][1, 2]
    public, hand = np.zeros(1, PUBLIC), np.zeros(1, HAND)
    hand["n"], hand["slot"][0, 0], hand["chance"][0, 2] = 1, 2, 0.25
    number = STATEMENTS.tolist().index([0, 1])  # the first is playable
    for playable, expected in ((1 << card, np.log((1 - LIE) / 0.25)), (0, np.log(LIE / 0.75))):
        public["playable"] = playable
        assert gain_of(game.record, public[0], hand[0], 1, number) == pytest.approx(expected)
    second = STATEMENTS.tolist().index([0, 2])  # there is none
    assert gain_of(game.record, public[0], hand[0], 1, second) == 0
    assert LEAST_EVIDENCE > 0


def test_codes_are_texts():
    text = "2311" + "0123456789abcd" * 2
    assert code_text(code_of(text)[0]) == text
    assert code_of(SILENT)["said"].sum() == 0
    for wrong in ("2311", "9311" + "0" * 28, "2311" + "e" * 28, "2311" + "0" * 29, "model"):
        with pytest.raises(AgentError, match="is not a code"):
            code_of(wrong)
