"""What the engines of a web server cost: time of a move, and memory of their processes.

Run `python benchmarks/web_engines.py [--tables N]`. One table and then N tables, each with two
agents, ask for two moves a second; figures of the same run can be compared. Then every quick agent
explains itself once, and two searches move, which is as much as engines ever load.
"""

import argparse
import asyncio
from pathlib import Path
from time import perf_counter, process_time

from tamaya.game import Game
from tamaya.lookup import all_agents
from tamaya.rules import Rules
from tamaya.web.engines import Engines, Position, Question

TEAM = ("tamaya-mixed", "smartbot")
SEARCHES = ("search:blueprint=tamaya-mixed,samples=100", "ris-mcts-best:samples=100")
ROUNDS = 10


def memory(pid: int) -> str:
    """What a process takes: all its pages, and its share of them."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    sizes = {line.split()[0]: int(line.split()[1]) / 1024 for line in lines[1:]}
    return f"{sizes['Rss:']:.0f} MB, {sizes['Pss:']:.0f} MB of it its share"


def pid_of(engines: Engines, name: str) -> int:
    return int(engines.status()["engines"][name]["pid"])


async def play(engines: Engines, seed: int, seconds: list[float]) -> None:
    """A table whose agents move once a second each."""
    game = Game(seed=seed)
    memories: dict[int, tuple[bytes | None, int]] = {}
    await asyncio.sleep(seed % 97 / 97)  # tables do not move all at once
    for _ in range(ROUNDS):
        for _ in range(len(TEAM)):
            if game.is_over:
                return
            seat = game.mover
            memory_of_seat = memories.get(seat, (None, 0))
            question = Question(Position.of(game), seat, TEAM[seat], *memory_of_seat)
            started = perf_counter()
            answer = await engines.move(question)
            seconds.append(perf_counter() - started)
            memories[seat] = answer.memory, game.turn + 1
            game.apply(answer.move)
        await asyncio.sleep(1.0)


async def load(engines: Engines, n_tables: int) -> None:
    """Print the times of moves with some tables."""
    seconds: list[float] = []
    before = process_time()
    await asyncio.gather(*(play(engines, seed, seconds) for seed in range(n_tables)))
    used = 1000 * (process_time() - before) / len(seconds)
    seconds.sort()
    median, p95 = (1000 * seconds[int(len(seconds) * part)] for part in (0.5, 0.95))
    print(f"{n_tables} tables: {len(seconds)} moves, median {median:.2f} ms, p95 {p95:.2f} ms; "
          f"the server used {used:.2f} ms for each")  # fmt: skip


async def run(n_tables: int) -> None:
    engines = Engines()
    await engines.start()
    while not engines.status()["ready"]:
        await asyncio.sleep(0.05)
    print(f"quick engine, warm: {memory(pid_of(engines, 'quick'))}")
    for n in (1, n_tables):
        await load(engines, n)
    print(f"quick engine, after {n_tables} tables: {memory(pid_of(engines, 'quick'))}")
    for player in all_agents():
        if not player.is_slow and not player.made_for:
            game = Game(Rules(players=player.players[0]), seed=1)
            question = Question(Position.of(game), game.mover, player.name)
            await engines.explain(question, choose=True)
    print(f"quick engine, all agents: {memory(pid_of(engines, 'quick'))}")
    for agent in SEARCHES:
        await engines.move(Question(Position.of(Game(seed=1)), 0, agent))
        print(f"slow engine, {agent}: {memory(pid_of(engines, 'slow'))}")
    await engines.stop()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=200)
    asyncio.run(run(parser.parse_args().tables))
