"""A server under the load of two hundred tables: time from move to view, memory, losses.

    python benchmarks/web_load.py [--tables 200] [--seconds 40] [--agent smartbot]

A server and its engines run in processes of their own, as `tamaya serve` starts them, with the
limits that everybody has; clients come from many loopback addresses because an address opens ten
tables a minute. At every table a script plays with two agents, a move per second. By turns a single
table plays alone and all of them together: only the ratio within a run means anything on a machine
that has other things to do, the scripts among them. The scripts start at random moments of a
second, as people would: in step, they would measure a queue of two hundred moves. Moves are lost if
a game in the store is not the one that was seen.
"""

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any
from urllib.request import urlopen

import websockets

PROTOCOL = websockets.Subprotocol("tamaya.1")
PER_ADDRESS = 3  # scripts: an address opens ten tables a minute, and games end
PACE = 1.0  # seconds between two moves of a script
ROUNDS = 4  # of one table alone and all together
SETTLING = 1.5  # seconds after a change
MOST_RATIO, MOST_BYTES = 10.0, 1 << 30  # that the specification allows
OVER = '"phase":"over"'
Frame = dict[str, Any]


class Baton:
    """Who plays: the first script alone, or all of them."""

    def __init__(self) -> None:
        self.times: dict[str, list[float]] = {"alone": [], "together": [], "": []}
        self.phase = ""
        self.is_for_all = asyncio.Event()

    async def pass_on(self, phase: str, seconds: float) -> None:
        """Let one or all play for so many seconds; those of the change do not count."""
        if phase == "together":
            self.is_for_all.set()
        else:
            self.is_for_all.clear()
        self.phase = ""
        await asyncio.sleep(SETTLING)
        self.phase = phase
        await asyncio.sleep(seconds)
        self.phase = ""


@dataclass
class Player:
    """A script at a table of its own; the first one never waits for the others."""

    number: int
    port: int
    agent: str
    baton: Baton
    is_done: bool = False
    tables: dict[str, list[str]] = field(default_factory=dict)  # moves seen, by table

    @property
    def source(self) -> str:
        """The address that it comes from."""
        group = self.number // PER_ADDRESS
        return f"127.0.{1 + group // 250}.{1 + group % 250}"

    async def open(self) -> tuple[str, str]:
        """Open a table; gives its id and the token of the own seat."""
        agents = [{"kind": "agent", "agent": self.agent}] * 2
        seats = [{"kind": "person", "name": f"Script {self.number}"}, *agents]
        body = json.dumps({"rules": "players=3 lives=30", "seats": seats}).encode()
        reader, writer = await asyncio.open_connection(
            "127.0.0.1", self.port, local_addr=(self.source, 0)
        )
        head = (f"POST /api/tables HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nX-Tamaya: 1\r\n"
                f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
                f"Connection: close\r\n\r\n")  # fmt: skip
        writer.write(head.encode() + body)
        status, _, rest = (await reader.read()).partition(b"\r\n")
        writer.close()
        if b" 201 " not in status + b" ":
            raise SystemExit(f"no table for script {self.number}: {status.decode()}")
        opened = json.loads(rest.partition(b"\r\n\r\n")[2])
        return opened["id"], opened["token"]

    async def play(self, delay: float = 0.0) -> None:
        """Play game after game, a move per second, until it is done."""
        await asyncio.sleep(delay)
        while not self.is_done:
            table, token = await self.open()
            url = f"ws://127.0.0.1:{self.port}/ws"
            async with websockets.connect(
                url, subprotocols=[PROTOCOL], local_addr=(self.source, 0), max_queue=None
            ) as socket:
                hello = {"type": "hello", "table": table, "token": token}
                await socket.send(json.dumps(hello))
                await self.play_game(socket, table)

    async def play_game(self, socket: Any, table: str) -> None:
        """Play one game, or what there is time for."""
        due = perf_counter()
        while (view := await own_turn(socket))["phase"] != "over":
            due = max(due + PACE, perf_counter())
            await asyncio.sleep(due - perf_counter())
            if self.number and not self.baton.is_for_all.is_set():
                await self.baton.is_for_all.wait()
                await asyncio.sleep(PACE * Random(self.number).random())
                due = perf_counter()
            if self.is_done:
                break
            turn, legal = view["turn"], view["legal"]
            move = legal[(7 * turn + self.number) % len(legal)]
            phase, sent = self.baton.phase, perf_counter()
            await socket.send(json.dumps({"type": "move", "turn": turn, "move": move, "id": turn}))
            while f'"re":{turn},' not in (text := await heard(socket)):
                pass
            self.baton.times[phase].append(1000 * (perf_counter() - sent))
            if OVER in text:
                view = json.loads(text)
                break
        self.tables[table] = [event["move"] for event in view["past"]]


async def own_turn(socket: Any) -> Frame:
    """The view in which a script is to move, or that of the end; others are not even read."""
    while True:
        text = await heard(socket)
        if '"type":"view"' in text and ('"legal":[' in text or OVER in text):
            view: Frame = json.loads(text)
            return view


async def heard(socket: Any) -> str:
    """The next frame of a socket."""
    text: str = await asyncio.wait_for(socket.recv(), 60)
    if '"type":"error"' in text:
        raise SystemExit(f"the server refuses: {text}")
    return text


# The server.


def start_server(store: Path, *options: str) -> tuple[subprocess.Popen[str], int]:
    """A server at a free port."""
    command = [sys.executable, "-m", "tamaya", "serve", "--json", "--port", "0"]
    process = subprocess.Popen(
        [*command, "--store", str(store), *options],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    return process, json.loads(process.stdout.readline())["port"]


async def wait_until_ready(port: int) -> None:
    """Wait for the kernels of the tables."""
    while True:
        with urlopen(f"http://127.0.0.1:{port}/api/status") as answer:
            if json.load(answer)["ready"]:
                return
        await asyncio.sleep(0.1)


def family(pid: int) -> list[int]:
    """A process and all that it has started."""
    parents = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(path.parent.name)] = int(path.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
    found = [pid]
    for parent in found:
        found += [child for child, its in parents.items() if its == parent]
    return found


def memory_of(pids: list[int]) -> dict[str, int]:
    """Bytes of some processes: what they share counted once (PSS), and as often as it is there."""
    total = {"Pss": 0, "Rss": 0}
    for pid in pids:
        try:
            lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        except OSError:
            continue
        for line in lines:
            name = line.partition(":")[0]
            if name in total:
                total[name] += 1024 * int(line.split()[1])
    return total


def seconds_of(pids: list[int]) -> float:
    """Seconds that some processes have computed for."""
    total = 0.0
    for pid in pids:
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        total += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return total


def machine_seconds() -> float:
    """Seconds that the cores of the machine have computed for, all together."""
    fields = Path("/proc/stat").read_text().splitlines()[0].split()
    user, nice, system = map(int, fields[1:4])
    return (user + nice + system) / os.sysconf("SC_CLK_TCK")


def stored_moves(store: Path) -> dict[str, list[str]]:
    """The moves of all tables of a store."""
    from tamaya.store.database import Store
    from tamaya.web.journal import Journal
    from tamaya.web.table import MOVED

    journal = Journal(Store(str(store)))
    found = {}
    for row in journal.recent(100_000):
        loaded = journal.load(row.id)
        assert loaded is not None
        found[row.id] = [entry.event.move for entry in loaded[1] if entry.event.kind == MOVED]
    return found


# The figures.


def percentile(values: list[float], percent: float) -> float:
    """A percentile of some values."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))]


def told(ms: list[float]) -> str:
    """A sample of times in words."""
    return (f"{len(ms):6} moves   median {percentile(ms, 50):6.2f} ms   "
            f"p95 {percentile(ms, 95):6.2f} ms   worst {max(ms):7.2f} ms")  # fmt: skip


@dataclass
class Measured:
    """What the scripts saw and what all of them together cost."""

    times: dict[str, list[float]]  # ms from move to view, by phase
    seen: dict[str, list[str]]  # moves by table
    peak: dict[str, int]  # bytes
    server: float  # share of the machine that server and engines took, 0 to 1
    others: float  # and that of all who have nothing to do with it


async def measure(port: int, pid: int, args: argparse.Namespace) -> Measured:
    """Let one table and all of them play by turns."""
    baton = Baton()
    players = [Player(k, port, args.agent, baton) for k in range(args.tables)]
    playing = [asyncio.create_task(player.play(3 * player.number / args.tables))
               for player in players]  # fmt: skip
    await asyncio.sleep(5)
    peak, shares = {"Pss": 0, "Rss": 0}, []
    for _ in range(ROUNDS):
        await baton.pass_on("alone", args.seconds / ROUNDS)
        before = seconds_of(family(pid)), seconds_of([os.getpid()]), machine_seconds()
        started = perf_counter()
        await baton.pass_on("together", args.seconds / ROUNDS)
        cores = (os.cpu_count() or 1) * (perf_counter() - started)
        after = seconds_of(family(pid)), seconds_of([os.getpid()]), machine_seconds()
        own, scripts, all_of_it = ((b - a) / cores for a, b in zip(before, after, strict=True))
        shares.append((own, all_of_it - own - scripts))
        now = memory_of(family(pid))
        peak = {name: max(peak[name], now[name]) for name in peak}
    for player in players:
        player.is_done = True
    await asyncio.gather(*playing)
    seen = {table: moves for player in players for table, moves in player.tables.items()}
    server, others = (sum(column) / ROUNDS for column in zip(*shares, strict=True))
    return Measured(baton.times, seen, peak, server, others)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=40.0, help="alone, and together")
    parser.add_argument("--agent", default="smartbot")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "store.db"
        process, port = start_server(store)
        try:
            asyncio.run(wait_until_ready(port))
            found = asyncio.run(measure(port, process.pid, args))
        finally:
            process.terminate()
            process.wait(10)
        stored = stored_moves(store)
    alone, together = found.times["alone"], found.times["together"]
    ratio = percentile(together, 95) / percentile(alone, 95)
    n_lost = sum(
        stored.get(table, [])[: len(moves)] != moves for table, moves in found.seen.items()
    )
    n_moves = sum(len(moves) for moves in stored.values())
    print(f"{args.tables} tables, {args.agent} twice and a script with a move per second, "
          f"{os.cpu_count()} cores")  # fmt: skip
    print(f"  one table   {told(alone)}")
    print(f"  all tables  {told(together)}")
    print(f"  p95 of all / p95 of one: {ratio:.1f} (at most {MOST_RATIO:.0f})")
    print(f"  memory of all processes: {found.peak['Pss'] / 1e6:.0f} MB, counted per process "
          f"{found.peak['Rss'] / 1e6:.0f} MB (at most {MOST_BYTES / 1e6:.0f})")  # fmt: skip
    print(f"  of the machine, server and engines took {found.server:.0%}, "
          f"others that have nothing to do with it {found.others:.0%}")  # fmt: skip
    print(f"  tables with lost moves: {n_lost} of {len(found.seen)}; {n_moves} moves stored")
    if ratio > MOST_RATIO or found.peak["Pss"] > MOST_BYTES or n_lost:
        raise SystemExit("the server does not bear it")


if __name__ == "__main__":
    main()
