"""The genetic algorithm: its operators, and runs that can be stopped at any time."""

import json
import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamaya.arena.executor import Threads
from tamaya.arena.match import code_of
from tamaya.evolve.evaluation import Protocol, run_code
from tamaya.evolve.fitness import fitness_code
from tamaya.evolve.genetic import Config, first_population, next_population, ordered_crossover
from tamaya.evolve.leaders import leaders
from tamaya.evolve.rule_sets import rule_set
from tamaya.evolve.run import Run, generations_in
from tamaya.evolve.situational import combine, split_sizes
from tamaya.registry import find_agent
from tamaya.rules import Rules
from tamaya.table import play

GENES = ("PlaySafeCard", "TellAnyoneAboutUsefulCard", "OsawaDiscard", "DiscardOldestFirst",
         "TellRandomly", "IfLives>1:PlayProbablySafe(0.6)", "LegalRandom", "PlayIfCertain",
         "PlayJustHinted", "TellUnambiguous")  # fmt: skip
SMALL = Config(GENES, Protocol(players=(2, 3)), population=16, generations=6, games=3, elite=3,
               final_games=20, finalists=4, seed=5)  # fmt: skip


@given(st.permutations(range(9)), st.permutations(range(9)), st.integers(0, 9), st.integers(0, 9))
def test_ordered_crossover_keeps_a_segment_and_stays_an_order(one, two, a, b):
    start, stop = min(a, b), max(a, b)
    child = ordered_crossover(one, two, start, stop)
    assert sorted(child) == list(range(9))
    assert child[start:stop] == list(one[start:stop])


def test_ordered_crossover_reads_the_other_parent_from_the_end_of_the_segment():
    assert ordered_crossover([0, 1, 2, 3, 4], [4, 3, 2, 1, 0], 1, 3) == [0, 1, 2, 4, 3]


@pytest.mark.parametrize("variation", ["paper", "front"])
def test_next_population_keeps_the_elite_and_stays_orders(variation):
    config = replace(SMALL, variation=variation)
    population = first_population(config)
    scores = np.arange(len(population), dtype=float)
    following = next_population(config, population, scores, 1)
    best_first = population[::-1]
    assert (following[: config.elite] == best_first[: config.elite]).all()
    assert (np.sort(following, axis=1) == np.arange(len(GENES))).all()
    assert not (following == best_first).all()


def test_variation_leaves_pythons_generator_alone():
    random.seed(1)
    expected = random.random()
    random.seed(1)
    next_population(SMALL, first_population(SMALL), np.zeros(SMALL.population), 1)
    assert random.random() == expected


def test_known_lists_come_first():
    population = first_population(SMALL, [[3, 1], [0]])
    assert population[0, :2].tolist() == [3, 1]
    assert population[1, 0] == 0
    assert (np.sort(population, axis=1) == np.arange(len(GENES))).all()


def finished(folder, config=SMALL, threads=1):
    run = Run(folder, config, Threads(threads))
    run.evolve()
    return run


def test_a_stopped_run_ends_in_the_same_population(tmp_path):
    whole = finished(tmp_path / "whole")

    class Stopped(Exception):
        pass

    def stop(generation):
        if generation.number == 2:
            raise Stopped

    with pytest.raises(Stopped):
        Run(tmp_path / "stopped", SMALL, Threads(1)).evolve(stop)
    resumed = finished(tmp_path / "stopped", threads=2)
    (number, population, scores), (again, other, other_scores) = whole.start(), resumed.start()
    assert number == again == SMALL.generations - 1
    assert (population == other).all()
    assert (scores == other_scores).all()
    curves, others = generations_in(whole.folder), generations_in(resumed.folder)
    for row in (*curves, *others):
        del row["seconds"]
    assert curves == others
    assert len(curves) == SMALL.generations


def test_a_generation_that_was_not_kept_is_played_again(tmp_path):
    finished(tmp_path, replace(SMALL, generations=6))
    path = tmp_path / "generations.jsonl"
    path.write_text(path.read_text() + '{"generation": 6}\n')  # written, but no population kept
    run = finished(tmp_path)
    assert len(generations_in(run.folder)) == 6


def test_another_run_is_refused(tmp_path):
    Run(tmp_path, SMALL)
    with pytest.raises(ValueError, match="holds another run: its games is 3, not 4"):
        Run(tmp_path, replace(SMALL, games=4))


def test_other_code_is_refused(tmp_path):
    Run(tmp_path, SMALL)
    path = tmp_path / "run.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "code": "0000"}))
    with pytest.raises(ValueError, match="made by other code"):
        Run(tmp_path, SMALL)


def test_code_of_a_run_covers_partners_and_the_algorithm(tmp_path):
    algorithm, partner = tmp_path / "algorithm.py", tmp_path / "partner.rules"
    algorithm.write_text("1")
    partner.write_text("PlaySafeCard,LegalRandom")

    def code():
        code_of.cache_clear()
        fitness_code.cache_clear()
        return run_code(Protocol("mixed", str(partner), (2,)), str(algorithm))

    codes = [code()]
    algorithm.write_text("2")
    codes.append(code())
    partner.write_text("PlaySafeCard,TellRandomly,LegalRandom")
    codes.append(code())
    assert len(set(codes)) == 3


def test_finalists_and_the_agent_of_a_run(tmp_path):
    finalists = finished(tmp_path).finish()
    assert len(finalists) == 4
    assert [one.mean for one in finalists] == sorted((o.mean for o in finalists), reverse=True)
    agent = find_agent(str(tmp_path / "best.rules"))
    rules = Rules(players=2, bomb="keep", refill="in_place")
    assert len(play(agent, rules, 20).results) == 20
    lead = leaders(tmp_path, "small")
    assert lead.finalists == 4
    assert 0 <= lead.play_before_tell <= 4


def test_dropping_ballast_does_not_change_the_play(tmp_path):
    run = finished(tmp_path)
    best = run.finish()[0]
    agent = f"rules:{best.rules}"
    for players, mean in zip((2, 3), best.cells, strict=True):
        rules = Rules(players=players, bomb="keep", refill="in_place")
        seed = SMALL.evaluation_seed(2**32)
        results = play(agent, rules, SMALL.final_games, seed=seed).results
        assert results["score"].mean() == pytest.approx(mean)


def test_specialists_make_one_agent(tmp_path):
    groups = split_sizes("2,3-5", (2, 3, 4, 5))
    for name, sizes in groups.items():
        config = replace(SMALL, protocol=replace(SMALL.protocol, players=sizes), generations=1)
        finished(tmp_path / name, config).finish()
    combine(tmp_path, groups)
    agent = find_agent(str(tmp_path / "best.rules"))
    assert agent.steps(3) == agent.steps(5)
    two = find_agent(str(tmp_path / "2" / "best.rules"))
    assert agent.steps(2) == two.steps(2)


def test_splits():
    assert split_sizes("each", (2, 3)) == {"2": (2,), "3": (3,)}
    assert split_sizes("no", (2, 3)) == {"": (2, 3)}
    with pytest.raises(ValueError, match="must name each of 2, 3, 4, 5 players once"):
        split_sizes("2,4-5", (2, 3, 4, 5))


def test_evolution_finds_better_lists(tmp_path):
    """From random orders of all 72 rules to better than any of them, on games of its own."""
    config = Config(rule_set("new"), Protocol(players=(2,)), population=60, generations=15,
                    games=10, elite=6, final_games=200, seed=3)  # fmt: skip
    run = finished(tmp_path, config, threads=2)
    first, *_, last = generations_in(run.folder)
    assert last["mean"] > first["mean"] + 1
    best = run.finish()[0]
    assert best.mean - 4 * best.se > first["mean"]


@pytest.mark.parametrize(("field", "value", "message"), [
    ("population", 1, "population must be at least 2"),
    ("mutation", 1.5, "mutation must be between 0 and 1"),
    ("elite", 16, "leaves nobody"),
    ("variation", "wild", "variation must be paper or front"),
    ("genes", ("PlaySafeCard",), "at least two rules"),
    ("genes", ("PlaySafeCard", "PlaySafCard"), "did you mean 'PlaySafeCard'"),
])  # fmt: skip
def test_mistakes_in_a_config_are_named(field, value, message):
    with pytest.raises(ValueError, match=message):
        replace(SMALL, **{field: value})
