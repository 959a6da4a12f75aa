"""One server and one browser for all tests here; each test has a context of its own."""

import importlib.util
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from browsing import CHROMIUM, FLAGS, PATIENCE, Server, started
from lab_runs import write_runs

PICTURES = Path(__file__).parents[3] / "build" / "failed"
NEEDED = ("playwright", "axe_playwright_python", "starlette", "uvicorn", "websockets")
AGENTS = ("certainty", "piers", "iggi", "internal", "outer", "van-den-bergh", "flawed", "random",
          "tamaya-mixed")  # fmt: skip
BROWSERS: list = []  # one at most
OPENED = ExitStack()
MISSING = [name for name in NEEDED if importlib.util.find_spec(name) is None]


def pytest_collection_modifyitems(items) -> None:
    """Skip the tests here, with the reason, where there is no browser."""
    if CHROMIUM is not None and not MISSING:
        return
    what = "Chromium" if CHROMIUM is None else ", ".join(MISSING)
    reason = pytest.mark.skip(reason=f"the page is not tested in a browser: {what} is missing")
    for item in items:
        if "web/browser" in item.path.as_posix():
            item.add_marker(reason)


def fill_store(store: str) -> None:
    """Results for the report: enough agents for a table that can be filtered."""
    from tamaya.cli.selfplay import selfplay

    for agent in AGENTS:
        selfplay(agent, players="2", games=30, store=store)


@pytest.fixture(scope="session")
def server(tmp_path_factory) -> Iterator[Server]:
    folder, runs = tmp_path_factory.mktemp("server"), write_runs(tmp_path_factory.mktemp("runs"))
    fill_store(str(folder / "store.db"))
    with started(folder, "--runs", str(runs)) as server:
        yield server.wait()
        assert "Traceback" not in server.log()


@pytest.fixture(scope="module")
def browser():
    """The browser of all files here."""
    if not BROWSERS:
        from playwright.sync_api import sync_playwright

        playwright = OPENED.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        OPENED.callback(browser.close)
        OPENED.callback(BROWSERS.clear)
        BROWSERS.append(browser)
    return BROWSERS[0]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item, nextitem):
    """Close it after the last test here: its event loop would be in the way of other files."""
    yield
    if nextitem is None or nextitem.path.parent != item.path.parent:
        OPENED.close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Let fixtures know whether their test failed."""
    report = yield
    if report.when == "call":
        item.has_failed = report.failed
    return report


@pytest.fixture
def contexts(request, browser, server) -> Iterator:
    """Makes contexts, which are closed after the test; if it fails, pictures go to build/failed."""
    opened = []

    def make(**options):
        context = browser.new_context(base_url=server.address, **options)
        context.set_default_timeout(PATIENCE)
        opened.append(context)
        return context

    yield make
    pages = [page for context in opened for page in context.pages]
    for number, page in enumerate(pages if getattr(request.node, "has_failed", False) else ()):
        PICTURES.mkdir(parents=True, exist_ok=True)
        with suppress(Exception):  # a page that is stuck keeps its picture to itself
            page.screenshot(path=PICTURES / f"{request.node.name}-{number}.png")
    for context in opened:
        context.close()
