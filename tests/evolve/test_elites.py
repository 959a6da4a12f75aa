"""MAP-Elites: styles, and runs that can be stopped at any time."""

import json
from dataclasses import replace

import numpy as np
import pytest

from tamaya.arena.executor import Threads
from tamaya.evolve import elites
from tamaya.evolve.elites import ElitesConfig, ElitesRun, styles
from tamaya.evolve.evaluation import Protocol
from tamaya.evolve.rule_sets import rule_set
from tamaya.registry import find_agent

SMALL = ElitesConfig(rule_set("old"), Protocol(players=(2,)), length=6, cells=8, random=60,
                     variants=120, games=3, seed=2)  # fmt: skip


@pytest.fixture(autouse=True)
def small_batches(monkeypatch):
    monkeypatch.setattr(elites, "BATCH", 30)


def test_styles():
    counted = np.array([[10.0, 5.0, 4.0, 3.0], [0.0, 0.0, 0.0, 0.0]])
    assert styles(counted).tolist() == [[0.5, 0.75], [0.0, 1.0]]


def test_a_stopped_run_ends_in_the_same_map(tmp_path):
    whole = ElitesRun(tmp_path / "whole", SMALL, Threads(1))
    whole.evolve()

    class Stopped(Exception):
        pass

    def stop(run):
        if run.done == 90:
            raise Stopped

    with pytest.raises(Stopped):
        ElitesRun(tmp_path / "stopped", SMALL, Threads(2)).evolve(stop)
    resumed = ElitesRun(tmp_path / "stopped", SMALL, Threads(2))
    assert resumed.done == 90
    resumed.evolve()
    assert whole.rows() == resumed.rows()


def test_variants_fill_the_map_and_every_elite_is_an_agent(tmp_path):
    run = ElitesRun(tmp_path, SMALL, Threads(1))
    found = []
    run.evolve(lambda state: found.append(len(state.rows())))
    assert found == sorted(found)
    rows = run.finish()
    assert json.loads((tmp_path / "map.json").read_text()) == rows
    for row in rows:
        place = [int(SMALL.cells * row[axis]) for axis in ("communicativeness", "risk_aversion")]
        assert row["cell"] == [min(k, SMALL.cells - 1) for k in place]
    files = sorted((tmp_path / "elites").glob("*.rules"))
    assert len(files) == len(rows)
    assert len(find_agent(str(files[0])).steps(2)) == SMALL.length


def test_variants_begin_where_random_lists_end(tmp_path):
    """Whether or not the number of random lists is one of whole batches."""
    done = []
    config = replace(SMALL, random=40, variants=35)
    ElitesRun(tmp_path, config, Threads(1)).evolve(lambda run: done.append(run.done))
    assert done == [30, 40, 70, 75]


def test_another_run_is_refused(tmp_path):
    ElitesRun(tmp_path, SMALL)
    with pytest.raises(ValueError, match="holds another run"):
        ElitesRun(tmp_path, replace(SMALL, length=7))


def test_mistakes_are_named():
    with pytest.raises(ValueError, match="games must be at least 1"):
        replace(SMALL, games=0)
    with pytest.raises(ValueError, match="variants must be at least 0"):
        replace(SMALL, variants=-1)
    with pytest.raises(ValueError, match="crossover must be between 0 and 1"):
        replace(SMALL, crossover=2.0)
