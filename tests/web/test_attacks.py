"""Hostile users of reviews, deals, lines, the lab and the report, at a server in this process."""

import asyncio
import json
from contextlib import AsyncExitStack
from threading import current_thread, main_thread
from time import process_time
from typing import Any

import pytest

from inside import KEY, Frame, Inside, inside
from lab_runs import write_runs
from tabling import FAST, Person, in_loop, opened, tables_of
from tamaya.game import Game
from tamaya.replays import to_json
from tamaya.replays.fields import load_json
from tamaya.replays.notes import MAX_NOTE, parse_note
from tamaya.rules import Rules
from tamaya.web import guests, live
from tamaya.web.comparisons import DealJob
from tamaya.web.events import TableError
from tamaya.web.guard import Limits
from tamaya.web.journal import MOST_BRANCHES
from tamaya.web.notes import LONGEST_NOTES
from tamaya.web.reports import MadeReport

SMALL = "players=2 colours=2 ranks=3 hand_size=3 lives=1"
ANN, BOT, FREE = (
    {"kind": "person", "name": "Ann"},
    {"kind": "agent", "agent": "piers"},
    {"kind": "open"},
)
TWO = {"seats": [ANN, BOT], "options": FAST}
HELD = {"X_Tamaya_Key": KEY}


def game_of(rules: str = SMALL, seed: int = 3) -> Game:
    """A game that is soon over."""
    game = Game(Rules.parse(rules), seed)
    while not game.is_over:
        game.apply(game.legal_moves[-1])
    return game


async def brought(server: Inside, text: str = "", **headers: str) -> str:
    """The id of a game that was imported."""
    answer = await server.ask("/api/games", {"text": text or game_of().to_text()}, **headers)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


async def play(server: Inside, table: Frame) -> None:
    """Play to the end in the seat of a token."""
    async with server.socket(
        {"type": "hello", "table": table["id"], "token": table["token"]}
    ) as tab:
        view = await tab.until("view")
        while view["phase"] != "over":
            if view["legal"]:
                view = await tab.ask("move", turn=view["turn"], move=view["legal"][-1])
            else:
                view = await tab.until("view")


async def attempt(server: Inside, deal: str, token: str = "", seats: Any = None) -> Frame:
    """A table for a deal."""
    wished = {**TWO, "seats": seats or TWO["seats"]}
    answer = await server.ask(f"/api/deals/{deal}/play", wished, X_Tamaya_Token=token, **HELD)
    assert answer.status_code == 201, answer.text
    found: Frame = answer.json()
    return found


async def deal_of(server: Inside, **order: Any) -> tuple[str, Frame]:
    """A deal made of a game that somebody has played, and the table of that game."""
    answer = await server.ask("/api/tables", {**TWO, "rules": SMALL, **order}, **HELD)
    table = answer.json()
    await play(server, table)
    path = f"/api/games/{table['id']}/deal"
    found = await server.ask(path, {}, X_Tamaya_Token=table["token"])
    assert found.status_code == 201, found.text
    return found.json()["id"], table


# Notes.


def test_no_note_takes_long_to_read():
    """All that one game can bring along, one bracket after the other."""
    since = process_time()
    for _ in range(250):
        parse_note(Rules(players=5), "[" * MAX_NOTE)
    assert process_time() - since < 2.0


@in_loop
async def test_the_notes_of_an_imported_game_have_so_many_bytes(folder):
    game = game_of("players=5")
    async with inside(folder) as server:
        for size, status in ((MAX_NOTE, 400), (LONGEST_NOTES // 250, 201)):
            notes = [["x" * size] * 50] * 5
            document = to_json(game, ["Ann", "Ben", "Cho", "Dan", "Eve"], notes)
            answer = await server.ask("/api/games", {"text": json.dumps(document)})
            assert answer.status_code == status, answer.text
            if status == 400:
                assert answer.json()["error"]["place"] == "notes[1][0]"


@in_loop
async def test_a_note_is_told_though_a_reader_goes_away(folder):
    async with inside(folder) as server:
        game = await brought(server)
        async with AsyncExitStack() as stack:
            review = {"type": "review", "game": game}
            writer, *readers = [
                await stack.enter_async_context(server.socket(review)) for _ in range(6)
            ]
            for tab in (writer, *readers):
                await tab.until("reviewing")
            for reader in readers[::2]:  # before the server hears of the note, or while it tells
                reader._in.put_nowait({"type": "websocket.disconnect", "code": 1000})
            reply = await writer.ask("note", turn=0, text="hm", name="Zoë")
            assert reply["type"] == "notes", reply
            assert (await readers[1].until("notes"))["notes"] == reply["notes"]


# Deals.


@in_loop
async def test_who_has_no_key_and_did_not_play_lets_nobody_work(folder):
    async with inside(folder, KEY) as server:
        game = await brought(server, **HELD)
        refused = await server.ask(f"/api/games/{game}/deal", {})
        assert (refused.status_code, refused.json()["error"]["code"]) == (403, "forbidden")
        deal = (await server.ask(f"/api/games/{game}/deal", {}, **HELD)).json()["id"]
        results = f"/api/deals/{deal}/results"
        assert (await server.ask(results)).status_code == 403
        assert (await server.ask(results, **HELD)).json()["state"] == "working"
        assert (await server.ask(results)).json()["state"] == "working"  # others have begun it
        own, table = await deal_of(server)
        answer = await server.ask(f"/api/deals/{own}/results", X_Tamaya_Token=table["token"])
        assert answer.json()["state"] == "working"  # who was invited, say


@in_loop
async def test_who_opened_an_attempt_and_left_has_not_played(folder):
    """Agents play the deal; whoever let them is not told what it was."""
    async with inside(folder) as server:
        deal, _ = await deal_of(server)
        table = await attempt(server, deal, seats=[ANN, FREE])
        hello = {"type": "hello", "table": table["id"], "token": table["token"]}
        async with server.socket(hello) as tab:
            await tab.until("view")
            await tab.ask("leave")
            await tab.ask("fill", seat=0, agent="piers")
            with pytest.raises(ConnectionError, match="1012"):
                await tab.ask("fill", seat=1, agent="piers")
                await tab.until("over")
        live = await server.tables.get(table["id"])
        assert live is not None
        while live.table.phase != "over":
            await asyncio.sleep(0.01)
        for path in ("", "/views", "/export?as=text"):
            answer = await server.ask(f"/api/games/{table['id']}{path}",
                                      X_Tamaya_Token=table["token"])  # fmt: skip
            assert answer.status_code == 409, path
        async with server.socket(hello) as tab:
            assert (await tab.hear())["code"] == "unplayed"
        # Who stays plays the deal, whatever becomes of the seat.
        table = await attempt(server, deal)
        await play(server, table)
        answer = await server.ask(f"/api/games/{table['id']}", X_Tamaya_Token=table["token"])
        assert answer.status_code == 200


@in_loop
async def test_agents_that_fail_at_a_deal_are_not_asked_for_ever(folder):
    async with inside(folder) as server:
        deal, table = await deal_of(server)
        asked = []

        def submit(job: DealJob) -> None:
            asked.append(job)
            job.hear({"error": ["unavailable", "agent 'x' is gone", ""]})

        server.tables.reviews.analyses.submit = submit  # type: ignore[method-assign, assignment]
        for _ in range(3):
            path = f"/api/deals/{deal}/results"
            found = await server.ask(path, X_Tamaya_Token=table["token"])
            assert found.json() == {"state": "failed", "text": "agent 'x' is gone"}
        assert len(asked) == 1


@in_loop
async def test_two_servers_with_one_store_hide_the_same(folder):
    async with inside(folder) as one, inside(folder) as other:
        today = [(await server.ask("/api/deals/today")).json() for server in (one, other)]
        assert today[0] == today[1] and today[0]["kind"] == "day"
        before = (await one.ask("/api/tables", {**TWO, "rules": SMALL})).json()
        await play(one, before)
        game = f"/api/games/{before['id']}"
        assert (await other.ask(game)).status_code == 200
        watching = {"type": "hello", "table": before["id"]}
        deal = await one.ask(f"{game}/deal", {}, X_Tamaya_Token=before["token"])
        for server in (one, other):
            assert (await server.ask(game)).status_code == 409
            assert before["id"] not in (await server.ask("/api/tables")).text
            async with server.socket(watching) as tab:
                assert (await tab.hear())["code"] == "unplayed"
            answer = await server.ask(f"/api/deals/{deal.json()['id']}")
            assert answer.status_code == 200
            assert (await server.ask(game, X_Tamaya_Token=before["token"])).status_code == 200


async def is_told_chosen(server: Inside, table: Frame) -> bool:
    """Whether a guest is told that the host may know the cards."""
    hello = {"type": "hello", "table": table["id"], "invite": table["invite"]}
    async with server.socket(hello) as guest:
        return bool((await guest.until("welcome"))["chosen_deal"])


@in_loop
async def test_guests_are_told_whenever_the_host_may_know_the_cards(folder):
    async with inside(folder) as server:
        with_guest = [ANN, FREE]
        deal, table = await deal_of(server)
        assert not await is_told_chosen(server, await attempt(server, deal, seats=with_guest))
        again = await attempt(server, deal, table["token"], seats=with_guest)
        assert again["seen"] and await is_told_chosen(server, again)
        # Somebody named the seed of the game that the deal is made of.
        deal, _ = await deal_of(server, seed=5)
        assert await is_told_chosen(server, await attempt(server, deal, seats=with_guest))
        game = await brought(server)
        wished = {"turn": 0, "seats": with_guest}
        line = (await server.ask(f"/api/games/{game}/branch", wished)).json()
        assert await is_told_chosen(server, line)


# Analyses.


@in_loop
async def test_strangers_do_not_keep_others_from_analysing(folder):
    """Who has no key hears what is known, and waits for that among others without a key."""
    async with inside(folder, KEY) as server, AsyncExitStack() as stack:
        game = await brought(server, **HELD)
        analyses = server.tables.reviews.analyses
        analyses.wake = lambda: None  # type: ignore[method-assign]  # nothing is ever done
        codes = []
        for k in range(12):
            review = {"type": "review", "game": game}
            socket = server.socket(review, address=f"10.0.1.{k}")
            stranger = await stack.enter_async_context(socket)
            codes.append((await stranger.ask("analyse", to=k)).get("code"))
        assert codes == [None] * 8 + ["busy"] * 4
        socket = server.socket({"type": "review", "game": game, "key": KEY})
        friend = await stack.enter_async_context(socket)
        begun = await friend.ask("analyse")
        assert (begun["type"], begun["waiting"]) == ("analysing", 0)


# Imports.


@in_loop
async def test_imports_are_counted_before_they_are_read_and_read_beside_the_event_loop(folder):
    readers: list[bool] = []

    def read(text: str) -> object:
        readers.append(current_thread() is main_thread())
        return load_json(text)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tamaya.replays.fields.load_json", read)
        async with inside(folder, limits=Limits(2, 10**3, 10**6, 10**6)) as server:
            for status in (400, 400, 429):
                answer = await server.ask("/api/games", {"text": ["x"] * 10**5})
                assert answer.status_code == status
    assert readers == [False, False]


# Tables that go on for ever.


@in_loop
async def test_a_table_has_so_many_events_and_its_game_can_still_end(folder):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(live, "MOST_EVENTS", 12)
        async with tables_of(folder) as tables:
            table = await opened(tables, "Ann", "smartbot", rules="players=2 lives=10")
            ann = await Person.at(tables, table["id"], table["token"])
            refused = ""
            for _ in range(20):
                await ann.move()
                try:
                    await ann.ask("undo", turn=ann.live.table.turn)
                except TableError as error:
                    refused = error.code
                    break
            assert refused == "busy"
            with pytest.raises(TableError, match="too much has happened"):
                await ann.ask("sit", seat=0, name="Anna")
            await ann.ask("fill", seat=1, agent="piers")
            await ann.play_on()
            assert ann.live.table.phase == "over"
            await tables.put_aside(0)
            again = await tables.finished(table["id"], table["token"])
            assert again.table.game == ann.live.table.game


# Lines.


@in_loop
async def test_a_line_is_not_changed_behind_the_back_of_who_is_away(folder):
    async with inside(folder) as server:
        game = await brought(server)
        wished = {"turn": 0, "seats": [ANN, FREE]}
        line = (await server.ask(f"/api/games/{game}/branch", wished)).json()
        hello = {"type": "hello", "table": line["id"]}
        async with server.socket({**hello, "token": line["token"]}) as ann:
            async with server.socket({**hello, "invite": line["invite"]}) as ben:
                await ben.until("view")
                await ben.ask("sit", seat=1, name="Ben")
            await ann.until("view")
            await ann.ask("fill", seat=1, agent="piers")
            for frame in ({"type": "back"}, {"type": "morph", "order": 3, "card": 0}):
                reply = await ann.ask(**frame)
                assert reply["text"] == "others have a seat here: nothing can be changed", reply


@in_loop
async def test_of_many_lines_the_newest_are_told(folder):
    async with inside(folder) as server:
        game = await brought(server)
        for _ in range(MOST_BRANCHES + 3):
            wished = {"turn": 0, "seats": [ANN, FREE]}
            last = (await server.ask(f"/api/games/{game}/branch", wished)).json()["id"]
        told = (await server.ask(f"/api/games/{game}")).json()["branches"]
        assert len(told) == MOST_BRANCHES and told[-1]["id"] == last


# The report and the lab.


@in_loop
async def test_a_game_of_the_report_that_two_ask_for_is_taken_in_once(folder):
    async with inside(folder) as server:
        game = game_of()
        found = {"agents": ["piers", "piers"], "seed": 3, "number": 0, "text": game.to_text()}
        server.app.lobby.reports._made = MadeReport((0, 0), "", {"a" * 16: found})
        wish = {"game": "a" * 16}
        answers = await asyncio.gather(*(server.ask("/api/report/games", wish) for _ in range(4)))
        assert [answer.status_code for answer in answers] == [201] * 4
        assert (await server.ask(f"/api/games/{'a' * 16}")).json()["score"] == game.score


@in_loop
async def test_rule_lists_of_the_lab_are_read_beside_the_event_loop(folder):
    readers: list[bool] = []
    admit = guests.GuestList.admit

    def slowly(*arguments: Any) -> str:
        readers.append(current_thread() is main_thread())
        return admit(*arguments)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(guests.GuestList, "admit", slowly)
        async with inside(folder, runs=write_runs(folder / "runs")) as server:
            wish = {"run": "rules", "list": "all finalist 1", "players": 2, "rules": "LegalRandom"}
            assert (await server.ask("/api/lab/fires", wish)).status_code == 200
    assert readers == [False]
