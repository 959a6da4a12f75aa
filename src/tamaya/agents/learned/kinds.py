"""Kinds of networks: which agent plays which."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from tamaya.agent import Agent
from tamaya.agents.learned.bad import BadAgent
from tamaya.agents.learned.c51 import C51Agent
from tamaya.agents.learned.family import LearnedAgent
from tamaya.agents.learned.files import Network, read_network
from tamaya.agents.learned.people.agent import PeopleAgent
from tamaya.agents.learned.recurrent import RecurrentAgent

# By the keys of tamaya.agents.learned.files.LAYOUTS.
AGENTS: dict[str, Callable[..., Agent]] = {
    "mlp": LearnedAgent, "c51": C51Agent, "lstm": RecurrentAgent, "bad": BadAgent,
    "choice": PeopleAgent,
}  # fmt: skip


def network_agent(name: str, networks: Iterable[Network], **options: Any) -> Agent:
    """The agent of some networks of one kind, at most one per number of players."""
    networks = list(networks)
    return AGENTS[networks[0].kind](name, networks, **options)


def network_file(path: Path) -> Agent:
    """The agent of one file of weights."""
    network = read_network(path)
    source = network.metadata.get("source", "")
    return network_agent(path.stem, [network], source=source, files=[path])
