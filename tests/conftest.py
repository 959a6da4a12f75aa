"""What holds for every test: agents that a test registers are forgotten at its end."""

import gc
import sys

import pytest

from tamaya import registry
from tamaya.agents.rules.rule import RULES
from tamaya.lookup import all_agents

# What takes long comes first, so that no worker is left with a long file at the end.
LONGEST = (
    "web/browser", "test_hidden_information", "web/test_resume", "web/test_engines", "learn",
    "bench", "web/test_nothing_leaks", "web", "arena", "search", "test_docs", "cli",
)  # fmt: skip
BROWSER = "tests/web/browser"
KEPT = []  # compiled code of other tests may still hold the addresses of forgotten agents


gc.disable()  # until all is imported


def pytest_collection_modifyitems(items):
    """Order the files by how long they take."""

    def place(item: pytest.Item) -> int:
        return next((k for k, part in enumerate(LONGEST) if f"tests/{part}" in str(item.path)),
                    len(LONGEST))  # fmt: skip

    items.sort(key=place)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Files by worker, but those that need the browser and its server by the same two."""
    if config.getvalue("dist") != "loadfile":
        return None
    from xdist.scheduler import LoadFileScheduling

    class Scheduling(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file = super()._split_scope(nodeid)
            is_alone = file == f"{BROWSER}/test_access.py"  # it takes as long as all the others
            return BROWSER if file.startswith(BROWSER) and not is_alone else file

    return Scheduling(config, log)


def pytest_collection_finish():
    """What was imported and collected is never garbage: no need to look at it again."""
    gc.collect()
    gc.freeze()
    gc.enable()


@pytest.fixture(autouse=True)
def own_registry(monkeypatch):
    """Forget at the end what a test registered, or others that play with all agents would too."""
    agents = {player.name: player for player in all_agents()}
    KEPT.append(agents)
    monkeypatch.setattr(registry, "_agents", agents)
    rules = dict(RULES)
    yield
    RULES.clear()
    RULES.update(rules)


@pytest.fixture(autouse=True)
def own_arithmetic():
    """Training flushes subnormal numbers to zero, which other tests must not notice."""
    yield
    if "torch" in sys.modules:
        sys.modules["torch"].set_flush_denormal(False)


@pytest.fixture(scope="session", autouse=True)
def own_store(tmp_path_factory):
    """Keep commands of tests away from the results of whoever runs them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TAMAYA_STORE", str(tmp_path_factory.mktemp("store") / "results.db"))
        yield
