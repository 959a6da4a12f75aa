"""Two checkouts are measured in turns and compared row by row; no speed is tested."""

from pathlib import Path

import pytest

import tamaya
from checkouts import calls, checkout, printed, rate
from tamaya.bench import against
from tamaya.bench.against import checkout_at, compare, n_runs, this_checkout
from tamaya.bench.cases import PEERS
from tamaya.bench.measure import Audience, make_plan

RULES = make_plan(["rules"], [2], PEERS)


@pytest.fixture
def compared(tmp_path, monkeypatch):
    """Compares checkouts that print these documents, one per call."""

    def run(before: list[dict], after: list[dict], plan=RULES, repeat=1) -> dict:
        new = checkout(tmp_path / "new", *after)
        monkeypatch.setattr(against, "this_checkout", lambda: new)
        return compare(plan, checkout(tmp_path / "old", *before), 0.01, repeat)

    return run


def test_sides_take_turns_and_the_best_of_each_counts(compared, tmp_path):
    before = [printed(rate(n)) for n in (10, 30, 25)]
    after = [printed(rate(n)) for n in (40, 60, 20)]
    document = compared(before, after, repeat=3)
    (row,) = document["cases"]
    assert row["before"] == {"best": 30, "median": 25, "lowest": 10, "highest": 30}
    assert row["after"] == {"best": 60, "median": 40, "lowest": 20, "highest": 60}
    assert (row["ratio"], row["ratio_of_medians"]) == (2, 1.6)
    assert (document["before"], document["after"]) == ("old", "new")
    assert [call.split()[0] for call in calls(tmp_path)] == ["old", "new"] * 3


def test_the_fewest_seconds_count(compared):
    started = {"case": "startup", "system": "tamaya", "what": "first game", "players": None,
               "unit": "seconds", "per_second": None}  # fmt: skip
    before = [printed({**started, "seconds": n}) for n in (4, 6)]
    after = [printed({**started, "seconds": n}) for n in (3, 2)]
    plan = make_plan(["startup"], skip=PEERS)
    (row,) = compared(before, after, plan, repeat=2)["cases"]
    assert (row["before"]["best"], row["after"]["best"], row["ratio"]) == (4, 2, 2)
    assert row["ratio_of_medians"] == 2


def test_rows_of_one_side_stay_and_this_order_is_kept(compared):
    before = printed(rate(2, what="gone"), rate(1, what="kept"))
    after = printed(rate(7, what="new"), rate(3, what="kept"))
    rows = compared([before], [after])["cases"]
    assert [row["what"] for row in rows] == ["new", "kept", "gone"]
    assert [row["ratio"] for row in rows] == [None, 3, None]
    assert rows[0]["before"] is None
    assert rows[2]["after"] is None


@pytest.mark.parametrize("key", against.KEYS)
def test_rows_about_different_things_are_not_compared(compared, key):
    rows = compared([printed(rate(1, **{key: "this"}))], [printed(rate(1, **{key: "that"}))])
    assert [row["ratio"] for row in rows["cases"]] == [None, None]


def test_details_that_changed_do_not_matter(compared):
    (row,) = compared([printed(rate(1, dtype="int"))], [printed(rate(2, dtype="uint8"))])["cases"]
    assert row["ratio"] == 2


def test_peers_are_neither_measured_nor_shown(compared, tmp_path, monkeypatch):
    monkeypatch.setattr("tamaya.bench.measure.missing_modules", lambda system: [])
    plan = make_plan(["rules"], [2])  # with all peers, wherever the test runs
    document = compared([printed(rate(1), rate(9, system="hle"))], [printed(rate(1))], plan)
    assert [row["system"] for row in document["cases"]] == ["tamaya"]
    assert document["skipped"] == {}
    assert calls(tmp_path)[0] == (
        "old bench --case rules --seconds 0.01 --repeat 1 --players 2 "
        "--skip hle --skip openspiel --json"
    )


def test_only_what_a_case_knows_is_skipped(compared, tmp_path, monkeypatch):
    """Old checkouts do not know today's peers."""
    monkeypatch.setattr("tamaya.bench.cases.EXTRAS", {})
    plan = make_plan(["training"], [3], [*PEERS, "tamaya"])
    document = compared([printed()], [printed()], plan)
    assert calls(tmp_path)[1].endswith(" --players 3 --skip tamaya --json")
    assert document["skipped"] == {"tamaya": "not wanted"}


def test_a_round_without_this_package_is_left_out(compared):
    plan = make_plan(["rl_env"], [2], [*PEERS, "tamaya"])
    assert n_runs(plan, 3) == 0
    assert compared([printed()], [printed()], plan)["cases"] == []


def test_what_one_side_cannot_import_is_named(compared):
    old = printed(tamaya="not installed: torch", hle="not wanted")
    document = compared([old], [printed(rate(1))])
    assert document["skipped"] == {"tamaya": "before: not installed: torch"}


def test_every_run_is_announced_and_counted(compared, tmp_path, monkeypatch):
    said, steps = [], []
    here = checkout(tmp_path / "here", printed())
    monkeypatch.setattr(against, "this_checkout", lambda: here)
    plan = make_plan(["rules"], [2, 5], PEERS)
    old = checkout(tmp_path / "there", printed())
    compare(plan, old, 0.01, 2, Audience(steps.append, said.append))
    assert said[:3] == ["measuring rules with 2 players in there, 1 of 2",
                        "measuring rules with 2 players in here, 1 of 2",
                        "measuring rules with 2 players in there, 2 of 2"]  # fmt: skip
    assert len(said) == sum(steps) == n_runs(plan, 2) == 8


def test_a_case_that_the_other_side_lacks_has_rows_of_this_side(tmp_path, monkeypatch):
    here = checkout(tmp_path / "here", printed(rate(5)))
    monkeypatch.setattr(against, "this_checkout", lambda: here)
    lacking = "import sys; sys.exit(\"tamaya: unknown case 'rules': expected one of table\")"
    old = checkout(tmp_path / "old", program=lacking)
    (row,) = compare(RULES, old, 0.01, 1)["cases"]
    assert (row["before"], row["after"]["best"]) == (None, 5)


@pytest.mark.parametrize(("program", "message"), [
    ("import sys; sys.exit('tamaya: No such option: --skip')",
     "status 1 and printed: tamaya: No such option: --skip"),
    ("import sys; sys.exit(2)", "status 2 and printed: nothing"),
    ("print('17 moves per second')", "status 0 and printed: 17 moves per second"),
    ("""print('{"cases": [{"system": "tamaya"}], "skipped": {}}')""", "status 0 and printed: {"),
    ("import sys; print('{\"cases\": [], \"skipped\": {}}'); sys.exit(3)",
     "status 3 and printed: nothing"),
    ("print('[]')", r"status 0 and printed: \[\]"),
    ("raise OSError(999 * 'x' + 'end')", "status 1 and printed: x{497}end$"),
])  # fmt: skip
def test_a_checkout_that_fails_is_named_with_what_it_printed(tmp_path, program, message):
    old = checkout(tmp_path / "of-last-year", program=program)
    with pytest.raises(ValueError, match="^of-last-year: `tamaya bench .* ended with " + message):
        compare(RULES, old, 0.01, 1)


def test_a_package_in_the_current_folder_is_not_measured(compared, tmp_path, monkeypatch):
    trap = checkout(tmp_path / "trap", program="raise SystemExit('the wrong one')")
    monkeypatch.chdir(trap.source)
    (row,) = compared([printed(rate(1))], [printed(rate(2))])["cases"]
    assert row["ratio"] == 2


def test_a_checkout_is_found_by_its_folder_or_its_src(tmp_path):
    source = checkout(tmp_path / "old").source
    assert checkout_at(tmp_path / "old").source == source
    assert checkout_at(source).source == source
    assert checkout_at(source).name == str(source)


def test_what_is_no_checkout_is_named(tmp_path):
    with pytest.raises(ValueError, match=f"there is no checkout {tmp_path}/gone"):
        checkout_at(tmp_path / "gone")
    (tmp_path / "src" / "tamaya").mkdir(parents=True)
    with pytest.raises(ValueError, match=f"{tmp_path} is no checkout: there is no package tamaya"):
        checkout_at(tmp_path)


def test_this_checkout_is_the_one_that_runs():
    assert this_checkout().source == Path(tamaya.__file__).parent.parent
    assert checkout_at(Path(this_checkout().name)).source == this_checkout().source


@pytest.mark.parametrize(("seconds", "repeat"), [(0, 1), (float("nan"), 1), (1, 0)])
def test_measuring_needs_time(compared, seconds, repeat):
    with pytest.raises(ValueError, match=r"^(seconds|repeat) must be"):
        compare(RULES, this_checkout(), seconds, repeat)
