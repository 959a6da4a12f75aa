"""`tamaya reproduce` with logged games of people: the row, the second table, what is missing."""

import pytest

from tamaya.arena import published
from tamaya.arena.published import parse_table

TABLE = parse_table(
    "made-up",
    """
name = "made-up"
title = "Made up"
citation = "Nobody, Nowhere, 2020, Table 1"
protocol = "selfplay"
games = 100
rules = ""
note = ""
rows = [
  { row = "example", agent = "example", players = 2, hand_size = 0, published = 10, note = "Once." },
  { row = "people", agent = "", partner = "full", players = 2, hand_size = 0, published = 17, published_se = 1, protocol = "human" },
]
""",  # noqa: E501
)
CSV = """id, ai, deck, score, time, first
ann, full, 3, 18, 1490488725.0, yes
ann, outer, 9813, 5, 1489965568.0, no
bob, full, 1965, 20, 1491854972.0, yes
"""


@pytest.fixture(autouse=True)
def made_up(monkeypatch):
    monkeypatch.setattr(published, "load_table", lambda name: TABLE)
    monkeypatch.setattr("tamaya.arena.protocols.reproduce.load_table", lambda name: TABLE)


@pytest.fixture
def logs(tmp_path):
    path = tmp_path / "games.csv"
    path.write_text(CSV)
    return str(path)


def test_people_have_a_row_and_a_table_of_their_own(tamaya, document, logs):
    printed = document("reproduce", "made-up", "-n", "20", "--data", logs)
    people = printed["rows"][1]
    assert (people["measured"], people["se"], people["games"]) == (19.0, 1.0, 2)
    assert people["z"] == pytest.approx(2 / 2**0.5)
    assert people["status"] == "reproduced"
    assert [(row["program"], row["games_of"], row["mean"]) for row in printed["human"]
            if row["experience"] == "everybody"] == [
        ("full", "first", 19.0), ("full", "all", 19.0), ("outer", "all", 5.0),
    ]  # fmt: skip
    shown = tamaya("reproduce", "made-up", "-n", "20", "--data", logs).stdout
    assert "✓ people" in shown
    assert "example: Once." in shown
    cells = [line.split() for line in shown.splitlines() if line.split()[:1] == ["outer"]]
    assert cells[0] == ["outer", "everybody", "1", "1", "5.00"]  # nobody's first game
    assert "download" not in shown


def test_notes_are_those_of_the_rows_shown(tamaya):
    shown = tamaya("reproduce", "made-up", "-n", "20", "--row", "people").stdout
    assert "example" not in shown and "Once." not in shown


def test_without_logs_it_says_where_they_are_and_how_to_pass_them(tamaya, document):
    assert "human" not in document("reproduce", "made-up", "-n", "20")
    shown = tamaya("reproduce", "made-up", "-n", "20").stdout
    assert "· people" in shown
    assert "1 no games of people here" in shown
    note = " ".join(shown.partition("people: its games")[2].split())
    assert "HanabiData" in note
    assert "CC BY 4.0" in note
    assert "--data HanabiData/games.csv" in note


@pytest.mark.parametrize(
    ("arguments", "culprit"),
    [
        (["made-up", "--data", "nothing.csv"], "nothing.csv"),
        (["made-up", "--data", "notes.txt"], "notes.txt: expected a data file such as"),
        (["--data", "LOGS"], "name a table with human play, such as canaan-1"),
        (["--row", "example"], "--row example: name a table"),
        (["made-up", "--row", "nobody"], "rows are 'example', 'people'"),
    ],
)
def test_mistakes_get_one_line(tamaya, logs, arguments, culprit):
    given = [logs if word == "LOGS" else word for word in arguments]
    finished = tamaya("reproduce", *given)
    assert finished.returncode != 0
    assert culprit in finished.stderr
    assert finished.stderr.count("\n") == 1
