"""The sampler: hands as likely as hints and trust make them, and what it does if none is found."""

from collections import Counter
from typing import NamedTuple

import numpy as np
import pytest

from agents.stacking import cards, stacked
from search.positions import hinted_game, params_of, view_of
from tamaya.cards import BIT
from tamaya.compiled import JIT, hot
from tamaya.game import Game
from tamaya.rng import seed_of
from tamaya.rules import Rules
from tamaya.search.sampling.intent import n_explained, recent_moves
from tamaya.search.sampling.sampler import (
    MAX_DRAWS,
    MAX_FIRST,
    MAX_TRIES,
    belief_sampler,
    intent_sampler,
    repeating_sampler,
    sample_deal,
)
from tamaya.search.team import make_team
from tamaya.search.workspace import draw_deal, new_workspace

pytestmark = pytest.mark.interpreted

BELIEF, INTENT, REPEATING = 0, 1, 2


@hot
def sampled(view, params, kind, numbers, hands, passes):
    """The own hands in deals of some numbers, and whether they explain the last move.

    Returns how many hands were kept and drawn, and how many moves they had to explain.
    """
    workspace, team = new_workspace(view, 1, 0.0), make_team(params, view.players)
    last = recent_moves(workspace, team, 1, draw_deal(workspace, np.uint64(1)))
    if kind == BELIEF:
        sampler = belief_sampler(workspace, team, params, np.uint64(1))
    elif kind == INTENT:
        sampler = intent_sampler(workspace, team, params)
    else:
        sampler = repeating_sampler(workspace, team, params)
    for row in range(len(numbers)):
        k = numbers[row]
        game = sample_deal(workspace, team, sampler, k, seed_of(np.uint64(2), k))
        for slot in range(view.hand_size):
            hands[row, slot] = game.card[view.seat, slot]
        passes[row] = n_explained(workspace, team, last, game.deck, 0)
    return sampler.settings[0].n_kept, sampler.settings[0].n_drawn, sampler.recent.n[0]


class Sample(NamedTuple):
    hands: np.ndarray  # [deal, slot] -> card
    passes: np.ndarray  # [deal] -> whether the hand explains the last move
    n_kept: int
    n_drawn: int
    n_recent: int


def sample(game: Game, text: str, kind: int, n: int, numbers: list[int] | None = None) -> Sample:
    hands, passes = np.zeros((n, game.rules.hand_size), np.int64), np.zeros(n, np.int64)
    wanted = np.array(numbers or range(n))
    counts = sampled(view_of(game), params_of(text), kind, wanted, hands, passes)
    return Sample(hands, passes, *map(int, counts))


# Trust.


TRUSTING = "search:blueprint=example,recent=1,trust="


@pytest.mark.once
@pytest.mark.parametrize("kind", [BELIEF, INTENT, REPEATING])
@pytest.mark.parametrize("trust", [0.5, 0.9, 1.0])
def test_hands_with_a_strike_are_less_likely_by_one_less_trust(kind, trust):
    n = 2000 if JIT else 40
    alone = sample(hinted_game(), TRUSTING + "0", kind, n).passes.mean()
    share = sample(hinted_game(), f"{TRUSTING}{trust}", kind, n).passes.mean()
    assert 0 < alone < 0.3
    expected = alone / (alone + (1 - alone) * (1 - trust))
    assert abs(share - expected) < (0.07 if JIT else 0.35)
    assert trust < 1 or share == 1


def test_without_trust_nothing_is_noted_or_kept():
    for kind in (BELIEF, INTENT, REPEATING):
        found = sample(hinted_game(), TRUSTING + "0", kind, 5)
        assert (found.n_kept, found.n_drawn, found.n_recent) == (0, 0, 0)


# How hands are drawn.


def assigned_game() -> Game:
    """Slot 0 is R2 or R3, slot 1 is R3 or R5, and there is one of each."""
    rules = Rules(players=2, colours=1, hand_size=2)
    game = stacked("R2 R5 R2 R3 R1 R1 R1 R3 R4 R4", rules)
    game.record.possible[0, 0] = BIT[cards("R2 R3")].sum()
    game.record.possible[0, 1] = BIT[cards("R3 R5")].sum()
    return game


@pytest.mark.once
@pytest.mark.parametrize(
    ("bouzy", "expected"),
    [
        ("false", {"R2 R3": 1 / 3, "R2 R5": 1 / 3, "R3 R5": 1 / 3}),
        # With a random cost for each pair, R2 R5 is the cheapest only if both slots prefer it.
        ("true", {"R2 R3": 3 / 8, "R2 R5": 1 / 4, "R3 R5": 3 / 8}),
    ],
)
def test_hands_are_equally_likely_or_as_assignments_make_them(bouzy, expected):
    n = 4000 if JIT else 2000
    text = f"search:blueprint=example,bouzy={bouzy}"
    hands = sample(assigned_game(), text, BELIEF, n).hands
    found = Counter(tuple(map(int, hand)) for hand in hands)
    assert set(found) == {tuple(cards(hand)) for hand in expected}
    for hand, share in expected.items():
        error = (share * (1 - share) / n) ** 0.5
        assert abs(found[tuple(cards(hand))] / n - share) < 4 * error


# Deals in order, and deals that are repeated.


@pytest.mark.parametrize("kind", [BELIEF, INTENT])
def test_deals_in_order_have_a_hand_of_their_own(kind):
    found = sample(hinted_game(), TRUSTING + "0.9", kind, 12)
    assert (found.n_kept, found.n_recent) == (12, 1)
    assert 12 < found.n_drawn < 12 * 50


def test_a_repeated_deal_is_the_same():
    found = sample(hinted_game(), TRUSTING + "0.9", REPEATING, 6, [0, 0, 3, 1, 3, 0])
    assert found.n_kept == 4
    hands = found.hands
    assert (hands[0] == hands[1]).all() and (hands[0] == hands[5]).all()
    assert (hands[2] == hands[4]).all()
    assert (hands[0] != hands[2]).any()


# Hands that are hard to find.


def unexplained_game() -> Game:
    """The last hint was of a 5, which the example never tells while no 4 is on the table."""
    game = stacked("R1 W3 W3 B3 B3 Y3 R2 R5 G4 W4", Rules(players=2))
    for move in ("p0", "h13", "h15"):
        game.apply(move)
    return game


@pytest.mark.skipif(not JIT, reason="draws thousands of hands")
def test_what_no_hand_explains_is_dropped_in_the_end():
    found = sample(unexplained_game(), TRUSTING + "1", BELIEF, 3)
    assert (found.n_kept, found.n_recent) == (3, 0)
    assert MAX_FIRST < found.n_drawn <= MAX_FIRST + 3 < MAX_DRAWS
    assert (found.hands[:, 2] % 5 == 4).all()


def test_a_repeated_deal_takes_the_best_of_some_hands():
    found = sample(unexplained_game(), TRUSTING + "1", REPEATING, 2)
    assert (found.n_kept, found.n_drawn, found.n_recent) == (2, 2 * MAX_TRIES, 1)
    assert (found.hands[:, 2] % 5 == 4).all()
