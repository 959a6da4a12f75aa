"""Results as files: every figure in one row, whatever the protocol."""

import csv
import json

import pytest

from tamaya.arena.crossplay import crossplay
from tamaya.arena.executor import Threads
from tamaya.arena.mixed import mirror, mixed
from tamaya.arena.runner import Runner
from tamaya.rules import Rules
from tamaya.store.database import Store
from tamaya.store.export import COLUMNS, export_results, flat_rows

RUNNER = Runner(Threads(1))


@pytest.fixture
def results(tmp_path):
    store = Store(str(tmp_path / "r.db"))
    rules = Rules(players=3)
    cross = crossplay(("example", "random"), rules, 40, 0, RUNNER).as_dict()
    store.add_result("crossplay", "3 players", {}, cross, 1.0)
    parts = {
        "agent": "example",
        "mirror": mirror("example", [rules], 40, 0, RUNNER).as_dict(),
        "mixed": mixed("example", ("random",), [rules], 40, 0, RUNNER).as_dict(),
    }
    store.add_result("mixed", "example", {}, parts, 1.0)
    row = {"row": "x", "players": 2, "hand_size": 3, "published": 1.0, "published_se": 0.1,
           "measured": 2.0, "se": 0.1, "games": 5, "z": 7.0, "status": "above"}  # fmt: skip
    store.add_result("reproduce", "t", {}, {"table": "t", "rows": [row]}, 1.0)
    return store.results()


def test_a_row_per_figure(results):
    rows = list(flat_rows(results))
    assert [row["protocol"] for row in rows] == ["crossplay"] * 4 + ["mixed"] * 2 + ["reproduce"]
    assert rows[-1]["mean"] == 2.0
    assert rows[-1]["status"] == "above"
    assert rows[1]["partner"] == "random"


def test_csv(results, tmp_path):
    export_results(results, tmp_path / "r.csv")
    with (tmp_path / "r.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert tuple(rows[0]) == COLUMNS
    assert len(rows) == 7


def test_parquet(results, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    export_results(results, tmp_path / "r.parquet")
    assert parquet.read_table(tmp_path / "r.parquet").num_rows == 7


def test_json(results, tmp_path):
    export_results(results, tmp_path / "r.json")
    assert json.loads((tmp_path / "r.json").read_text()) == results


def test_other_endings_are_refused(results, tmp_path):
    with pytest.raises(ValueError, match=r"cannot export to .*r\.xls"):
        export_results(results, tmp_path / "r.xls")
