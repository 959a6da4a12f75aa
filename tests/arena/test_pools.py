"""Pools of partners, and which agents suit which tables."""

import pytest

from tamaya.agent import Agent, AgentError
from tamaya.arena.pools import POOLS, packaged_agent, pool_of, pool_text, suits, unmet_rules
from tamaya.arena.published import PublishedRow
from tamaya.lookup import find_agent
from tamaya.rules import Rules


def test_pools():
    assert pool_of("random,example") == ("random", "example")
    assert {"certainty", "example", "random"} <= set(pool_of("all"))
    assert pool_of("C")[:3] == ("iggi-c", "sample", "internal")
    assert pool_of("all,adaptive,random") == (*pool_of("all"), "adaptive")
    with pytest.raises(AgentError, match="unknown agent 'nobody'"):
        pool_of("random,nobody")
    with pytest.raises(AgentError, match="agent 'random' is named twice"):
        pool_of("random,random")
    with pytest.raises(AgentError, match="a pool names 'all' twice"):
        pool_of("all,all")
    assert pool_of("piers,all") == pool_of("all")  # which contains it


@pytest.mark.parametrize("text", ["", " "])
def test_a_pool_is_not_empty(text):
    with pytest.raises(AgentError, match="the pool is empty: it needs W, C, all, or a list"):
        pool_of(text)


@pytest.mark.parametrize("names", [("a", "b"), ("a:x=1,y=2",), ("a:x=1,y=2", "b")])
def test_a_list_is_written_as_it_is_read(names):
    text = pool_text(names)
    assert tuple(text.split() if " " in text else text.split(",")) == names


def test_published_tables_know_the_same_pools():
    for pool in POOLS:
        PublishedRow("x", "random", 2, 0, 1.0, "mixed", 0, "", pool)
    with pytest.raises(ValueError, match="pool must be one of W, W-2017, C in mixed play"):
        PublishedRow("x", "random", 2, 0, 1.0, "mixed", 0, "", "D")


def test_all_means_the_agents_that_suit_the_tables():
    everywhere = pool_of("all", [Rules(players=2), Rules(players=5)])
    assert "random" in everywhere
    assert not {"hatbot", "seer-information", "hat-recommendation"} & set(everywhere)
    with_hints = pool_of("all", [Rules(players=5, empty_hints=True)])
    assert {"hatbot", "hat-recommendation", "hat-information"} <= set(with_hints)
    assert "seer-recommendation" not in with_hints


@pytest.mark.parametrize(
    ("name", "made_for"),
    [
        ("seer-information", {"observation": "seer"}),
        ("seer-recommendation", {"observation": "seer"}),
        ("hat-information", {"empty_hints": True}),
        ("hat-recommendation:plain=true", {"empty_hints": True}),
    ],
)
def test_agents_that_fail_under_standard_rules_say_what_they_are_made_for(name, made_for):
    player = find_agent(name)
    assert player.made_for == made_for
    assert unmet_rules(player, Rules()) == made_for
    assert not suits(player, Rules())
    assert suits(player, Rules(**made_for))


def test_table_sizes_count_too():
    player = Agent("quiet", lambda view, memory, params: 0, players="3-4")
    assert [suits(player, Rules(players=n)) for n in (2, 3, 4, 5)] == [False, True, True, False]


def test_files_of_users_are_not_run_to_learn_about_them(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text("raise SystemExit('this was run')")
    assert packaged_agent(str(file)) is None
    assert packaged_agent("nobody") is None
    assert packaged_agent("certainty:useless=1").name == "certainty"
