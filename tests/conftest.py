"""What holds for every test: agents that a test registers are forgotten at its end."""

import pytest

from tamaya import registry
from tamaya.lookup import all_agents

KEPT = []  # compiled code of other tests may still hold the addresses of forgotten agents


@pytest.fixture(autouse=True)
def own_registry(monkeypatch):
    """Forget at the end what a test registered, or others that play with all agents would too."""
    agents = {player.name: player for player in all_agents()}
    KEPT.append(agents)
    monkeypatch.setattr(registry, "_agents", agents)


@pytest.fixture(scope="session", autouse=True)
def own_store(tmp_path_factory):
    """Keep commands of tests away from the results of whoever runs them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TAMAYA_STORE", str(tmp_path_factory.mktemp("store") / "results.db"))
        yield
