"""How soon a review is on the screen, and how much a background analysis slows down live tables.

    python benchmarks/review_speed.py [--tables 8] [--seconds 40] [--opens 5]

A server runs in separate processes, with compiled code in the cache. In a browser, if there is one,
games of typical length are opened for the first time, until the first values are drawn, and again,
until all marks are; the analysis engine is running, as it does for ten minutes after its last use.
Then scripts play at tables, alternately with and without a background analysis: on a busy machine
only the ratio within a run is meaningful.
"""

import argparse
import asyncio
import json
import sys
import tempfile
from contextlib import suppress
from itertools import count
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any
from urllib.request import Request, urlopen

import websockets
from web_load import (
    PROTOCOL,
    ROUNDS,
    Baton,
    Player,
    percentile,
    start_server,
    told,
    wait_until_ready,
)

from tamaya.replays import to_json
from tamaya.rules import Rules
from tamaya.table import play

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

MOST_RATIO, MOST_FIRST, MOST_KEPT = 3.0, 1000, 500  # that the specification allows; ms
TEAM = "piers"
# The time of the first frame in which so many turns have a value on the graph.
WATCH = """(turns) => new Promise((done) => {
  const look = () => {
    const line = document.querySelector(".graph .line")?.getAttribute("d") ?? "";
    if (line && line.split("L").length >= turns) done(performance.now());
    else requestAnimationFrame(look);
  };
  look();
})"""
_SEEDS = count()


def fresh_game(port: int) -> tuple[str, int]:
    """A game that the server has not seen: its id and its turns."""
    game = play(TEAM, Rules(players=2), 1, seed=next(_SEEDS), record=True).game(0)
    body = json.dumps({"text": json.dumps(to_json(game))}).encode()
    head = {"X-Tamaya": "1", "Content-Type": "application/json"}
    with urlopen(Request(f"http://127.0.0.1:{port}/api/games", body, head)) as answer:
        return json.load(answer)["id"], game.turn


# On the screen.


def screen_times(port: int, opens: int) -> tuple[list[float], list[float]] | None:
    """Milliseconds to the first values of new games, and to all marks of the same once more."""
    try:
        from playwright.sync_api import sync_playwright

        from browsing import CHROMIUM, FLAGS
    except ImportError:
        return None
    if CHROMIUM is None:
        return None
    first, kept = [], []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        page = browser.new_context(base_url=f"http://127.0.0.1:{port}").new_page()
        for k in range(opens + 1):
            game, turns = fresh_game(port)
            page.goto(f"/g/{game}#10")
            seen = page.evaluate(WATCH, 1)
            page.evaluate(WATCH, turns)
            page.get_by_role("tab", name="Game").click()
            page.get_by_role("row", name="Alice").wait_for(timeout=120_000)
            page.goto(f"/g/{game}#11")
            page.reload()  # the fragment alone loads nothing
            again = page.evaluate(WATCH, turns)
            if k:  # the first one starts the engine and fills the browser's cache
                first.append(seen)
                kept.append(again)
        browser.close()
    return first, kept


# In the background.


async def analyse(port: int, is_on: asyncio.Event) -> None:
    """Review one new game after the other while that is wanted."""
    while True:
        await is_on.wait()
        game, _ = await asyncio.to_thread(fresh_game, port)
        async with websockets.connect(
            f"ws://127.0.0.1:{port}/ws", subprotocols=[PROTOCOL], max_queue=None
        ) as socket:
            await socket.send(json.dumps({"type": "review", "game": game}))
            await socket.send(json.dumps({"type": "analyse"}))
            while is_on.is_set():
                if json.loads(await socket.recv())["type"] == "done":
                    break


async def live_times(port: int, args: argparse.Namespace) -> dict[str, list[float]]:
    """Milliseconds from move to view at live tables, with and without an analysis."""
    baton, is_on = Baton(), asyncio.Event()
    baton.times |= {"with": [], "without": []}
    baton.is_for_all.set()
    players = [Player(k, port, "smartbot", baton) for k in range(args.tables)]
    playing = [asyncio.create_task(player.play(player.number / args.tables)) for player in players]
    reviewing = asyncio.create_task(analyse(port, is_on))
    await asyncio.sleep(5)
    for _ in range(ROUNDS):
        for phase in ("without", "with"):
            (is_on.set if phase == "with" else is_on.clear)()
            await pass_on(baton, phase, args.seconds / ROUNDS)
    for player in players:
        player.is_done = True
    if reviewing.done():  # nothing was going on in the background
        reviewing.result()
    reviewing.cancel()
    await asyncio.gather(*playing)
    with suppress(asyncio.CancelledError):
        await reviewing
    return baton.times


async def pass_on(baton: Baton, phase: str, seconds: float) -> None:
    """Count the moves of some seconds, once a change has settled."""
    await baton.pass_on("together", 0)
    baton.phase = phase
    await asyncio.sleep(seconds)
    baton.phase = ""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--tables", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=40.0, help="with, and without")
    parser.add_argument("--opens", type=int, default=5)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        many = ("--tables-per-minute", "1000")  # games are brought in one after the other
        process, port = start_server(Path(folder) / "store.db", *many)
        try:
            asyncio.run(wait_until_ready(port))
            screen = screen_times(port, args.opens)
            started = perf_counter()
            live: dict[str, Any] = asyncio.run(live_times(port, args))
        finally:
            process.terminate()
            process.wait(10)
    if screen is None:
        print("there is no browser: nothing is known of the screen")
    else:
        first, kept = screen
        print(f"first values of a new game   median {median(first):5.0f} ms   "
              f"worst {max(first):5.0f} ms   (at most {MOST_FIRST})")  # fmt: skip
        print(f"all marks of a known game    median {median(kept):5.0f} ms   "
              f"worst {max(kept):5.0f} ms   (at most {MOST_KEPT})")  # fmt: skip
    ratio = percentile(live["with"], 95) / percentile(live["without"], 95)
    print(f"{args.tables} live tables, {perf_counter() - started:.0f} s")
    print(f"  without an analysis  {told(live['without'])}")
    print(f"  with one             {told(live['with'])}")
    print(f"  p95 with / without: {ratio:.1f} (at most {MOST_RATIO:.0f})")


if __name__ == "__main__":
    main()
