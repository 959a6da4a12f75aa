"""What ``adaptive`` remembers of people: who agreed, what is used, deleted, and told to nobody."""

import asyncio
import json
from typing import Any

import pytest
from sqlalchemy import select

from serving import Client, Frame, Server, started, steady
from tabling import FAST, Person, ScriptedEngines, in_loop, opened, tables_of, until
from tamaya.compiled import JIT
from tamaya.game import Game
from tamaya.store import schema
from tamaya.store.database import StoreError
from tamaya.web.engines import Answer, EngineError, Question
from tamaya.web.events import OVER, TableError
from tamaya.web.library import document
from tamaya.web.live import LiveTable
from tamaya.web.opening import hash_of
from tamaya.web.tables import Tables

ANN, BEN = "ann".ljust(22, "-"), "ben".ljust(22, "-")  # keys


async def come(tables: Tables, table: Frame, key: str | None, **hello: str) -> Person:
    """Somebody comes to a table, as a socket does that says hello."""
    person = await Person.at(tables, table["id"], **(hello or {"token": table["token"]}))
    person.tab.person = key and hash_of(key)
    await tables.acquaintances.hear(person.live)
    return person


async def played(tables: Tables, key: str | None, *seats: str, **more: Any) -> Person:
    """Ann, after a game with agents."""
    table = await opened(tables, "Ann", *seats, **more)
    ann = await come(tables, table, key)
    await ann.play_on()
    await until(lambda: ann.live.is_ended)
    return ann


def stored(tables: Tables) -> list[tuple[str, int, str]]:
    """All rows."""
    rows = tables.store.read(select(schema.web_acquaintances))
    return [(row.table_id, row.seat, row.person) for row in rows]


def agents_of(engines: ScriptedEngines, since: int = 0) -> set[str]:
    """The texts of agents that were asked for moves."""
    return {question.agent for question in engines.questions[since:]}


# Who agrees.


@in_loop
async def test_nothing_is_stored_or_used_without_consent(folder):
    engines = ScriptedEngines()
    async with tables_of(folder, engines) as tables:
        for _ in range(2):
            await played(tables, None, "adaptive")
        assert stored(tables) == engines.prepared == []
        assert agents_of(engines) == {"adaptive"}
        for seats in (("smartbot",), ("iggi", "smartbot")):  # and nothing where it does not play
            await played(tables, ANN, *seats)
        assert stored(tables) == []


@in_loop
async def test_the_next_game_knows_those_before(folder):
    engines = ScriptedEngines()
    async with tables_of(folder, engines) as tables:
        first = await played(tables, ANN, "adaptive")
        assert stored(tables) == [(first.live.table.id, 0, hash_of(ANN))]
        assert engines.prepared == []
        assert tables.acquaintances.count(hash_of(ANN)) == 1
        n_asked = len(engines.questions)
        second = await played(tables, ANN, "adaptive")
        assert agents_of(engines, n_asked) == {"adaptive:ally=iggi,chance=0.1"}
        [[(text, seats)]] = engines.prepared  # once for all moves
        assert Game.parse(text, complete=True) == first.live.table.game
        assert seats == (0,)
        again = await second.ask("again")
        third = await come(tables, {"id": again["table"], "token": again["token"]}, ANN)
        await third.play_on()
        games = [Game.parse(text) for text, _ in engines.prepared[-1]]
        assert games == [first.live.table.game, second.live.table.game]
        assert tables.acquaintances.count(hash_of(BEN)) == 0


@in_loop
async def test_only_the_last_ten_games_by_the_same_rules_count(folder):
    async with tables_of(folder) as tables:
        short = {"rules": "players=2 lives=1", "options": FAST}
        found = [await played(tables, ANN, "adaptive", **short) for _ in range(12)]
        await played(tables, ANN, "adaptive", "adaptive")
        rules, later = found[-1].live.table.rules.to_text(), found[-1].live.record.created
        games = tables.acquaintances.games([hash_of(ANN)], rules, later)
        assert [Game.parse(text) for text, _ in games] == [
            person.live.table.game for person in found[1:11]
        ]  # before the last one was opened
        assert tables.acquaintances.count(hash_of(ANN)) == 13


@in_loop
async def test_of_several_people_those_count_who_agreed(folder):
    engines = ScriptedEngines()
    async with tables_of(folder, engines) as tables:
        tables_seen = []
        for ann_key, ben_key in ((ANN, None), (ANN, BEN), (None, BEN), (None, None), (ANN, BEN)):
            table = await opened(tables, "Ann", "adaptive", None)
            ann = await come(tables, table, ann_key)
            ben = await come(tables, table, ben_key, invite=table["invite"])
            assert len(stored(tables)) == len(tables_seen) + bool(ann_key)
            await ben.ask("sit", seat=2, name="Ben")
            tables_seen += [table["id"]] * (bool(ann_key) + bool(ben_key))
            assert sorted(row[0] for row in stored(tables)) == sorted(tables_seen)
            await asyncio.gather(ann.play_on(), ben.play_on())
            await until(lambda live=ann.live: live.is_ended)
        seats = [[seats for _, seats in games] for games in engines.prepared]
        # Ben's first game, with Ann's; Ben's second; both together.
        assert seats[-1] == [(0,), (0, 2), (2,)]
        assert [(0,)] in seats


@in_loop
async def test_all_tabs_of_a_seat_must_agree_until_the_end(folder):
    async with tables_of(folder) as tables:
        table = await opened(tables, "Ann", "adaptive")
        await come(tables, table, ANN)
        other = await come(tables, table, None)
        assert stored(tables) == []  # a tab that says nothing
        other.tab.person = hash_of(ANN)
        await tables.acquaintances.hear(other.live)
        assert len(stored(tables)) == 1
        await other.play_on()
        await until(lambda: other.live.is_ended)
        other.tab.person = None  # from now on
        await tables.acquaintances.hear(other.live)
        assert len(stored(tables)) == 1


@in_loop
async def test_who_gets_up_takes_the_word_along(folder):
    async with tables_of(folder) as tables:
        table = await opened(tables, "Ann", "adaptive", None, None)
        await come(tables, table, None)
        ben = await come(tables, table, BEN, invite=table["invite"])
        await ben.ask("sit", seat=2, name="Ben")
        assert [row[1] for row in stored(tables)] == [2]
        await ben.ask("leave")
        assert stored(tables) == []


@in_loop
async def test_an_agent_that_comes_later_is_heard_of(folder):
    async with tables_of(folder) as tables:
        table = await opened(tables, "Ann", None)
        ann = await come(tables, table, ANN)
        assert stored(tables) == []
        await ann.ask("fill", seat=1, agent="adaptive")
        assert [row[1] for row in stored(tables)] == [0]


@in_loop
async def test_a_seat_in_which_others_moved_says_nothing(folder):
    engines = ScriptedEngines()
    async with tables_of(folder, engines) as tables:
        table = await opened(tables, "Ann", "adaptive", None)
        ann = await come(tables, table, None)
        ben = await come(tables, table, BEN, invite=table["invite"])
        await ben.ask("sit", seat=2, name="Ben")
        await ann.move()
        await ben.move()
        await ben.ask("leave")
        await ann.ask("fill", seat=2, agent="smartbot")
        await ann.play_on()
        await until(lambda: ann.live.is_ended)
        assert len(stored(tables)) == 1
        asked = ann.live.table.rules.to_text(), ann.live.record.created.replace(year=3000)
        assert tables.acquaintances.games([hash_of(BEN)], *asked) == []


@in_loop
async def test_nobody_is_remembered_if_that_cannot_be_written(folder):
    async with tables_of(folder) as tables:
        table = await opened(tables, "Ann", "adaptive")
        put = tables.writer.put

        async def fail(*_: Any) -> None:
            raise StoreError("gone")

        tables.writer.put = fail  # type: ignore[method-assign]
        ann = await come(tables, table, ANN)
        assert ann.live.remembered == {}
        tables.writer.put = put  # type: ignore[method-assign]
        await tables.acquaintances.hear(ann.live)
        assert ann.live.remembered == {0: hash_of(ANN)}


# Deleted.


@in_loop
async def test_what_is_deleted_is_gone_at_once(folder):
    engines = ScriptedEngines()
    async with tables_of(folder, engines) as tables:
        await played(tables, BEN, "adaptive")
        await played(tables, ANN, "adaptive")
        table = await opened(tables, "Ann", "adaptive", seed=3)
        ann = await come(tables, table, ANN)
        await ann.move()
        await until(lambda: ann.live.table.turn == 2)
        assert engines.questions[-1].agent != "adaptive"
        await tables.forget(hash_of(ANN))
        assert {row[2] for row in stored(tables)} == {hash_of(BEN)}
        assert tables.acquaintances.count(hash_of(ANN)) == 0
        await tables.acquaintances.hear(ann.live)
        n_asked = len(engines.questions)
        await ann.play_on()
        assert agents_of(engines, n_asked) == {"adaptive"}
        assert {row[2] for row in stored(tables)} == {hash_of(BEN)}


@in_loop
async def test_a_table_goes_on_with_what_it_knew(folder):
    async with tables_of(folder) as tables:
        await played(tables, ANN, "adaptive")
        table = await opened(tables, "Ann", "adaptive")
        ann = await come(tables, table, ANN)
        await ann.move()
    engines = ScriptedEngines()
    async with tables_of(folder, engines) as tables:
        live = await tables.get(table["id"])
        assert live.remembered == {0: hash_of(ANN)}
        await until(lambda: live.table.turn >= 2)
        assert agents_of(engines) <= {"adaptive:ally=iggi,chance=0.1"}


@in_loop
async def test_it_plays_as_it_is_if_it_cannot_be_prepared(folder):
    engines = ScriptedEngines()
    engines.failing["prepare"] = EngineError("busy", "no")
    async with tables_of(folder, engines) as tables:
        for _ in range(2):
            await played(tables, ANN, "adaptive")
        assert len(engines.prepared) == 1
        engines.failing.clear()

        def fail(*_: Any) -> None:
            raise StoreError("gone")

        tables.acquaintances.games = fail  # type: ignore[method-assign]
        await played(tables, ANN, "adaptive")
        assert agents_of(engines) == {"adaptive"}


# Told to nobody.


class DeafEngines(ScriptedEngines):
    """Engines whose agents play the same whatever they know."""

    async def move(self, question: Question, on_progress: Any) -> Answer:
        known = Question(question.position, question.seat, "adaptive", question.memory,
                         question.memory_turn)  # fmt: skip
        return await super().move(known, on_progress)


async def told(folder, key: str | None) -> list[Any]:
    """All that Ben and somebody who watches hear of Ann's second game, and what can be fetched."""
    async with tables_of(folder, DeafEngines()) as tables:
        await played(tables, key, "adaptive", "adaptive", seed=1)
        table = await opened(tables, "Ann", "adaptive", None, seed=2)
        ann = await come(tables, table, key)
        ben = await come(tables, table, None, invite=table["invite"])
        watcher = await Person.at(tables, table["id"])
        frames = [await ben.ask("sit", seat=2, name="Ben")]
        while ann.live.table.phase != OVER:
            live, turn = ann.live, ann.live.table.turn
            if live.table.agent_to_move is None:
                await (ann if live.table.game.mover == 0 else ben).move(turn * 5)
            else:
                await until(lambda live=live, turn=turn: live.table.turn > turn)
        await until(lambda: ann.live.is_ended)
        for person in (ben, watcher):
            frames += [*person.live.welcome(person.tab), *person.heard()]
        frames += [await document(tables, table["id"], None), await tables.recent()]
        text = json.dumps(frames, sort_keys=True, default=str)
        assert hash_of(ANN) not in text
        for secret in (table["id"], ben.tab.token, *(row["id"] for row in await tables.recent())):
            text = text.replace(secret, "x")
        return [frame for frame in json.loads(text) if isinstance(frame, dict)]


@in_loop
async def test_others_are_told_the_same_whether_somebody_agreed_or_not(folder):
    def undated(frames: list[Any]) -> str:
        return json.dumps([{**frame, "created": 0, "times": 0} for frame in frames])

    for name in ("one", "other"):
        (folder / name).mkdir()
    one, other = await told(folder / "one", None), await told(folder / "other", ANN)
    assert len(one) > 20
    assert undated(one) == undated(other)


def test_a_server_that_tells_who_agreed_is_caught(tmp_path, monkeypatch):
    honest = LiveTable.seats

    def seats(live: LiveTable) -> Frame:
        return {**honest(live), "known": sorted(live.remembered)}

    monkeypatch.setattr(LiveTable, "seats", seats)
    with pytest.raises(AssertionError):
        test_others_are_told_the_same_whether_somebody_agreed_or_not(tmp_path)


@in_loop
async def test_reasons_are_for_the_one_who_is_remembered(folder):
    engines = ScriptedEngines()
    async with tables_of(folder, engines) as tables:
        first = await played(tables, ANN, "adaptive")
        turn = next(k for k, event in enumerate(first.live.table.game.events) if event["seat"])
        watcher = await Person.at(tables, first.live.table.id)
        await watcher.ask("why", turn=turn, seat=1)  # of the first game everybody may know
        second = await played(tables, ANN, "adaptive")
        watcher = await Person.at(tables, second.live.table.id)
        n_asked = len(engines.questions)
        with pytest.raises(TableError, match="what it remembers of somebody"):
            await watcher.ask("why", turn=turn, seat=1)
        assert len(engines.questions) == n_asked
        reply = await second.ask("why", turn=turn, seat=1)
        assert engines.questions[-1].agent == "adaptive:ally=iggi,chance=0.1"
        assert reply["agent"] == "adaptive"


# A server.


async def play_with(server: Server, key: str) -> Client:
    """A tab at the end of a game with the agent, which is soon over."""
    table = server.open("Ann", "adaptive", options={"pace_ms": 100})
    client = Client(server, table["id"], token=table["token"], person=key)
    await client.connect()
    await client.play(steady)
    return client


@pytest.mark.skipif(not JIT, reason="engines are about compiled code")
def test_a_killed_server_keeps_it(tmp_path):
    async def reasons(client: Client) -> str:
        past = client.view["past"]
        turn = next(event["turn"] for event in past if event["seat"] == 1)
        reply = await client.ask("why", turn=turn, seat=1)
        assert reply["type"] == "reasons", reply
        return json.dumps(reply["rows"])

    with started(tmp_path) as server:
        server.wait()
        person = {"X-Tamaya-Person": ANN}
        path = "/api/acquaintance"
        for bad in ({}, {"X-Tamaya-Person": "short"}):
            status, answer = server.ask(path, **bad)
            assert (status, answer["error"]["place"]) == (400, "X-Tamaya-Person")
        asyncio.run(play_with(server, ANN))
        assert server.ask(path, **person) == (200, {"games": 1})
        server.kill()
        server.start().wait()
        assert server.ask(path, **person) == (200, {"games": 1})

        async def second() -> str:
            client = await play_with(server, ANN)
            try:
                return await reasons(client)
            finally:
                await client.close()

        said = asyncio.run(second())  # a model, or an agent that moves as she did in that deal
        assert "takes its partner for" in said and "people, " not in said
        assert server.ask(path, **person) == (200, {"games": 2})
        assert server.ask(path, method="DELETE", **person) == (200, {"games": 0})
        assert server.ask(path, **person) == (200, {"games": 0})
        assert "Traceback" not in server.log()
