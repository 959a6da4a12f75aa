"""Ctrl-C: a command ends soon, whatever runs, and what was finished is stored."""

import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path
from textwrap import dedent
from time import monotonic, sleep

import pytest

from support import run_python
from tamaya.compiled import JIT
from tamaya.game import Game
from tamaya.rules import Rules

pytestmark = pytest.mark.skipif(not JIT, reason="interpreted agents see every signal")
FATAL_GAME = 40
# Whoever runs the tests in the background may have them ignore Ctrl-C.
HEAR = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"


@pytest.fixture
def agent_file(tmp_path) -> Path:
    """An agent that plays its oldest card, but loops for ever in one game of seed 0."""
    hand = Game(Rules(players=2), 0, FATAL_GAME).hands[1]
    path = tmp_path / "endless.py"
    path.write_text(
        dedent(f"""
            from tamaya.agent import agent
            from tamaya.moves import play

            HAND = {tuple(hand)}

            @agent("endless", memory=[("n", "i8")])
            def endless(view, memory, params):
                n_same = 0
                for slot in range(5):
                    if view.card[1, slot] == HAND[slot]:
                        n_same += 1
                while n_same == 5 and memory.n >= 0:
                    memory.n = (memory.n + 1) % 7
                return play(view, 0)
        """)
    )
    return path


def start(*arguments: str) -> subprocess.Popen[str]:
    """A `tamaya` command in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-c", f"{HEAR}; from tamaya.cli.main import run; run()", *arguments],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def n_stored(store: Path) -> int:
    """Games of the chunks in a store, as another process sees them."""
    try:
        with sqlite3.connect(f"file:{store}?mode=ro", uri=True) as connection:
            return connection.execute("select coalesce(sum(games), 0) from chunks").fetchone()[0]
    except sqlite3.OperationalError:  # not there yet
        return 0


@pytest.mark.parametrize("threads", ["1", "2"])
def test_a_run_that_never_ends_is_stopped_and_keeps_its_chunks(agent_file, tmp_path, threads):
    store = tmp_path / "results.db"
    process = start("selfplay", str(agent_file), "-p", "2", "-n", "1000", "--threads", threads,
                    "--store", str(store))  # fmt: skip
    until = monotonic() + 200
    while not n_stored(store) and process.poll() is None and monotonic() < until:
        sleep(0.1)
    sleep(1)
    process.send_signal(signal.SIGINT)
    try:
        out, err = process.communicate(timeout=20)  # it takes less than two seconds
    finally:
        process.kill()
    assert (process.returncode, out) == (130, ""), err
    assert err.splitlines()[-1] == "tamaya: stopped; finished work is kept"
    assert 10 <= n_stored(store) <= 1000 - 1


def test_an_interrupted_table_gives_control_back(agent_file):
    result = run_python(
        f"""if True:
        {HEAR}
        import os, threading
        from tamaya import Rules, find_agent, play
        player = find_agent({str(agent_file)!r})
        play(player, Rules(players=2), 10)
        threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
        try:
            play(player, Rules(players=2), 1, first={FATAL_GAME}, threads=1)
        except KeyboardInterrupt:
            print("free")
        """
    )
    assert (result.stdout, result.returncode) == ("free\n", 0), result.stderr


def test_the_main_thread_may_be_stuck_itself(agent_file):
    result = run_python(
        f"""if True:
        {HEAR}
        import os, threading
        from tamaya import Game, Rules, find_agent
        from tamaya.cli.interrupts import ending_on_interrupt
        from tamaya.seat import Seat
        seat = Seat(find_agent({str(agent_file)!r}), Game(Rules(players=2), 0, {FATAL_GAME}), 0)
        threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
        print("before", flush=True)
        with ending_on_interrupt():
            seat.act()
        print("after")
        """
    )
    assert (result.stdout, result.returncode) == ("before\n", 130), result.stderr
    assert result.stderr.endswith("tamaya: stopped; finished work is kept\n")


def test_a_command_that_handles_the_signal_itself_is_left_alone():
    result = run_python(
        """if True:
        import os, signal
        from time import sleep
        from tamaya.cli import interrupts
        interrupts.GRACE = 0.1
        signal.signal(signal.SIGINT, lambda number, frame: print("noted"))
        with interrupts.ending_on_interrupt():
            os.kill(os.getpid(), signal.SIGINT)
            sleep(0.5)
        print("finished")
        """
    )
    assert (result.stdout, result.returncode) == ("noted\nfinished\n", 0), result.stderr
