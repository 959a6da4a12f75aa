"""The lab: runs in a folder, half-written and hostile ones too, and their agents at tables."""

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest

from damage import wrong_documents
from lab_runs import GENES, NETWORK, PROTOCOL, RULES, write_evolution, write_runs
from support import write_run
from tamaya.compiled import JIT
from tamaya.player import AgentError
from tamaya.web.guests import GuestError, GuestList
from tamaya.web.run_documents import MOST_OF_MAP, RunDocument, RunReader
from tamaya.web.run_folders import MOST_BYTES, MOST_OF_DOCUMENT, RunFolder
from tamaya.web.snapshots import find_snapshot, keep_network, keep_rules, known_agent

needs_engines = pytest.mark.skipif(not JIT, reason="engines are about compiled code")
POST = {"X-Tamaya": "1"}


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch) -> None:
    """Copies of agents go elsewhere."""
    monkeypatch.setenv("TAMAYA_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def folder(tmp_path) -> Path:
    return write_runs(tmp_path / "runs")


def read(folder: Path) -> dict[str, RunDocument]:
    """All runs of a folder by name, as far as JSON can carry them."""
    found = {run.name: run for run in RunReader(RunFolder(folder)).all()}
    for run in found.values():
        json.dumps(run.document(), allow_nan=False)
    return found


# What is read.


def test_runs_of_all_kinds_are_found(folder):
    found = read(folder)
    assert {name: run.kind for name, run in found.items()} == {
        "rules": "evolution", "styles": "elites", "learner": "training", "nets": "networks",
    }  # fmt: skip
    assert all(run.errors == [] for run in found.values())
    assert found["rules"].line == "finished: all sizes 11.50"
    assert found["styles"].line == "3 of 16 styles, best 12.00"
    assert found["learner"].line == "2.0 of 100 M turns, best validation 12.50"


def test_a_run_without_an_agent_says_so(folder, tmp_path):
    found = read(folder)
    assert {name for name, run in found.items() if run.summary()["nobody"]} == {"learner"}
    assert "best.npz" in found["learner"].summary()["nobody"]
    assert found["nets"].line == "1 network"
    write_evolution(tmp_path / "begun" / "first", finished=False)
    (tmp_path / "begun" / "first" / "generations.jsonl").write_text("")
    assert "will leave a rule list" in read(tmp_path / "begun")["first"].summary()["nobody"]


def test_curves_have_errors(folder):
    (chart,) = read(folder)["rules"].charts
    best, mean, final = chart["series"]
    assert best["points"] == [[0, 10.0, None], [1, 11.0, None], [2, 12.0, None]]
    assert mean["points"][2] == [2, 7.0, 0.5]  # 2 / sqrt(16)
    assert final["points"] == [[2, 11.5, 0.25]]


def test_leading_rules_and_when_they_changed(folder):
    first, second = read(folder)["rules"].changes
    assert (first["at"], first["entered"]) == (0, GENES[::-1])
    assert (second["at"], second["entered"], second["left"]) == (1, [], [])  # the order alone


def test_lists_of_a_run_that_goes_on(tmp_path):
    write_evolution(tmp_path / "now", finished=False)
    run = read(tmp_path)["now"]
    (one,) = run.lists
    assert one.title == "all sizes, best of generation 3" and (run.done, run.of) == (3, 4)
    assert one.document()["steps"] == {2: GENES, 3: GENES}
    assert one.document()["options"] == "faithful=false,"


def test_the_map_has_places_and_the_best_style_first(folder):
    run = read(folder)["styles"]
    assert [(niche["x"], niche["y"]) for niche in run.niches] == [(2, 2), (3, 1), (0, 3)]
    assert [one.key for one in run.lists] == ["c02-r02", "c03-r01", "c00-r03"]


def test_parts_and_members_are_one_run(tmp_path):
    for size in (2, 3):
        write_evolution(tmp_path / "split" / str(size))
    (tmp_path / "split" / "parts.json").write_text('{"2": [2], "3": [3]}')
    rules = RULES.replace(",", "\n")
    (tmp_path / "split" / "best.rules").write_text(f"faithful=false\n[2]\n{rules}\n[3-5]\n{rules}")
    (tmp_path / "people").mkdir()
    (tmp_path / "people" / "population.json").write_text("{}")
    for member in (1, 2):
        write_run(tmp_path / "people" / f"member-{member}", member, 5.0 + member)
    found = read(tmp_path)
    assert set(found) == {"split", "people"}
    assert len(found["split"].charts) == 2 and found["split"].lists[0].key == "all"
    assert [one["name"] for one in found["people"].charts[0]["series"]] == ["member-1", "member-2"]


def test_what_is_being_written_is_no_fault(folder):
    log = folder / "rules" / "generations.jsonl"
    log.write_text(log.read_text() + '{"generation": 3, "best": 1')
    (folder / "learner" / ".log.jsonl.1.2.partial").write_text("{")
    (folder / "fresh").mkdir()
    found = read(folder)
    assert found["rules"].errors == [] and len(found["rules"].charts[0]["series"][0]["points"]) == 3
    assert "fresh" not in found


def test_a_run_is_read_again_when_it_changes(folder):
    reader = RunReader(RunFolder(folder))
    before = reader.get("rules")
    assert reader.get("rules") is before
    row = {"generation": 3, "best": 1.0, "mean": 1.0, "sd": 1.0, "seconds": 1.0,
           "chromosome": [0, 1, 2, 3]}  # fmt: skip
    with (folder / "rules" / "generations.jsonl").open("a") as log:
        log.write(json.dumps(row) + "\n")
    after = reader.get("rules")
    assert after is not None and len(after.charts[0]["series"][0]["points"]) == 4


# What must not be read, and what cannot be.


@pytest.mark.parametrize("name", ["rules/generations.jsonl", "rules/top.json", "rules/run.json",
                                  "learner/log.jsonl", "learner/run.json", "styles/map.npz",
                                  "nets/first.json", "nets/first.npz"])  # fmt: skip
@pytest.mark.parametrize("damage", ["nonsense", "[]", '{"a": NaN}\n{}', "[" * 100_000, "\x00"])
def test_damage_is_a_line_that_names_the_file(folder, name, damage):
    (folder / name).write_text(f"{damage}\n")  # without the end of a line it may be half written
    found = read(folder)
    if name != "nets/first.npz":  # weights are looked at when somebody wants to play with them
        (line,) = found[name.partition("/")[0]].errors
        assert line.startswith(name) and str(folder) not in line
    others = [run for run in found.values() if run.name != name.partition("/")[0]]
    assert all(run.errors == [] for run in others)


@pytest.mark.parametrize("name", ["rules/run.json", "rules/top.json", "styles/run.json",
                                  "learner/run.json", "nets/first.json"])  # fmt: skip
def test_wrong_entries_never_break_the_list(folder, name):
    path = folder / name
    for _, document in wrong_documents(json.loads(path.read_text())):
        path.write_text(json.dumps(document))
        for run in read(folder).values():
            for one in run.lists[:2]:
                try:
                    one.document()
                except ValueError:  # a list that cannot be read says so when it is asked for
                    continue


def test_nothing_outside_the_folder_is_read(tmp_path, folder):
    secret = tmp_path / "secret"
    secret.mkdir()
    write_run(secret / "run", 1, 20.0)
    (folder / "way-out").symlink_to(secret / "run")
    (folder / "learner" / "log.jsonl").unlink()
    (folder / "learner" / "log.jsonl").symlink_to(secret / "run" / "log.jsonl")
    (folder / "nets" / "second.npz").symlink_to(NETWORK)
    (folder / "loop").symlink_to(folder / "loop")
    (folder / "inner").symlink_to(folder / "rules")
    found = read(folder)
    assert found["way-out"].errors == ["way-out leads out of the folder of runs"]
    assert found["learner"].errors == ["learner/log.jsonl leads out of the folder of runs"]
    assert found["nets"].errors == ["nets/second.npz leads out of the folder of runs"]
    assert found["loop"].errors == ["loop leads nowhere"]
    assert found["inner"].errors == [] and found["inner"].charts == found["rules"].charts
    assert not found["learner"].charts and not found["nets"].files


@pytest.mark.parametrize("part", ["..", "../..", "/etc", ".", "", "a/b"])
def test_parts_are_folders_of_the_run(tmp_path, part):
    write_evolution(tmp_path / "runs" / "split" / "2")
    (tmp_path / "runs" / "split" / "parts.json").write_text(json.dumps({part: [2]}))
    (line,) = read(tmp_path / "runs")["split"].errors
    assert line == f"split/parts.json: {part!r} is not the name of a part"


def test_huge_and_strange_files(folder):
    for name, size in (("learner/log.jsonl", MOST_BYTES), ("styles/run.json", MOST_OF_DOCUMENT)):
        with (folder / name).open("r+b") as file:
            file.truncate(size + 1)  # a hole that takes no room
    (folder / "rules" / "top.json").unlink()
    os.mkfifo(folder / "rules" / "top.json")  # to read it would wait for ever
    found = read(folder)
    assert found["learner"].errors == ["learner/log.jsonl has 32,768 KB, at most 32,768 are read"]
    assert found["styles"].errors == ["styles/run.json has 1,024 KB, at most 1,024 are read"]
    assert found["rules"].errors == ["rules/top.json is no plain file"]


def test_what_unpacks_to_more_than_it_seems_is_not_read(folder):
    zeros = np.zeros(MOST_OF_MAP // 8 + 1)
    np.savez_compressed(folder / "styles" / "map.npz", done=1, solution=zeros)
    np.savez_compressed(folder / "nets" / "first.npz", **{f"w{k}": zeros for k in range(9)})
    assert (folder / "nets" / "first.npz").stat().st_size < MOST_OF_DOCUMENT
    assert read(folder)["styles"].errors == ["styles/map.npz unpacks to 32 MB, at most 32 are read"]
    with pytest.raises(AgentError, match="unpacks to 288 MB, at most 256"):
        keep_network("nets-first", folder / "nets" / "first.npz")


def changed(folder: Path, **more: Any) -> list[str]:
    """What is wrong with the map of styles if its plan says something else."""
    path = folder / "styles" / "run.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **more}))
    return read(folder)["styles"].errors


def test_maps_and_lists_have_bounds(folder):
    sizes = {"protocol": {**PROTOCOL, "players": [2] * 10**5}}
    assert changed(folder, **sizes) == []
    assert read(folder)["styles"].lists[0].sizes == (2,)
    (line,) = changed(folder, cells=1)
    assert line == "styles/map.npz: 3 lists for 1 cells"
    for more in ({"cells": 10**9}, {"cells": 4, "length": 10**9}, {"genes": ["x" * 101]},
                 {"genes": ["x"] * 1001}):  # fmt: skip
        (line,) = changed(folder, **{"cells": 4, "length": 4, "genes": GENES, **more})
        assert line.startswith("styles/run.json: ") and " at most " in line
    write_evolution(folder / "split" / "2")
    (folder / "split" / "parts.json").write_text('{"2": [2]}')
    (folder / "split" / "best.rules").write_text("LegalRandom\n" * 6000)
    assert read(folder)["split"].errors == ["split/best.rules has 70 KB, at most 64 are read"]


def test_names_are_shown_as_they_are(folder):
    (folder / "rules").rename(folder / "a\u202eb<script>\n")
    assert "aU+202Eb<script>U+000A" in read(folder)


# Agents of runs.


def test_copies_sit_down_under_names_that_tell_them_apart(folder):
    name = keep_rules("tamaya/2 finalist", f"faithful=false,{RULES}")
    other = keep_rules("tamaya/2 finalist", f"faithful=true,{RULES}")
    assert re.fullmatch(r"tamaya-2-finalist-[0-9a-f]{8}", name) and other != name
    assert keep_rules("tamaya/2 finalist", f"faithful=false,{RULES}") == name
    assert GuestList().admit(name) == name and known_agent(name).name == name
    network = keep_network("nets-first", folder / "nets" / "first.npz")
    before = known_agent(network).identity
    (folder / "nets" / "first.npz").write_bytes(b"another")
    assert known_agent(network).identity == before
    with pytest.raises(GuestError, match="no agent"):
        GuestList().admit("tamaya-2-finalist-00000000")


@pytest.mark.parametrize("name", ["../x-00000000", "/etc/passwd", "x", "a" * 60, "x-00000000.npz",
                                  "x-0000000g"])  # fmt: skip
def test_no_path_is_a_name(name):
    assert find_snapshot(name) is None


def test_what_is_no_network_is_not_kept(folder, tmp_path):
    (folder / "nets" / "first.npz").write_bytes(b"nonsense")
    with pytest.raises(AgentError):
        keep_network("nets-first", folder / "nets" / "first.npz")
    assert list((tmp_path / "cache" / "guests").iterdir()) == []


# Over HTTP.


@pytest.fixture(scope="module")
def http(served) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=served.address, timeout=120, headers=POST) as client:
        yield client


@needs_engines
def test_the_lab_over_http(http):
    found = http.get("/api/lab").json()
    assert {run["name"] for run in found["runs"]} == {"rules", "styles", "learner", "nets"}
    run = http.get("/api/lab/run", params={"run": "rules"}).json()
    (listed,) = run["lists"]
    steps = http.get("/api/lab/list", params={"run": "rules", "list": listed["key"]}).json()
    assert steps["steps"]["2"] == GENES
    asked = {"run": "rules", "list": listed["key"], "players": 2}
    fired = http.post("/api/lab/fires", json=asked).json()
    assert len(fired["fired"]) == 4 and min(fired["fired"][:3]) > 0 and fired["games"] == 400
    own = http.post("/api/lab/fires", json={**asked, "rules": "faithful=false,LegalRandom"}).json()
    assert len(own["fired"]) == 1


@needs_engines
def test_guests_of_the_lab_take_a_seat(http):
    for wish in ({"run": "rules", "list": "all finalist 1"}, {"run": "nets", "network": "first"}):
        answer = http.post("/api/lab/guests", json=wish)
        assert answer.status_code == 201, answer.text
        seats = [{"kind": "person", "name": "Ann"}, {"kind": "agent", **answer.json()}]
        opened = http.post("/api/tables", json={"rules": "players=2", "seats": seats})
        assert opened.status_code == 201, opened.text


@pytest.mark.parametrize(("path", "wish", "status", "place"), [
    ("guests", {"run": "../rules", "list": "all finalist 1"}, 404, "run"),
    ("guests", {"run": "rules", "list": "x"}, 404, "list"),
    ("guests", {"run": "nets", "network": "../first"}, 404, "network"),
    ("guests", {"run": "nets", "file": "/etc/passwd"}, 400, None),
    ("guests", {"run": 5}, 400, "run"),
    ("guests", [], 400, None),
    ("fires", {"run": "rules", "list": "all finalist 1", "players": 5}, 400, "players"),
    ("fires", {"run": "rules", "list": "all finalist 1", "players": "2"}, 400, "players"),
    ("fires", {"run": "rules", "list": "all finalist 1", "players": 2,
               "rules": ",".join(["LegalRandom"] * 41)}, 400, "params.rules"),
    ("fires", {"run": "rules", "list": "all finalist 1", "players": 2, "rules": "x.py:y"}, 400,
     "params.rules"),
])  # fmt: skip
@needs_engines
def test_wishes_that_make_no_sense(http, path, wish, status, place):
    answer = http.post(f"/api/lab/{path}", json=wish)
    assert answer.status_code == status, answer.text
    if place:
        assert answer.json()["error"]["place"] == place


@pytest.mark.parametrize("name", ["../rules", "/etc", "rules/../rules", "", "rules/run.json"])
@needs_engines
def test_names_of_runs_are_no_paths(http, name):
    assert http.get("/api/lab/run", params={"run": name}).status_code == 404
