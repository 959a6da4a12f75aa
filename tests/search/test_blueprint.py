"""Agents as parameters of agents: their texts and their errors."""

import pytest

from tamaya.agent import Agent, AgentError, BatchAgent
from tamaya.game_kernels import legal_mask, nth_move
from tamaya.registry import find_agent, register
from tamaya.rules import Rules
from tamaya.search.blueprint import BlueprintAgent
from tamaya.table import play


def test_a_blueprint_with_commas_and_colons_stands_in_brackets():
    agent = find_agent("ris-mcts:blueprint=(van-den-bergh:faithful=false,ghosts=true),ms=40")
    assert isinstance(agent, BlueprintAgent)
    assert agent.texts["blueprint"] == "van-den-bergh:faithful=false,ghosts=true"
    assert agent.values["ms"] == 40
    assert agent.agent_of("blueprint").values == {"faithful": False, "ghosts": True}


@pytest.mark.parametrize(
    "text",
    [
        "ris-mcts",
        "flat-mc:samples=7",
        "ris-mcts:blueprint=example",
        "ris-mcts:samples=7,blueprint=(certainty:useless=0.25)",
        "ris-mcts:moves=legal",
        "ris-mcts:moves=(rules:PlaySafeCard,DiscardProbablyUseless(0.5))",
        "flat-mc:blueprint=(ris-mcts:samples=2,blueprint=(certainty:useless=0.25))",
    ],
)
def test_the_text_of_an_agent_leads_back_to_it(text):
    agent = find_agent(text)
    assert agent.spec == text
    assert find_agent(agent.spec).spec == text
    assert agent.name in agent.identity
    assert "blueprint=" in agent.identity


def test_brackets_are_counted():
    with pytest.raises(AgentError, match="brackets"):
        find_agent("ris-mcts:blueprint=(certainty")


def test_an_unknown_parameter_is_answered_with_all_there_are():
    with pytest.raises(AgentError, match=r"no parameter 'plicy': it has .*, blueprint, moves"):
        find_agent("ris-mcts:plicy=certainty")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ris-mcts:blueprint=exmaple", "parameter 'blueprint': unknown agent 'exmaple', did you"),
        ("ris-mcts:blueprint=(certainty:depth=3)", "'certainty' has no parameter 'depth'"),
        ("ris-mcts:blueprint=(certainty", "unbalanced brackets"),
        ("ris-mcts:moves=certainty", "'ris-mcts': parameter 'moves': 'certainty' is neither legal"),
        ("ris-mcts:moves=(rules:PlaySaveCard)", "did you mean 'PlaySafeCard'"),
        ("ris-mcts:depht=3", "has no parameter 'depht'"),
        ("ris-mcts:visits=maybe", "'visits' must be true or false"),
        ("ris-mcts:blueprint", "'blueprint' is not key=value"),
    ],
)
def test_errors_name_what_is_wrong(text, message):
    with pytest.raises(AgentError, match=message):
        find_agent(text)


@pytest.mark.parametrize("name", ["flat-mc", "mcts", "search", "sparta", "bergh-2015-mc"])
def test_exact_beliefs_refuse_a_blueprint_that_is_slow(name):
    message = f"agent 'sparta': parameter 'blueprint': '{name}' is too slow: it takes seconds"
    with pytest.raises(AgentError, match=message):
        find_agent(f"sparta:blueprint={name}")


@pytest.mark.parametrize("name", ["flat-mc", "search", "ris-mcts", "predictor-mcts"])
@pytest.mark.parametrize(
    ("blueprint", "message"),
    [
        ("flat-mc", "its samples must be at most 100, not 1000"),
        ("(search:samples=101)", "its samples must be at most 100, not 101"),
        ("bergh-2015-mc", "its rollouts must be at most 100, not 500"),
        ("mcts-40ms", "limit it by samples=100 or fewer and ms=0, not by time"),
    ],
)
def test_a_blueprint_that_searches_needs_a_small_budget(name, blueprint, message):
    with pytest.raises(AgentError, match=f"agent {name!r}: parameter 'blueprint': .* {message}"):
        find_agent(f"{name}:blueprint={blueprint}")
    assert find_agent(f"{name}:blueprint=(flat-mc:samples=100)").is_slow


def test_only_sparta_takes_an_agent_that_decides_for_many_games():
    register(BatchAgent("lowest-of-many", lambda seen, legal, state: legal.argmax(axis=1)))
    with pytest.raises(AgentError, match="'lowest-of-many' decides for many games at once"):
        find_agent("ris-mcts:blueprint=lowest-of-many")
    assert find_agent("sparta:blueprint=lowest-of-many").depends_on == ("lowest-of-many",)


@pytest.mark.parametrize("name", ["blueprint", "policy"])
def test_it_plays_at_the_tables_of_its_blueprint(name):
    register(Agent("only-three", lowest, players="3"))
    agent = find_agent(f"flat-mc:{name}=only-three")
    assert agent.players == (3, 3)
    message = "plays with 3 players, not 2: its parameter 'blueprint' is 'only-three', which plays"
    with pytest.raises(AgentError, match=message):
        play(agent, Rules(players=2), 1)
    assert agent.with_params({name: "example"}).players == (2, 5)


def test_parameters_for_different_tables_are_refused():
    message = "agent 'sparta' plays with 5 players, as its parameter 'blueprint' is 'hatbot', .*, "
    with pytest.raises(AgentError, match=message + "but its parameter 'seats' is 'all', which is"):
        find_agent("sparta:blueprint=hatbot,seats=all")


def lowest(view, memory, params):
    """The first legal move."""
    return nth_move(legal_mask(view), 0)
