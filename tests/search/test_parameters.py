"""One vocabulary for all search agents, and the names it replaces."""

import pytest

from tamaya.agent import AgentError
from tamaya.registry import find_agent
from tamaya.search.parameters import ALIASES, LEAST, MOST

FAMILIES = ["search", "flat-mc", "mcts", "predictor-mcts", "ris-mcts"]
WORDS = {"blueprint", "samples", "ms", "margin", "errors", "trust", "recent"}
MISSING = {
    "search": set(),
    "flat-mc": {"errors"},
    "mcts": {"blueprint", "margin", "errors", "trust", "recent"},
    "predictor-mcts": {"margin", "errors"},
    "ris-mcts": set(),
}


@pytest.mark.parametrize("family", FAMILIES)
def test_all_agents_use_the_same_words(family):
    settings = set(find_agent(family).settings)
    assert WORDS - settings == MISSING[family]
    assert not settings & set(ALIASES)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("search:delta=0.3", "search:margin=0.3"),
        ("search:samples=40,delta=0.3,trust=0.9,blueprint=smartbot",
         "search:samples=40,margin=0.3,trust=0.9,blueprint=smartbot"),
        ("flat-mc:iterations=7,policy=iggi", "flat-mc:samples=7,blueprint=iggi"),
        ("mcts:iterations=60,depth=2", "mcts:samples=60,depth=2"),
        ("predictor-mcts:iterations=3,policy=(certainty:useless=0.2)",
         "predictor-mcts:samples=3,blueprint=(certainty:useless=0.2)"),
        ("ris-mcts-best:policy=iggi,iterations=3", "ris-mcts-best:samples=3,blueprint=iggi"),
        ("mcts-40ms:iterations=3", "mcts-40ms:samples=3"),
    ],
)  # fmt: skip
def test_old_names_mean_the_same(old, new):
    assert find_agent(old).spec == new
    assert find_agent(old).identity == find_agent(new).identity
    assert find_agent(old).settings == find_agent(new).settings


def test_old_names_are_accepted_in_code():
    agent = find_agent("ris-mcts")
    assert agent.with_params({"iterations": 5, "policy": "iggi"}).spec == (
        "ris-mcts:samples=5,blueprint=iggi"
    )
    assert agent.preset("mine", iterations=5, policy="iggi").settings["blueprint"] == "iggi"


def test_a_parameter_is_not_given_by_two_names():
    with pytest.raises(AgentError, match="'delta' is another name of the parameter 'margin'"):
        find_agent("search:delta=0.1,margin=0.2")


def test_names_of_others_are_not_accepted_where_there_is_nothing_to_name():
    with pytest.raises(AgentError, match="'mcts' has no parameter 'policy': it has samples, ms"):
        find_agent("mcts:policy=iggi")


@pytest.mark.parametrize("family", FAMILIES)
def test_every_parameter_with_a_least_value_is_named_below_it(family):
    settings = find_agent(family).settings
    bounded = [key for key in LEAST if key in settings]
    assert {"samples", "ms", "rollout"} <= set(bounded)
    for key in bounded:
        with pytest.raises(AgentError, match=f"{family!r}: parameter {key!r} must be at least"):
            find_agent(f"{family}:{key}=-1")
        assert find_agent(f"{family}:{key}={LEAST[key]}").settings[key] == LEAST[key]


@pytest.mark.parametrize("family", FAMILIES)
def test_every_number_that_counts_something_has_a_least_value(family):
    numbers = {key for key, value in find_agent(family).values.items()
               if not isinstance(value, bool)}  # fmt: skip
    assert numbers <= set(LEAST)
    assert numbers <= set(MOST)


@pytest.mark.parametrize("family", [*FAMILIES, "sparta"])
def test_every_parameter_with_a_highest_value_is_named_above_it(family):
    agent = find_agent(family)
    most = agent.params.most
    assert {"samples", "ms", "rollout"} <= set(most)
    for key, value in most.items():
        assert find_agent(f"{family}:{key}={value}").settings[key] == value
        for beyond in (value + 1, "9" * 20):
            with pytest.raises(AgentError, match=f"{family!r}: parameter {key!r} must be at most"):
                find_agent(f"{family}:{key}={beyond}")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("sparta:samples=99999999999999999999", "'samples' must be at most 10000000, not 9999"),
        ("sparta:ms=inf", "'ms' must be a finite number, not inf"),
        ("sparta:ms=1e300", "'ms' must be at most 86400000.0, not 1e\\+300"),
        ("sparta:ms=nan", "'ms' must be a finite number, not nan"),
        ("sparta:seat=7", "'seat' must be at most 4, not 7"),
        ("sparta:tolerance=2", "'tolerance' must be at most 1.0, not 2.0"),
        ("sparta:errors=inf", "'errors' must be a finite number, not inf"),
    ],
)
def test_senseless_numbers_name_agent_and_parameter(text, message):
    with pytest.raises(AgentError, match=f"agent 'sparta': parameter {message}"):
        find_agent(text)


def test_a_search_without_samples_is_refused():
    with pytest.raises(AgentError, match="'samples' must be at least 1, not 0"):
        find_agent("flat-mc:iterations=0")
