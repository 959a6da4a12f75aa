"""Populations: selection and variation by their definitions; stopped ones go on as if not."""

import json
from dataclasses import replace

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs torch, the extra `learn`")

from tamaya.cli.main import app
from tamaya.learn.acha import PRIORS
from tamaya.learn.checkpoint import read_checkpoint, write_checkpoint
from tamaya.learn.pbt import (
    PopulationGeneration,
    Takeover,
    explored,
    first_values,
    read_history,
    schedule,
    select,
    write_history,
)
from tamaya.learn.population import Population, PopulationConfig
from tamaya.learn.run import Plan, read_plan
from tamaya.registry import find_agent
from training import timeless

torch.set_num_threads(1)
SETTINGS = (("games", 4), ("unroll", 4), ("batch", 4), ("width", 8))
# Points are kept, so that members who know nothing yet score differently.
PLAN = Plan("acha", "players=2 hand_size=5 bomb=keep", turns=4 * 240, settings=SETTINGS,
            log_every=40, validate_every=80, validation_games=10, seed=3)  # fmt: skip
CONFIG = PopulationConfig(4, 96)

# Selection and variation.


def test_members_begin_with_one_value_of_each_part_of_the_priors():
    values = first_values(8, PRIORS, 1)
    for name, bounds in PRIORS.items():
        low, high = np.log(bounds)
        parts = sorted(int(8 * (np.log(each[name]) - low) / (high - low)) for each in values)
        assert parts == list(range(8))
    assert values == first_values(8, PRIORS, 1) != first_values(8, PRIORS, 2)


def test_values_are_changed_by_a_fifth_or_drawn_anew():
    rng = np.random.default_rng(1)
    values = {"learning_rate": 1e-3, "entropy": 1e-3}
    ratios = np.array([[explored(values, PRIORS, rng)[name] / values[name] for name in PRIORS]
                       for _ in range(2000)])  # fmt: skip
    for column, bounds in zip(ratios.T, PRIORS.values(), strict=True):
        is_kept = np.isclose(column, 0.8) | np.isclose(column, 1.2)
        assert abs(is_kept.mean() - 0.75) < 4 * (0.75 * 0.25 / 2000) ** 0.5
        assert abs(np.isclose(column, 0.8).mean() - 0.375) < 4 * (0.375 * 0.625 / 2000) ** 0.5
        anew = np.log(1e-3 * column[~is_kept])
        low, high = np.log(bounds)
        assert low <= anew.min() and anew.max() <= high
        spread = (high - low) / 12**0.5
        assert abs(anew.mean() - (low + high) / 2) < 4 * spread / len(anew) ** 0.5


def beginning(size: int) -> PopulationGeneration:
    return PopulationGeneration(0, 0, [], [], first_values(size, PRIORS, 1))


def test_the_worst_quarter_takes_over_from_the_best():
    first = beginning(8)
    scores = [3.0, 9.0, 1.0, 5.0, 8.0, 2.0, 7.0, 6.0]
    for seed in range(20):
        after = select(first, 100, scores, PRIORS, seed)
        assert {each.member for each in after.takeovers} == {2, 5}
        assert {each.source for each in after.takeovers} <= {1, 4}
        for member in range(8):
            taken = [each for each in after.takeovers if each.member == member]
            assert after.values[member] == (taken[0].values if taken else first.values[member])
        assert (after.number, after.turns, after.scores) == (1, 100, scores)


def test_nobody_takes_over_from_a_member_that_is_no_better():
    after = select(beginning(4), 100, [2.0, 2.0, 2.0, 2.0], PRIORS, 1)
    assert after.takeovers == [] and after.values == beginning(4).values


def test_the_schedule_of_a_network_follows_its_takeovers(tmp_path):
    def values(number: float) -> dict[str, float]:
        return {"learning_rate": number, "entropy": 1.0}

    history = [
        PopulationGeneration(0, 0, [], [], [values(1), values(2)]),
        PopulationGeneration(1, 10, [5, 3], [Takeover(1, 0, values(3))], [values(1), values(3)]),
        PopulationGeneration(2, 20, [4, 5], [Takeover(0, 1, values(4))], [values(4), values(3)]),
    ]
    write_history(tmp_path, history)
    assert read_history(tmp_path) == history
    rates = [(row["turns"], row["learning_rate"]) for row in schedule(history, 0)]
    assert rates == [(0, 1), (10, 3), (20, 4)]
    rates = [(row["turns"], row["learning_rate"]) for row in schedule(history, 1)]
    assert rates == [(0, 1), (10, 3)]


# Populations.


def outcome(folder):
    """What a population came to: history, logs and networks."""
    history = read_history(folder)
    homes = [folder / f"member-{k + 1}" for k in range(len(history[0].values))]
    states = [read_checkpoint(home / "checkpoint.pt")["learner"] for home in homes]
    networks = [state["network"]["first.weight"].tolist() for state in states]
    return history, [timeless(home) for home in homes], networks


class Stopped(Exception):
    """Stands for a kill."""


def test_a_population_that_was_killed_goes_on_as_if_not(tmp_path):
    whole = Population(tmp_path / "whole", CONFIG, PLAN)
    whole.train()
    n_rows = 0

    def kill_now_and_then(member, row):
        nonlocal n_rows
        n_rows += 1
        if n_rows % 23 == 0:
            raise Stopped

    for _ in range(100):
        try:
            Population(tmp_path / "killed", CONFIG, PLAN).train(show=kill_now_and_then)
            break
        except Stopped:
            continue
    assert n_rows > 69
    assert outcome(tmp_path / "whole") == outcome(tmp_path / "killed")
    history = whole.history
    assert [each.turns for each in history] == [0, 96, 192, 240]
    assert any(each.takeovers for each in history) and not history[-1].takeovers
    assert [whole.n_turns(member) for member in range(4)] == [240] * 4


def test_a_takeover_is_carried_out_once(tmp_path):
    population = Population(tmp_path, CONFIG, replace(PLAN, turns=4 * 192))
    population.train()
    generation = next(each for each in population.history if each.takeovers)
    takeover = generation.takeovers[0]
    home = population.home(takeover.member)
    # As if killed before it was carried out, while the source stands where it was taken from.
    state = read_checkpoint(home / "checkpoint.pt")
    state["learner"]["generation"] = 0
    write_checkpoint(home / "checkpoint.pt", state)
    population._carry_out(generation)
    heir = read_checkpoint(home / "checkpoint.pt")["learner"]
    source = read_checkpoint(population.home(takeover.source) / "checkpoint.pt")["learner"]
    assert torch.equal(heir["network"]["first.weight"], source["network"]["first.weight"])
    assert {name: heir[name] for name in PRIORS} == takeover.values
    before = (home / "checkpoint.pt").stat().st_mtime_ns
    population._carry_out(generation)
    assert (home / "checkpoint.pt").stat().st_mtime_ns == before


def test_the_card_of_an_heir_says_what_it_learned_with(tmp_path):
    population = Population(tmp_path, CONFIG, replace(PLAN, turns=4 * 192))
    population.train()
    takeover = next(each for each in population.history if each.takeovers).takeovers[0]
    card_file = population.home(takeover.member) / "best.json"
    card = json.loads(card_file.read_text())
    card |= {"turns": 192, "validation": {**card["validation"], "mean": 26.0}}
    card_file.write_text(json.dumps(card))
    population.keep_best()
    settings = json.loads((tmp_path / "best.json").read_text())["settings"]
    assert {name: settings[name] for name in PRIORS} == takeover.values


def command(*arguments: object) -> None:
    app([str(argument) for argument in arguments], standalone_mode=False)


OPTIONS = [word for name, value in SETTINGS for word in ("--set", f"{name}={value}")]


@pytest.mark.slow
def test_the_command_trains_a_population_in_processes_and_ships(tmp_path, capfd):
    folder = tmp_path / "run"
    given = "train", "acha", folder, "--population", 2, "--interval", 64
    command(*given, "--turns", 128, "--workers", 2, *OPTIONS, "--seed", 3, "--json")
    captured = capfd.readouterr()
    document = json.loads(captured.out)
    assert document["turns"] == 128 and document["generations"] == 1
    assert "member 1: score" in captured.err and "member 2: score" in captured.err
    one = outcome(folder)
    command("train", "acha", tmp_path / "alone", *given[3:], "--turns", 128, *OPTIONS, "--seed", 3)
    assert outcome(tmp_path / "alone") == one
    card = json.loads((folder / "best.json").read_text())
    assert card["population"]["members"] == 2 and card["turns"] == 128
    assert card["population"]["member_turns"] == 64
    assert card["provenance"] == "learned from scratch in self-play, in a population of 2"
    command("ship", folder, tmp_path / "mine.npz", "-n", 20, "--json")
    capfd.readouterr()
    shipped = json.loads((tmp_path / "mine.json").read_text())
    assert shipped["curve"] == [[64, max(one[0][1].scores)]]
    (other,) = shipped["others"]
    assert other["curve"] == [[64, min(one[0][1].scores)]] and other["name"].startswith("member-")
    assert find_agent(str(tmp_path / "mine.npz")).players == (2, 2)
    command("train", "acha", folder, "--resume", "--turns", 256)
    assert "256 of 256 turns, 2 generations" in capfd.readouterr().out
    plan = read_plan(folder / "member-1")
    assert plan is not None and plan.turns == 128
    with pytest.raises(ValueError, match="the population in this folder has size 2, not 3"):
        command("train", "acha", folder, "--population", 3)


def test_mistakes_are_explained(tmp_path):
    with pytest.raises(ValueError, match="ppo has nothing that a population could evolve"):
        command("train", "ppo", tmp_path / "run", "--population", 2)
    with pytest.raises(ValueError, match="unknown place 'moon': expected processes or ray"):
        command("train", "acha", tmp_path / "run", "--population", 2, "--on", "moon")
    with pytest.raises(ValueError, match="--threads is for a single run"):
        command("train", "acha", tmp_path / "run", "--population", 2, "--threads", 2)
    assert not (tmp_path / "run").exists()
