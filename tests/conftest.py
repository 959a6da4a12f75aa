"""What holds for every test: agents that a test registers are forgotten at its end."""

import pytest

from tamaya import registry
from tamaya.lookup import all_agents


@pytest.fixture(autouse=True)
def own_registry(monkeypatch):
    """Forget at the end what a test registered, or others that play with all agents would too."""
    monkeypatch.setattr(registry, "_agents", {player.name: player for player in all_agents()})
