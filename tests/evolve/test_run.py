"""Runs of evolution: stopped at any time they end the same, and nothing is overwritten."""

import json
from dataclasses import replace

import numpy as np
import pytest

from damage import damaged_bytes, wrong_documents
from evolution import SMALL, finished
from support import as_another_process
from tamaya.arena.executor import Threads
from tamaya.checked_files import FileError
from tamaya.evolve.evaluation import Protocol
from tamaya.evolve.genetic import Config
from tamaya.evolve.outcome import finalists_in, generations_in
from tamaya.evolve.rule_sets import rule_set
from tamaya.evolve.run import EvolutionRun
from tamaya.lookup import find_agent
from tamaya.rules import Rules
from tamaya.run_folder import RunError
from tamaya.table import play


def test_a_stopped_run_ends_in_the_same_population(tmp_path):
    whole = finished(tmp_path / "whole")

    class Stopped(Exception):
        pass

    def stop(generation):
        if generation.number == 2:
            raise Stopped

    with pytest.raises(Stopped):
        EvolutionRun(tmp_path / "stopped", SMALL, Threads(1)).evolve(stop)
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
    extra = json.dumps({**generations_in(tmp_path)[-1], "generation": 6})
    path.write_text(f"{path.read_text()}{extra}\n")  # written, but no population kept
    run = finished(tmp_path)
    assert len(generations_in(run.folder)) == 6


def test_finalists_and_the_agent_of_a_run(tmp_path):
    finalists = finished(tmp_path).finish()
    assert len(finalists) == 4
    assert [one.mean for one in finalists] == sorted((o.mean for o in finalists), reverse=True)
    agent = find_agent(str(tmp_path / "best.rules"))
    rules = Rules(players=2, bomb="keep", refill="in_place")
    assert len(play(agent, rules, 20).results) == 20


def test_dropping_ballast_does_not_change_the_play(tmp_path):
    run = finished(tmp_path)
    best = run.finish()[0]
    agent = f"rules:{best.rules}"
    for players, mean in zip((2, 3), best.cells, strict=True):
        rules = Rules(players=players, bomb="keep", refill="in_place")
        seed = SMALL.evaluation_seed(2**32)
        results = play(agent, rules, SMALL.final_games, seed=seed).results
        assert results["score"].mean() == pytest.approx(mean)


def test_evolution_finds_better_lists(tmp_path):
    """From random orders of all 72 rules to better than any of them, on games of its own."""
    config = Config(rule_set("new"), Protocol(players=(2,)), population=60, generations=15,
                    games=10, elite=6, final_games=200, seed=3)  # fmt: skip
    run = finished(tmp_path, config, threads=2)
    first, *_, last = generations_in(run.folder)
    assert last["mean"] > first["mean"] + 1
    best = run.finish()[0]
    assert best.mean - 4 * best.se > first["mean"]


# What is refused.


def test_a_second_process_is_refused(tmp_path):
    run = EvolutionRun(tmp_path, SMALL)
    with as_another_process(), pytest.raises(RunError, match="in use by another process"):
        EvolutionRun(tmp_path, SMALL)
    run.close()
    with as_another_process():
        EvolutionRun(tmp_path, SMALL)


def test_curves_without_a_population_are_not_overwritten(tmp_path):
    finished(tmp_path).close()
    (tmp_path / "state.npz").unlink()
    lines = (tmp_path / "generations.jsonl").read_text()
    with pytest.raises(RunError, match=r"contains 6 generations but no state\.npz to resume from"):
        EvolutionRun(tmp_path, SMALL)
    assert (tmp_path / "generations.jsonl").read_text() == lines
    (tmp_path / "generations.jsonl").write_text(lines.splitlines()[0] + "\n")
    assert EvolutionRun(tmp_path, SMALL).start()[0] == -1  # killed in its first generation


@pytest.mark.parametrize("n_left", [0, 4])
def test_missing_curves_are_noticed(tmp_path, n_left):
    finished(tmp_path).close()
    path = tmp_path / "generations.jsonl"
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:n_left]))
    message = rf"generations\.jsonl has {n_left} generations, fewer than the 6 of state\.npz"
    with pytest.raises(RunError, match=message):
        EvolutionRun(tmp_path, SMALL).evolve()


def test_a_run_that_has_not_finished_has_no_finalists(tmp_path):
    with pytest.raises(RunError, match="has not finished its generations"):
        EvolutionRun(tmp_path, SMALL).finish()


STATE = {
    "generation": np.array(2),
    "population": np.argsort(np.random.default_rng(1).random((16, 10)), axis=1),
    "scores": np.linspace(1, 2, 16),
}
TWICE = np.where(STATE["population"] == 9, 0, STATE["population"])  # a gene twice, one missing


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"generation": None}, "lacks 'generation'"),
        ({"generation": np.array(6)}, "there is no generation 6 of 6"),
        ({"generation": np.array(-1)}, "there is no generation -1 of 6"),
        ({"generation": np.array([2])}, r"'generation' should be \(\), found \(1,\)"),
        ({"generation": np.array("2")}, "'generation' cannot have entries of type <U1"),
        ({"population": TWICE}, "'population' should have all genes once in every row"),
        ({"population": STATE["population"] + 1}, "should have all genes once"),
        ({"population": STATE["population"][:3]}, r"should be \(16, 10\), found \(3, 10\)"),
        ({"population": STATE["scores"]}, "'population' cannot have entries of type float64"),
        ({"scores": STATE["scores"][:3]}, r"'scores' should be \(16,\), found \(3,\)"),
        ({"scores": STATE["scores"] * np.nan}, "'scores' has numbers that are not finite"),
        ({"scores": np.zeros(16, complex)}, "'scores' cannot have entries of type complex128"),
    ],
)
def test_a_state_that_makes_no_sense_is_named(tmp_path, change, message):
    run = EvolutionRun(tmp_path, SMALL)
    np.savez(tmp_path / "state.npz", **STATE)
    assert run.start()[0] == 2
    arrays = {name: array for name, array in {**STATE, **change}.items() if array is not None}
    np.savez(tmp_path / "state.npz", **arrays)
    with pytest.raises(FileError, match=rf"state\.npz.*{message}"):
        run.start()


def test_damaged_states_are_named(tmp_path):
    run = EvolutionRun(tmp_path, SMALL)
    path = tmp_path / "state.npz"
    np.savez(path, **STATE)
    n_refused = 0
    for data in damaged_bytes(path.read_bytes(), 200):
        path.write_bytes(data)
        try:
            number, population, _ = run.start()
        except FileError as error:
            assert str(path) in str(error)
            n_refused += 1
        else:
            assert number == 2 and (population == STATE["population"]).all()
    assert n_refused > 100


ROW = {"generation": 0, "best": 2.0, "mean": 1.0, "sd": 0.5, "chromosome": [1, 0], "seconds": 0.1}
FINALIST = {"mean": 2.0, "se": 0.1, "games": 40, "cells": [2.0], "chromosome": [1, 0],
            "rules": "PlaySafeCard,LegalRandom", "fitness": 2.5}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "good", "read"),
    [
        ("generations.jsonl", [ROW, {**ROW, "generation": 1}], generations_in),
        ("top.json", [FINALIST], finalists_in),
    ],
)
def test_damaged_results_are_named(tmp_path, name, good, read):
    path = tmp_path / name

    def text(rows):
        lines = "".join(json.dumps(row) + "\n" for row in rows)
        return (lines if name.endswith("l") else json.dumps(rows)).encode()

    path.write_bytes(text(good))
    assert len(read(tmp_path)) == len(good)
    wrong = [text([each, *good[1:]]) for _, each in wrong_documents(good[0])]
    n_refused = 0
    for data in (*wrong, text([3, *good]), *damaged_bytes(text(good), 200)):
        path.write_bytes(data)
        try:
            read(tmp_path)
        except FileError as error:
            assert str(path) in str(error)
            n_refused += 1
    assert n_refused > 100
