"""Live tables: written before told, resumed, paced, stuck, shared, left and put aside."""

import asyncio
import json
import sqlite3
from contextlib import suppress
from time import monotonic
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError

from tabling import (
    PATIENCE,
    Frame,
    Person,
    ScriptedEngines,
    in_loop,
    opened,
    tables_of,
    until,
)
from tamaya.moves import move_text
from tamaya.replays import parse_replay
from tamaya.store.database import StoreError
from tamaya.web import exchange, library
from tamaya.web.engines import EngineError
from tamaya.web.events import OVER, PLAYING, WAITING, TableError
from tamaya.web.guard import House, Refusal
from tamaya.web.journal import END
from tamaya.web.messages import dump, parse_frame
from tamaya.web.rates import Places, Rate
from tamaya.web.sight import view_frame
from tamaya.web.socket import Socket
from tamaya.web.tab import Tab
from tamaya.web.tables import Tables

# Written, then told.


@in_loop
async def test_nobody_hears_of_a_move_that_is_not_written(folder):
    async with tables_of(folder) as tables:
        table = await opened(tables, "Ann", "smartbot")
        ann = await Person.at(tables, table["id"], table["token"])
        watcher = await Person.at(tables, table["id"])
        append, is_free = tables.writer.append, asyncio.Event()

        async def slowly(*arguments: Any) -> None:
            await is_free.wait()
            await append(*arguments)

        tables.writer.append = slowly  # type: ignore[method-assign]
        watcher.heard()
        moving = asyncio.create_task(ann.move())
        await asyncio.sleep(0.05)
        assert not moving.done()
        assert watcher.heard() == []
        assert ann.live.table.turn == 0
        is_free.set()
        assert (await moving)["turn"] == 1
        assert (await watcher.hear("view"))["turn"] == 1


@in_loop
async def test_a_table_that_cannot_be_written_is_loaded_again(folder):
    async with tables_of(folder) as tables:
        table = await opened(tables, "Ann", None)
        ann = await Person.at(tables, table["id"], table["token"])
        ben = await Person.at(tables, table["id"], invite=table["invite"])
        await ben.ask("sit", seat=1, name="Ben")
        append = tables.writer.append

        async def fail(*arguments: Any) -> None:
            await append(*arguments)  # it is written, but the answer is lost
            raise StoreError("store x: gone")

        tables.writer.append = fail  # type: ignore[method-assign]
        with pytest.raises(StoreError):
            await ann.move()
        await asyncio.sleep(0)  # who asked is answered first
        assert ann.heard()[-1] == ben.heard()[-1] == 1012
        tables.writer.append = append  # type: ignore[method-assign]
        again = await Person.at(tables, table["id"], table["token"])
        assert again.live is not ann.live
        assert again.live.table.turn == 1


# Resumed.


@in_loop
async def test_a_new_server_goes_on_where_the_old_one_was(folder):
    engines = ScriptedEngines()
    async with tables_of(folder, engines) as tables:
        table = await opened(tables, "Ann", "smartbot", "piers", seed=11)
        ann = await Person.at(tables, table["id"], table["token"])
        for _ in range(3):
            await ann.move()
        await until(lambda: ann.live.table.game.mover == 1)
        engines.open.clear()  # killed while the first agent thinks
    engines = ScriptedEngines()
    async with tables_of(folder, engines) as tables:
        ann = await Person.at(tables, table["id"], table["token"])
        assert ann.tab.role.seat == 0
        assert ann.tab.role.is_host
        await ann.play_on()
        first = engines.questions[0]
        assert (first.seat, first.memory, first.memory_turn) == (1, b"\x01\x04", 5)
        resumed = ann.live.table.game
    async with tables_of(folder / "other") as tables:
        other = await opened(tables, "Ann", "smartbot", "piers", seed=11)
        ann = await Person.at(tables, other["id"], other["token"])
        for _ in range(3):
            await ann.move()
        await ann.play_on()
        assert ann.live.table.game == resumed


@in_loop
async def test_an_end_that_was_not_written_is_written_later(folder):
    async with tables_of(folder) as tables:
        table = await opened(tables, "Ann", "smartbot")
        ann = await Person.at(tables, table["id"], table["token"])

        async def crash() -> None:
            raise StoreError("killed between the last move and the end")

        ann.live.end = crash  # type: ignore[method-assign]
        with suppress(StoreError):  # if the last move is not the agent's
            await ann.play_on()
        ann.live.lose()
        await tables.get(table["id"])
        _, entries = tables.journal.load(table["id"])
        assert entries[-1].event.kind == END
        await tables.get(table["id"])
        assert len(tables.journal.load(table["id"])[1]) == len(entries)


@in_loop
async def test_tables_that_nobody_looks_at_are_put_aside(folder):
    async with tables_of(folder) as tables:
        table = await opened(tables, "Ann", "smartbot")
        ann = await Person.at(tables, table["id"], table["token"])
        await ann.move()
        await tables.put_aside(0)
        assert tables.n_live == 1
        ann.live.part(ann.tab)
        await tables.put_aside(1800)
        assert tables.n_live == 1
        await tables.put_aside(0)
        assert tables.n_live == 0
        again = await Person.at(tables, table["id"], table["token"])
        await again.move()
        assert again.live.table.turn >= 3
        assert tables.n_live == 1


@in_loop
async def test_tables_that_many_ask_for_are_loaded_once(folder):
    async with tables_of(folder) as tables:
        table = await opened(tables, "Ann", "smartbot")
        await tables.put_aside(0)
        found = await asyncio.gather(*(tables.get(table["id"]) for _ in range(10)))
        assert len({id(live) for live in found}) == 1
        assert await tables.get("a" * 16) is None


# Agents.


@in_loop
async def test_agents_answer_at_the_pace_of_the_table(folder):
    async with tables_of(folder) as tables:
        table = await opened(tables, "Ann", "smartbot", options={"pace_ms": 300})
        ann = await Person.at(tables, table["id"], table["token"])
        ann.heard()
        await ann.move()
        started = monotonic()
        assert (await ann.hear("view"))["turn"] == 2
        assert monotonic() - started >= 0.29


@in_loop
async def test_an_agent_that_fails_is_stuck_until_the_host_chooses_another(folder):
    engines = ScriptedEngines()
    engines.failing["smartbot"] = EngineError("stuck", "agent 'smartbot' took too long", "secret")
    async with tables_of(folder, engines) as tables:
        table = await opened(tables, "Ann", "smartbot")
        ann = await Person.at(tables, table["id"], table["token"])
        ann.heard()
        await ann.move()
        seats = (await ann.hear("seats"))["seats"]
        assert seats[1]["stuck"].startswith("agent 'smartbot' took too long; its error")
        assert "server's log" in seats[1]["stuck"] and "secret" not in seats[1]["stuck"]
        await asyncio.sleep(0.05)
        assert len(engines.questions) == 1
        reply = await ann.ask("fill", seat=1, agent="piers")
        assert reply["seats"][1]["agent"] == "piers"
        assert reply["seats"][1]["stuck"] is None
        await until(lambda: ann.live.table.turn == 2)
        assert [question.agent for question in engines.questions] == ["smartbot", "piers"]


@in_loop
async def test_who_sees_all_hands_reads_why_an_agent_is_stuck(folder):
    engines = ScriptedEngines()
    engines.failing["smartbot"] = EngineError("fault", "agent 'smartbot' failed", "KeyError: R1")
    async with tables_of(folder, engines) as tables:
        table = await opened(tables, "smartbot", "piers")
        watcher = await Person.at(tables, table["id"], table["token"])
        seats = (await watcher.hear("seats"))["seats"]
        while seats[0]["stuck"] is None:
            seats = (await watcher.hear("seats"))["seats"]
        assert seats[0]["stuck"] == "agent 'smartbot' failed: KeyError: R1"


@in_loop
async def test_what_was_thought_of_a_position_that_is_gone_is_not_played(folder):
    engines = ScriptedEngines()
    async with tables_of(folder, engines) as tables:
        table = await opened(tables, "Ann", "smartbot")
        ann = await Person.at(tables, table["id"], table["token"])
        engines.open.clear()
        await ann.move(0)
        await until(lambda: len(engines.questions) == 1)
        back = await ann.ask("undo", turn=1)
        assert (back["type"], back["turn"]) == ("view", 0)
        await ann.move(1)
        await until(lambda: len(engines.questions) == 2)
        engines.open.set()
        await until(lambda: ann.live.table.turn == 2)
        first, second = engines.questions
        assert first.position.moves != second.position.moves
        assert ann.live.table.game.moves[0] == second.position.moves[0]


@in_loop
async def test_undo_gives_an_agent_its_old_memory_back(folder):
    engines = ScriptedEngines()
    async with tables_of(folder, engines) as tables:
        table = await opened(tables, "Ann", "smartbot", rules="players=2 lives=99")
        ann = await Person.at(tables, table["id"], table["token"])
        for _ in range(3):
            await ann.move()
        await until(lambda: ann.live.table.turn == 6)
        game = ann.live.table.game
        assert (await ann.ask("undo", turn=6))["turn"] == 4
        await ann.move()
        await until(lambda: ann.live.table.turn == 6)
        assert ann.live.table.game == game
        assert engines.questions[-1] == engines.questions[-2]
        assert ann.live.table.undos == 1


@in_loop
async def test_agents_among_themselves_play_while_somebody_watches(folder):
    engines = ScriptedEngines()
    async with tables_of(folder, engines) as tables:
        table = await opened(tables, "smartbot", "piers", options={"pace_ms": 0})
        live = await tables.get(table["id"])
        await asyncio.sleep(0.05)
        assert engines.questions == []
        watcher = await Person.at(tables, table["id"])
        await until(lambda: live.table.turn > 3)
        live.part(watcher.tab)
        await asyncio.sleep(0.02)
        turn = live.table.turn
        await asyncio.sleep(0.05)
        assert live.table.turn == turn
        live.introduce(watcher.tab, None, None)
        await until(lambda: live.table.phase == OVER)


@in_loop
async def test_the_host_of_a_watch_table_stops_steps_and_sets_the_pace(folder):
    async with tables_of(folder) as tables:
        table = await opened(tables, "smartbot", "piers", options={"pace_ms": 100})
        host = await Person.at(tables, table["id"], table["token"])
        guest = await Person.at(tables, table["id"])
        reply = await host.ask("pause", on=True)
        assert reply["type"] == "welcome" and reply["options"]["paused"]
        assert (await guest.hear("welcome"))["options"]["paused"]
        for frame in (
            {"type": "pause", "on": False},
            {"type": "step"},
            {"type": "pace", "ms": 100},
        ):
            with pytest.raises(TableError) as refused:
                await guest.ask(**frame)
            assert refused.value.code == "forbidden"
        await asyncio.sleep(0.15)
        turn = host.live.table.turn
        for k in range(1, 4):
            assert (await host.ask("step"))["type"] == "view"
            await until(lambda k=k: host.live.table.turn == turn + k)
        await asyncio.sleep(0.15)
        assert host.live.table.turn == turn + 3
        assert (await host.ask("pace", ms=200))["options"]["pace_ms"] == 200
        await host.ask("pause", on=False)
        await until(lambda: host.live.table.turn > turn + 3)


# Seats.


@in_loop
async def test_who_is_invited_sits_down_and_gets_a_token(folder):
    async with tables_of(folder) as tables:
        table = await opened(tables, "Ann", None)
        ann = await Person.at(tables, table["id"], table["token"])
        assert ann.live.table.phase == WAITING
        stranger = await Person.at(tables, table["id"])
        with pytest.raises(TableError) as refused:
            await stranger.ask("sit", seat=1, name="Eve")
        assert refused.value.code == "forbidden"
        ben = await Person.at(tables, table["id"], invite=table["invite"])
        with pytest.raises(TableError) as refused:
            await ben.ask("sit", seat=0, name="Ben")
        assert refused.value.code == "taken"
        welcome = await ben.ask("sit", seat=1, name="Ben")
        assert (welcome["type"], welcome["seat"], welcome["phase"]) == ("welcome", 1, "playing")
        assert len(welcome["token"]) == 22
        again = await Person.at(tables, table["id"], welcome["token"])
        assert again.tab.role.seat == 1
        assert not again.tab.role.is_host
        seats = (await ann.hear("seats"))["seats"]
        assert [seat["name"] for seat in seats] == ["Ann", "Ben"]
        assert (await ann.hear("view"))["legal"]


@in_loop
async def test_a_token_opens_its_own_table_alone(folder):
    async with tables_of(folder) as tables:
        table, other = await opened(tables, "Ann", "piers"), await opened(tables, "Ben", "piers")
        eve = await Person.at(tables, table["id"], other["token"])
        assert (eve.tab.role.seat, eve.tab.role.is_host) == (None, False)
        eve = await Person.at(tables, table["id"], table["invite"])  # an invite is no token
        assert eve.tab.role.seat is None


@in_loop
async def test_two_tabs_on_a_seat_are_mirrors(folder):
    async with tables_of(folder) as tables:
        table = await opened(tables, "Ann", None)
        left = await Person.at(tables, table["id"], table["token"])
        ben = await Person.at(tables, table["id"], invite=table["invite"])
        await ben.ask("sit", seat=1, name="Ben")
        right = await Person.at(tables, table["id"], table["token"])
        await asyncio.sleep(0)
        assert [frame["seats"][0]["tabs"] for frame in left.heard() if frame["type"] == "seats"][
            -1
        ] == 2
        right.heard()
        made = await left.move()
        assert {**await right.hear("view")} == made
        again = await right.ask("move", turn=0, move=made["last"]["move"])  # at the same moment
        assert again["turn"] == 1
        with pytest.raises(TableError) as refused:
            await right.ask("move", turn=0, move="p4" if made["last"]["move"] != "p4" else "p3")
        assert refused.value.code == "stale"


@in_loop
async def test_who_is_away_is_replaced_by_the_host_and_comes_back(folder):
    async with tables_of(folder) as tables:
        options = {"pace_ms": 1000}
        table = await opened(tables, "Ann", None, "piers", options=options)
        ann = await Person.at(tables, table["id"], table["token"])
        ben = await Person.at(tables, table["id"], invite=table["invite"])
        token = (await ben.ask("sit", seat=1, name="Ben"))["token"]
        await ann.move()
        with pytest.raises(TableError) as refused:
            await ann.ask("fill", seat=1, agent="smartbot")
        assert refused.value.code == "taken"
        ann.heard()
        ben.live.part(ben.tab)
        seat = (await ann.hear("seats"))["seats"][1]
        assert (seat["present"], seat["tabs"]) == (False, 0)
        assert seat["away"] >= 1
        await ann.ask("fill", seat=1, agent="smartbot")
        await until(lambda: ann.live.table.turn == 3)
        ben = await Person.at(tables, table["id"], token)
        assert ben.tab.role.seat == 1
        await ann.move()
        with pytest.raises(TableError) as refused:
            await ben.ask("move", turn=4, move="p0")
        assert refused.value.code == "not_your_turn"
        assert (await ben.ask("sit", seat=1, name="Ben"))["token"] is None
        assert (await ben.move())["turn"] == 5


@in_loop
async def test_a_seat_that_was_left_before_the_game_is_free(folder):
    async with tables_of(folder) as tables:
        table = await opened(tables, "Ann", None, None)
        ben = await Person.at(tables, table["id"], invite=table["invite"])
        token = (await ben.ask("sit", seat=1, name="Ben"))["token"]
        welcome = await ben.ask("leave")
        assert (welcome["role"], welcome["seat"]) == ("watcher", None)
        assert (await Person.at(tables, table["id"], token)).tab.role.seat is None
        cho = await Person.at(tables, table["id"], invite=table["invite"])
        assert (await cho.ask("sit", seat=1, name="Cho"))["seat"] == 1


@in_loop
async def test_the_host_starts_with_agents_in_the_open_seats(folder):
    async with tables_of(folder) as tables:
        table = await opened(tables, "Ann", None, None)
        ann = await Person.at(tables, table["id"], table["token"])
        with pytest.raises(TableError) as refused:
            await ann.ask("move", turn=0, move="p0")
        assert refused.value.code == "waiting"
        await ann.ask("fill", seat=1, agent="piers")
        assert ann.live.table.phase == WAITING
        assert (await ann.ask("start"))["type"] == "seats"
        assert ann.live.table.phase == PLAYING


@in_loop
async def test_people_agree_to_take_a_move_back(folder):
    async with tables_of(folder) as tables:
        table = await opened(tables, "Ann", None)
        ann = await Person.at(tables, table["id"], table["token"])
        ben = await Person.at(tables, table["id"], invite=table["invite"])
        await ben.ask("sit", seat=1, name="Ben")
        await ann.move()
        ben.heard()
        assert (await ann.ask("undo", turn=1))["type"] == "asked"
        assert (await ben.hear("asked"))["by"] == 0
        await ben.ask("agree", yes=False)
        ann.heard()
        await ann.ask("undo", turn=1)
        ann.heard()
        assert (await ben.ask("agree", yes=True))["type"] == "view"
        assert (await ann.hear("view"))["turn"] == 0
        assert not (await ann.hear("asked"))["open"]


@in_loop
async def test_nobody_at_a_table_has_the_name_of_another(folder):
    async with tables_of(folder) as tables:
        table = await opened(tables, "Ann", "piers", "piers", None, None)
        ann = await Person.at(tables, table["id"], table["token"])
        other = await Person.at(tables, table["id"], invite=table["invite"])
        await other.ask("sit", seat=3, name="ann")
        await ann.ask("fill", seat=4, agent="piers")
        names = [sitter.name for sitter in ann.live.table.seats]
        assert names == ["Ann", "piers", "piers 2", "ann 2", "piers 3"]
        await other.ask("sit", seat=3, name="Ann")  # the own name is not in the way
        assert ann.live.table.seats[3].name == "Ann 2"


# The end, and after it.


@in_loop
async def test_the_end_is_told_and_kept(folder):
    async with tables_of(folder) as tables:
        table = await opened(tables, "Ann", "piers")
        ann = await Person.at(tables, table["id"], table["token"])
        for ask in (tables.finished(table["id"]), library.export(tables, table["id"], "json")):
            with pytest.raises(Refusal) as refused:
                await ask
            assert refused.value.status == 409
        await ann.play_on()
        over = await ann.hear("over")
        game = ann.live.table.game
        assert (over["score"], over["status"]) == (game.score, game.status)
        document = await library.document(tables, table["id"])
        assert document["names"] == ["Ann", "piers"]
        assert document["moves"] == [move_text(game.rules, move) for move in game.moves]
        assert parse_replay(document["text"]) == game
        assert parse_replay(await library.export(tables, table["id"], "text")) == game
        exported = await library.export(tables, table["id"], "json")
        assert parse_replay(exported) == game
        assert json.loads(exported)["players"] == ["Ann", "piers"]
        assert parse_replay(await library.export(tables, table["id"], "link")).moves == game.moves
        [row] = await tables.recent()
        assert (row["phase"], row["score"], row["turn"]) == ("over", game.score, game.turn)
        with pytest.raises(TableError) as refused:
            await ann.ask("move", turn=game.turn, move="p0")
        assert refused.value.code == "over"
    async with tables_of(folder) as tables:
        [again] = await tables.recent()  # from the journal alone
        assert again == row


@pytest.mark.parametrize("table", ["a" * 16, "../../etc/passwd", "", "A" * 16, "a" * 17, "é" * 16])
def test_games_that_are_not_there(table, tmp_path):
    async def ask() -> None:
        async with tables_of(tmp_path) as tables:
            with pytest.raises(Refusal) as refused:
                await tables.finished(table)
            assert refused.value.status == 404

    asyncio.run(ask())


@in_loop
async def test_again_deals_anew_for_the_same_seats_and_tokens(folder):
    async with tables_of(folder) as tables:
        table = await opened(tables, "Ann", None, "piers", seed=5)
        ann = await Person.at(tables, table["id"], table["token"])
        ben = await Person.at(tables, table["id"], invite=table["invite"])
        token = (await ben.ask("sit", seat=1, name="Ben"))["token"]
        with pytest.raises(TableError):
            await ann.ask("again")
        while ann.live.table.phase == PLAYING:
            player = {0: ann, 1: ben}.get(ann.live.table.game.mover)
            await (player.move(ann.live.table.turn) if player else asyncio.sleep(0.01))
        with pytest.raises(TableError) as refused:
            await ben.ask("again")
        assert refused.value.code == "forbidden"
        ben.heard()
        reply = await ann.ask("again")
        told = await ben.hear("again")
        assert told == {"type": "again", "table": reply["table"], "token": token, "seat": 1}
        assert (await ann.ask("again"))["table"] == reply["table"]
        new = await Person.at(tables, reply["table"], token)
        assert new.tab.role.seat == 1
        assert [seat.name for seat in new.live.table.seats] == ["Ann", "Ben", "piers"]
        assert new.live.table.seed != 5  # told at the end: nobody may know the next deal
        assert new.live.record.parent == table["id"]
        score = ann.live.table.game.score
    async with tables_of(folder) as tables:
        listed = {shown["id"]: shown for shown in await tables.recent()}
        assert (listed[table["id"]]["phase"], listed[table["id"]]["score"]) == (OVER, score)
        late = await Person.at(tables, table["id"], token)
        [again] = [frame for frame in late.live.welcome(late.tab) if frame["type"] == "again"]
        assert again == told
        watcher = await Person.at(tables, table["id"])
        [again] = [frame for frame in watcher.live.welcome(watcher.tab) if frame["type"] == "again"]
        assert again["token"] is None


@in_loop
async def test_again_before_watchers_is_the_next_game_of_the_seed(folder):
    async with tables_of(folder) as tables:
        table = await opened(tables, "smartbot", "piers", options={"pace_ms": 0}, seed=5, index=3)
        host = await Person.at(tables, table["id"], table["token"])
        await until(lambda: host.live.table.phase == OVER)
        reply = await host.ask("again")
        new = await tables.get(reply["table"])
        assert (new.table.seed, new.table.index) == (5, 4)


# What else.


@in_loop
async def test_a_tab_that_does_not_read_is_sent_away(folder):
    async with tables_of(folder) as tables:
        table = await opened(tables, "Ann", "piers")
        slow = await Person.at(tables, table["id"])
        for _ in range(600):
            slow.live.tell({"type": "thinking"})
        heard = slow.heard()
        assert heard[-1] == 1012
        assert len(heard) < 300


@in_loop
async def test_many_tables_stay_small(folder):
    """A table that has been played takes less than the 200 KB that the specification allows."""
    import tracemalloc

    async with tables_of(folder) as tables:
        table = await opened(tables, "smartbot", "piers", options={"pace_ms": 0})
        tracemalloc.start()
        before = tracemalloc.get_traced_memory()[0]
        people = []
        for _ in range(10):
            table = await opened(tables, "smartbot", "piers", options={"pace_ms": 0})
            people.append(await Person.at(tables, table["id"]))
        await until(lambda: all(person.live.table.phase == OVER for person in people))
        for person in people:
            person.heard()
        used = (tracemalloc.get_traced_memory()[0] - before) / len(people)
        tracemalloc.stop()
        assert used < 200_000


# Who plays fair.


@in_loop
async def test_everybody_is_told_that_the_host_chose_the_deal(folder):
    async with tables_of(folder) as tables:
        for seed, is_chosen in ((7, True), ("7", True), (None, False)):
            table = await opened(tables, "Ann", None, seed=seed)
            guest = await Person.at(tables, table["id"], invite=table["invite"])
            welcome, *_ = guest.live.welcome(guest.tab)
            assert (welcome["chosen_deal"], welcome["seed"]) == (is_chosen, None)
            assert (await guest.ask("sit", seat=1, name="Ben"))["chosen_deal"] is is_chosen
        chosen = await opened(tables, "Ann", "smartbot", seed=7)
        ann = await Person.at(tables, chosen["id"], chosen["token"])
        await ann.play_on()
        finished = await tables.finished(chosen["id"])
        assert exchange.document(finished.table)["chosen_deal"]
        following = await ann.ask("again")
    async with tables_of(folder) as tables:  # it is in the record, not only in memory
        live = await tables.get(chosen["id"])
        assert live is not None and live.table.options.chosen_deal
        live = await tables.get(following["table"])
        assert live is not None and not live.table.options.chosen_deal  # dealt by chance again


@in_loop
async def test_a_socket_has_one_seat_whatever_it_says(folder):
    async with tables_of(folder) as tables:
        table = await opened(tables, "Ann", None, None)
        ben = await Person.at(tables, table["id"], invite=table["invite"])
        token = (await ben.ask("sit", seat=1, name="Ben"))["token"]
        for known in (None, token):  # says hello again, as if it had no seat
            ben.live.introduce(ben.tab, known, table["invite"])
            with pytest.raises(TableError, match="another seat"):
                await ben.ask("sit", seat=2, name="Bob")
        await (await Person.at(tables, table["id"], table["token"])).ask("start")
        await ben.ask("leave")  # he has seen all hands but his own
        ben.live.introduce(ben.tab, None, table["invite"])
        with pytest.raises(TableError, match="another seat"):
            await ben.ask("sit", seat=2, name="Bob")
        ben.live.introduce(ben.tab, token, None)
        assert (await ben.ask("sit", seat=1, name="Ben"))["seat"] == 1


@in_loop
async def test_before_the_game_seats_can_be_exchanged(folder):
    async with tables_of(folder) as tables:
        table = await opened(tables, "Ann", None, None)
        ben = await Person.at(tables, table["id"], invite=table["invite"])
        await ben.ask("sit", seat=1, name="Ben")
        await ben.ask("leave")
        assert (await ben.ask("sit", seat=2, name="Ben"))["seat"] == 2


@in_loop
async def test_the_token_of_a_seat_that_somebody_else_has_opens_nothing(folder):
    async with tables_of(folder) as tables:
        table = await opened(tables, "Ann", None)
        ben = await Person.at(tables, table["id"], invite=table["invite"])
        token = (await ben.ask("sit", seat=1, name="Ben"))["token"]
        await ben.ask("leave")
        eve = await Person.at(tables, table["id"], invite=table["invite"])
        await eve.ask("sit", seat=1, name="Eve")
        late = await Person.at(tables, table["id"], token)
        for person in (ben, late):
            assert person.tab.role.seat is None
            view = await person.ask("look", turn=0)
            assert {slot["card"] for hand in view["hands"] for slot in hand} == {None}
            with pytest.raises(TableError):
                await person.ask("move", turn=0, move="p0")
            with pytest.raises(TableError):
                await person.ask("advise", turn=0)


# Stores that fail, and two servers.


@in_loop
async def test_a_full_disk_is_told_to_who_moves_and_nothing_is_lost(folder):
    async with tables_of(folder) as tables:
        table = await opened(tables, "Ann", None)
        ben = await Person.at(tables, table["id"], invite=table["invite"])
        await ben.ask("sit", seat=1, name="Ben")
        tab, socket = await said_hello(tables, table)
        write = tables.store.write

        def full(_: object) -> None:
            raise OperationalError("INSERT", {}, sqlite3.OperationalError("disk is full"))

        tables.store.write = full  # type: ignore[method-assign, assignment]
        move = view_frame(socket.live.table, tab.role)["legal"][0]
        message = parse_frame(dump({"type": "move", "id": 5, "turn": 0, "move": move}))
        await socket._reply(socket._do(message), message.id)
        await asyncio.sleep(0)
        frames = [tab.outgoing.get_nowait() for _ in range(tab.outgoing.qsize())]
        error = json.loads(frames[-2])  # with its number, or the page would send the move for ever
        assert (error["code"], error["re"]) == ("unavailable", 5)
        assert "store" in error["text"]
        assert frames[-1][0] == 1012
        tables.store.write = write  # type: ignore[method-assign]
        again = await Person.at(tables, table["id"], table["token"])
        assert (again.live.table.turn, again.tab.role.seat) == (0, 0)
        assert (await again.move())["turn"] == 1


async def said_hello(tables: Tables, table: Frame) -> tuple[Tab, Socket]:
    """A socket, without a line, that has said hello as the host."""
    line = SimpleNamespace(scope={"tamaya.address": "10.0.0.1"})
    socket = Socket(line, tables, House(), Places(1), Rate(10, 60.0))  # type: ignore[arg-type]
    hello = parse_frame(dump({"type": "hello", "table": table["id"], "token": table["token"]}))
    await socket._reply(socket._hello(hello), None)  # type: ignore[arg-type]
    return socket.tab, socket


@in_loop
async def test_two_servers_on_one_store_never_disagree_for_long(folder):
    """What one has written the other cannot write otherwise: it loads the table again."""
    async with tables_of(folder) as one, tables_of(folder) as two:
        table = await opened(one, "Ann", None)
        ann = await Person.at(one, table["id"], table["token"])
        ben = await Person.at(one, table["id"], invite=table["invite"])
        await ben.ask("sit", seat=1, name="Ben")
        other = await Person.at(two, table["id"], table["token"])
        made = await other.move(1)
        with pytest.raises(StoreError):
            await ann.move(0)
        assert ann.live.is_lost
        again = await Person.at(one, table["id"], table["token"])
        assert [event["move"] for event in (await again.ask("look", turn=1))["past"]] == [
            event["move"] for event in made["past"]
        ]


@pytest.mark.parametrize("n_written", range(8))
def test_killed_after_any_entry_a_table_goes_on(n_written, tmp_path):
    """In the waiting room, in a game, while moves are taken back, and on the way to the next."""

    async def live() -> None:
        async with tables_of(tmp_path) as tables:
            append, n_left = tables.writer.append, n_written
            table = await opened(tables, "Ann", None, rules="players=2 lives=1", seed=3)

            async def die(*arguments: Any) -> None:
                nonlocal n_left
                if not n_left:
                    raise StoreError("killed")
                n_left -= 1
                await append(*arguments)

            tables.writer.append = die  # type: ignore[method-assign]
            with suppress(StoreError, TableError):
                await script(tables, table)
        async with tables_of(tmp_path) as tables:
            _, entries = tables.journal.load(table["id"])
            assert len(entries) == n_written
            ann = await Person.at(tables, table["id"], table["token"])
            kinds = [entry.event.kind for entry in entries]
            expected = (
                WAITING if "seat" not in kinds else OVER if kinds.count("move") == 2 else PLAYING
            )
            assert ann.live.table.phase == expected
            await script(tables, table)
            assert ann.live.table.phase == OVER and ann.live.next_table

    asyncio.run(asyncio.wait_for(live(), PATIENCE))


async def script(tables: Tables, table: Frame) -> None:
    """Sits down, moves, takes a move back and loses, and begins anew; goes on wherever it is."""
    ann = await Person.at(tables, table["id"], table["token"])
    state = ann.live.table
    if state.seats[1].kind == "open":
        ben = await Person.at(tables, table["id"], invite=table["invite"])
        table["ben"] = (await ben.ask("sit", seat=1, name="Ben"))["token"]
    ben = await Person.at(tables, table["id"], table["ben"])
    both = (ann, ben)
    while state.phase != OVER:
        if state.turn == 1 and not state.undos:
            if state.asked is None:
                await ann.ask("undo", turn=1)
            await ben.ask("agree", yes=True)
            continue
        mover = both[state.game.mover]
        turn = state.turn
        cards = [int(card) for card in state.game.array["card"][0, state.game.mover, :5]]
        slot = next((k for k, card in enumerate(cards) if card % 5), 0)  # anything but a 1 fails
        move = f"p{slot}" if state.undos else (await mover.ask("look", turn=turn))["legal"][-1]
        await mover.ask("move", turn=turn, move=move)
    await ann.ask("again")
