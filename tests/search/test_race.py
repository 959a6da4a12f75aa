"""The race: what moves gain on the same deals, which are dropped, and which is chosen."""

from math import sqrt

import numpy as np
import pytest

from search.positions import params_of, view_of
from support import replay
from tamaya.compiled import hot
from tamaya.game import Game
from tamaya.records import GAME
from tamaya.rules import Rules
from tamaya.search.agents.depth_one import ALL, compare_moves
from tamaya.search.race import (
    ARM,
    Race,
    add_values,
    chosen,
    drop_worse,
    is_good_enough,
    is_settled,
    leader,
    live_moves,
    mean_and_error,
    mean_gain,
    paired_gain,
)
from tamaya.search.team import Snapshot
from tamaya.search.workspace import N_IDS
from tamaya.table import play

pytestmark = pytest.mark.interpreted

DEFAULT, OTHER, THIRD = 2, 7, 11


@hot
def add_all(arms, values, reference):
    for k in range(len(values)):
        add_values(arms, values[k], reference)


def race_of(scores: dict[int, list[float]], default: int = DEFAULT, reference: int = -1) -> Race:
    """A race in which each move has reached some scores, deal by deal."""
    reference = reference if reference >= 0 else default
    n = len(next(iter(scores.values())))
    arms, values = np.zeros(N_IDS, ARM), np.zeros((n, N_IDS), np.float32)
    for move, found in scores.items():
        arms[move].is_live = 1
        values[:, move] = found
    add_all(arms, values, reference)
    saved = Snapshot(np.zeros(1, GAME), np.zeros(1, np.uint64))
    return Race(arms, values, np.array([n]), saved, default, reference)


def params(margin: float, errors: float) -> np.record:
    return params_of(f"search:blueprint=example,margin={margin},errors={errors}")


def around(mean: float, n: int = 64) -> list[float]:
    """Scores with a mean and a standard deviation of one."""
    return [mean + (1 if k % 2 else -1) for k in range(n)]


@hot
def dropped(race, rule):
    """How many moves are left, and which."""
    return drop_worse(race, rule), live_moves(race.arms)


def survivors(race: Race, rule: np.record) -> set[int]:
    n_left, live = dropped(race, rule)
    moves = {move for move in range(N_IDS) if int(live) >> move & 1}
    assert len(moves) == n_left
    return moves


# Statistics.


@hot
def statistics(race, move, other):
    arm = race.arms[move]
    return (mean_and_error(arm.n, arm.total, arm.squares), mean_gain(arm),
            paired_gain(race.values, move, other, race.n[0]))  # fmt: skip


def test_gains_are_measured_deal_by_deal():
    ours, theirs = [20.0, 24.0, 9.0, 15.0], [19.0, 21.0, 9.0, 16.0]
    race = race_of({OTHER: ours, DEFAULT: theirs})
    gains = np.subtract(ours, theirs)
    mean, gain, paired = statistics(race, OTHER, DEFAULT)
    assert mean == pytest.approx((np.mean(ours), np.std(ours) / sqrt(3)))
    assert paired == pytest.approx((gains.mean(), gains.std() / sqrt(3)))
    assert gain[0] == pytest.approx(gains.mean())


def test_a_few_equal_deals_do_not_prove_that_moves_are_equal():
    _, (mean, error), _ = statistics(race_of({OTHER: [20.0] * 4, DEFAULT: [20.0] * 4}),
                                     OTHER, DEFAULT)  # fmt: skip
    assert (mean, error) == (0.0, 0.25)


def test_gains_are_over_the_reference():
    race = race_of({OTHER: [20.0, 22.0], DEFAULT: [19.0, 20.0], THIRD: [10.0, 10.0]},
                   reference=THIRD)  # fmt: skip
    assert race.arms[OTHER].gain == 22
    assert race.arms[THIRD].gain == 0


def test_moves_that_are_out_are_not_counted():
    race = race_of({OTHER: [20.0], DEFAULT: [19.0]})
    race.arms[OTHER].is_live = 0
    add_all(race.arms, race.values, DEFAULT)
    assert (race.arms[OTHER].n, race.arms[DEFAULT].n) == (1, 2)


# Elimination.


def test_a_move_that_is_clearly_worse_is_dropped():
    race = race_of({DEFAULT: around(20), OTHER: around(21), THIRD: around(15)})
    assert survivors(race, params(0, 2.5)) == {DEFAULT, OTHER}


def test_a_move_that_may_still_be_better_stays():
    noise = [3.0, -3.0, 2.0, -3.5] * 4
    race = race_of({DEFAULT: [20.0] * 16, OTHER: [20 + value for value in noise]})
    assert survivors(race, params(0.05, 2.5)) == {DEFAULT, OTHER}


def test_more_errors_drop_less():
    scores = {DEFAULT: [20.0] * 16, OTHER: [20.5] * 16, THIRD: [20.0, 18.0] * 8}
    assert survivors(race_of(scores), params(0, 1.0)) == {DEFAULT, OTHER}
    assert survivors(race_of(scores), params(0, 8.0)) == {DEFAULT, OTHER, THIRD}


def test_a_move_that_cannot_gain_the_margin_is_dropped():
    scores = {DEFAULT: around(20), OTHER: around(20.3)}
    assert survivors(race_of(scores), params(0.1, 2.5)) == {DEFAULT, OTHER}
    assert survivors(race_of(scores), params(0.5, 2.5)) == {DEFAULT}


def test_what_leads_by_too_little_over_the_rest_does_not_drop_it():
    race = race_of({DEFAULT: around(10), OTHER: around(20), THIRD: around(20)})
    assert survivors(race, params(0.05, 2.5)) == {DEFAULT, OTHER, THIRD}


def test_the_blueprints_move_and_the_reference_are_never_dropped():
    race = race_of({DEFAULT: around(5), OTHER: around(20), THIRD: around(3)}, reference=THIRD)
    assert survivors(race, params(0.05, 2.5)) == {DEFAULT, OTHER, THIRD}


def test_without_a_blueprints_move_the_leader_alone_decides():
    race = race_of({OTHER: around(20), THIRD: around(5), 12: around(6)}, -1, THIRD)
    assert survivors(race, params(30, 2.5)) == {OTHER, THIRD}


# The choice.


@hot
def choice(race, margin):
    return leader(race.arms, race.default), chosen(race.arms, race.default, margin)


@pytest.mark.parametrize(("margin", "move"), [(0.0, OTHER), (0.5, OTHER), (0.6, DEFAULT)])
def test_another_move_must_gain_the_margin(margin, move):
    race = race_of({DEFAULT: around(20), OTHER: around(20.5)})
    assert tuple(choice(race, margin)) == (OTHER, move)


def test_another_move_must_gain_a_standard_error():
    race = race_of({DEFAULT: [20.0] * 4, OTHER: [25.0, 15.0, 25.0, 16.0]})
    assert tuple(choice(race, 0.0)) == (OTHER, DEFAULT)


def test_among_equals_the_blueprints_move_leads_and_then_the_lowest():
    equal = {OTHER: [20.0, 20.0], DEFAULT: [20.0, 20.0], THIRD: [20.0, 20.0]}
    assert tuple(choice(race_of(equal, THIRD), 0.0)) == (THIRD, THIRD)
    assert tuple(choice(race_of(equal, -1, THIRD), 0.0)) == (DEFAULT, DEFAULT)


# The end.


@hot
def settled(race, n_live, rule):
    return is_settled(race, n_live, rule)


def test_it_is_over_when_one_move_is_clearly_better_by_the_margin():
    race = race_of({DEFAULT: around(20), OTHER: around(20.5)})
    assert settled(race, 2, params(0.1, 2.5))
    assert not settled(race, 3, params(0.1, 2.5))
    assert not settled(race, 2, params(0.5, 2.5))
    assert not settled(race, 2, params(0.1, 40))


@hot
def good_enough(race, now):
    return is_good_enough(race, now)


def test_it_is_over_when_the_blueprints_move_wins_all_there_is():
    now = Game(Rules(players=2)).record
    assert good_enough(race_of({DEFAULT: [25.0] * 60}), now)
    assert good_enough(race_of({DEFAULT: [25.0] * 59 + [24.0]}), now)
    assert not good_enough(race_of({DEFAULT: [25.0] * 9 + [24.0]}), now)
    assert not good_enough(race_of({DEFAULT: [25.0] * 60}, -1, DEFAULT), now)


# Races over real deals.


def deals_played(options: str) -> dict[int, int]:
    """How many deals each move of a position was tried on."""
    rules = Rules(players=3, colours=3, ranks=3, hand_size=3)
    game = replay(play("example", rules, 1, seed=2, record=True).game(0), turns=2)
    arms = np.zeros(N_IDS, ARM)
    rule = params_of(f"search:blueprint=example,hints={ALL},rollout=3,{options}")
    compare_moves(view_of(game), np.uint64(7), rule, -1, arms)
    tried = {move: int(arms[move].n) for move in range(N_IDS) if arms[move].n}
    assert set(tried) <= set(game.legal_moves)
    return tried


def test_without_errors_every_move_gets_all_samples():
    tried = deals_played("samples=24,errors=0")
    assert len(tried) > 5
    assert set(tried.values()) == {24}


def test_what_dropped_moves_leave_goes_to_the_others_up_to_a_limit():
    tried = deals_played("samples=24,errors=2.5,stretch=3")
    assert min(tried.values()) == 16  # the first round
    assert 24 < max(tried.values()) < 72
    assert sum(tried.values()) <= 24 * len(tried)
    assert max(deals_played("samples=24,errors=2.5,stretch=1").values()) == 24
