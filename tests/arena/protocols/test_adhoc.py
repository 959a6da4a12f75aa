"""Ad-hoc teams: samples, what an agent makes of them, and the figures."""

from dataclasses import replace

import numpy as np
import pytest

from tamaya.adapt.player import adaptive
from tamaya.arena.executor import Threads
from tamaya.arena.match import ONE, Match
from tamaya.arena.protocols.adhoc import (
    SAMPLES,
    Config,
    Result,
    adhoc,
    adhoc_series,
    forgetting,
    run,
    sample_games,
)
from tamaya.arena.protocols.fractions import partner_means
from tamaya.arena.runner import Runner
from tamaya.arena.series import LONGEST, SeriesTask
from tamaya.player import AgentError
from tamaya.rules import Rules
from tamaya.store.database import Store

RUNNER = Runner(Threads(2), chunk=100)


def test_adhoc_reports_both():
    team = adhoc("example", "certainty", Rules(players=2), 200, 5, RUNNER)
    assert team.trials == 200
    assert not team.prepared
    trials = Match(("example", "certainty"), Rules(players=2), 5, ONE).tally(0, 200)
    alone = Match(("certainty",), Rules(players=2), 5).tally(0, 200)
    assert (team.mean, team.se, team.mean_points_kept) == (trials.mean, trials.se,
                                                           trials.mean_points)  # fmt: skip
    assert (team.partner_mean, team.partner_se) == (alone.mean, alone.se)


def test_samples_are_finished_selfplay_games_of_the_partner():
    first, second = (sample_games("certainty", Rules(players=3), 1, k) for k in (0, 1))
    assert len(first) == len(second) == SAMPLES
    assert all(game.is_over and game.record.lives == 3 for game in first)
    assert first[0].deck != second[0].deck


def test_an_agent_learns_from_the_samples(tmp_path):
    file = tmp_path / "student.py"
    file.write_text(
        "from tamaya.agent import agent\n"
        "from tamaya.moves import play\n\n"
        "@agent('student', params={'slot': 0})\n"
        "def student(view, memory, params):\n"
        "    return play(view, params.slot)\n\n"
        "@student.prepare\n"
        "def study(samples):\n"
        "    assert len(samples) == 10\n"
        "    return {'slot': int(samples[0].score) % 3}\n"
    )
    team = adhoc(f"{file}:student", "certainty", Rules(players=2), 100, 5, RUNNER)
    assert team.prepared
    slots = [sample_games("certainty", Rules(players=2), 5, k)[0].score % 3 for k in range(100)]
    assert len(set(slots)) == 3
    total = 0.0
    for k, slot in enumerate(slots):
        text = f"{file}:student:slot={slot}" if slot else f"{file}:student"
        match = Match((text, "certainty"), Rules(players=2), 5, ONE)
        total += match.tally(k, 1).mean_points
    assert team.mean_points_kept == pytest.approx(total / 100)


def test_trials_must_fit_the_sets():
    with pytest.raises(ValueError, match=r"trials \(150\) must be a multiple"):
        adhoc("example", "random", Rules(players=2), 150, 0, RUNNER)
    with pytest.raises(ValueError, match=r"trials \(150\) must be a multiple"):
        Config("example", ("random",), trials=150).n_games()


MEDIUM = (
    "from tamaya.agent import agent\nfrom tamaya.moves import play\n\n"
    "@agent('medium', params={'slot': 0, 'seen': 0})\n"
    "def medium(view, memory, params):\n    return play(view, params.slot)\n\n"
    "@medium.prepare\ndef study(samples):\n    return {'seen': len(samples)}\n"
)


def test_agents_get_as_many_samples_as_asked_for(tmp_path):
    file = tmp_path / "medium.py"
    file.write_text(MEDIUM)
    rules, agent = Rules(players=2, bomb="keep"), f"{file}:medium"
    config = Config(agent, ("certainty",), trials=20, samples=(0, 3), sets=10, rules="bomb=keep")
    none, three = run(config, RUNNER).teams
    assert (none.samples, none.prepared, three.samples, three.prepared) == (0, False, 3, True)
    assert three.mean == Match((f"{agent}:seen=3", "certainty"), rules, 0, ONE).tally(0, 20).mean
    assert none.mean == Match((agent, "certainty"), rules, 0, ONE).tally(0, 20).mean
    assert [game.moves for game in sample_games("certainty", rules, 0, 4, 3)] == [
        game.moves for game in sample_games("certainty", rules, 0, 4)[:3]
    ]
    assert config.arguments()[-4:] == ["--samples", "0,3", "--sets", 10]


def test_an_agent_names_its_partner_unless_it_must_forget_it():
    config = Config("adaptive", ("piers",), trials=4, sets=2)
    [team] = run(config, RUNNER).teams
    assert team.identified == 1
    assert team.fraction == pytest.approx(team.mean / team.partner_mean)
    assert type(team).from_dict(team.as_dict()) == team
    [team] = run(Config("adaptive", ("piers",), trials=4, sets=2, held_out=("iggi",)), RUNNER).teams
    assert team.identified is None  # it cannot name whom it does not know
    assert team.held_out == "iggi"
    assert type(team).from_dict(team.as_dict()) == team


def test_only_agents_that_know_others_can_forget_them():
    with pytest.raises(AgentError, match="agent 'example' cannot leave a family out: it has no"):
        Config("example", ("iggi",), held_out=("iggi",)).n_games()


def test_the_error_of_prepared_agents_is_that_of_sets(tmp_path):
    file = tmp_path / "fixed.py"
    file.write_text(
        "from tamaya.agent import agent\nfrom tamaya.moves import play\n\n"
        "@agent('fixed', params={'slot': 0})\ndef fixed(view, memory, params):\n"
        "    return play(view, params.slot)\n\n"
        "@fixed.prepare\ndef study(samples):\n    return {}\n"
    )
    rules = Rules(players=2, bomb="keep")
    team = adhoc(f"{file}:fixed", "certainty", rules, 200, 5, RUNNER)
    match = Match((f"{file}:fixed", "certainty"), rules, 5, ONE)
    means = [match.tally(2 * k, 2).mean for k in range(100)]
    assert team.se == pytest.approx(np.std(means, ddof=1) / 10)


def test_a_family_is_left_out_besides_others_and_before_anything_is_known():
    assert forgetting("adaptive:without=ppo", "iggi").settings["without"] == "iggi+ppo"
    with pytest.raises(AgentError, match="knows its partner already, by its parameter 'ally'"):
        forgetting("adaptive:ally=tamaya-mixed,partner=piers", "iggi")
    with pytest.raises(AgentError, match="by its parameter 'code'"):
        Config("adaptive:code=silent", ("piers",), held_out=("iggi",)).n_games()


@pytest.mark.parametrize("parameters", ["", ":ghosts=True"])
def test_agents_of_files_without_names_take_part(tmp_path, parameters):
    file = tmp_path / "short.rules"
    file.write_text("PlaySafeCard\nOsawaDiscard\nDiscardRandomly\n")
    text = f"{file}{parameters}"
    team = adhoc(text, "certainty", Rules(players=2), 20, 5, RUNNER, sets=10)
    match = Match((text, "certainty"), Rules(players=2), 5, ONE)
    assert team.mean == match.tally(0, 20).mean


def test_a_row_for_each_team():
    config = Config("example", ("certainty", "random"), "2,3", trials=100, rules="bomb=keep")
    result = run(config, RUNNER)
    rows = result.rows()
    places = [(row["players"], row["hand_size"], row["partner"]) for row in rows]
    assert places == [(2, 5, "certainty"), (2, 5, "random"), (3, 5, "certainty"), (3, 5, "random")]
    for row, team in zip(rows, result.teams, strict=True):
        assert (row["mean"], row["partner_mean"]) == (team.mean, team.partner_mean)
        assert (row["games"], row["sets"], row["samples"], row["prepared"]) == (100, 100, 10, False)
    assert config.n_games() == 2 * 100 * 2 * 2


def test_in_a_series_an_agent_learns_from_each_game(tmp_path):
    file = tmp_path / "medium.py"
    file.write_text(MEDIUM)
    rules, agent = Rules(players=2, bomb="keep"), f"{file}:medium"
    teams = adhoc_series(agent, "certainty", rules, 5, 3, RUNNER, 12)
    assert [team.game for team in teams] == list(range(1, 13))
    assert [team.samples for team in teams] == [*range(10), 10, 10]
    assert [team.prepared for team in teams] == [False, *[True] * 11]
    for k, seen in ((0, 0), (3, 3), (11, 10)):
        text = f"{agent}:seen={seen}" if seen else agent
        match = Match((text, "certainty"), rules, 3, ONE)
        scores = [match.tally(LONGEST * number + k, 1).mean for number in range(5)]
        assert teams[k].mean == np.mean(scores)
        assert teams[k].se == pytest.approx(np.std(scores, ddof=1) / 5**0.5)


def test_a_series_teaches_by_the_moves_of_the_partner_alone():
    first, second = adhoc_series("adaptive", "piers", Rules(players=3), 2, 4, RUNNER, 2)
    assert (first.identified, second.identified) == (None, 1)
    match = Match(("adaptive", "piers"), Rules(players=3), 4, ONE)
    scores = []
    for number in (0, LONGEST):
        game = match.play(number, 1, record=True).game(0)
        own = int(match.seats(number, 1)[0])
        known = adaptive.prepared([game], [{0, 1, 2} - {own}])
        after = Match((known.spec, "piers"), Rules(players=3), 4, ONE)
        scores.append(after.tally(number + 1, 1).mean)
    assert second.mean == np.mean(scores)


def test_series_resume_and_are_the_same_on_any_number_of_threads(tmp_path, monkeypatch):
    config = Config("adaptive", ("piers", "random"), trials=4, series=3, held_out=("iggi", "basic"))
    one = run(config, Runner(Threads(1)))
    played = []
    carry_out = SeriesTask.carry_out
    monkeypatch.setattr(SeriesTask, "carry_out",
                        lambda task: (played.append(task.number), carry_out(task))[1])  # fmt: skip
    store = Store(str(tmp_path / "store.db"))
    few = run(replace(config, trials=2), Runner(Threads(2), store))
    assert sorted(played) == [0, 0, 1, 1]
    assert few.teams[0].trials == 2
    two = run(config, Runner(Threads(2), store))
    assert sorted(played) == [0, 0, 1, 1, 2, 2, 3, 3]
    store.close()

    def figures(result: Result) -> list[dict]:
        return [{**team.as_dict(), "seconds": 0} for team in result.teams]

    assert figures(one) == figures(two)
    assert [type(team).from_dict(team.as_dict()) for team in two.teams] == list(two.teams)
    assert [row[:2] for row in partner_means(two.teams)] == [(2, 1), (2, 2), (2, 3)]
    assert [row["game"] for row in two.rows()] == [1, 2, 3, 1, 2, 3]
    assert config.arguments()[-4:] == ["--series", 3, "--hold-out", "family"]
    assert config.n_games() == 2 * 4 * (3 + 1)


def test_a_number_of_samples_is_named_once():
    with pytest.raises(ValueError, match="--samples names 1 twice"):
        Config("adaptive", ("piers",), samples=(0, 1, 1)).n_games()


def test_series_have_no_samples():
    for change, words in (({"series": 1}, "a series has 2 to 100 games, not 1"),
                          ({"series": 101}, "a series has 2 to 100 games, not 101"),
                          ({"series": 2, "samples": (0,)}, "--samples does not go with"),
                          ({"series": 2, "sets": 7}, "--sets does not go with")):  # fmt: skip
        with pytest.raises(ValueError, match=words):
            Config("adaptive", ("piers",), **change).n_games()
