"""Families: every registered agent belongs to exactly one."""

import pytest

from tamaya.adapt.families import CODES, FAMILIES, checked_families, family_of, library
from tamaya.player import AgentError
from tamaya.registry import all_agents, find_agent

OURS = [player for player in all_agents() if player.act_function.__module__.startswith("tamaya.")]


@pytest.mark.parametrize("name", [player.name for player in OURS])
def test_every_agent_belongs_to_one_family(name):
    assert family_of(name) in FAMILIES
    assert sum(name in names for names in FAMILIES.values()) <= 1


def test_listed_agents_exist():
    for names in FAMILIES.values():
        for name in names:
            find_agent(name)


def test_variants_belong_to_the_family_of_their_name():
    assert family_of("sparta-40ms") == family_of("sparta:blueprint=iggi") == "sparta"
    assert family_of("predictor-mcts-40ms") == "predictor-mcts"
    assert family_of("ppo:x=1") == "ppo"
    assert family_of("my-own") == "my-own"


def test_the_library_has_quick_agents_for_the_standard_rules():
    names = library(2)
    assert {"iggi", "ppo", "information"} < set(names)
    assert not {"seer-information", "hat-information", "sparta", "adaptive", "rules"} & set(names)
    assert "hatbot" in library(5) and "hatbot" not in names
    assert set(names) - set(library(2, ("iggi",))) == set(FAMILIES["iggi"]) - {"rules"}
    assert set(CODES) <= set(FAMILIES)


def test_unknown_families_are_named():
    assert checked_families({"ppo", "hat"}) == ("hat", "ppo")
    with pytest.raises(AgentError, match="there is no family 'nobody': families are basic, osawa"):
        checked_families(["nobody"])
