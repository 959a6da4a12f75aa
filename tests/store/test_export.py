"""Results as files: every figure in one row, whatever the protocol."""

import csv
import json
from pathlib import Path

import pytest

from support import full_disk
from tamaya.store.database import Store
from tamaya.store.export import COLUMNS, export_results, flat_rows, write_games

STORED = Path(__file__).parent.parent / "arena" / "protocols" / "stored-0.1.jsonl"
N_ROWS = 4 + 1 + 2 + 1 + 1 + 9 + 9 + 12 + 2 + 421 + 4 + 6 + 10  # in the order of the file


@pytest.fixture
def results(tmp_path):
    """Results of all protocols, as a store returns them."""
    store = Store(str(tmp_path / "r.db"))
    for line in STORED.read_text("utf-8").splitlines():
        row = json.loads(line)
        store.add_result(
            row["protocol"], row["name"], row["config"], row["document"], row["seconds"]
        )
    rows = store.results()
    store.close()
    return rows


def test_a_row_per_figure(results):
    rows, unread = flat_rows(results)
    assert unread == []
    assert len(rows) == N_ROWS
    assert {row["protocol"] for row in rows} == {result["protocol"] for result in results}
    [reproduced] = [row for row in rows if row["protocol"] == "reproduce"][:1]
    assert reproduced["mean"] == reproduced["measured"]
    cells = [row for row in rows if row["figure"] == "cell"]
    assert (cells[1]["row"], cells[1]["partner"]) == ("certainty", "example")


def test_no_row_is_without_a_figure(results):
    rows, _ = flat_rows(results)
    head = {*COLUMNS[: COLUMNS.index("games")], "figure", "action", "next_action", "algorithm",
            "preset", "count"}  # fmt: skip
    for row in rows:
        figures = [name for name, value in row.items() if name not in head and value is not None]
        is_unseen = row["figure"] == "next action" and row["share"] is None
        assert figures or is_unseen, row


def test_rules_are_a_text_in_every_row(results):
    rows, _ = flat_rows(results)
    assert all(isinstance(row["rules"], str) for row in rows)
    assert {row["rules"] for row in rows if row["protocol"] == "adhoc"} == {""}
    assert {row["rules"] for row in rows if row["protocol"] == "mixed"} == {"bomb=keep"}


def test_what_cannot_be_read_is_left_out_and_named(results, tmp_path):
    strange = {**results[0], "protocol": "dance"}
    left_out = export_results([strange, results[1]], tmp_path / "r.csv")
    assert left_out == [(strange, "this version has no protocol 'dance'")]
    assert (tmp_path / "r.csv").read_text().count("\n") == 2


def test_nothing_makes_a_file_with_headings(tmp_path):
    export_results([], tmp_path / "r.csv")
    assert (tmp_path / "r.csv").read_text().strip() == ",".join(COLUMNS)


def test_a_file_that_cannot_be_written_is_named_and_the_old_one_stays(results, tmp_path):
    file = tmp_path / "r.csv"
    file.write_text("old")
    with full_disk(), pytest.raises(OSError, match=r"No space left on device: '.*r\.csv'"):
        export_results(results, file)
    assert file.read_text() == "old"
    assert [path.name for path in tmp_path.glob("*.csv*")] == ["r.csv"]


def test_games_go_into_a_folder_per_match(tmp_path):
    games = [("a b", 0, "one"), ("a b", 12, "two"), ("x/y", 0, "three")]
    folders = write_games(games, tmp_path)
    assert folders == [tmp_path / "a-b", tmp_path / "x-y"]
    assert (tmp_path / "a-b" / "000012.txt").read_text() == "two"


def test_csv(results, tmp_path):
    export_results(results, tmp_path / "r.csv")
    with (tmp_path / "r.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert tuple(rows[0])[: len(COLUMNS)] == COLUMNS
    assert len(rows) == N_ROWS


def test_parquet(results, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    export_results(results, tmp_path / "r.parquet")
    assert parquet.read_table(tmp_path / "r.parquet").num_rows == N_ROWS


def test_json(results, tmp_path):
    export_results(results, tmp_path / "r.json")
    assert json.loads((tmp_path / "r.json").read_text()) == results


def test_other_endings_are_refused(results, tmp_path):
    with pytest.raises(ValueError, match=r"cannot export to .*r\.xls"):
        export_results(results, tmp_path / "r.xls")
