"""The analyst: the same values however deals are cut, and nothing is weighed twice."""

import json
import subprocess
import sys

import pytest

from support import scaled
from tamaya.agent import AgentError
from tamaya.game import Game
from tamaya.replays import analyst as module
from tamaya.replays.analyst import Analyst
from tamaya.replays.marks import Mark
from tamaya.rules import Rules
from tamaya.store.database import Store

DEALS = scaled(60)


@pytest.fixture(scope="module")
def game() -> Game:
    game = Game(Rules(players=2, colours=2), seed=3)
    for turn in range(9):
        game.apply(game.legal_moves[-1 - turn % 2])
    return game


@pytest.fixture
def store(tmp_path):
    opened = Store(str(tmp_path / "results.db"))
    yield opened
    opened.close()


def test_three_hundred_deals_are_the_same_however_they_came_about(game, store):
    at_once = Analyst("certainty", 1).weigh(game, 7, 300)
    analyst = Analyst("certainty", 1, store)
    for deals in (20, 32, 128, 300):
        row = analyst.weigh(game, 7, deals)
        assert row.deals == deals
    assert row == at_once
    assert analyst.n_weighed == 300  # each deal once, in four calls


def test_a_second_process_weighs_nothing(game, store, tmp_path):
    rows = Analyst("certainty", 1, store).analyse(game, deals=40)
    (tmp_path / "game.txt").write_text(game.to_text())
    program = f"""
import json
from tamaya.game import Game
from tamaya.replays.analyst import Analyst
from tamaya.store.database import Store
analyst = Analyst("certainty", 1, Store({store.url!r}))
rows = analyst.analyse(Game.load({str(tmp_path / "game.txt")!r}), deals=40)
print(json.dumps([analyst.n_weighed, [row.as_dict() for row in rows]]))
more = analyst.weigh(Game.load({str(tmp_path / "game.txt")!r}), 7, 64)
"""
    out = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True).stdout
    assert json.loads(out) == [0, json.loads(json.dumps([row.as_dict() for row in rows]))]
    here = Analyst("certainty", 1, store)
    assert here.weigh(game, 7, 64) == Analyst("certainty", 1).weigh(game, 7, 64)
    assert here.n_weighed == 0  # the other one has extended it


def test_what_is_asked_for_does_not_depend_on_what_is_kept(game, store):
    fresh = Analyst("certainty").weigh(game, 5, 20)
    analyst = Analyst("certainty", store=store)
    analyst.weigh(game, 5, 50)
    assert analyst.weigh(game, 5, 20) == fresh
    assert analyst.weigh(game, 5, 50) == Analyst("certainty").weigh(game, 5, 50)


def test_other_questions_have_other_answers(game, store):
    Analyst("certainty", 1, store).weigh(game, 7, 40)
    branch = game.at(6)
    branch.apply(next(move for move in branch.legal_moves if move != game.moves[6]))
    for analyst, asked in (
        (Analyst("certainty", 2, store), game),
        (Analyst("certainty:useless=0.4", 1, store), game),
        (Analyst("iggi", 1, store), game),
        (Analyst("certainty", 1, store), branch),
    ):
        analyst.weigh(asked, 7, 40)
        assert analyst.n_weighed == 40


def test_branches_share_what_came_before(game, store):
    Analyst("certainty", 1, store).analyse(game, deals=20)
    branch = game.at(6)
    branch.apply(next(move for move in branch.legal_moves if move != game.moves[6]))
    analyst = Analyst("certainty", 1, store)
    analyst.analyse(branch, deals=20)
    assert analyst.n_weighed == 20  # of its last turn


def test_code_that_changes_is_asked_again(game, store, monkeypatch):
    Analyst("certainty", 1, store).weigh(game, 7, 20)
    monkeypatch.setattr(module, "fingerprint", lambda *modules: "another code")
    analyst = Analyst("certainty", 1, store)
    analyst.weigh(game, 7, 20)
    assert analyst.n_weighed == 20


def test_only_open_turns_get_more_deals(game):
    few = Analyst("certainty").analyse(game, deals=10)
    many = Analyst("certainty").analyse(game, deals=10, open_deals=95)
    assert any(row.mark is Mark.OPEN for row in few)
    for row, more in zip(few, many, strict=True):
        if row.mark is Mark.OPEN:
            assert 10 < more.deals <= 100 and more.deals % 10 == 0
            assert more.mark is not Mark.OPEN or more.deals == 100
        else:
            assert more == row


def test_threads_change_nothing_and_progress_is_told(game):
    told: list[int] = []
    turns = [1, 3, game.turn]
    rows = [Analyst("certainty").analyse(game, turns, 10, threads=n, on_progress=told.append)
            for n in (1, 2)]  # fmt: skip
    assert rows[0] == rows[1]
    assert told == [1] * 6
    assert [row.turn for row in rows[0]] == turns


def test_work_is_cut_into_slices(game):
    analyst = Analyst("certainty")
    (sums,) = analyst.open(game, [3])
    n_slices = 0
    while not analyst.extend(sums, 128, seconds=0.002):
        n_slices += 1
        assert n_slices < 1000
    assert n_slices > 1
    assert sums.analysis(128) == Analyst("certainty").weigh(game, 3, 128)


def test_work_that_fails_is_not_lost(game, store, monkeypatch):
    analyst = Analyst("certainty", 1, store)
    weigh, calls = module.weigh, []

    def failing(*arguments):
        calls.append(1)
        if len(calls) > 3:
            raise KeyboardInterrupt
        return weigh(*arguments)

    monkeypatch.setattr(module, "weigh", failing)
    with pytest.raises(KeyboardInterrupt):
        analyst.analyse(game, deals=10, threads=1)
    monkeypatch.setattr(module, "weigh", weigh)
    again = Analyst("certainty", 1, store)
    assert again.analyse(game, deals=10) == Analyst("certainty", 1).analyse(game, deals=10)
    assert again.n_weighed == 10 * (game.turn - 3)


def test_mistakes_are_named(game):
    with pytest.raises(AgentError, match="plays with 5 players, not 2"):
        Analyst("hatbot").weigh(game, 1)
    with pytest.raises(ValueError, match="turn 10 is not one of this game: it has 1 to 9"):
        Analyst("certainty").weigh(game, 10)
    with pytest.raises(ValueError, match="deals must be at least 2, not 1"):
        Analyst("certainty").weigh(game, 1, 1)
    (sums,) = Analyst("certainty").open(game, [1])
    with pytest.raises(ValueError, match="turn 1 has not been analysed on 32 deals"):
        sums.analysis(32)
