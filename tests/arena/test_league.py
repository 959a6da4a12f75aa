"""The league: who plays at which tables under which rules, and who comes first."""

from tamaya.arena.executor import Threads
from tamaya.arena.league import league_configs, published_for, ranked
from tamaya.arena.protocols.selfplay import run_many
from tamaya.arena.runner import Runner
from tamaya.rules import Rules


def test_agents_play_at_their_tables_under_the_rules_they_are_made_for():
    names = ("random", "hatbot", "seer-information", "hat-information")
    configs = league_configs(names, "2,5", 10, 3, "bomb=keep")
    assert [(config.agent, config.players, config.rules) for config in configs] == [
        ("random", "2,5", "bomb=keep"),
        ("hatbot", "5", "bomb=keep"),
        ("seer-information", "2,5", "bomb=keep observation=seer"),
        ("hat-information", "2,5", "bomb=keep empty_hints=true"),
    ]
    assert league_configs(["hatbot"], "2") == []


def test_rules_that_are_given_win():
    [config] = league_configs(["seer-information"], "2", rules="observation=minimal")
    assert config.rules == "observation=minimal"


def test_the_best_comes_first_among_those_of_the_same_rules():
    names = ("seer-information", "random", "certainty")
    results = run_many(league_configs(names, "2", 20), Runner(Threads(1)))
    groups = ranked(results)
    assert {
        rules: [result.config.agent for result in group] for rules, group in groups.items()
    } == {
        "": ["certainty", "random"],
        "observation=seer": ["seer-information"],
    }
    assert list(groups) == ["", "observation=seer"]
    assert groups["observation=seer"][0].mean > 20  # under standard rules it is 0


def test_published_figures_of_a_table_size():
    name, row = published_for("confidence", Rules(players=2))
    assert (name, row.published) == ("bouzy-1", 15.85)
    assert published_for("example", Rules(players=2)) is None
