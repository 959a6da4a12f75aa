"""Learning from people: it learns, resumes bit for bit, and plays what it learned."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs torch, the extra `learn`")

from choosing import ADVISERS, some_games
from tamaya.agents.learned.files import read_network
from tamaya.learn.imitation.decisions import Watcher
from tamaya.learn.imitation.games import TEST, TRAIN, PersonGame, games_in
from tamaya.learn.imitation.learner import pace
from tamaya.learn.imitation.plan import ImitationPlan, Settings, fingerprint_of, read_plan
from tamaya.learn.imitation.run import ImitationRun
from tamaya.learn.imitation.scores import probabilities, score_people, score_uniform, turns_of
from tamaya.learn.journal import read_journal
from tamaya.lookup import find_agent
from tamaya.rules import Rules
from tamaya.run_folder import RunError
from training import assert_equal

TWO = Rules(players=2)
TINY = Settings(members=2, width=8, hidden=8, second=4, epochs=3, batch=64,
                advisers=" ".join(ADVISERS))  # fmt: skip


@pytest.fixture(scope="module")
def games() -> list[PersonGame]:
    return some_games(24, TWO, people=24)


def plan_for(games: list[PersonGame], settings: Settings = TINY) -> ImitationPlan:
    return ImitationPlan(TWO.to_text(), 1, fingerprint_of(games), len(games), "made up", settings)


def train(folder: Path, games: list[PersonGame], epochs: int = 1000) -> ImitationRun:
    run = ImitationRun(folder, plan_for(games), games)

    def watch(row: dict) -> None:
        run.wants_to_stop = row["turns"] >= epochs

    run.train(watch)
    run.close()
    return run


def timeless(folder: Path) -> list[dict]:
    return [{k: v for k, v in row.items() if k != "cpu_seconds"} for row in read_journal(folder)]


def test_a_resumed_run_equals_one_that_was_not_stopped(tmp_path, games):
    whole = train(tmp_path / "whole", games)
    for epochs in (1, 3, 4):
        stopped = train(tmp_path / "stopped", games, epochs)
        assert stopped.learner.epochs_done == epochs and not stopped.learner.is_done
    resumed = train(tmp_path / "stopped", games)
    assert_equal(resumed.learner.state(), whole.learner.state())
    assert timeless(tmp_path / "whole") == timeless(tmp_path / "stopped")
    assert len(timeless(tmp_path / "whole")) == 6
    paths = [tmp_path / name / "best.npz" for name in ("whole", "stopped")]
    assert (
        find_agent(str(paths[0])).identity.split(" ")[1:]
        == (find_agent(str(paths[1])).identity.split(" ")[1:])
    )
    again = train(tmp_path / "whole", games)  # nothing is left to do
    assert again.learner.epochs_done == 6


def test_the_agent_gives_the_probabilities_that_were_trained(tmp_path, games):
    run = train(tmp_path, games)
    path = tmp_path / "best.npz"
    metadata = read_network(path).metadata
    assert metadata["members"] == 2 and metadata["source"] == "made up"
    asked = games_in(games, [TEST], 1)[:2]
    found = probabilities(find_agent(str(path)), asked)
    watcher = Watcher(TWO, ADVISERS)
    members = [run.learner._new_network() for _ in range(2)]
    for member, state in zip(members, run.learner.finished, strict=True):
        member.load_state_dict(state)
        member.eval()
    turns = [turn for each in asked for turn in watcher.turns(each)]
    for row, (situation, legal, _) in zip(found, turns, strict=True):
        batch = tuple(torch.from_numpy(array)[None] for array in situation)
        with torch.no_grad():
            probs = [member(batch, torch.from_numpy(legal)[None]).exp()[0] for member in members]
        assert np.allclose(row, np.mean(probs, axis=0), atol=5e-3)  # in files: half precision


def test_it_learns_to_predict_an_agent_with_errors(tmp_path):
    """People here do what ``piers`` would in four of five turns, and nobody else is seen."""
    games = some_games(60, TWO, people=60)
    settings = replace(TINY, members=1, epochs=12, width=16, hidden=16, learning_rate=0.01)
    run = ImitationRun(tmp_path, plan_for(games, settings), games)
    run.train()
    asked = games_in(games, [TEST], 1)
    turns = turns_of(asked)
    agent = find_agent(str(tmp_path / "best.npz"))
    learned = score_people("learned", turns, probabilities(agent, asked))
    assert learned.accuracy - 4 * learned.accuracy_se > 0.5
    assert learned.nats + 4 * learned.nats_se < score_uniform(turns).nats


def test_other_plans_and_games_are_refused(tmp_path, games):
    train(tmp_path, games, 1)
    others = games[1:]
    with pytest.raises(RunError, match="has other games: choose another folder, or --fresh"):
        ImitationRun(tmp_path, plan_for(others), others)
    other = plan_for(games, replace(TINY, epochs=9))
    with pytest.raises(RunError, match="has another seed or settings"):
        ImitationRun(tmp_path, other, games)
    fresh = ImitationRun(tmp_path, other, games, fresh=True)
    assert fresh.aside == tmp_path / "before-1" and (fresh.aside / "checkpoint.pt").exists()
    assert read_plan(tmp_path) == other


def test_folders_of_other_runs_are_refused(tmp_path, games):
    (tmp_path / "run.json").write_text("{}")
    with pytest.raises(RunError, match=r"contains run\.json of a run that cannot be resumed here"):
        ImitationRun(tmp_path, plan_for(games), games)


def test_nobody_to_learn_from_is_an_error(tmp_path, games):
    few = games_in(games, [TRAIN], 1)[:2]
    with pytest.raises(RunError, match="no games for validation: too few people"):
        ImitationRun(tmp_path, plan_for(few), few)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"settings": {"epochs": 0}}, "setting epochs must be at least 1, not 0"),
        ({"settings": {"speed": 3}}, "unknown setting 'speed'"),
        ({"settings": {"batch": "big"}}, "setting batch should be a whole number, not 'big'"),
        ({"settings": {"width": 6}}, "setting width must be a multiple of 4, not 6"),
        ({"settings": {"dropout": 1.0}}, "setting dropout must be below 1"),
        ({"seed": "one"}, "'seed' should be a whole number"),
    ],
)
def test_damaged_plans_are_explained(tmp_path, games, change, message):
    train(tmp_path, games, 1)
    path = tmp_path / "imitation.json"
    document = json.loads(path.read_text())
    settings = {**document["settings"], **change.get("settings", {})}
    path.write_text(json.dumps({**document, **change, "settings": settings}))
    with pytest.raises(ValueError, match=message):
        read_plan(tmp_path)


def test_the_learning_rate_rises_and_falls():
    assert pace(0) < pace(0.05) < pace(0.1) == 1 > pace(0.5) > pace(0.99) > 0


def test_settings_name_the_advisers():
    assert TINY.adviser_names(2) == ADVISERS
    assert "smartbot" in Settings().adviser_names(2)
    assert Settings().adviser_names(5) == Settings().adviser_names(3)
