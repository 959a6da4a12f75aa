"""The dictionary of agents: who may be replaced, loaders of files, and who finds agents by text."""

import pytest

from support import run_python
from tamaya import lookup, registry
from tamaya.agent import Agent
from tamaya.registry import find_agent, loader_of, register, register_loader, registered


@pytest.fixture(autouse=True)
def own_registry(monkeypatch):
    """Forget at the end what a test registered."""
    agents = {player.name: player for player in lookup.all_agents()}
    monkeypatch.setattr(registry, "_agents", agents)
    monkeypatch.setattr(registry, "_loaders", dict(registry._loaders))


def any_move(view, memory, params):
    return 0


def test_an_agent_of_the_package_cannot_be_replaced():
    ours = registered()["random"]
    mine = register(Agent("random", any_move))
    assert find_agent("random") is ours is not mine


def test_an_agent_of_a_user_can_be_replaced():
    register(Agent("mine", any_move))
    second = register(Agent("mine", any_move))
    assert find_agent("mine") is second


def test_two_agents_of_the_package_cannot_share_a_name():
    with pytest.raises(ValueError, match="two agents of the package are called 'random'"):
        register(registered()["random"])


def test_a_family_registers_the_loader_of_its_files():
    register_loader(".mine", lambda path: Agent(path.stem, any_move))
    assert loader_of(".yours") is None
    assert find_agent("somewhere/eager.mine").name == "eager"


def test_the_former_names_lead_to_the_lookup():
    assert registry.all_agents is lookup.all_agents
    assert registry.agent_file is lookup.agent_file
    with pytest.raises(AttributeError, match="no attribute 'nobody'"):
        registry.nobody  # noqa: B018


def test_tables_find_agents_though_nobody_imported_the_lookup():
    result = run_python(
        "import sys\n"
        "from tamaya.table import play\n"
        "assert 'tamaya.lookup' not in sys.modules\n"
        "print(len(play('first-legal', games=3).results))",
        NUMBA_DISABLE_JIT="1",
    )
    assert result.stdout == "3\n", result.stderr
