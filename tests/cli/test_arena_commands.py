"""The commands of the arena: documents, stored results, and one line for mistakes."""

import re

import pytest

from tamaya.arena.match import Match
from tamaya.cli.gains import COLUMNS, LEGEND
from tamaya.rules import Rules
from tamaya.store.database import Store


def test_crossplay(document, tamaya):
    printed = document("crossplay", "example", "random", "-p", "2,3", "-n", "100")
    assert [table["players"] for table in printed["crosstables"]] == [2, 3]
    two, three = printed["crosstables"]
    assert two["agents"] == ["example", "random"]
    assert two["means"][0][1] == two["means"][1][0]
    assert len(three["errors"]) == 2
    assert "off the diagonal" in tamaya("crossplay", "example", "random", "-n", "100").stdout


def test_mixed(document, tamaya):
    options = "mixed", "example", "--pool", "random,certainty", "-p", "2-3", "-n", "50"
    printed = document(*options)
    assert len(printed["mixed"]["cells"]) == 4
    assert printed["mirror"]["games_per_cell"] == 50
    assert "with certainty" in tamaya(*options).stdout


def test_partners(document, tamaya):
    options = "partners", "example", "--pool", "random,certainty", "-p", "2-3", "-n", "50"
    guests = document(*options)["guests"]
    assert len(guests) == 6
    shown = tamaya(*options).stdout
    assert "with example, 3 players: 50 games per agent, seed 0" in " ".join(shown.split())
    assert "example (itself)" in shown


@pytest.mark.parametrize(
    "arguments",
    [
        ["partners", "random", "--pool", "first-legal"],
        ["mixed", "random", "--pool", "first-legal"],
        ["crossplay", "random", "first-legal"],
        ["league", "random", "-p", "2"],
        ["behaviour", "random"],
        ["losses", "random"],
        ["rules", "piers", "-p", "2"],
    ],
)
def test_one_game_is_not_called_games(tamaya, arguments):
    shown = tamaya(*arguments, "-n", "1").stdout
    assert "1 game" in shown
    assert not re.search(r"(?<![0-9,.])1 games", shown)


def test_adhoc_with_a_partner_of_ones_own(tamaya, tmp_path):
    file = tmp_path / "mine.rules"
    file.write_text("PlaySafeCard\nTellRandomly\nDiscardRandomly\n")
    done = tamaya("adhoc", "adaptive", "--pool", f"{file},iggi", "--hold-out", "family",
                  "-n", "2", "--sets", "2", "--samples", "0")  # fmt: skip
    assert "mine.rules" in done.stdout
    assert "Families without codes" in done.stdout
    assert "identified" not in done.stdout  # nobody can be


def test_adhoc(document, tamaya):
    options = "adhoc", "example", "--pool", "certainty", "-n", "100"
    [team] = document(*options)["teams"]
    assert (team["partner"], team["trials"], team["samples"], team["sets"]) == (
        "certainty", 100, 10, 100,
    )  # fmt: skip
    assert "partner alone" in tamaya(*options).stdout
    in_a_row = document("adhoc", "example", "--pool", "certainty", "-n", "20", "--series", "2")
    assert [(team["game"], team["trials"]) for team in in_a_row["teams"]] == [(1, 20), (2, 20)]


def test_behaviour(document, tamaya):
    printed = document("behaviour", "certainty", "-n", "50")
    assert len(printed["labels"]) == len(printed["conditional"]) == 20
    assert printed["play_success"] == 1
    assert sum(printed["rates"].values()) == pytest.approx(1)
    assert "hints that touch a playable card" in tamaya("behaviour", "certainty", "-n", "50").stdout


def test_the_behaviour_of_an_agent_of_a_file(document, tmp_path):
    file = tmp_path / "mine.rules"
    file.write_text("PlaySafeCard\nTellAnyoneAboutUsefulCard\nOsawaDiscard\nTellRandomly\n")
    assert document("behaviour", str(file), "-n", "10")["play_success"] == 1


def test_recorded_games_must_agree_on_their_rules(tamaya, document, tmp_path):
    folder = tmp_path / "games"
    folder.mkdir()
    for players in ("2", "3"):
        text = document("watch", "random", "-p", players)["text"]
        (folder / f"{players}.txt").write_text(text)
    finished = tamaya("behaviour", str(folder))
    assert finished.returncode == 1
    assert "3.txt: its rules (players=3" in finished.stderr


def test_losses(document, tamaya, tmp_path):
    options = (
        "losses",
        "certainty",
        "-p",
        "2,3",
        "--lost",
        "3",
        "--positions",
        "20000",
        "--seed",
        "3",
    )
    printed = document(*options)
    assert [table["players"] for table in printed["results"]] == [2, 3]
    for table in printed["results"]:
        assert table["lost"] == len(table["losses"]) == 3
        assert sum(cause["lost"] for cause in table["causes"]) == 3
    shown = tamaya(*options, "--moves", "--examples", str(tmp_path / "games")).stdout
    assert "certainty, 3 players: 3 lost of 3 games, seed 3" in shown
    assert "instead of" in shown
    assert "wrote 6 games of" in shown
    first, *_ = printed["results"][0]["losses"]
    file = tmp_path / "games" / f"2-players-{first['cause']}".replace(" ", "-") / "000000.txt"
    replayed = document("replay", str(file))
    assert replayed["score"] == first["score"]


def test_gains(document, tamaya):
    agent = "sparta:blueprint=smartbot,samples=30,margin=0"
    options = ("gains", agent, "-n", "2", "--rules", "colours=3 hand_size=3", "--check", "10")
    printed = document(*options)
    (table,) = printed["results"]
    assert table["games"] == len(table["scores"]) == 2
    assert {len(column) for column in table["decisions"].values()} == {
        len(table["decisions"]["turn"])
    }
    shown = tamaya(*options).stdout
    assert f"{agent}, 2 players: 2 games, seed 0" in shown
    assert f"gained per game, by fresh deals: {table['gain']:.3f}" in shown
    assert " ".join(COLUMNS) in " ".join(shown.split())
    assert LEGEND in shown
    for column in COLUMNS[2:]:  # turns and moves explain themselves
        assert column.split(",")[0].split(" per")[0] + ":" in LEGEND


def test_reproduce(document, tamaya):
    tables = document("reproduce")["tables"]
    assert {"bouzy-1", "canaan-5", "challenge-1"} <= {table["table"] for table in tables}
    printed = document("reproduce", "bouzy-1", "-n", "50")
    assert printed["table"] == "bouzy-1"
    keys = {"row", "players", "hand_size", "published", "published_se", "measured", "se", "games",
            "z", "status", "seconds", "published_perfect", "perfect", "perfect_z", "agent",
            "turns"}  # fmt: skip
    assert all(set(row) == keys for row in printed["rows"])
    assert "no agent here" in tamaya("reproduce", "challenge-1", "-n", "5").stdout


def test_names_that_look_like_markup(tamaya, tmp_path):
    folder = tmp_path / "w[red]"
    folder.mkdir()
    text = (
        "from tamaya.agent import agent\n@agent('m')\ndef m(view, memory, params):\n    return 5\n"
    )
    (folder / "mine.py").write_text(text)
    finished = tamaya("selfplay", str(folder / "mine.py"), "-p", "2", "-n", "2")
    assert finished.returncode == 0
    assert "w[red]" in "".join(finished.stdout.split())
    assert tamaya("results").returncode == 0


def test_selfplay_against_another(document):
    printed = document("selfplay", "certainty", "--against", "example", "-n", "60", "-p", "2")
    [pair] = printed["comparisons"]
    assert pair["mean"] == printed["results"][0]["mean"]
    assert pair["difference"] == pytest.approx(pair["mean"] - pair["other"])


def test_selfplay_can_stop_early(document):
    options = "selfplay", "certainty", "-n", "100000", "-p", "2", "--until-se", "0.1"
    [row] = document(*options)["results"]
    assert row["se"] <= 0.1
    assert row["games"] < 2000


def test_what_was_played_is_not_played_again(document, tmp_path):
    first = document("selfplay", "random", "-n", "500", "-p", "2")
    again = document("selfplay", "random", "-n", "500", "-p", "2")
    assert first == again  # seconds too, which are those of the first time
    kept = Store(str(tmp_path / "results.db")).chunks(Match(("random",), Rules(players=2), 0))
    assert sum(games for _, games in kept) == 500


@pytest.mark.parametrize(
    ("arguments", "culprit"),
    [
        (["crossplay", "example", "nobody"], "unknown agent 'nobody'"),
        (["mixed", "example", "--pool", "nobody"], "unknown agent 'nobody'"),
        (["partners", "nobody"], "unknown agent 'nobody'"),
        (["adhoc", "example", "-n", "150"], "trials (150) must be a multiple"),
        (["losses", "nobody"], "unknown agent 'nobody'"),
        (["gains", "iggi"], "'iggi' does not search over exact beliefs"),
        (["gains", "sparta", "--check", "1"], "expected 2 or more, not '1'"),
        (["losses", "example", "--lost", "0"], "expected 1 or more, not '0'"),
        (["reproduce", "bouzy-9"], "unknown table 'bouzy-9'"),
        (["selfplay", "random", "--store", "mysql://x"], "mysql"),
        (["selfplay", "random", "--on", "moon"], "unknown executor 'moon'"),
        (["results", "--export", "x.xls"], "cannot export to x.xls"),
        (["replay", "nothing.json"], "nothing.json"),
    ],
)
def test_mistakes_get_one_line(tamaya, arguments, culprit):
    finished = tamaya(*arguments)
    assert finished.returncode != 0
    assert culprit in finished.stderr
    assert finished.stderr.count("\n") == 1


def test_replay_converts(tamaya, document, tmp_path):
    text = document("watch", "certainty", "--seed", "5")["text"]
    (tmp_path / "game.txt").write_text(text)
    converted = tamaya("replay", str(tmp_path / "game.txt"), "--to", "json").stdout
    (tmp_path / "game.json").write_text(converted)
    assert tamaya("replay", str(tmp_path / "game.json"), "--to", "text").stdout == text
