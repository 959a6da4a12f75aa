"""kill -9 of the server at random moments: every game ends as it would have, every tab goes on.

Fifty games are played at once by scripts that stay connected as a page does. Whenever so many moves
have been made in all, the server is killed and started again. What each game should come to is
computed beforehand, from the agents themselves.
"""

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from random import Random

import pytest
import websockets

from serving import PATIENCE, Client, Frame, Server, started, steady
from tamaya.compiled import JIT
from tamaya.game import Game
from tamaya.lookup import find_agent
from tamaya.moves import move_text
from tamaya.rules import Rules
from tamaya.seat import Seat

pytestmark = pytest.mark.skipif(not JIT, reason="engines are about compiled code")
N_GAMES, N_KILLS = 50, 4
TEAMS = (("Ann", "piers"), ("smartbot", "Ann"), ("Ann", "iggi", "smartbot"), ("Ann", "random"),
         ("tamaya-mixed", "Ann", "piers"))  # fmt: skip


@dataclass
class Task:
    """A game to be played: who sits where, the deal, and how the script chooses its moves."""

    team: tuple[str, ...]
    seed: int

    @property
    def rules(self) -> Rules:
        return Rules(players=len(self.team), lives=10, bomb="keep")

    def expected(self) -> list[str]:
        """The moves of the game if nothing interrupts it."""
        game = Game(self.rules, self.seed)
        seats = {seat: Seat(find_agent(name), game, seat)
                 for seat, name in enumerate(self.team) if name != "Ann"}  # fmt: skip
        while not game.is_over:
            if game.mover in seats:
                game.apply(seats[game.mover].act())
            else:
                legal = [move_text(game.rules, move) for move in game.legal_moves]
                tokens = int(game.record.tokens)
                game.apply(steady({"legal": legal, "turn": game.turn, "tokens": tokens}, self.seed))
            for seat in seats.values():
                seat.observe()
        return [move_text(game.rules, move) for move in game.moves]


class Stayer(Client):
    """A tab that is left open: connects again by itself, and sends again what was not answered."""

    n_resumed = 0

    async def play_through(self, seed: int, on_move) -> Frame:
        """Play to the end, whatever happens to the server; gives the last view."""
        await self.resume()
        while "over" not in self.latest:
            try:
                if self.view["legal"] is None:
                    await self.hear()
                    continue
                turn, move = self.view["turn"], steady(self.view, seed)
                reply = await self.ask("move", turn=turn, move=move)
                assert reply["type"] == "view", reply
                on_move()
            except (websockets.ConnectionClosed, OSError):
                await self.resume()
        return self.view

    async def resume(self) -> None:
        """Connect, however long it takes."""
        self.n_resumed += 1
        async with asyncio.timeout(PATIENCE):
            while True:
                with suppress(websockets.WebSocketException, OSError, EOFError):
                    await self.connect()
                    return
                await asyncio.sleep(0.2)


async def play_all(server: Server, tasks: list[Task], kills: list[int]) -> list[Stayer]:
    """Play games at once; the server is killed when so many moves of persons have been made."""
    n_made = 0
    progress = asyncio.Event()

    def count() -> None:
        nonlocal n_made
        n_made += 1
        progress.set()

    async def kill() -> None:
        for limit in kills:
            while n_made < limit:
                progress.clear()
                await progress.wait()
            await asyncio.to_thread(server.kill)
            await asyncio.to_thread(server.start)

    clients = []
    for task in tasks:
        opened = server.open(
            *task.team, seed=task.seed, rules=task.rules.to_text(), options={"pace_ms": 100}
        )
        clients.append(Stayer(server, opened["id"], token=opened["token"]))
    killing = asyncio.create_task(kill())
    await asyncio.gather(*(
        client.play_through(task.seed, count) for task, client in zip(tasks, clients, strict=True)
    ))  # fmt: skip
    assert killing.done(), "all games ended before the last kill"
    await asyncio.gather(*(client.close() for client in clients))
    return clients


def test_fifty_games_end_as_they_would_have(tmp_path):
    rng = Random(18)
    tasks = [Task(TEAMS[k % len(TEAMS)], rng.getrandbits(60)) for k in range(N_GAMES)]
    expected = [task.expected() for task in tasks]
    own = sum(
        turn % len(task.team) == task.team.index("Ann")
        for task, moves in zip(tasks, expected, strict=True)
        for turn in range(len(moves))
    )
    kills = sorted(rng.sample(range(own // 20, own // 2), N_KILLS))
    with started(tmp_path) as server:
        server.wait()
        clients = asyncio.run(play_all(server, tasks, kills))
        log = server.log()
    for client, moves in zip(clients, expected, strict=True):
        assert [event["move"] for event in client.view["past"]] == moves
        assert client.n_resumed > 1  # it saw at least one kill
    assert "Traceback" not in log
