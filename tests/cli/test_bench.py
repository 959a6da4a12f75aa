"""`tamaya bench --against`: a table or a JSON document of two checkouts, or one line of error."""

import json

import pytest

from checkouts import checkout, printed, rate
from support import run_command
from tamaya.bench import against
from tamaya.bench.against import this_checkout


@pytest.fixture
def bench(tmp_path, monkeypatch):
    """Runs the command with checkouts that print these rows."""

    def run(before: list[dict], after: list[dict], *arguments: str):
        new = checkout(tmp_path / "new", printed(*after))
        monkeypatch.setattr(against, "this_checkout", lambda: new)
        checkout(tmp_path / "old", printed(*before))
        return run_command("bench", "-c", "rules", "-p", "2", "--seconds", "0.01", "--repeat", "1",
                           "--against", str(tmp_path / "old"), *arguments)  # fmt: skip

    return run


def test_table_has_both_sides_and_their_ratio(bench, tmp_path):
    before = [rate(1000, what="learning"), rate(5, what="gone")]
    done = bench(before, [rate(2500, what="learning")])
    assert (done.returncode, done.stderr) == (0, "")
    title, _, head, _, learning, gone, *_ = done.stdout.splitlines()
    assert title.strip() == "rules: rules only"
    titles = ("system", "what", "players", "moves/s before", "moves/s after", "ratio", "of medians")
    assert head.split() == " ".join(titles).split()
    assert learning.split() == ["tamaya", "learning", "2", "1,000", "2,500", "2.50", "2.50"]
    assert gone.split() == ["tamaya", "gone", "2", "5", "-", "-", "-"]
    assert f"Before is {tmp_path}/old, after new." in done.stdout
    assert "skipped" not in done.stdout  # nobody wants peers here


def test_seconds_are_shown_as_such(bench):
    row = rate(0, unit="seconds", players=None)
    done = bench([{**row, "seconds": 3}], [{**row, "seconds": 1.5}])
    assert "seconds before   seconds after" in done.stdout
    assert "3.00            1.50    2.00" in done.stdout


def test_json_is_one_document(bench, tmp_path):
    done = bench([rate(1)], [rate(3), rate(1, what="new")], "--json")
    assert (done.returncode, done.stderr) == (0, "")
    document = json.loads(done.stdout)
    assert set(document) == {"before", "after", "cases", "skipped", "machine"}
    assert document["before"] == str(tmp_path / "old")
    first, new = document["cases"]
    assert (first["case"], first["players"], first["ratio"]) == ("rules", 2, 3)
    assert (new["what"], new["before"], new["ratio"]) == ("new", None, None)


def test_this_checkout_against_itself():
    """Nothing here is pretended: both sides measure."""
    done = run_command("bench", "-c", "rules", "-p", "3", "--seconds", "0.01", "--repeat", "1",
                       "--skip", "tamaya-pyhanabi", "--against", this_checkout().name,
                       "--json")  # fmt: skip
    assert done.returncode == 0, done.stderr
    (row,) = json.loads(done.stdout)["cases"]
    assert (row["system"], row["players"], row["unit"]) == ("tamaya", 3, "moves")
    assert row["before"]["best"] > 0 < row["after"]["best"]


@pytest.mark.parametrize(("arguments", "message"), [
    (["--against", "/no/such/folder"], "there is no checkout /no/such/folder"),
    (["--against", "/"], "/ is no checkout: there is no package tamaya in it or in its src"),
    (["--against", "/", "-c", "speed"], "unknown case 'speed': expected one of rules, "),
])  # fmt: skip
def test_mistakes_are_one_line(arguments, message):
    done = run_command("bench", *arguments)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"tamaya: {message}")
    assert done.stderr.count("\n") == 1


def test_a_checkout_that_fails_is_one_line(tmp_path):
    checkout(tmp_path / "old", program="import sys\nsys.exit('one\\ntwo')")
    done = run_command("bench", "-c", "rules", "-p", "2", "--against", str(tmp_path / "old"))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"tamaya: {tmp_path}/old: `tamaya bench --case rules ")
    assert done.stderr.endswith("and printed: one two\n")
