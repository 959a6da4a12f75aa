"""The report of a real server: made of its store, kept until that changes, its games taken in."""

import re
from collections.abc import Iterator

import httpx
import pytest

from tamaya.cli.selfplay import selfplay
from tamaya.compiled import JIT

pytestmark = pytest.mark.skipif(not JIT, reason="engines are about compiled code")


@pytest.fixture(scope="module")
def http(served) -> Iterator[httpx.Client]:
    store = str(served.folder / "store.db")
    selfplay("certainty", players="2", games=40, store=store)
    headers = {"X-Tamaya": "1"}
    with httpx.Client(base_url=served.address, timeout=300, headers=headers) as client:
        yield client


def test_the_report_of_the_store(http, served):
    answer = http.get("/api/report")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/html")
    assert "certainty" in answer.text and str(served.folder) not in answer.text
    # Nothing in it that the policy of the page would stop.
    assert not re.search(r"<script|<style|\sstyle=|\son\w+=", answer.text)
    other = "rules:PlaySafeCard,TellRandomly,LegalRandom"  # that no test plays at this server
    assert other not in answer.text
    selfplay(other, players="2", games=20, store=str(served.folder / "store.db"))
    assert other in http.get("/api/report").text


def test_games_behind_figures_are_taken_in_once(http):
    page = http.get("/api/report").text
    ids = dict.fromkeys(re.findall(r'href="/g/([a-z2-7]{16})"', page))
    game = next(iter(ids))
    for _ in range(2):
        answer = http.post("/api/report/games", json={"game": game})
        assert (answer.status_code, answer.json()) == (201, {"id": game})
    found = http.get(f"/api/games/{game}").json()
    best = found["agents"][0]  # whoever is shown first
    assert found["agents"] == [best] * 2 and found["names"] == [best, f"{best} 2"]
    assert f"{found['score']} points" in page


@pytest.mark.parametrize("wish", [
    {"game": "a" * 16}, {"game": "../x"}, {"game": 5}, {}, [], {"agents": ["x.py"]},
])  # fmt: skip
def test_nothing_else_is_taken_in(http, wish):
    answer = http.post("/api/report/games", json=wish)
    assert answer.status_code in (400, 404) and answer.json()["error"]["place"] == "game"
