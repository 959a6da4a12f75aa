"""The journal: what is written comes back, in both databases, whoever locks or kills."""

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random

import pytest

from postgres import postgres_server
from tamaya.moves import move_text
from tamaya.rules import Rules
from tamaya.store.database import Store, StoreError
from tamaya.web.attempts import read_attempts
from tamaya.web.events import (
    AGENT,
    MORPHED,
    MOVED,
    OPTIONS,
    PERSON,
    SEATED,
    UNDONE,
    Event,
    Line,
    Opening,
    Options,
    Role,
    SeatState,
)
from tamaya.web.journal import END, Entry, EntryError, Journal, TableRecord, Writer, with_deal
from tamaya.web.opening import hash_of, new_id, new_token
from tamaya.web.table import Table

ANN = SeatState(PERSON, "Ann", token_hash="a" * 64)
BOT = SeatState(AGENT, "smartbot", "smartbot:x=1", "smartbot 1", code="c0de")
NOW = datetime(2026, 3, 1, 12, 30, 15, 250_000, tzinfo=UTC)


@pytest.fixture(scope="module")
def postgres(tmp_path_factory):
    with postgres_server(tmp_path_factory.mktemp("postgres")) as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request, tmp_path):
    is_file = request.param == "sqlite"
    opened = Store(str(tmp_path / "j.db") if is_file else request.getfixturevalue("postgres"))
    yield opened
    opened.close()


@pytest.fixture
def journal(store) -> Journal:
    return Journal(store)


def record(table_id: str = "", seed: int = 2**64 - 1, **changes) -> TableRecord:
    """A table of two that was just opened."""
    opening = Opening(table_id or new_id(), Rules(players=2, bomb="keep"), (ANN, BOT), seed, 7)
    game = Table(opening).game
    opening = with_deal(opening, game.deck, 0)
    return replace(TableRecord(opening, "play", "h" * 64, "i" * 64, "0.1", created=NOW), **changes)


ENTRIES = [
    Entry(1, Event(MOVED, 1, 0, "h11"), at=NOW),
    Entry(2, Event(MOVED, 2, 1, "d0", memory=bytes(range(256)) * 90), 312, at=NOW),
    Entry(3, Event(UNDONE, 0, 0), at=NOW),
    Entry(4, Event(SEATED, 0, 0, sitter=replace(BOT, token_hash="b" * 64)), at=NOW),
    Entry(5, Event(OPTIONS, 0, options=Options(200, True, False)), at=NOW),
    Entry(6, Event(END, 0), data={"score": 3, "status": "out of lives", "undos": 1}, at=NOW),
]


def test_a_table_and_its_entries_come_back(journal):
    table = record()
    journal.create(table)
    for entry in ENTRIES:
        journal.append(table.opening.id, entry)
    found, entries = journal.load(table.opening.id)
    assert found == table
    assert [replace(entry, data=None) for entry in entries] == [
        replace(entry, data=None) for entry in ENTRIES
    ]
    assert entries[-1].data == ENTRIES[-1].data


def test_seeds_of_64_bits_come_back(journal):
    for seed in (0, 2**63, 2**64 - 1):
        table = record(seed=seed)
        journal.create(table)
        found, _ = journal.load(table.opening.id)
        assert found.opening.seed == seed


def test_unknown_tables_are_none(journal):
    assert journal.load(new_id()) is None


def test_a_number_is_given_once(journal):
    table = record()
    journal.create(table)
    journal.append(table.opening.id, ENTRIES[0])
    with pytest.raises(EntryError, match="does not take this"):
        journal.append(table.opening.id, replace(ENTRIES[0], event=Event(MOVED, 1, 0, "p0")))
    with pytest.raises(EntryError):
        journal.create(table)
    _, entries = journal.load(table.opening.id)
    assert [entry.event.move for entry in entries] == ["h11"]


def test_a_transaction_is_all_or_nothing(journal):
    table = record()
    journal.create(table)
    taken = Entry(1, Event(SEATED, 0, 0, sitter=BOT), at=NOW)
    journal.append(table.opening.id, taken)
    with pytest.raises(EntryError):  # the event is new, its seat is not
        journal.append(table.opening.id, replace(taken, event=replace(taken.event, seat=1)))
    _, entries = journal.load(table.opening.id)
    assert entries == [taken]


def test_the_lobby_has_the_newest_first(journal):
    tables = [record(created=NOW + timedelta(days=400, seconds=k)) for k in range(4)]
    for table in tables:
        journal.create(table)
    for entry in ENTRIES:
        journal.append(tables[2].opening.id, entry)
    found = journal.recent(3)
    assert [row.id for row in found] == [table.opening.id for table in reversed(tables[1:])]
    assert found[0].last is None
    assert found[1].last.event.kind == END
    assert [seat.name for seat in found[1].seats] == ["smartbot", "smartbot"]
    assert [seat.name for seat in found[0].seats] == ["Ann", "smartbot"]


def test_tokens_are_kept_as_hashes(tmp_path):
    token = new_token()
    store = Store(str(tmp_path / "j.db"))
    seats = (SeatState(PERSON, "Ann", token_hash=hash_of(token)), BOT)
    table = record(host_hash=hash_of(token))
    Journal(store).create(replace(table, opening=replace(table.opening, seats=seats)))
    store.close()
    content = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert hash_of(token).encode() in content
    assert token.encode() not in content


def test_random_games_are_rebuilt_exactly(journal):
    """Moves, seats and undos by chance: replaying the journal gives the same table."""
    rng = Random(5)
    for _ in range(6):
        table = record(seed=rng.getrandbits(64))
        journal.create(table)
        live = Table(table.opening)
        for number in range(1, 41):
            event = some_event(live, rng)
            if event is None:
                break
            journal.append(live.id, Entry(number, event))
            live.apply(event)
        found, entries = journal.load(live.id)
        again = Table.replay(found.opening, [entry.event for entry in entries])
        assert again.game == live.game
        assert (again.seats, again.options, again.undos) == (live.seats, live.options, live.undos)
        assert again.memories == live.memories


def some_event(table: Table, rng: Random) -> Event | None:
    """Something that may happen at a table."""
    if table.game.is_over:
        return None
    host = Role(0, True)
    if rng.random() < 0.1:
        return table.fill(host, 1, replace(BOT, identity=f"other {rng.random()}"))
    if rng.random() < 0.1 and table.turn > 1 and table.seats[0].kind == PERSON:
        return table.ask_undo(Role(0), table.turn)
    seat = table.game.mover
    move = rng.choice(table.game.legal_moves)
    text = move_text(table.rules, move)
    if table.seats[seat].kind == AGENT:
        memory = rng.randbytes(20)
        return table.agent_move(seat, table.turn, text, memory, revision=table.revision)
    return table.move(Role(seat), table.turn, text)


# Writing without blocking.


def test_the_writer_has_committed_when_it_returns(journal):
    async def write() -> None:
        writer = Writer(journal)
        table = record()
        await writer.create(table)
        assert journal.load(table.opening.id) == (table, [])
        await asyncio.gather(*(
            writer.append(table.opening.id, replace(entry, data=None)) for entry in ENTRIES
        ))  # fmt: skip
        assert len(journal.load(table.opening.id)[1]) == len(ENTRIES)
        writer.close()

    asyncio.run(write())


def test_who_does_not_fit_fails_alone(journal):
    async def write() -> list[object]:
        writer = Writer(journal)
        table = record()
        await writer.create(table)
        numbers = [1, 2, 2, 3]
        entries = [Entry(number, Event(MOVED, number, 0, "p0")) for number in numbers]
        adding = [writer.append(table.opening.id, entry) for entry in entries]
        done = await asyncio.gather(*adding, return_exceptions=True)
        assert [entry.number for entry in journal.load(table.opening.id)[1]] == [1, 2, 3]
        writer.close()
        return done

    done = asyncio.run(write())
    assert [type(result) for result in done] == [type(None), type(None), EntryError, type(None)]


def test_a_locked_store_does_not_stop_the_loop(tmp_path):
    store = Store(str(tmp_path / "j.db"))
    journal = Journal(store)
    table = record()
    journal.create(table)
    other = sqlite3.connect(tmp_path / "j.db", isolation_level=None)

    async def write() -> int:
        writer = Writer(journal)
        other.execute("BEGIN IMMEDIATE")
        adding = asyncio.create_task(writer.append(table.opening.id, ENTRIES[0]))
        n_beats = 0
        while n_beats < 20:  # the loop goes round while the entry waits
            await asyncio.sleep(0.01)
            n_beats += 1
            assert not adding.done()
        other.execute("COMMIT")
        await adding
        writer.close()
        return n_beats

    assert asyncio.run(write()) == 20
    assert len(journal.load(table.opening.id)[1]) == 1


def test_what_nobody_foresaw_does_not_end_the_writer(tmp_path):
    journal = Journal(Store(str(tmp_path / "j.db")))
    table = record()
    journal.create(table)

    async def write() -> None:
        writer = Writer(journal)
        unwritable = Entry(1, Event(MOVED, 2**70, 0, "p0"))  # more than a column of SQLite holds
        with pytest.raises(StoreError, match=r"j\.db"):
            await asyncio.wait_for(writer.append(table.opening.id, unwritable), 30)
        await asyncio.wait_for(writer.append(table.opening.id, ENTRIES[0]), 30)
        writer.close()

    asyncio.run(write())
    assert len(journal.load(table.opening.id)[1]) == 1


def test_a_full_disk_is_an_error_that_names_the_store(tmp_path):
    store = Store(str(tmp_path / "j.db"))
    journal = Journal(store)
    table = record()
    journal.create(table)
    with store.engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA max_page_count = 1")
    event = Event(MOVED, 1, 1, "d0", memory=bytes(10**6))
    with pytest.raises(StoreError, match=r"j\.db: database or disk is full"):
        journal.append(table.opening.id, Entry(1, event))


KILLED = """
import asyncio, sys
from tamaya.store.database import Store
from tamaya.web.journal import Entry, Journal, Writer
from tamaya.web.table import MOVED, Event

async def write():
    writer = Writer(Journal(Store(sys.argv[1])))
    for number in range(1, 10**6):
        await writer.append(sys.argv[2], Entry(number, Event(MOVED, number, 0, "p0")))
        sys.stdout.write(f"{number}\\n")
        sys.stdout.flush()

asyncio.run(write())
"""


def test_what_was_acknowledged_survives_kill_9(store):
    table = record()
    Journal(store).create(table)
    url = store.engine.url.render_as_string(hide_password=False).replace("+psycopg", "")
    process = subprocess.Popen(
        [sys.executable, "-c", KILLED, url, table.opening.id], stdout=subprocess.PIPE, text=True
    )
    acknowledged = 0
    while acknowledged < 300:
        acknowledged = int(process.stdout.readline())
    os.kill(process.pid, signal.SIGKILL)
    acknowledged = int((process.stdout.read().rpartition("\n")[0] or "300").split()[-1])
    process.wait()
    _, entries = Journal(store).load(table.opening.id)
    numbers = [entry.number for entry in entries]
    assert numbers == list(range(1, len(numbers) + 1))
    assert len(numbers) >= acknowledged


def test_attempts_at_a_deal_are_found_by_their_cards(journal, store):
    first, other, line = record(seed=2222), record(seed=4), record(seed=2222)
    line = replace(line, opening=replace(line.opening, line=Line(first.opening.id, 2)))
    for table in (first, other, line):
        journal.create(table)
    end = {"score": 3, "status": "out of lives", "undos": 1}
    journal.append(first.opening.id, Entry(1, Event(END, 9), data=end, at=NOW))
    opening = first.opening
    [found] = read_attempts(store, opening.rules.to_text(), 0, opening.deck)
    assert (found.table, found.seats, found.end) == (opening.id, opening.seats, {**end, "turns": 9})
    assert found.seat_of([ANN.token_hash]) == 0 and found.seat_of(["", "x"]) is None
    assert not read_attempts(store, opening.rules.to_text(), 1, opening.deck)


def test_a_line_and_its_cards_come_back(journal):
    parent = record()
    table = replace(parent, opening=replace(parent.opening, id=new_id()))
    line = replace(table, opening=replace(table.opening, line=Line(parent.opening.id, 3)))
    for each in (parent, replace(line, parent=parent.opening.id)):
        journal.create(each)
    journal.append(line.opening.id, Entry(1, Event(MORPHED, 0, 0, orders=(3, 40)), at=NOW))
    found, [entry] = journal.load(line.opening.id)
    assert found.opening == line.opening and entry.event.orders == (3, 40)
    assert [branch["turn"] for branch in journal.branches(parent.opening.id)] == [3]
