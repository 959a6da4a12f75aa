"""Playing imagined games on, and what the outcome is worth."""

import numpy as np
import pytest

from agents.stacking import stacked
from search.positions import hinted_game, params_of, view_of
from support import GENERATOR, decide
from tamaya.compiled import hot
from tamaya.game import Game
from tamaya.game_kernels import MOVE_BIT, legal_mask
from tamaya.registry import find_agent
from tamaya.rules import Rules
from tamaya.search.rollout import (
    best_total,
    default_move,
    estimate,
    n_reachable,
    outcome_value,
    play_moves,
    play_out,
    random_rollout,
)
from tamaya.search.team import make_team, new_snapshot, replay_history, snapshot
from tamaya.search.workspace import N_IDS, draw_deal, new_workspace

pytestmark = pytest.mark.interpreted


@hot
def randomly_on(game, n_plies, memory):
    random_rollout(game, n_plies, memory)


def test_random_rollouts_stop_after_some_plies_or_at_the_end():
    memory = np.zeros(1, GENERATOR)[0]
    game = Game(Rules(players=2, lives=50, tokens=50), seed=1)
    randomly_on(game.record, 7, memory)
    assert game.turn == 7
    first = Game(Rules(players=2, lives=50, tokens=50), seed=1)
    randomly_on(first.record, 7, memory)
    assert first.moves != game.moves
    randomly_on(game.record, 160, memory)
    assert game.is_over


@hot
def out_by(params, game, n_plies, view):
    play_out(make_team(params, game.players), game, n_plies, view)


def test_the_blueprint_plays_out_as_at_a_table():
    game, expected = Game(Rules(players=3), seed=4), Game(Rules(players=3), seed=4)
    out_by(params_of("flat-mc:blueprint=example"), game.record, 12, view_of(game))
    for _ in range(12):
        expected.apply(decide(find_agent("example"), expected, expected.mover))
    assert game.moves == expected.moves


def test_a_blueprint_that_gives_up_ends_the_rollout():
    game = Game(Rules(players=2), seed=1)
    params = params_of("flat-mc:blueprint=(rules:PlaySafeCard)")
    out_by(params, game.record, 12, view_of(game))
    assert (game.status, game.turn) == ("gave up", 0)


@hot
def outcomes(view, params, ms, moves):
    """What each move leads to on one deal, whether time allowed it, and the blueprint's move."""
    workspace, team = new_workspace(view, 1, ms), make_team(params, view.players)
    default = default_move(workspace, team, np.uint64(1))
    game, saved = draw_deal(workspace, np.uint64(1)), new_snapshot(team)
    replay_history(team, np.uint64(1), game, workspace.again[0], workspace.seen[0])
    snapshot(team, game, saved)
    values = np.full(N_IDS, -1.0, np.float32)
    is_done = play_moves(workspace, team, saved, moves, params, values)
    return values, is_done, default


def test_each_move_begins_with_the_same_deal():
    game = hinted_game(lives=1)
    params = params_of("flat-mc:blueprint=example,rollout=0")
    moves = np.uint64(legal_mask(game.record))
    values, is_done, default = outcomes(view_of(game), params, 0.0, moves)
    assert is_done
    assert default == 6  # the slot that was hinted
    legal = game.legal_moves
    assert [move for move in range(N_IDS) if values[move] >= 0] == legal
    assert {values[move] for move in legal if not 5 <= move < 10} == {1}  # nothing was played
    alone, _, _ = outcomes(view_of(game), params, 0.0, MOVE_BIT[6])
    assert alone[6] == values[6]


def test_time_may_run_out_between_moves():
    game = hinted_game()
    params = params_of("flat-mc:blueprint=example")
    moves = np.uint64(legal_mask(game.record))
    values, is_done, _ = outcomes(view_of(game), params, 1e-6, moves)
    assert not is_done
    assert (values < 0).all()


@hot
def best_of(totals, moves, default, bonus):
    return best_total(totals, moves, default, bonus)


@pytest.mark.parametrize(
    ("default", "bonus", "best"),
    [(3, 0.0, 9), (3, 1.9, 9), (3, 2.0, 3), (9, 0.0, 9), (-1, 0.0, 9), (-1, 5.0, 9)],
)
def test_another_move_must_beat_the_blueprints_by_a_bonus(default, bonus, best):
    totals = np.zeros(N_IDS)
    totals[[3, 5, 9, 20]] = 10, 8, 12, 50
    moves = MOVE_BIT[3] | MOVE_BIT[5] | MOVE_BIT[9]
    assert best_of(totals, moves, default, bonus) == best


# Values.


@hot
def values_of(game):
    return outcome_value(game, False), outcome_value(game, True), n_reachable(game), estimate(game)


def bombed_game(**options: object) -> Game:
    """A game that ended by a bomb after one point."""
    game = stacked("R1 R3 R4 R5 Y5 G5 G4 G3 G2 B5", Rules(players=2, lives=1, **options))
    for move in ("p0", "p0"):
        game.apply(move)
    assert game.status == "bomb" or game.is_over
    return game


def test_a_bomb_keeps_its_points_if_asked_to():
    strict, kept, _, value = values_of(bombed_game().record)
    assert (strict, kept, value) == (0, 1, 0)
    strict, kept, _, value = values_of(bombed_game(bomb="keep").record)
    assert (strict, kept, value) == (1, 1, 1)


def test_points_in_reach_are_bounded_by_discards_and_turns():
    game = stacked("R5 R3 R4 Y1 Y5 G5 G4 G3 G2 B5", Rules(players=2))
    assert values_of(game.record)[2] == 25
    game.apply("h11" if "h11" in map(str, game.legal_moves) else game.legal_moves[-1])
    game.apply(game.legal_moves[-1])
    game.apply("d0")  # the only R5
    assert values_of(game.record)[2] == 24
    game.record.deck_size, game.record.turns_left = 0, 2
    assert values_of(game.record)[2] == 2


def test_an_estimate_rises_with_points_tokens_lives_and_known_plays():
    def value(**fields: int) -> float:
        game = Game(Rules(players=2), seed=1)
        for name, number in fields.items():
            setattr(game.record, name, number)
        return values_of(game.record)[3]

    base = value()
    assert value(points=1) - base == pytest.approx(1)
    assert base - value(tokens=7) == pytest.approx(0.1)
    assert base - value(lives=2) == pytest.approx(0.5)
    known = Game(Rules(players=2), seed=1)
    known.record.possible[1, 2] = 1  # R1 for sure
    assert values_of(known.record)[3] - base == pytest.approx(0.5)
