"""Live tables among people who do not play fair, or who go away at the worst moment."""

import asyncio
import json
from threading import Event
from time import sleep
from typing import Any

import pytest

from tabling import GUESTS, Person, in_loop, opened, tables_of, until
from tamaya.rules import Rules
from tamaya.web.engines import EngineError
from tamaya.web.guests import GuestList
from tamaya.web.messages import dump
from tamaya.web.notes import LONGEST_NOTES
from tamaya.web.opening import new_token
from tamaya.web.rates import Rate
from tamaya.web.review import ReviewTab
from tamaya.web.review_frames import More, WriteNote
from tamaya.web.review_jobs import Analysis
from tamaya.web.shelf import MOST
from tamaya.web.tab import LARGEST_WAITING, Tab
from tamaya.web.table import OVER, Role, TableError
from tamaya.web.tables import Tables


class HeldWriter:
    """Lets entries of the journal wait until it is free."""

    def __init__(self, tables: Tables) -> None:
        self.append, self.is_free = tables.writer.append, asyncio.Event()
        self.waiting = 0
        tables.writer.append = self.held  # type: ignore[method-assign]

    async def held(self, *arguments: Any) -> None:
        self.waiting += 1
        await self.is_free.wait()
        await self.append(*arguments)


# Who goes away in the middle of something.


@in_loop
async def test_what_was_begun_is_finished_though_who_asked_has_gone(folder):
    async with tables_of(folder) as tables:
        table = await opened(tables, "Ann", None)
        ann = await Person.at(tables, table["id"], table["token"])
        ben = await Person.at(tables, table["id"], invite=table["invite"])
        await ben.ask("sit", seat=1, name="Ben")
        legal = (await ann.ask("look", turn=0))["legal"]
        ben.heard()
        writer = HeldWriter(tables)
        moving = asyncio.create_task(ann.ask("move", turn=0, move=legal[0]))
        await until(lambda: writer.waiting == 1)
        moving.cancel()
        ann.live.part(ann.tab)
        await asyncio.wait((moving,))
        assert await tables.get(table["id"]) is ben.live  # not given up
        writer.is_free.set()
        assert (await ben.hear("view"))["turn"] == 1
        assert not ben.tab.is_closed


@in_loop
async def test_a_table_is_loaded_again_when_all_of_it_is_written(folder):
    async with tables_of(folder) as tables:
        table = await opened(tables, "Ann", None)
        ann = await Person.at(tables, table["id"], table["token"])
        await ann.ask("start")
        legal = (await ann.ask("look", turn=0))["legal"]
        writer = HeldWriter(tables)
        moving = asyncio.create_task(ann.ask("move", turn=0, move=legal[0]))
        await until(lambda: writer.waiting == 1)
        ann.live.lose()
        loading = asyncio.create_task(tables.get(table["id"]))
        await asyncio.sleep(0.05)
        assert not loading.done()
        writer.is_free.set()
        await asyncio.wait((moving,))
        again = await loading
        assert again is not None and again is not ann.live
        assert again.table.turn == 1
        with pytest.raises(TableError, match="loaded again"):  # nothing happens at the old one
            await ann.ask("leave")
        late = Tab()
        ann.live.introduce(late, None, None)
        assert late.is_closed


@in_loop
async def test_a_table_that_is_left_by_its_server_loses_no_move_of_an_agent(folder):
    async with tables_of(folder) as tables:
        table = await opened(tables, "Ann", "smartbot")
        ann = await Person.at(tables, table["id"], table["token"])
        await ann.move()
        writer = HeldWriter(tables)
        await until(lambda: writer.waiting == 1)  # the agent's move
        await ann.live.driver.stop()
        writer.is_free.set()
        await until(lambda: ann.live.table.turn == 2)
        assert not ann.live.is_lost


# Who does not read.


def test_a_tab_that_does_not_read_keeps_so_many_bytes():
    tab = Tab()
    for size in (3 * LARGEST_WAITING, 10, 10):
        tab.send_text("x" * size)
        assert not tab.outgoing.empty()
    assert tab.is_closed  # one frame may be as long as it is, others do not wait behind it
    tab = Tab()
    for _ in range(4):
        tab.send_text("x" * (LARGEST_WAITING // 4))
    assert (tab.is_closed, tab.outgoing.n_bytes) == (False, LARGEST_WAITING)
    tab.outgoing.get_nowait()
    tab.send_text("x")
    assert not tab.is_closed
    tab.send_text("x" * (LARGEST_WAITING // 4))
    assert tab.is_closed


# Who wants more than a seat.


@in_loop
async def test_who_has_seen_a_hand_does_not_take_it_when_the_own_seat_is_taken(folder):
    async with tables_of(folder) as tables:
        table = await opened(tables, "Ann", None, None)
        ann = await Person.at(tables, table["id"], table["token"])
        await ann.ask("start")
        xav, yve = [await Person.at(tables, table["id"], invite=table["invite"]) for _ in range(2)]
        token = (await xav.ask("sit", seat=1, name="Xav"))["token"]
        await xav.ask("leave")
        await yve.ask("sit", seat=1, name="Yve")
        for known in (None, token):
            with pytest.raises(TableError, match="another seat"):
                await xav.ask("sit", seat=2, name="Xav")
            xav.live.introduce(xav.tab, known, table["invite"])
        await yve.ask("leave")
        assert (await xav.ask("sit", seat=1, name="Xav"))["seat"] == 1


@in_loop
async def test_a_tab_keeps_nothing_of_tokens_that_open_nothing(folder):
    async with tables_of(folder) as tables:
        table = await opened(tables, "Ann", None)
        stranger = await Person.at(tables, table["id"])
        for _ in range(50):
            stranger.live.introduce(stranger.tab, new_token(), None)
        assert stranger.tab.sat == {}


@in_loop
async def test_the_next_deal_counts_as_a_table_that_was_opened(folder):
    async with tables_of(folder) as tables:
        table = await opened(tables, "Ann", "smartbot", rules="players=2 lives=1")
        rate = Rate(1, 60.0)
        for is_granted in (True, False):
            ann = await Person.at(tables, table["id"], table["token"])
            ann.tab.may_open = lambda: rate.takes("10.0.0.1")
            await ann.play_on()
            assert ann.live.table.phase == OVER
            if is_granted:
                table["id"] = (await ann.ask("again"))["table"]
                assert (await ann.ask("again"))["table"] == table["id"]  # opens nothing
            else:
                with pytest.raises(TableError) as refused:
                    await ann.ask("again")
                assert refused.value.code == "too_fast"


# Who sends what takes long to read.


@in_loop
async def test_agents_are_looked_for_beside_the_event_loop(folder):
    """Rule lists of strangers are read there; whatever that takes, others are served."""
    is_served = Event()

    class Slow(GuestList):
        def admit(self, *arguments: Any) -> str:
            assert is_served.wait(30)
            return GUESTS.admit(*arguments)

    async with tables_of(folder) as tables:
        tables.guests = Slow()
        asking = asyncio.create_task(tables.agent("smartbot", {}, Rules()))
        await asyncio.sleep(0.01)
        is_served.set()
        assert (await asking).agent == "smartbot"


# Who writes and wants more than others.


async def finished(tables: Tables) -> Person:
    """Ann after a game with an agent, which is over."""
    table = await opened(tables, "Ann", "smartbot", rules="players=2 lives=1")
    ann = await Person.at(tables, table["id"], table["token"])
    await ann.play_on()
    return ann


def review_of(ann: Person, role: Role) -> ReviewTab:
    """A review of her game by somebody who has the key of the server."""
    review = ReviewTab(ann.tables.reviews, ann.live, Tab(address="10.0.0.1"), [], "piers")
    review.may_analyse, review.role = True, role
    return review


@in_loop
async def test_a_note_is_replaced_by_its_author_alone(folder):
    async with tables_of(folder) as tables:
        person = await finished(tables)
        ann, eve = review_of(person, Role(0)), review_of(person, Role())
        await ann.note(WriteNote(None, 0, None, "my own thought", "whoever"))
        await eve.note(WriteNote(None, 0, None, "I am a fool", "ANN"))
        notes = (await eve.note(WriteNote(None, None, 3, "hm", "Eve")))[0]["notes"]
        assert [(note["author"], note["seat"], note["text"]) for note in notes] == [
            ("Ann", 0, "my own thought"), ("ANN 2", None, "I am a fool"), ("Eve", None, "hm"),
        ]  # fmt: skip
        await eve.note(WriteNote(None, 0, None, "", "Ann"))
        notes = (await ann.note(WriteNote(None, 0, None, "better", "")))[0]["notes"]
        assert [note["text"] for note in notes] == ["better", "hm"]


@in_loop
async def test_the_notes_on_a_game_have_so_many_bytes(folder):
    async with tables_of(folder) as tables:
        review = review_of(await finished(tables), Role())
        text = "\N{GRINNING FACE}" * 500
        refusal = None
        for k in range(LONGEST_NOTES // 2000 + 1):
            try:
                await review.note(WriteNote(None, 0, None, text, f"n{k}"))
            except TableError as error:
                refusal = error
        assert refusal is not None and refusal.code == "busy"
        welcome = dump((await review.welcome())[0])
        assert len(welcome) < 4 * LONGEST_NOTES


@in_loop
async def test_more_of_an_analysis_that_finds_no_place_leaves_it_done(folder):
    async with tables_of(folder) as tables:
        review = review_of(await finished(tables), Role())
        job = review._analysis = Analysis(review.table, "piers", 1)
        job.is_done = True

        def full(_: object) -> None:
            raise EngineError("busy", "too many analyses at once")

        tables.reviews.analyses.submit = full  # type: ignore[method-assign, assignment]
        with pytest.raises(EngineError):
            await review.more(More(None, 0))
        assert job.is_done


@in_loop
async def test_positions_are_worked_out_once_and_one_after_the_other(folder):
    running: list[range] = []
    made: list[range] = []

    def views(table: Any, turns: range, seat: int | None) -> list[int]:
        running.append(turns)
        assert len(running) == 1
        sleep(0.01)
        made.append(running.pop())
        return list(turns)

    async with tables_of(folder) as tables:
        person = await finished(tables)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("tamaya.web.shelf.review_views", views)
            asked = [(0, 2), (1, 2), (0, 2), (0, 1)] * 5
            found = await asyncio.gather(
                *(tables.shelf.views(person.live.table, *turns, None) for turns in asked)
            )
            assert [json.loads(text)["views"] for text in found] == [
                list(range(first, last + 1)) for first, last in asked
            ]
            assert len(made) == 3
            for k in range(2 * MOST):
                await tables.shelf.views(person.live.table, 0, k, None)
            assert len(tables.shelf._kept) == MOST
