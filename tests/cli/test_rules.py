"""`tamaya rules`: the library, and how a list fares."""

import json

import pytest
from typer.testing import CliRunner

from tamaya.cli import rules
from tamaya.cli.main import app


def run(*arguments: str) -> str:
    result = CliRunner().invoke(app, list(arguments))
    if result.exception is not None:
        raise result.exception
    return result.stdout


def test_the_library_is_listed():
    rules = {row["name"]: row for row in json.loads(run("rules", "--json"))["rules"]}
    assert len(rules) > 45
    assert rules["PlayProbablySafe"]["parameters"] == {"p": 0.6}
    assert "ends the game" in rules["PlayFinesse"]["original"]
    assert all(row["description"].endswith((".", "yet")) for row in rules.values())
    assert "PlayJustHinted(single=no" in run("rules")


def test_the_profile_of_an_agent():
    document = json.loads(run("rules", "iggi", "-p", "2", "-n", "50", "--json"))
    [profile] = document["profiles"]
    assert [line["rule"] for line in profile["rules"]][:2] == ["PlayIfCertain", "PlaySafeCard"]
    assert sum(line["share"] for line in profile["rules"]) == pytest.approx(1)
    assert "DiscardOldestFirst" in run("rules", "iggi", "-p", "2", "-n", "20")


def test_only_rule_agents_have_a_profile():
    with pytest.raises(ValueError, match="'certainty' is not a rule agent"):
        run("rules", "certainty")


def test_signatures_show_defaults():
    row = {"name": "TellSave", "parameters": {"seats": 1, "busy": False}}
    assert rules._signature(row) == "TellSave(seats=1, busy=no)"
