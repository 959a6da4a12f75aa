"""Games from elsewhere: read whole or refused with a place, kept, looked at, given back."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest

from tamaya.compiled import JIT
from tamaya.game import Game
from tamaya.moves import GIVE_UP
from tamaya.replays import ReplayError, parse_replay, replay_url, to_json
from tamaya.rules import Rules
from tamaya.store.database import Store
from tamaya.web import library
from tamaya.web.guard import Refusal
from tamaya.web.guests import GuestList
from tamaya.web.import_words import in_words
from tamaya.web.imports import read_import
from tamaya.web.table import OVER
from tamaya.web.tables import Tables

GOLDEN = Path(__file__).parents[1] / "golden"
NAMES, NOTES = ["Ann", "Ben <script>alert(1)</script>"], [["r1", "", "kt | trash"], ["", "[f]"]]
needs_engines = pytest.mark.skipif(not JIT, reason="engines are about compiled code")


def played(rules: Rules | None = None, seed: int = 1, turns: int = 200) -> Game:
    """A game of chance."""
    game, rng = Game(rules or Rules(players=2), seed), Random(seed)
    while not game.is_over and game.turn < turns:
        game.apply(rng.choice(game.legal_moves))
    return game


GAME = played(turns=12)


def document(**changes: Any) -> dict[str, Any]:
    """A game as hanab.live writes it, with some fields changed."""
    found = to_json(GAME, NAMES, NOTES)
    del found["tamaya"]
    return {**found, **changes}


def refused(text: object) -> ReplayError:
    """Why a text is no game."""
    with pytest.raises(ReplayError) as caught:
        read_import({"text": text})
    return caught.value


# Reading.


def test_names_notes_and_colours_come_with_a_game():
    found = read_import({"text": f"\ufeff {json.dumps(document())}"})
    assert found.game == GAME
    assert found.names == tuple(NAMES)
    assert [list(texts) for texts in found.notes] == NOTES
    assert found.palette == "hanab.live"
    assert read_import({"text": json.dumps(to_json(GAME))}).palette == "tamaya"


@pytest.mark.parametrize("file", sorted(GOLDEN.glob("*.txt")), ids=lambda file: file.stem)
def test_texts_and_links_are_read(file):
    game = Game.parse(file.read_text())
    found = read_import({"text": file.read_text()})
    assert (found.game, found.palette, found.names) == (game, "tamaya", None)
    link = replay_url(GAME)
    assert read_import({"text": f" {link}\n"}).game.moves == GAME.moves
    assert read_import({"text": link}).palette == "hanab.live"


def test_players_of_one_name_are_told_apart():
    found = read_import({"text": json.dumps(document(players=["Ann", "ann"]))})
    assert found.names == ("Ann", "ann 2")


def changed(path: str, value: Any) -> str:
    """A game in which one place is other than it should be."""
    found = document()
    *names, last = path.split(".")
    place: Any = found
    for name in names:
        place = place[int(name) if name.isdecimal() else name]
    place[int(last) if last.isdecimal() else last] = value
    return json.dumps(found)


@pytest.mark.parametrize(("path", "value", "place"), [
    ("players", ["Ann"], "players"),
    ("players", ["A", "B", "C", "D", "E", "F"], "players"),
    ("players.0", "", "players[0]"),
    ("players.1", "x" * 41, "players[1]"),
    ("players.1", "Ben\u202e", "players[1]"),
    ("players.1", "B\x00n", "players[1]"),
    ("players.1", "\ud800", "players[1]"),
    ("players.1", 5, "players[1]"),
    ("deck", [], "deck"),
    ("deck", [{"suitIndex": 0, "rank": 1}] * 50, "deck"),
    ("deck", [{"suitIndex": 0, "rank": 1}] * 5000, "deck"),
    ("deck.3", {"suitIndex": 7, "rank": 1}, "deck[3].suitIndex"),
    ("deck.3", {"suitIndex": 0, "rank": 10**400}, "deck[3].rank"),
    ("deck.3.rank", 1e308, "deck[3].rank"),
    ("actions.5", {"type": 9, "target": 0}, "actions[5].type"),
    ("actions.5.target", -1, "actions[5].target"),
    ("actions.5.target", None, "actions[5].target"),
    ("actions", [{"type": 0, "target": 0}] * 500, "actions"),
    ("actions", {}, "actions"),
    ("notes.1.1", "\u2066evil", "notes[1][1]"),
    ("notes.1.1", "x" * 2001, "notes[1][1]"),
    ("notes.1.1", "\ud800", "notes[1][1]"),
    ("notes.0", ["x"] * 60, "notes[0]"),
    ("notes.0", "x", "notes[0]"),
    ("notes", [[]] * 9, "notes"),
    ("options", {"variant": "Rainbow (6 Suits)"}, "options.variant"),
    ("options", {"\u202e\ud800": True}, "options.U+202EU+D800"),
    ("options", {"startingPlayer": 2}, "options.startingPlayer"),
    ("tamaya", {"rules": "players=2 \ud800"}, "tamaya.rules"),
    ("tamaya", {"rules": "players=" + "9" * 3000}, "tamaya.rules"),
    ("tamaya", {"version": 2, "rules": "players=2"}, "tamaya.version"),
])  # fmt: skip
def test_what_is_wrong_with_a_document_has_a_place(path, value, place):
    error = refused(changed(path, value))
    assert error.place.startswith(place)
    assert f"{error.reason} {error.place}".isprintable()


@pytest.mark.parametrize(("text", "place", "reason"), [
    ("", "text", "not a game"),
    ("{", "line 1, column 2", "not JSON"),
    ('{"players": ["A", "B"], "players": ["A", "B"]}', "document", "twice"),
    ('{"players": NaN}', "document", "NaN"),
    ('{"a":' * 100_000, "document", "nested too deeply"),
    ('{"players": ' + "9" * 5000 + "}", "document", "too long"),
    ("hanabi 1\n" + "x" * 50_000, "text", "longer than any game"),
    ("215" + "a" * 900_000 + ",0", "text", "longer than any game"),
    ("tamaya \ud800", "text", "half of a surrogate pair"),
    ("/etc/passwd", "text", "not a game"),
    ("file.json#3", "text", "not a game"),
    ("https://hanab.live/replay/123", "text", "not downloaded"),
    ("http://127.0.0.1:8000/\u202e", "text", "not a replay"),
    (17, "text", "expected a text"),
    (None, "text", "expected a text"),
])  # fmt: skip
def test_what_is_no_game_is_refused(text, place, reason):
    error = refused(text)
    assert (error.place, reason in error.reason) == (place, True), error
    assert error.reason.isprintable()


@pytest.mark.parametrize("request_", [[], "x", None, {}, {"text": "x", "path": "/etc/passwd"}])
def test_requests_without_a_text_are_refused(request_):
    with pytest.raises(ReplayError) as caught:
        read_import(request_)
    assert caught.value.place


def test_whatever_is_changed_a_document_is_read_or_refused():
    rng = Random(3)
    values = [None, True, -1, 0, 3, 10**30, 0.5, "", "R1", "\u202e", [], [0], {}, {"type": 0}]
    places = [("players", 0), ("deck", 7), ("actions", 3), ("notes", 1), ("options", "variant")]
    n_refused = 0
    for _ in range(300):
        found = json.loads(json.dumps(document(options={})))
        name, key = rng.choice(places)
        kind = rng.random()
        if kind < 0.3:
            found[name] = rng.choice(values)
        elif kind < 0.8:
            found[name][key] = rng.choice(values)
        text = json.dumps(found)
        if kind > 0.9:
            place = rng.randrange(len(text))
            text = text[:place] + rng.choice('{}[]",:9\\e') + text[place + 1 :]
        try:
            read_import({"text": text})
        except ReplayError as error:
            n_refused += 1
            assert error.place and error.reason.isprintable()
    assert 100 < n_refused < 300


@pytest.mark.parametrize(("text", "words"), [
    ("nonsense", "This is not a game. Paste the JSON of hanab.live"),
    ("https://hanab.live/replay/123", "Open https://hanab.live/export/123 in your browser"),
    (json.dumps(document())[:-9], "goes wrong at line 1, column"),
    (changed("players", ["Ann"]), "Hanabi has 2 to 5 players, and there is 1 name."),
    (changed("players", list("abcdef")), "and there are 6 names."),
    (changed("players.1", "x" * 41), "The name of player 2: a name has 1 to 40 characters"),
    (changed("deck", []), "The deck should have 50 cards, and there are no cards."),
    (changed("deck", [{"suitIndex": 4, "rank": 1}] * 50), "Card 4 of the deck: purple 1 comes"),
    (changed("actions.3.target", 49), "Move 4: card 50 is not in the hand of player 2, it is"),
    (changed("actions.3.type", "x"), "Move 4: expected a whole number, found 'x' (actions[3].ty"),
    (changed("notes.1.1", "x" * 2001), "The note of player 2 on card 2: a note has at most"),
    (changed("options", {"variant": "Dark"}), "The variant 'Dark' is not played here"),
    (changed("options", {"allOrNothing": True}), "With the option allOrNothing it is another"),
    ('{"players": ["A", "B"], "actions": []}', "Something is missing: the deck."),
    (GAME.to_text().replace("check", "chek"), "Line 6: unknown keyword 'chek'."),
    (replay_url(GAME)[:-30], "Character 88 of the link: the link ends"),
])  # fmt: skip
def test_what_is_wrong_is_said_in_the_words_of_players(text, words):
    told = in_words(refused(text))
    assert words in told and told.endswith((".", "?"))


# Keeping.


class NoEngines:
    """Engines that nobody asks anything."""

    def status(self) -> dict[str, Any]:
        return {"ready": True, "compiling": None}

    async def stop(self) -> None:
        pass


@asynccontextmanager
async def tables_of(folder: Path) -> AsyncIterator[Tables]:
    """The tables of a store, as a server has them."""
    store = Store(str(folder / "store.db"))
    tables = Tables(store, GuestList(), NoEngines())  # type: ignore[arg-type]
    try:
        yield tables
    finally:
        await tables.close()


def in_loop(test: Callable[..., Any]) -> Callable[[Path], None]:
    """A test that runs in an event loop with tables of its own."""

    def run(tmp_path: Path) -> None:
        async def go() -> None:
            async with tables_of(tmp_path) as tables:
                await test(tables)

        asyncio.run(go())

    run.__name__ = test.__name__
    return run


@in_loop
async def test_a_game_is_kept_with_its_names_and_notes(tables):
    game, _ = await library.bring_in(tables, {"text": json.dumps(document())})
    await tables.put_aside(0)
    found = await library.document(tables, game)
    assert (found["kind"], found["palette"], found["turns"]) == ("import", "hanab.live", 12)
    assert (found["names"], found["status"], found["deal"]) == (NAMES, "running", None)
    assert (found["parent"], found["branches"]) == (None, [])
    assert found["rules"]["players"] == 2
    exported = json.loads(await library.export(tables, game, "json"))
    assert (exported["players"], exported["notes"]) == (NAMES, NOTES)
    assert parse_replay(await library.export(tables, game, "text")) == GAME
    again = read_import({"text": json.dumps(exported)})
    assert (again.names, [list(texts) for texts in again.notes]) == (tuple(NAMES), NOTES)


@in_loop
async def test_every_way_a_game_can_end_is_kept(tables):
    given_up = played(turns=5)
    given_up.apply(GIVE_UP)
    games = [Game.parse(file.read_text()) for file in sorted(GOLDEN.glob("*.txt"))]
    for game in (given_up, Game(Rules(players=3)), *games):
        brought, _ = await library.bring_in(tables, {"text": game.to_text()})
        await tables.put_aside(0)
        live = await tables.finished(brought)
        assert live.table.game == game
        assert live.table.game.status == game.status
        assert live.table.phase == OVER
    assert await tables.recent() == []
    listed = await tables.recent(imports=True, only_over=True)
    assert {(table["kind"], table["phase"]) for table in listed} == {("import", "over")}


@in_loop
async def test_a_game_that_is_here_is_not_brought_in_again(tables):
    async def bring(text: str) -> tuple[str, bool]:
        return await library.bring_in(tables, {"text": text})

    named = json.dumps(document())
    game, is_known = await bring(named)
    assert not is_known
    await tables.put_aside(0)
    for same in (named, GAME.to_text(), replay_url(GAME), json.dumps(document(notes=[]))):
        assert await bring(same) == (game, True)
    # Other names, another note, fewer moves: what nobody has brought yet.
    others = [document(players=["Ann", "Bob"]), document(notes=[["r2"], []]),
              document(actions=document()["actions"][:-1])]  # fmt: skip
    for other in map(json.dumps, others):
        found, is_known = await bring(other)
        assert not is_known and found != game
        assert await bring(other) == (found, True)
    plain, is_known = await bring(played(turns=3).to_text())
    assert not is_known
    assert await bring(json.dumps(to_json(played(turns=3), ["Ann", "Ben"]))) != (plain, True)


@in_loop
async def test_nobody_sits_at_an_imported_game(tables):
    game, _ = await library.bring_in(tables, {"text": GAME.to_text()})
    live = await tables.finished(game)
    for token in ("", "a" * 22, None):
        role = live.role_of(token)
        assert (role.seat, role.is_host) == (None, False)


# Positions.


@in_loop
async def test_positions_show_all_faces_or_those_of_a_seat(tables):
    game, _ = await library.bring_in(tables, {"text": json.dumps(document())})
    for seat in (None, 0, 1):
        query = {"from": "0", "to": "12", **({} if seat is None else {"seat": str(seat)})}
        views = json.loads(await library.views(tables, game, query))["views"]
        assert [view["turn"] for view in views] == list(range(13))
        for view in views:
            assert "past" not in view
            assert view["now"] == view["turn"]  # how long the game is, is not said
            record = GAME.at(view["turn"]).record
            for holder, hand in enumerate(view["hands"]):
                shown = [slot["card"] for slot in hand]
                cards = record.card[holder, :5].tolist()
                assert shown == ([None] * 5 if holder == seat else cards)
            assert (view["last"] is None) == (view["turn"] == 0)
    assert [view["mover"] for view in views[:3]] == [0, 1, 0]
    words = json.dumps(views)
    assert "white" not in words and ("purple" in words or "blue" in words)


@in_loop
async def test_positions_are_those_of_the_table_whatever_part_is_asked_for(tables):
    game, _ = await library.bring_in(tables, {"text": Game.parse(
        (GOLDEN / "five-players.txt").read_text()).to_text()})  # fmt: skip
    turns = (await library.document(tables, game))["turns"]
    whole = []
    for first in range(0, turns + 1, 40):
        last = min(first + 39, turns)
        query = {"from": str(first), "to": str(last)}
        whole += json.loads(await library.views(tables, game, query))["views"]
    assert len(whole) == turns + 1
    for turn in (0, 1, turns // 2, turns):
        query = {"from": str(turn), "to": str(turn)}
        assert json.loads(await library.views(tables, game, query))["views"] == [whole[turn]]


@pytest.mark.parametrize(("query", "place"), [
    ({"from": "-1"}, "from"), ({"from": "13"}, "from"), ({"from": "x"}, "from"),
    ({"from": "²"}, "from"), ({"from": ""}, "from"), ({"from": "9" * 5000}, "from"),
    ({"to": "13"}, "to"), ({"from": "3", "to": "2"}, "to"), ({"seat": "2"}, "seat"),
    ({"seat": ""}, "seat"),
])  # fmt: skip
def test_bad_ranges_are_refused(tmp_path, query, place):
    async def ask(tables: Tables) -> None:
        game, _ = await library.bring_in(tables, {"text": GAME.to_text()})
        with pytest.raises(Refusal) as caught:
            await library.views(tables, game, query)
        assert (caught.value.status, caught.value.place) == (400, place)

    in_loop(ask)(tmp_path)


# Over HTTP.


@pytest.fixture(scope="module")
def http(served):
    with httpx.Client(base_url=served.address, timeout=60) as client:
        yield client


def post(http: httpx.Client, body: object, **headers: str) -> httpx.Response:
    head = {"X-Tamaya": "1", "Content-Type": "application/json", **headers}
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return http.post("/api/games", content=content, headers=head)


@needs_engines
def test_a_game_is_posted_and_fetched(http):
    answer = post(http, {"text": json.dumps(document(players=["Maria", "Ben"]))})
    assert (answer.status_code, answer.json()["known"]) == (201, False)
    address = f"/api/games/{answer.json()['id']}"
    assert http.get(address).json()["names"] == ["Maria", "Ben"]
    views = http.get(f"{address}/views", params={"from": 2, "to": 3, "seat": 1}).json()["views"]
    assert [view["turn"] for view in views] == [2, 3]
    assert http.get(f"{address}/views", params={"to": 99}).json()["error"]["place"] == "to"
    assert http.get(f"{address}/export?as=json").json()["notes"] == NOTES
    assert http.get(f"/g/{answer.json()['id']}").status_code == 200
    again = post(http, {"text": json.dumps(document(players=["Maria", "Ben"]))})
    assert (again.status_code, again.json()) == (200, {**answer.json(), "known": True})
    listed = http.get("/api/tables?over").json()["tables"]
    (found,) = (table for table in listed if table["id"] == answer.json()["id"])
    assert (found["kind"], found["names"], found["phase"]) == ("import", ["Maria", "Ben"], "over")
    assert all(table["phase"] == "over" for table in listed)


@needs_engines
@pytest.mark.parametrize(("body", "status", "place"), [
    (b"", 400, "line 1, column 1"),
    (b"\xff\xfe", 400, "body"),
    (b"[" * 100_000, 400, "body"),
    (b'{"text": "a", "text": "b"}', 400, "body"),
    (b'{"text": "\\ud800"}', 400, "text"),
    (json.dumps({"text": "x" * (1 << 20)}).encode(), 413, "body"),
    (json.dumps({"text": "{" + " " * 1_000_000}).encode(), 400, "line 1, column 2"),
    (json.dumps({"text": changed("actions.5", {"type": 4})}).encode(), 400, "actions[5].target"),
])  # fmt: skip
def test_hostile_imports_get_an_error_with_a_place(http, body, status, place):
    answer = post(http, body)
    assert (answer.status_code, answer.json()["error"]["place"]) == (status, place)


@needs_engines
def test_running_games_have_no_positions(http, served):
    table = served.open("Ann", "piers")["id"]
    for path in ("", "/views", "/views?seat=0", "/export"):
        answer = http.get(f"/api/games/{table}{path}")
        assert (answer.status_code, answer.json()["error"]["code"]) == (409, "forbidden")
