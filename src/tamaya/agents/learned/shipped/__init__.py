"""Networks that come with the package: `name-players.npz` is part of agent `name`."""

from itertools import groupby
from pathlib import Path

from tamaya.agents.learned.files import read_network
from tamaya.agents.learned.kinds import network_agent
from tamaya.registry import register


def _name(file: Path) -> str:
    return file.stem.rpartition("-")[0]


_files = sorted(Path(__file__).parent.glob("*.npz"), key=lambda file: (_name(file), file.stem))
for _agent, _group in groupby(_files, _name):
    _own = list(_group)
    register(network_agent(_agent, map(read_network, _own), source="trained here", files=_own))
