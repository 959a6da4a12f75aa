"""Handling the messages of tabs at a table, and their answers.

Every message is answered by frames in order, the first of which is the reply; changes of the table
are sent to the other tabs as they happen (``LiveTable.happen``). Refusals are ``TableError`` and
similar exceptions, which ``tamaya.web.socket`` turns into ``error`` frames.
"""

from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tamaya.web.advice import advise, why
from tamaya.web.branches import morph
from tamaya.web.events import TableError
from tamaya.web.eyes import check_question
from tamaya.web.live import LiveTable
from tamaya.web.messages import (
    Advise,
    Again,
    Agree,
    Back,
    Fill,
    Leave,
    Look,
    Message,
    Morph,
    Move,
    Pace,
    Pause,
    Sit,
    Start,
    Step,
    Undo,
    Why,
)
from tamaya.web.names import distinct_name
from tamaya.web.opening import hash_of, new_token
from tamaya.web.sight import asked_frame, view_frame
from tamaya.web.tab import Frame, Tab

if TYPE_CHECKING:
    from tamaya.web.tables import Tables

Handler = Callable[["Tables", LiveTable, Tab, Any], Coroutine[Any, Any, list[Frame]]]


async def answer(tables: "Tables", live: LiveTable, tab: Tab, message: Message) -> list[Frame]:
    """The frames that answer a message, the reply first.

    A question is dropped if its tab goes away meanwhile; but a change of the table is completed or
    not begun, so that all others see the same.
    """
    answering = HANDLERS[type(message)](tables, live, tab, message)
    if type(message) in QUESTIONS:
        return await answering
    told = await live.complete(answering, tab)
    if type(message) in SEATINGS:
        await live.complete(tables.acquaintances.hear(live))
    return told


async def _sit(tables: "Tables", live: LiveTable, tab: Tab, message: Sit) -> list[Frame]:
    is_back = tab.role.seat == message.seat
    if not (is_back or tab.is_invited or tab.role.is_host):
        raise TableError(
            "forbidden", "only invited people can take a seat: ask for the link", "seat"
        )
    if live.seat_of(tab) not in (None, message.seat):  # has seen others' cards
        raise TableError("forbidden", "you sit in another seat", "seat")
    token = tab.token if is_back or tab.role.is_host else None
    issued = None if token else new_token()
    async with live.lock:
        sitter_hash = hash_of(token or issued or "")
        name = distinct_name(message.name, live.names(but=message.seat))
        event = live.table.sit(tab.role, message.seat, name, sitter_hash)
        tab.token, before = token or issued, tab.token
        try:
            await live.happen(event, tab)
        except BaseException:
            tab.token = before
            raise
    return live.welcome(tab, issued)


async def _leave(tables: "Tables", live: LiveTable, tab: Tab, message: Leave) -> list[Frame]:
    async with live.lock:
        await live.happen(live.table.leave(tab.role), tab)
    return live.welcome(tab)


async def _start(tables: "Tables", live: LiveTable, tab: Tab, message: Start) -> list[Frame]:
    async with live.lock:
        return await live.happen(live.table.start(tab.role), tab)


async def _fill(tables: "Tables", live: LiveTable, tab: Tab, message: Fill) -> list[Frame]:
    if not tab.role.is_host:
        raise TableError("forbidden", "only the host of the table may do that")
    agent = await tables.agent(message.agent, message.params, live.table.rules)
    async with live.lock:
        is_away = live.n_tabs(message.seat) == 0
        agent = replace(agent, name=distinct_name(agent.name, live.names(but=message.seat)))
        event = live.table.fill(tab.role, message.seat, agent, is_away=is_away)
        return await live.happen(event, tab)


async def _move(tables: "Tables", live: LiveTable, tab: Tab, message: Move) -> list[Frame]:
    async with live.lock:
        event = live.table.move(tab.role, message.turn, message.move)
        if event is None:  # a tab that was not told that it was made
            return [view_frame(live.table, tab.role)]
        return await live.happen(event, tab)


async def _look(tables: "Tables", live: LiveTable, tab: Tab, message: Look) -> list[Frame]:
    return [view_frame(live.table, tab.role, message.turn)]


async def _undo(tables: "Tables", live: LiveTable, tab: Tab, message: Undo) -> list[Frame]:
    async with live.lock:
        event = live.table.ask_undo(tab.role, message.turn)
        if event is None:
            return [asked_frame(live.table)]
        return await live.happen(event, tab)


async def _agree(tables: "Tables", live: LiveTable, tab: Tab, message: Agree) -> list[Frame]:
    async with live.lock:
        event = live.table.agree(tab.role, message.yes)
        if event is None:
            return [asked_frame(live.table)]
        return await live.happen(event, tab)


async def _pace(tables: "Tables", live: LiveTable, tab: Tab, message: Pace) -> list[Frame]:
    async with live.lock:
        return await live.happen(live.table.set_pace(tab.role, message.ms), tab)


async def _pause(tables: "Tables", live: LiveTable, tab: Tab, message: Pause) -> list[Frame]:
    async with live.lock:
        return await live.happen(live.table.pause(tab.role, message.on), tab)


async def _step(tables: "Tables", live: LiveTable, tab: Tab, message: Step) -> list[Frame]:
    live.table.check_watch_host(tab.role)
    live.driver.step()
    return [view_frame(live.table, tab.role)]


async def _again(tables: "Tables", live: LiveTable, tab: Tab, message: Again) -> list[Frame]:
    live.table.check_again(tab.role)
    async with live.lock:
        if live.next_table is None:
            if not tab.may_open():
                raise TableError("too_fast", "you have opened enough tables for now: wait a little")
            await tables.open_next(live)
            for other in live.tabs:
                if other is not tab:
                    other.send(live.again_frame(other))
    return [live.again_frame(tab)]


async def _back(tables: "Tables", live: LiveTable, tab: Tab, message: Back) -> list[Frame]:
    async with live.lock:
        event = live.table.back(tab.role)
        return (
            [view_frame(live.table, tab.role)] if event is None else await live.happen(event, tab)
        )


async def _morph(tables: "Tables", live: LiveTable, tab: Tab, message: Morph) -> list[Frame]:
    async with live.lock:
        event = morph(live.table, tab.role, message.order, message.card)
        return await live.happen(event, tab)


async def _advise(tables: "Tables", live: LiveTable, tab: Tab, message: Advise) -> list[Frame]:
    rules = live.table.rules
    agent = tables.guests.admit(message.agent, {}, rules) if message.agent else ""
    asked = live.table, tab.role, message.turn
    return [await advise(*asked, tables.engines, agent=agent, on_progress=_to(tab))]


async def _why(tables: "Tables", live: LiveTable, tab: Tab, message: Why) -> list[Frame]:
    if message.agent is not None:
        raise TableError("bad_frame", "at a table only the agent in the seat can be asked", "agent")
    asked = live.table, tab.role, message.turn, message.seat
    agent = await tables.acquaintances.speaker(live, tab.role, check_question(*asked))
    return [await why(*asked, tables.engines, agent=agent, on_progress=_to(tab))]


def _to(tab: Tab) -> Callable[[Frame], None]:
    """Report to a tab what is compiled for its question; it measures thinking time itself."""

    def tell(progress: Frame) -> None:
        if progress["type"] == "compiling":
            tab.send(progress)

    return tell


QUESTIONS = (Advise, Why, Look)
SEATINGS = (Sit, Leave, Fill)
HANDLERS: dict[type[Message], Handler] = {
    Sit: _sit,
    Leave: _leave,
    Start: _start,
    Fill: _fill,
    Move: _move,
    Look: _look,
    Undo: _undo,
    Agree: _agree,
    Advise: _advise,
    Why: _why,
    Pace: _pace,
    Pause: _pause,
    Step: _step,
    Again: _again,
    Back: _back,
    Morph: _morph,
}
