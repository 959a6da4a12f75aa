"""Runs of MAP-Elites: stopped at any time they end in the same map."""

import json
from dataclasses import replace

import numpy as np
import pytest

from support import as_another_process
from tamaya.arena.executor import Threads
from tamaya.checked_files import FileError
from tamaya.evolve import map_elites
from tamaya.evolve.elites import ElitesConfig, ElitesRun
from tamaya.evolve.evaluation import Protocol
from tamaya.evolve.rule_sets import rule_set
from tamaya.lookup import find_agent
from tamaya.run_folder import RunError

SMALL = ElitesConfig(rule_set("old"), Protocol(players=(2,)), length=6, cells=8, random=60,
                     variants=120, games=3, seed=2)  # fmt: skip


@pytest.fixture(autouse=True)
def small_batches(monkeypatch):
    monkeypatch.setattr(map_elites, "BATCH", 30)


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
    with pytest.raises(ValueError, match="contains another run"):
        ElitesRun(tmp_path, replace(SMALL, length=7))


# What is refused.


def test_a_second_process_is_refused(tmp_path):
    run = ElitesRun(tmp_path, SMALL)
    with as_another_process(), pytest.raises(RunError, match="in use by another process"):
        ElitesRun(tmp_path, SMALL)
    run.close()


def test_a_map_that_was_kept_is_not_overwritten(tmp_path):
    (tmp_path / "map.json").write_text("[]")
    with pytest.raises(RunError, match=r"contains a finished map but no map\.npz to resume from"):
        ElitesRun(tmp_path, SMALL)
    assert (tmp_path / "map.json").read_text() == "[]"


MAP = {
    "done": np.array(60), "solution": np.zeros((3, 6)), "objective": np.ones(3),
    "measures": np.linspace(0, 1, 6).reshape(3, 2),
}  # fmt: skip


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"done": None}, "lacks 'done'"),
        ({"done": np.array(1000)}, "1000 lists of 180 are done"),
        ({"solution": np.full((3, 6), 50.0)}, "a list has other genes than 50"),
        ({"solution": np.full((3, 6), 0.5)}, "a list has other genes than 50"),
        ({"solution": np.zeros((3, 7))}, r"'solution' should be \(any, 6\), found \(3, 7\)"),
        ({"objective": np.ones(2)}, r"'objective' should be \(3,\), found \(2,\)"),
        ({"objective": np.full(3, np.nan)}, "'objective' has numbers that are not finite"),
        ({"measures": np.array(["x"])}, "'measures' cannot have entries of type"),
    ],
)
def test_a_map_that_makes_no_sense_is_named(tmp_path, change, message):
    np.savez(tmp_path / "map.npz", **MAP)
    assert ElitesRun(tmp_path, SMALL).done == 60
    arrays = {name: array for name, array in {**MAP, **change}.items() if array is not None}
    np.savez(tmp_path / "map.npz", **arrays)
    with pytest.raises(FileError, match=rf"map\.npz.*{message}"):
        ElitesRun(tmp_path, SMALL)
