"""Frames, requests and games that no page sends, for all screens beside the table.

As ``test_fuzz.py``, but at a server in this process: errors with a place, no fault, no secret.
"""

import asyncio
import json
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

import pytest

from asking import BEN, BOT, FRAMES, POSTED, QUERIES, SMALL, SOMEBODY, routes_of, spoiled
from inside import KEY, Frame, HomeAnalyses, Inside, inside
from lab_runs import write_runs
from tabling import FAST, in_loop
from tamaya.game import Game
from tamaya.replays import ReplayError, replay_url, to_json
from tamaya.rules import Rules
from tamaya.web.analyses import Job
from tamaya.web.imports import read_import
from tamaya.web.reports import MadeReport, Reports

N_GAMES, N_FRAMES, N_REQUESTS = 2000, 3000, 2000
AT_ONCE = 4  # frames that are sent before the answers are read
LAST = 10**9  # number of the frame whose answer is waited for
HELD = {"X_Tamaya_Key": KEY}
RIGHT = {200, 201, 304, 400, 403, 404, 405, 409, 413, 415}


def played(rules: str = SMALL) -> Game:
    game, rng = Game(Rules.parse(rules), 5), Random(5)
    while not game.is_over:
        game.apply(rng.choice(game.legal_moves))
    return game


# Games.


def test_whatever_a_game_is_like_it_is_read_or_refused_with_a_place():
    rng, n_refused, longest = Random(1), 0, 0.0
    notes = [["r1", "", "kt | trash"], ["", "[f]"]]
    games = [to_json(played(rules), ["Ann", "Ben"], notes) for rules in (SMALL, "players=2")]
    texts = [played().to_text(), replay_url(played("players=2"))]
    for k in range(N_GAMES):
        text = json.dumps(spoiled(rng, rng.choice(games))) if k % 4 else rng.choice(texts)
        for _ in range(rng.randrange(3) if k % 4 == 0 else k % 8 == 1):
            place = rng.randrange(len(text) + 1)
            text = text[:place] + rng.choice('{}[]",:9\\e\x00\u202eé\n ') + text[place + 1 :]
        since = process_time()
        try:
            read_import({"text": text})
        except ReplayError as error:
            n_refused += 1
            assert error.place and error.reason, text[:200]
            assert f"{error.place} {error.reason}".isprintable(), text[:200]
            assert len(f"{error.place} {error.reason}") < 1000, text[:200]
        longest = max(longest, process_time() - since)
    assert N_GAMES / 2 < n_refused < N_GAMES
    assert longest < 1.0


# Frames and requests.


class Busy(HomeAnalyses):
    """Analyses that are begun and never end."""

    async def _do(self, job: Job, store: Any) -> None:
        job.hear({"progress": {"done": 0, "of": 1}} if job.lane == "values" else {})


async def report(self: Reports, url: str, state: tuple[int, int]) -> MadeReport:
    return MadeReport(state, "<p>report</p>", {})


@pytest.fixture(autouse=True)
def quick(monkeypatch) -> None:
    """Nothing is worked out here, only asked for."""
    monkeypatch.setattr("inside.HomeAnalyses", Busy)
    monkeypatch.setattr(Reports, "_make", report)


class House:
    """A server with a finished game, a running one, a deal and runs; and its secrets."""

    def __init__(self, server: Inside) -> None:
        self.server = server

    async def furnish(self) -> "House":
        text = json.dumps(to_json(played(), ["Ann", "Ben"]))
        ask = self.server.ask
        self.over = (await ask("/api/games", {"text": text}, **HELD)).json()["id"]
        order = {"rules": SMALL, "seats": [BEN, BOT], "options": FAST}
        self.running = (await ask("/api/tables", order, **HELD)).json()
        self.deal = (await ask(f"/api/games/{self.over}/deal", {}, **HELD)).json()["id"]
        self.ids = [self.over, self.running["id"], self.deal, "today", "a" * 16, "%00", "x" * 17]
        self.secrets = [KEY, self.running["token"], self.running["invite"]]
        return self

    def check(self, text: str, known: str = "") -> None:
        """Nobody is told the key, or the token of somebody else."""
        for secret in self.secrets:
            assert secret == known or secret not in text, text[:300]


def right_frame(rng: Random, house: House) -> Frame:
    """A frame as a page sends it."""
    first: list[Frame] = [
        {"type": "review", "game": house.over, "key": rng.choice((KEY, "wrong"))},
        {"type": "review", "game": rng.choice(house.ids[:5]), "to": rng.randrange(9)},
        {"type": "hello", "table": rng.choice(house.ids[:2])},
    ]
    frames = [{"type": type, **fields} for type, fields in FRAMES.items()]
    frame = rng.choice(first) if rng.random() < 0.15 else rng.choice(frames)
    if "turn" in frame:
        frame = {**frame, "turn": rng.randrange(12)}
    return {**frame, "id": rng.randrange(1000)}


@in_loop
async def test_fuzzed_frames_of_reviews_get_errors_and_nothing_else(folder):
    rng, codes, kinds = Random(2), set(), set()
    async with inside(folder, KEY) as server:
        house = await House(server).furnish()
        for _ in range(N_FRAMES // (AT_ONCE * 30)):
            opened = {"type": "review", "game": house.over, "key": KEY}
            async with server.socket(opened) as wire:
                for _ in range(30):
                    for _ in range(AT_ONCE):
                        frame = right_frame(rng, house)
                        wrong = spoiled(rng, frame) if rng.random() < 0.6 else frame
                        await wire.put(json.dumps(wrong))
                    await wire.put({"type": "cancel", "id": LAST})
                    try:
                        while wire.frames[-1:] == [] or wire.frames[-1].get("re") != LAST:
                            await wire.hear()
                    except ConnectionError:
                        assert wire.code in (4404, 1012)
                        break
                    wire.frames.append({})
                for said in wire.frames:
                    if said:
                        kinds.add(said["type"])
                    if said.get("type") == "error":
                        codes.add(said["code"])
                        assert said["text"].isprintable() and len(said["text"]) < 1000
                for text in wire.texts:
                    house.check(text)
    assert kinds >= {"reviewing", "analysing", "beliefs", "reasons", "notes", "cancelled", "error"}
    assert codes >= {"bad_frame", "forbidden", "stale", "unavailable"}


def fuzzed(rng: Random, house: House, routes: list[tuple[str, str]]) -> tuple[str, str, Any, Frame]:
    """Method, path, document and headers of a request, from nearly right to nonsense."""
    method, template = rng.choice(routes)
    path = template.replace("{id}", rng.choice(house.ids)).replace("{path:path}", "x%2e%2e/%00")
    document: Any = None
    if method == "GET":
        query = rng.choice([*QUERIES.get(template, [""]), "?run=../x", "?from=-1", "?as=%00", "?="])
        path += query
    else:
        document = rng.choice(POSTED[template] or [{"seed": 1}])
        if template == "/api/games" and rng.random() < 0.5:
            document = {"text": json.dumps(to_json(played(), ["Ann", "Ben"]))}
        if rng.random() < 0.7:
            document = spoiled(rng, document)
    if rng.random() < 0.05:
        method = rng.choice(("PUT", "PATCH", "DELETE", "BREW"))
    token = rng.choice(("", "x", ",", "b" * 22, ",".join(["b" * 22] * 50), house.running["token"]))
    headers = {"X_Tamaya_Token": token, "X_Tamaya_Person": rng.choice((SOMEBODY, "", "x" * 99))}
    if rng.random() < 0.7:
        headers["X_Tamaya_Key"] = KEY
    return method, path, document, headers


@in_loop
async def test_fuzzed_requests_of_all_screens_get_errors_and_nothing_else(folder):
    rng, seen = Random(3), set()
    async with inside(folder, KEY, write_runs(folder / "runs")) as server:
        house = await House(server).furnish()
        routes = [(m, path) for m, path in routes_of(server) if path.startswith("/api")]
        for _ in range(N_REQUESTS):
            method, path, document, headers = fuzzed(rng, house, routes)
            answer = await server.ask(path, document, method, **headers)
            said = method, path, document, headers, answer.text[:300]
            assert answer.status_code in RIGHT, said
            seen.add(answer.status_code)
            if answer.status_code >= 400:
                error = answer.json()["error"]
                assert error["text"].isprintable() and len(answer.text) < 2000, said
                assert answer.status_code != 400 or error["place"], said
            if method == "POST" and answer.status_code == 201:
                continue  # tokens of an own table
            house.check(answer.text)
    assert seen >= {200, 201, 400, 403, 404, 405, 409}


@pytest.fixture(autouse=True)
def unfailing(caplog):
    """Nothing failed unforeseen."""
    yield
    for record in caplog.records:
        assert " failed" not in record.getMessage(), record.getMessage()
        assert record.exc_info is None


def test_everything_is_fuzzed(tmp_path):
    """There is a document for every address that takes one."""

    async def routes(folder: Path) -> list[tuple[str, str]]:
        async with inside(folder) as server:
            return routes_of(server)

    found = asyncio.run(routes(tmp_path))
    assert {path for method, path in found if method in ("POST", "DELETE")} == set(POSTED)
