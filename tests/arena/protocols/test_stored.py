"""Results that version 0.1 stored, one of each protocol and form: still read, to the last digit."""

import json
import math
from pathlib import Path

import pytest

from tamaya.arena.protocols import UnreadableResult, protocols, read_result

STORED = [
    json.loads(line)
    for line in Path(__file__).with_name("stored-0.1.jsonl").read_text("utf-8").splitlines()
]
COMMANDS = {
    1: "tamaya selfplay example -p 2,3 -n 60 --seed 0 --against random",
    2: "tamaya selfplay certainty -p 2 -n 5000 --seed 0 --until-se 0.1",
    3: "tamaya selfplay random -p 2 -n 60 --seed 0 --rules 'bomb=keep hand_size=3'",
    4: "tamaya selfplay certainty -p 2,3 -n 40 --seed 0",
    8: "tamaya crossplay certainty example random -p 2 -n 20 --seed 0",
    9: "tamaya crossplay certainty example random -p 4 -n 20 --seed 0",
    12: "tamaya mixed certainty --pool example,random -p 2-3 -n 20 --seed 0 --rules bomb=keep",
    14: "tamaya adhoc example --pool certainty,random -p 2 -n 100 --seed 0",
    16: "tamaya behaviour example -p 2 -n 30 --seed 0",
    18: "tamaya reproduce bouzy-1 -n 10 --seed 0",
    20: "tamaya selfplay example -p 2 -n 1 --seed 0",
    21: "tamaya curves runs",
    23: "tamaya curves ppo rainbow",
}
each_row = pytest.mark.parametrize("row", STORED, ids=lambda row: f"{row['protocol']} {row['id']}")


def fractions(value) -> set[float]:
    """All numbers of a document that are not whole: means, errors and shares."""
    if isinstance(value, dict):
        kept = (item for key, item in value.items() if key not in ("statistics", "seconds"))
        return set().union(*map(fractions, kept))
    if isinstance(value, list):
        return set().union(*map(fractions, value))
    is_fraction = isinstance(value, float) and math.isfinite(value) and not value.is_integer()
    return {value} if is_fraction else set()


def test_there_is_one_of_each_protocol():
    names = {"adhoc", "behaviour", "crossplay", "mixed", "reproduce", "selfplay", "training"}
    assert {row["protocol"] for row in STORED} == names
    assert set(protocols()) == names | {"deal", "gains", "losses", "partners"}  # which came later


@each_row
def test_a_stored_document_is_read_and_written_as_it_was(row):
    result = read_result(row)
    assert json.dumps(result.to_document()) == json.dumps(row["document"])
    config = result.config.to_document()
    assert {key: config[key] for key in row["config"]} == row["config"]
    assert result.config.title == row["name"]
    assert result.seconds == pytest.approx(row["seconds"])


@each_row
def test_what_is_written_now_is_read_too(row):
    result = read_result(row)
    again = {**row, "document": result.to_document(), "config": result.config.to_document()}
    assert read_result(json.loads(json.dumps(again))).to_document() == result.to_document()


@each_row
def test_a_document_is_read_without_its_configuration(row):
    result = read_result({**row, "config": {}})
    assert json.dumps(result.to_document()) == json.dumps(row["document"])


@each_row
def test_commands_repeat_it(row):
    assert read_result(row).command() == COMMANDS[row["id"]]


@each_row
def test_every_figure_is_exported(row):
    rows = read_result(row).rows()
    assert rows and all(exported["figure"] for exported in rows)
    exported = {value for figures in rows for value in figures.values() if value is not None}
    found = {value for value in exported if isinstance(value, float)}
    assert fractions(row["document"]) <= found


@each_row
def test_a_document_that_lacks_something_is_refused_with_the_reason(row):
    document = dict(row["document"])
    key = {"reproduce": "table", "training": "curves", "behaviour": "counts"}.get(
        row["protocol"], "seconds"
    )
    del document[key]
    with pytest.raises(UnreadableResult, match=f"not understood: KeyError '{key}'"):
        read_result({**row, "document": document})


def test_unknown_protocols_are_named():
    with pytest.raises(UnreadableResult, match="this version has no protocol 'dance'"):
        read_result({"protocol": "dance", "config": {}, "document": {}})
