"""`tamaya results`: what is stored, as a list, as files, and never made by looking."""

import csv

from tamaya.store.database import Store


def test_answers_are_kept_with_their_circumstances(document, tamaya, tmp_path):
    document("selfplay", "example", "-n", "40", "-p", "2", "--seed", "9")
    document("crossplay", "example", "random", "-n", "40")
    rows = document("results")["results"]
    assert [row["protocol"] for row in rows] == ["selfplay", "crossplay"]
    assert rows[0]["config"]["seed"] == 9
    assert rows[0]["document"]["results"][0]["games"] == 40
    assert rows[0]["version"]
    assert document("results", "--protocol", "crossplay")["results"] == rows[1:]
    table = tamaya("results", "--export", str(tmp_path / "out.csv"))
    assert "2 results" in table.stdout
    assert (tmp_path / "out.csv").read_text().count("\n") == 1 + 1 + 4


def test_games_are_kept_written_and_counted(document, tamaya, tmp_path):
    document("selfplay", "certainty", "-n", "60", "-p", "3", "--keep", "20")
    tamaya("results", "--games", str(tmp_path / "games"))
    [folder] = (tmp_path / "games").iterdir()
    assert len(list(folder.iterdir())) == 20
    from_files = document("behaviour", str(folder))
    from_agent = document("behaviour", "certainty", "-p", "3", "-n", "20")
    assert from_files["counts"] == from_agent["counts"]


def test_passwords_are_not_printed(tamaya):
    finished = tamaya("results", "--store", "postgresql://lab:secret@127.0.0.1:1/x")
    assert finished.returncode == 1
    assert "secret" not in finished.stderr


def test_what_was_written_is_said(document, tamaya, tmp_path):
    document("selfplay", "certainty", "-n", "30", "-p", "2,3", "--keep", "4")
    finished = tamaya(
        "results", "--games", str(tmp_path / "g"), "--export", str(tmp_path / "r.csv")
    )
    assert f"wrote 8 games of 2 matches to {tmp_path / 'g'}" in finished.stdout
    assert f"wrote 1 result to {tmp_path / 'r.csv'}" in finished.stdout
    assert finished.stderr == ""


def test_no_games_are_said_too(document, tamaya, tmp_path):
    document("selfplay", "random", "-n", "5", "-p", "2")
    assert "no games are stored" in tamaya("results", "--games", str(tmp_path / "g")).stdout
    assert not (tmp_path / "g").exists()


def test_looking_makes_no_store(tamaya, tmp_path):
    finished = tamaya("results", "--store", str(tmp_path / "nofile.db"))
    assert finished.returncode == 1
    assert "nofile.db: there is no such file" in finished.stderr
    assert finished.stderr.count("\n") == 1
    assert "0 results in" in tamaya("results").stdout  # nobody has named this one
    assert list(tmp_path.iterdir()) == []


def test_behaviour_exports_all_its_figures(document, tamaya, tmp_path):
    printed = document("behaviour", "certainty", "-n", "20")
    assert tamaya("results", "--export", str(tmp_path / "b.csv")).returncode == 0
    with (tmp_path / "b.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert float(rows[0]["hints_per_game"]) == printed["hints_per_game"]
    assert [float(row["share"]) for row in rows[1:21]] == printed["marginal"]


def test_results_that_cannot_be_exported_are_named(document, tamaya, tmp_path):
    Store(str(tmp_path / "results.db")).add_result("dance", "x", {}, {}, 0.0)
    document("selfplay", "random", "-n", "5", "-p", "2")
    finished = tamaya("results", "--export", str(tmp_path / "r.csv"))
    assert (tmp_path / "r.csv").read_text().count("\n") == 2
    assert finished.stderr == (f"tamaya: result 1 is not in {tmp_path / 'r.csv'}: "
                               "this version has no protocol 'dance'\n")  # fmt: skip


def test_what_nothing_stored_agrees_with_is_said(tamaya, document):
    document("selfplay", "random", "-p", "2", "-n", "5")
    refused = tamaya("results", "--protocol", "nope")
    assert refused.returncode == 2
    assert "unknown protocol 'nope': expected one of adhoc" in refused.stderr
    shown = tamaya("results", "--name", "nope").stdout
    assert "0 results" in shown and "no stored result has that protocol and name" in shown
    assert "nothing stored" not in tamaya("results", "--name", "random").stdout
