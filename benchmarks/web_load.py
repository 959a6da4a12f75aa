"""How a server of web tables bears two hundred of them: time from move to view, memory, losses.

    python benchmarks/web_load.py [--tables 200] [--seconds 30] [--agent smartbot]

A server and its engines run in processes of their own, as `tamaya serve` starts them, with the
limits that everybody has; clients come from many loopback addresses because an address opens ten
tables a minute. At every table a script plays with two agents, a move per second. A single table
is measured, then all of them, then a single one again: only the ratio within a run means anything
on a machine that has other things to do, the scripts among them. Moves are lost if a game in the
store is not the one that was seen.
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
from time import perf_counter
from typing import Any
from urllib.request import urlopen

import websockets

PROTOCOL = websockets.Subprotocol("tamaya.1")
PER_ADDRESS = 3  # scripts: an address opens ten tables a minute, and games end
PACE = 1.0  # seconds between two moves of a script
MOST_RATIO, MOST_BYTES = 10.0, 1 << 30  # that the specification allows
OVER = '"phase":"over"'
Frame = dict[str, Any]


@dataclass
class Player:
    """A script at a table of its own."""

    number: int
    port: int
    agent: str
    ms: list[float] = field(default_factory=list)  # from move to view
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

    async def play(self, until: float, delay: float = 0.0) -> None:
        """Play game after game, a move per second, until a moment."""
        await asyncio.sleep(delay)
        while perf_counter() < until:
            table, token = await self.open()
            url = f"ws://127.0.0.1:{self.port}/ws"
            async with websockets.connect(
                url, subprotocols=[PROTOCOL], local_addr=(self.source, 0), max_queue=None
            ) as socket:
                hello = {"type": "hello", "table": table, "token": token}
                await socket.send(json.dumps(hello))
                await self.play_game(socket, table, until)

    async def play_game(self, socket: Any, table: str, until: float) -> None:
        """Play one game, or what there is time for."""
        due = perf_counter()
        while (view := await own_turn(socket))["phase"] != "over" and perf_counter() < until:
            due = max(due + PACE, perf_counter())
            await asyncio.sleep(due - perf_counter())
            turn, legal = view["turn"], view["legal"]
            move = legal[(7 * turn + self.number) % len(legal)]
            sent = perf_counter()
            await socket.send(json.dumps({"type": "move", "turn": turn, "move": move, "id": turn}))
            while f'"re":{turn},' not in (text := await heard(socket)):
                pass
            self.ms.append(1000 * (perf_counter() - sent))
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


def start_server(store: Path) -> tuple[subprocess.Popen[str], int]:
    """A server at a free port."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tamaya", "serve", "--json", "--port", "0", "--store", str(store)],
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
    """The scripts at one table and at many, and what the many cost."""

    one: list[Player]
    many: list[Player]
    peak: dict[str, int]  # bytes
    server: float  # share of the machine that server and engines took, 0 to 1
    others: float  # and that of all who have nothing to do with it


async def measure(port: int, pid: int, args: argparse.Namespace) -> Measured:
    """Play at one table, at many, and at one again."""
    await Player(10**4, port, args.agent).play(perf_counter() + 3)  # warms up
    one = [Player(10**4 + k * PER_ADDRESS, port, args.agent) for k in (1, 2)]
    await one[0].play(perf_counter() + args.seconds)
    many = [Player(k, port, args.agent) for k in range(args.tables)]
    own, scripts, machine = seconds_of(family(pid)), seconds_of([os.getpid()]), machine_seconds()
    started = perf_counter()
    until = started + args.seconds + 3
    playing = asyncio.gather(*(
        player.play(until, 3 * player.number / args.tables) for player in many
    ))  # fmt: skip
    peak = {"Pss": 0, "Rss": 0}
    while not playing.done():
        await asyncio.sleep(1.0)
        now = await asyncio.to_thread(lambda: memory_of(family(pid)))
        peak = {name: max(peak[name], now[name]) for name in peak}
    await playing
    cores = (os.cpu_count() or 1) * (perf_counter() - started)
    own = (seconds_of(family(pid)) - own) / cores
    scripts = (seconds_of([os.getpid()]) - scripts) / cores
    others = (machine_seconds() - machine) / cores - own - scripts
    await one[1].play(perf_counter() + args.seconds)
    return Measured(one, many, peak, own, others)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=30.0, help="of each part")
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
    alone = [ms for player in found.one for ms in player.ms]
    together = [ms for player in found.many for ms in player.ms]
    ratio = percentile(together, 95) / percentile(alone, 95)
    seen = {
        table: moves
        for player in (*found.one, *found.many)
        for table, moves in player.tables.items()
    }
    n_lost = sum(stored.get(table, [])[: len(moves)] != moves for table, moves in seen.items())
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
    print(f"  tables with lost moves: {n_lost} of {len(seen)}; {n_moves} moves stored")
    if ratio > MOST_RATIO or found.peak["Pss"] > MOST_BYTES or n_lost:
        raise SystemExit("the server does not bear it")


if __name__ == "__main__":
    main()
