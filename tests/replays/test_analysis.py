"""Analysis: marks follow from values, open turns get more deals, threads change nothing."""

import json
from types import SimpleNamespace

import numpy as np
import pytest

from tamaya.game import Game
from tamaya.moves import move_text
from tamaya.replays import analysis
from tamaya.replays.analysis import analyse, analyse_turn, analyst, turn_analysis
from tamaya.replays.marks import Mark
from tamaya.replays.move_values import new_weights
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
    row = analyse_turn(blundered, analyst("certainty", N_DEALS), blundered.turn)
    assert row.mark is Mark.BLUNDER
    assert row.mark.sign == "??"
    assert row.expected < 3 < row.expected + row.loss
    assert json.loads(json.dumps(row.as_dict()))["mark"] == "blunder"


def test_only_open_turns_get_more_deals(game, monkeypatch):
    asked = []
    marks = iter([Mark.OPEN, Mark.OPEN, Mark.NONE])

    def weigh_turn(game, agent, turn, seed, weights):
        asked.append(int(seed))
        return 7 + len(asked)

    def judged(game, turn, usual, weights):
        return SimpleNamespace(mark=next(marks), usual=usual)

    monkeypatch.setattr(analysis, "weigh_turn", weigh_turn)
    monkeypatch.setattr(analysis, "turn_analysis", judged)
    row = analyse_turn(game, None, 1, seed=4, slices=9)
    assert (row.mark, row.usual) == (Mark.NONE, 8)  # the blueprint's move on the first deals
    assert asked == [int(analysis.slice_seed(4, 1, number)) for number in range(3)]
    marks = iter([Mark.OPEN])
    assert analyse_turn(game, None, 1, slices=1).mark is Mark.OPEN


def test_more_slices_leave_fewer_turns_open(blundered):
    agent, turns = analyst("certainty", 10), range(1, blundered.turn + 1)
    few, many = (analyse(blundered, agent, turns, slices=n) for n in (1, 20))
    n_open = [sum(row.mark is Mark.OPEN for row in rows) for rows in (few, many)]
    assert n_open[1] < n_open[0]
    for row, more in zip(few, many, strict=True):
        assert (more.moves[0].samples == 10) == (row.mark is not Mark.OPEN)


def test_threads_change_nothing_and_progress_is_told(blundered):
    agent, told = analyst("certainty", 5), []
    turns = [1, 3, blundered.turn]
    rows = [analyse(blundered, agent, turns, seed=1, threads=n, on_progress=told.append)
            for n in (1, 2)]  # fmt: skip
    assert rows[0] == rows[1]
    assert told == [1] * 6
    assert [row.turn for row in rows[0]] == turns


@pytest.mark.parametrize("turn", [0, 99])
def test_turns_are_those_of_the_game(blundered, turn):
    with pytest.raises(ValueError, match=f"turn {turn} is not one of this game: it has 1 to"):
        analyse(blundered, analyst("certainty", 2), [turn])
