"""Analysis of a turn: marks and what is shown follow from the sums."""

import json

import numpy as np
import pytest

from tamaya.game import Game
from tamaya.moves import move_text
from tamaya.replays.analysis import TurnAnalysis
from tamaya.replays.analysis import turn_analysis as analysis_of
from tamaya.replays.analyst import Analyst
from tamaya.replays.marks import Mark
from tamaya.replays.move_values import choice_at, new_weights
from tamaya.rules import Rules

N_DEALS = 100


@pytest.fixture(scope="module")
def blundered() -> Game:
    """A game that ends with a card played blindly on the last life, all points lost."""
    game = Game(Rules(players=2, colours=2, bomb="zero"), seed=3)
    dead = None
    while dead is None:
        playable = [5 * c + int(game.record.firework[c]) for c in range(2)
                    if game.record.firework[c] < 5]  # fmt: skip
        hand = game.hands[game.mover]
        good = [slot for slot, card in enumerate(hand) if card in playable]
        bad = [slot for slot, card in enumerate(hand) if card not in playable]
        if game.record.lives > 1 and bad:
            game.apply(f"p{bad[0]}")
        elif game.points < 5 and good:
            game.apply(f"p{good[0]}")
        elif game.points < 5:
            game.apply(next(move for move in game.legal_moves if move >= game.rules.hand_size * 2))
        else:
            dead = bad
    game.apply(f"p{dead[0]}")
    assert game.status == "out of lives"
    return game


def filled(game: Game, gains: dict[str, tuple[float, float]], n: int = 400) -> np.ndarray:
    """Sums of a turn at which moves have these mean gains and standard deviations per deal."""
    weights = new_weights()
    for move in game.at(game.turn - 1).legal_moves:
        mean, spread = gains.get(move_text(game.rules, move), (0.0, 0.0))
        weights[move]["n"] = n
        weights[move]["total"], weights[move]["squares"] = 10 * n, 101 * n
        weights[move]["gain"] = mean * n
        weights[move]["gain_squares"] = (mean**2 + spread**2) * n
    return weights


def turn_analysis(game: Game, turn: int, usual: int, weights: np.ndarray) -> TurnAnalysis:
    return analysis_of(choice_at(game, turn), usual, weights)


@pytest.fixture
def game() -> Game:
    game = Game(Rules(players=2), seed=1)
    game.apply("p0")
    return game


def test_the_shown_loss_belongs_to_the_move_that_is_surely_better(game):
    weights = filled(game, {"p1": (2.0, 20.0), "p2": (1.0, 1.0), "p3": (-1.0, 1.0)})
    row = turn_analysis(game, 1, -1, weights)
    assert (row.mark, row.best, row.is_clear) == (Mark.MISTAKE, "p2", True)
    assert row.loss == pytest.approx(1.0)
    assert row.sure == pytest.approx(row.loss - 3 * row.loss_se)
    assert [value.move for value in row.moves[:2]] == ["p1", "p2"]  # the highest gain first
    assert (row.played, row.blueprint, row.expected) == ("p0", None, 10.0)
    assert row.se == pytest.approx(np.sqrt(1 / 399))


@pytest.mark.parametrize(
    ("gains", "mark", "best"),
    [
        ({"p1": (0.3, 4.0)}, Mark.OPEN, "p1"),
        ({"p1": (0.1, 0.4)}, Mark.NONE, "p1"),
        ({"p1": (-0.1, 0.4), "p2": (-0.2, 0.1)}, Mark.NONE, "p3"),
        ({}, Mark.NONE, "p0"),
    ],
)
def test_where_nothing_is_sure_the_highest_mean_is_named(game, gains, mark, best):
    if best == "p3":  # gains by so little that it is no loss
        gains = gains | {"p3": (0.001, 0.01)}
    row = turn_analysis(game, 1, game.moves[0], filled(game, gains))
    assert (row.mark, row.best, row.is_clear, row.blueprint) == (mark, best, False, "p0")
    assert row.loss == max(0.0, gains.get(best, (0.0, 0.0))[0])


def test_thresholds_follow_the_rules_of_the_game():
    small = Game(Rules(players=2, colours=1), seed=1)
    small.apply("p0")
    weights = filled(small, {"p1": (0.15, 0.1)})
    assert turn_analysis(small, 1, -1, weights).mark is Mark.MISTAKE
    large = Game(Rules(players=2), seed=1)
    large.apply("p0")
    assert turn_analysis(large, 1, -1, filled(large, {"p1": (0.15, 0.1)})).mark is Mark.NONE


def test_a_lost_game_is_a_blunder(blundered):
    row = Analyst("certainty").weigh(blundered, blundered.turn, N_DEALS)
    assert row.mark is Mark.BLUNDER
    assert row.mark.sign == "??"
    assert row.expected < 3 < row.expected + row.loss
    assert row.value_of(row.best).gain == row.loss
    assert row.deals == N_DEALS
    assert json.loads(json.dumps(row.as_dict()))["mark"] == "blunder"
