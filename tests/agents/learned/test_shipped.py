"""The networks that come with the package: where they come from, and how strong they are."""

import numpy as np
import pytest

from tamaya.agents.learned.family import LearnedAgent
from tamaya.registry import all_agents
from tamaya.rules import Rules
from tamaya.table import play

SHIPPED = [agent for agent in all_agents() if isinstance(agent, LearnedAgent)]


@pytest.mark.parametrize("agent", SHIPPED, ids=lambda agent: agent.name)
def test_cards_of_shipped_agents_say_where_they_come_from(agent):
    for network in agent.networks.values():
        needed = {"algorithm", "turns", "seed", "provenance", "curve", "score", "cpu_seconds"}
        assert needed <= network.metadata.keys()


TABLES = [(agent, players) for agent in SHIPPED for players in agent.networks]


@pytest.mark.parametrize(("agent", "players"), TABLES, ids=str)
def test_shipped_agents_are_as_strong_as_their_cards_say(agent, players):
    """On other deals; the bound is four standard errors of the difference."""
    network = agent.networks[players]
    scores = play(agent, Rules.parse(network.metadata["rules"]), 400, seed=29).results["score"]
    said = network.metadata["score"]
    error = np.hypot(scores.std(ddof=1) / len(scores) ** 0.5, said["se"])
    assert abs(scores.mean() - said["mean"]) < 4 * error
