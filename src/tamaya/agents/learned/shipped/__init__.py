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
    _networks = [read_network(_file) for _file in _own]
    _source = _networks[0].metadata.get("source") or "trained here"
    register(network_agent(_agent, _networks, source=_source, files=_own))
