"""Sums of a turn: cells, what is missing, and their form in the store."""

from itertools import pairwise

import numpy as np
import pytest

from tamaya.game import Game
from tamaya.replays.kept_sums import TurnSums, cell_end, cell_start
from tamaya.replays.move_values import SUMS, choice_at, new_weights
from tamaya.rules import Rules


@pytest.fixture
def sums() -> TurnSums:
    game = Game(seed=1)
    game.apply("p0")
    return TurnSums(choice_at(game, 1), "key")


def of_deals(sums: TurnSums, deals: range) -> np.ndarray:
    """Sums in which deal k scores k after any move."""
    weights, legal = new_weights(), list(sums.choice.legal)
    weights["n"][legal] = len(deals)
    weights["total"][legal] = sum(deals)
    weights["gain"][legal[1:]] = -sum(deals)
    return weights


def filled(sums: TurnSums, goal: int, step: int = 1000) -> list[range]:
    added = []
    while missing := sums.missing(goal):
        added.append(missing[:step])
        sums.add(added[-1], goal, of_deals(sums, added[-1]), 3)
    return added


def test_cells_follow_each_other():
    starts = [deal for deal in range(9000) if cell_start(deal) == deal]
    assert starts[:9] == [0, 32, 128, 300, 600, 900, 1200, 1600, 2000]
    assert all(cell_end(start) == after for start, after in pairwise(starts))
    assert 8000 in starts


@pytest.mark.parametrize("goals", [(300,), (32, 128, 300), (20, 300), (299, 300), (1500,)])
def test_every_deal_is_asked_for_once(sums, goals):
    added = [deals for goal in goals for deals in filled(sums, goal, 50)]
    assert [deal for deals in added for deal in deals] == list(range(goals[-1]))
    row = sums.analysis(goals[-1])
    assert row.deals == goals[-1]
    assert row.expected == pytest.approx(np.mean(range(goals[-1])))
    assert sums.done(goals[-1]) == goals[-1]


def test_a_shorter_beginning_leaves_the_cell_alone(sums):
    filled(sums, 100)
    sums.take_unsaved()
    assert filled(sums, 50) == [range(32, 50)]
    assert sums.analysis(50).deals == 50
    assert filled(sums, 40) == [range(32, 40)]  # once more
    assert not sums.unsaved
    assert not sums.missing(100)
    assert filled(sums, 128) == [range(100, 128)]


def test_cells_survive_the_store(sums):
    filled(sums, 200, 7)
    packed = sums.take_unsaved()
    assert [entry[:2] for entry in packed] == [(0, 32), (32, 96), (128, 72)]
    assert all(len(entry[2]) < 400 for entry in packed)
    assert sums.take_unsaved() == []
    other = TurnSums(sums.choice, "key")
    assert all(other.restore(*entry) for entry in packed)
    assert other.analysis(200) == sums.analysis(200)
    assert other.usual == 3
    for start, cell in sums.cells.items():
        for name in SUMS:
            assert (other.cells[start].weights[name] == cell.weights[name]).all()
    assert not other.restore(*packed[0])  # nothing new


@pytest.mark.parametrize("damage", [b"", b"nonsense", "cut", "other"])
def test_damaged_cells_are_not_taken(sums, damage):
    filled(sums, 32)
    ((start, deals, packed),) = sums.take_unsaved()
    other = TurnSums(sums.choice, "key")
    if damage == "cut":
        assert not other.restore(start, deals, packed[: len(packed) // 2])
    elif damage == "other":
        for wrong in ((5, 3), (0, 33), (0, 0), (-1, 4)):
            assert not other.restore(*wrong, packed)
    else:
        assert not other.restore(start, deals, damage)
    assert other.missing(32) == range(32)


def test_a_forced_move_needs_one_look():
    game = Game(Rules(players=2, colours=1, ranks=2, hand_size=1, tokens=0), seed=1)
    game.apply(game.legal_moves[0])
    sums = TurnSums(choice_at(game, 1), "key")
    assert sums.missing(300) == range(1)
    sums.add(range(1), 300, new_weights(), 2)
    assert not sums.missing(300)
    assert sums.analysis(300).mark == "forced"
    (entry,) = sums.take_unsaved()
    assert TurnSums(sums.choice, "key").restore(*entry)


@pytest.mark.parametrize("goal", [20, 32, 299, 300, 1199, 1500, 2000])
def test_all_first_deals_are_known_whoever_asked_for_them(sums, goal):
    assert sums.known == 0
    filled(sums, goal, 50)
    assert sums.known == goal
    filled(sums, 10)  # of fewer nothing is forgotten
    assert sums.known == goal
