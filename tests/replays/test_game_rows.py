"""Rows of games: agreement, totals and their errors."""

import pytest

from tamaya.game import Game
from tamaya.lookup import find_agent
from tamaya.replays.agreement import moves_of
from tamaya.replays.analyst import Analyst
from tamaya.replays.data_files import DataGame
from tamaya.replays.game_rows import GameRow, game_row, totals_of
from tamaya.replays.marks import SeatSummary
from tamaya.rules import Rules
from tamaya.table import play


@pytest.mark.parametrize("name", ["iggi", "smartbot", "wtfwthat", "random"])
def test_an_agent_agrees_with_itself(name):
    played = play(name, Rules(players=3), 1, seed=4, record=True).game(0)
    assert list(moves_of(find_agent(name), played)) == played.moves


def test_an_agent_without_an_answer_does_not_agree(monkeypatch):
    game = Game(Rules(players=2), seed=1)
    for move in ("p0", "p0", "p0"):
        game.apply(move)
    monkeypatch.setattr("tamaya.seat.Seat.act", lambda seat: 999)
    assert list(moves_of(find_agent("iggi"), game)) == [None] * 3


def test_a_game_is_a_row():
    played = play("iggi", Rules(players=2, colours=2), 1, seed=1, record=True).game(0)
    found = DataGame("game", played, about={"id": 7})
    row = game_row(Analyst("certainty"), found, 10, agree=find_agent("iggi"))
    assert (row.name, row.score, row.status) == ("game", played.score, played.status)
    assert row.turns == played.turn
    assert row.count("agreed") == row.count("choices") > 0
    assert row.as_dict()["about"] == {"id": 7}
    assert row.sure_loss == sum(seat.sure_loss for seat in row.seats)


def row_of(turns: int, loss: float, max_score: int = 25) -> GameRow:
    seat = SeatSummary(0, turns, 1, 0, 2, 3, loss, turns, 4)
    return GameRow("game", "", max_score, 3, "complete", (seat,), {})


def test_totals_add_up():
    totals = totals_of([row_of(10, 1.0), row_of(30, 7.0), row_of(20, 2.0, max_score=10)])
    assert (totals.games, totals.turns, totals.blunder, totals.inaccuracy) == (3, 60, 3, 6)
    assert totals.sure_loss == pytest.approx(13)  # two points of ten are five of 25
    assert totals.loss_per_move == pytest.approx(13 / 60)
    left = [1 - 10 * 13 / 60, 7 - 30 * 13 / 60, 5 - 20 * 13 / 60]
    assert totals.loss_per_move_se == pytest.approx((sum(x * x for x in left) * 1.5) ** 0.5 / 60)
    assert totals_of([]).loss_per_move == totals_of([row_of(3, 1)]).loss_per_move_se == 0
