"""One server for all tests of a process that need a real one; agents of tests are forgotten."""

from collections.abc import Iterator

import pytest

from serving import Server, started
from tamaya import registry
from tamaya.lookup import all_agents


@pytest.fixture(autouse=True)
def own_registry(monkeypatch):
    """Forget at the end what a test registered."""
    monkeypatch.setattr(registry, "_agents", {player.name: player for player in all_agents()})


@pytest.fixture(scope="session")
def served(tmp_path_factory) -> Iterator[Server]:
    with started(tmp_path_factory.mktemp("served")) as server:
        yield server.wait()
        assert "Traceback" not in server.log()
        assert " failed: " not in server.log()
