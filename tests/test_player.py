"""What every kind of agent answers."""

import pytest

from tamaya.agent import Agent, AgentError, BatchAgent, Player

KINDS = [Agent, BatchAgent]


def any_move(view, memory, params):
    """Moves."""
    return 0


@pytest.mark.parametrize("kind", KINDS)
def test_both_kinds_answer_the_same_questions(kind):
    player = kind("quiet", any_move, players="2-3", source="a paper", slow=True)
    assert isinstance(player, Player)
    assert (player.name, player.spec, player.identity) == ("quiet", "quiet", "quiet")
    assert (player.players, player.source, player.is_slow) == ((2, 3), "a paper", True)
    assert (player.settings, player.made_for, player.training_turns(2)) == ({}, {}, 0)
    assert player.depends_on == player.named == ()
    assert [player.plays_with(size) for size in (2, 3, 4)] == [True, True, False]
    assert player.prepared([]) is player
    assert player.description == "Moves."


def test_a_batch_agent_has_nothing_to_compile():
    assert BatchAgent("quiet", any_move).compile() is None


@pytest.mark.parametrize("kind", KINDS)
def test_a_description_may_be_given(kind):
    assert kind("quiet", any_move, description="Says little.").description == "Says little."


@pytest.mark.parametrize("kind", KINDS)
def test_the_rules_an_agent_is_made_for(kind):
    made_for = {"colours": 1, "hand_size": 2}
    assert kind("small", any_move, made_for=made_for).made_for == made_for


@pytest.mark.parametrize(
    ("made_for", "message"),
    [
        ({"colors": 1}, "agent 'small': made_for has no rule 'colors', expected some of colours"),
        ({"players": 2}, "made_for has no rule 'players'"),
        ({"colours": 9}, "agent 'small': made_for: colours must be a whole number from 1 to 5"),
    ],
)
def test_rules_that_make_no_game_are_refused(made_for, message):
    with pytest.raises(AgentError, match=message):
        Agent("small", any_move, made_for=made_for)


def test_what_takes_no_parameters_says_so():
    player = BatchAgent("network", any_move)
    assert player.with_text("") is player.with_params({}) is player
    with pytest.raises(AgentError, match="'network' takes no parameters, found 'depth=2'"):
        player.with_text("depth=2")
    with pytest.raises(AgentError, match="'network' takes no parameters, found 'depth, width'"):
        player.with_params({"depth": 2, "width": 1})
