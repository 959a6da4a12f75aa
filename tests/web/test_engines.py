"""Engines: the moves of the compiled table, whatever dies, hangs or fails in between."""

import asyncio
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from textwrap import dedent
from time import sleep
from typing import Any

import pytest

from tamaya.compiled import JIT
from tamaya.game import Game
from tamaya.rules import Rules
from tamaya.table import play
from tamaya.web.engines import Answer, EngineError, Engines, Limits, Position, Question

pytestmark = pytest.mark.skipif(not JIT, reason="engines are about compiled code and processes")

HAZARDS = dedent(
    '''
    """Agents that do what no agent should."""
    import ctypes
    import os
    import sys
    import time
    from pathlib import Path

    import numpy as np

    from tamaya.agent import agent, batch_agent

    HERE = Path(__file__).parent


    def lowest(legal):
        return legal.argmax(axis=1)


    def once(name):
        """Whether this is the first call, in any process."""
        mark = HERE / name
        if mark.exists():
            return False
        mark.touch()
        return True


    @batch_agent("good")
    def good(observations, legal, state):
        return lowest(legal)


    @batch_agent("hangs")
    def hangs(observations, legal, state):
        time.sleep(1000)


    @agent("spins")
    def spins(view, memory, params):
        n = 0
        while memory.rng != 0:
            n += 1
            if n < 0:
                return n
        return 0


    @batch_agent("hangs-once")
    def hangs_once(observations, legal, state):
        if once("hung"):
            time.sleep(1000)
        return lowest(legal)


    @batch_agent("exits")
    def exits(observations, legal, state):
        os._exit(3)


    @batch_agent("crashes")
    def crashes(observations, legal, state):
        ctypes.string_at(0)


    @batch_agent("crashes-once")
    def crashes_once(observations, legal, state):
        if once("crashed"):
            ctypes.string_at(0)
        return lowest(legal)


    @batch_agent("forks")
    def forks(observations, legal, state):
        """Leaves children behind that keep the pipes open, and ends."""
        for _ in range(2):
            child = os.fork()
            if child == 0:
                time.sleep(1000)
            with open(HERE / "forked", "a") as file:
                file.write(f"{child}\\n")
        os._exit(5)


    @batch_agent("raises")
    def raises(observations, legal, state):
        raise KeyError("no such card")


    @agent("raises-compiled")
    def raises_compiled(view, memory, params):
        if view.n_moves >= 0:
            raise ValueError("no such card")
        return 0


    @batch_agent("leaves")
    def leaves(observations, legal, state):
        sys.exit(4)


    @batch_agent("cheats")
    def cheats(observations, legal, state):
        return legal.argmin(axis=1)


    @batch_agent("invents")
    def invents(observations, legal, state):
        return np.array([1000])


    @batch_agent("prints")
    def prints(observations, legal, state):
        print('{"id": 1, "answer": {}}')
        sys.stdout.flush()
        os.write(1, b"\\n{not json\\n")
        sys.stdin.read()
        return lowest(legal)


    @batch_agent("scribbles")
    def scribbles(observations, legal, state):
        """Writes into whatever pipe it finds."""
        for descriptor in range(3, 20):
            try:
                os.write(descriptor, b"scribble\\n")
            except OSError:
                pass
        return lowest(legal)


    @batch_agent("hoards", state_size=2**19)
    def hoards(observations, legal, state):
        state[:] = np.random.default_rng(1).random(state.shape)
        return lowest(legal)


    @batch_agent("counts", state_size=2)
    def counts(observations, legal, state):
        """Plays by how often it was asked, which it remembers."""
        state[:, 0] += 1
        moves = [np.flatnonzero(row) for row in legal]
        return np.array([m[int(n) % len(m)] for m, n in zip(moves, state[:, 0])])


    @batch_agent("marks")
    def marks(observations, legal, state):
        """Says that it was asked, and is never done."""
        (HERE / "asked").touch()
        while True:
            pass


    @agent("chatty")
    def chatty(view, memory, params):
        return 5


    @chatty.explain
    def why(view, memory, params):
        return [("a", np.float32(0.5)), ("b", float("nan")), ("c", {1: 2}), ("d", "x" * 10**6),
                ("e", True), ("f", None)] + [("more", k) for k in range(10**4)]
    '''
)
NAMES = re.findall(r'agent\("([a-z-]+)"', HAZARDS)


@pytest.fixture(scope="module")
def runner() -> Iterator[asyncio.Runner]:
    with asyncio.Runner() as runner:
        yield runner


@pytest.fixture(scope="module")
def files(tmp_path_factory) -> list[str]:
    path = tmp_path_factory.mktemp("agents") / "hazards.py"
    path.write_text(HAZARDS)
    return [f"{path}:{name}" for name in NAMES]


@pytest.fixture(scope="module")
def engines(runner, files) -> Iterator[Engines]:
    engines = Engines(files)
    yield engines
    runner.run(engines.stop())


@pytest.fixture(scope="module")
def impatient(runner, files) -> Iterator[Engines]:
    """Engines that wait two seconds for an agent."""
    engines = Engines(files, Limits(quick=2.0))
    yield engines
    runner.run(engines.stop())


def question(agent: str, game: Game | None = None, **more: Any) -> Question:
    game = game or Game(seed=1)
    return Question(Position.of(game), game.mover, agent, **more)


async def played(engines: Engines, agent: str, game: Game, after: Any = None) -> Game:
    """A game in which engines move for all seats; ``after`` is called with each turn."""
    memories: dict[int, tuple[bytes | None, int]] = {}
    while not game.is_over:
        seat = game.mover
        asked = Question(Position.of(game), seat, agent, *memories.get(seat, (None, 0)))
        answer = await engines.move(asked)
        memories[seat] = answer.memory, game.turn + 1
        game.apply(answer.move)
        if after is not None:
            after(game.turn)
    return game


@pytest.mark.parametrize("agent", ["tamaya-mixed", "random", "information", "fireflower", "acha"])
def test_moves_are_those_of_the_compiled_table(engines, runner, agent):
    rules = Rules(players=2)
    game = runner.run(played(engines, agent, Game(rules, seed=5, index=2)))
    assert game.moves == play(agent, rules, 1, seed=5, first=2, record=True).game(0).moves


def test_an_engine_that_is_killed_again_and_again_changes_no_move(engines, runner):
    def kill(turn: int) -> None:
        if turn % 15 == 0:
            os.kill(engines.status()["engines"]["quick"]["pid"], signal.SIGKILL)

    rules = Rules(players=3)
    game = runner.run(played(engines, "mixed-old", Game(rules, seed=8), kill))
    assert game.moves == play("mixed-old", rules, 1, seed=8, record=True).game(0).moves


def test_a_search_in_the_slow_engine_moves_as_at_the_compiled_table(engines, runner):
    agent = "flat-mc:samples=60,rollout=4,blueprint=tamaya-mixed"
    reference = play(agent, Rules(), 1, seed=3, record=True).game(0)
    memory: dict[str, Any] = {}
    for turn in (0, 2, 4):
        game = reference.at(turn)
        answer = runner.run(engines.move(question(agent, game, **memory)))
        assert answer.move == runner.run(engines.move(question(agent, game, **memory))).move
        game.apply(answer.move)
        assert game.moves[-1] == reference.moves[turn]
        memory = {"memory": answer.memory, "memory_turn": turn + 1}
    assert engines.status()["engines"]["slow"]["pid"] is not None


@pytest.mark.parametrize("agent", ["hangs", "spins"])
def test_an_agent_that_hangs_is_stuck_after_two_tries_and_others_play_on(impatient, runner, agent):
    runner.run(impatient.move(question("good")))
    before = impatient.status()["engines"]["quick"]["started"]

    async def both() -> tuple[Any, Any]:
        stuck = asyncio.create_task(impatient.move(question(agent)))
        await asyncio.sleep(0.1)
        other = await impatient.move(question("good"))
        assert not stuck.done()  # the second try comes after those who waited
        return other, (await asyncio.gather(stuck, return_exceptions=True))[0]

    other, error = runner.run(both())
    assert isinstance(other, Answer)
    assert isinstance(error, EngineError) and error.code == "stuck" and agent in error.text
    assert impatient.status()["engines"]["quick"]["started"] == before + 1
    assert runner.run(impatient.move(question("good"))).move == "p0"
    assert impatient.status()["engines"]["quick"]["started"] == before + 2


def test_what_an_agent_forks_ends_with_its_process(impatient, runner, files):
    with pytest.raises(EngineError, match="forks"):
        runner.run(impatient.move(question("forks")))
    assert runner.run(impatient.move(question("good"))).move == "p0"
    children = (Path(files[0].partition(":")[0]).parent / "forked").read_text().split()
    assert len(children) == 4  # of two tries
    assert not any(is_running(int(child)) for child in children)


def is_running(pid: int) -> bool:
    """Whether there is such a process; one that nobody has buried is none."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize("agent", ["hangs-once", "crashes-once"])
def test_what_happens_once_costs_a_delay_and_nothing_else(impatient, runner, agent):
    assert runner.run(impatient.move(question(agent))).move == "p0"


@pytest.mark.parametrize(
    ("agent", "code", "words"),
    [
        ("exits", "fault", "status 3"),
        ("crashes", "fault", "signal 11"),
        ("raises", "fault", "no such card"),
        ("raises-compiled", "fault", "no such card"),
        ("leaves", "unavailable", "SystemExit"),
        ("cheats", "illegal", "discard slot 0 (d0): all hint tokens are there"),
        ("invents", "illegal", "1000 is no move, ids go from 0 to 19"),
        ("scribbles", "fault", "wrote into the pipe"),
        ("hoards", "unavailable", "remembers too much"),
        ("nobody", "unavailable", "unknown agent"),
        ("hatbot", "unavailable", "plays with 5 players, not 2"),
    ],
)
def test_faults_are_named_and_the_engine_goes_on(engines, runner, agent, code, words):
    with pytest.raises(EngineError) as error:
        runner.run(engines.move(question(agent)))
    assert error.value.code == code
    assert agent in error.value.text and words in error.value.text + error.value.words
    assert runner.run(engines.move(question("good"))).move == "p0"


def test_words_that_may_speak_of_hidden_cards_are_apart_from_the_text(engines, runner):
    for agent in ("raises", "cheats"):
        with pytest.raises(EngineError) as error:
            runner.run(engines.move(question(agent)))
        assert "slot" not in error.value.text and "card" not in error.value.text


def test_agents_that_print_and_read_do_not_reach_the_pipes(engines, runner):
    assert runner.run(engines.move(question("prints"))).move == "p0"
    assert runner.run(engines.move(question("good"))).move == "p0"


def test_a_batch_agent_remembers_wherever_it_is_asked(engines, runner, files):
    expected = play(files[NAMES.index("counts")], Rules(), 1, seed=4, record=True).game(0)
    assert runner.run(played(engines, "counts", Game(seed=4))).moves == expected.moves


def test_explanations_are_plain_and_bounded(engines, runner):
    explanation = runner.run(engines.explain(question("chatty"), choose=True))
    rows = dict(explanation.rows[:6])
    assert explanation.move == "p0"
    assert rows == {"a": 0.5, "b": "nan", "c": "{1: 2}", "d": "x" * 500, "e": True, "f": None}
    assert len(explanation.rows) == 200
    assert runner.run(engines.explain(question("chatty"))).move is None
    assert runner.run(engines.explain(question("good"))).rows == ()


def test_introductions_say_who_an_agent_is(engines, runner):
    introduction = runner.run(engines.introduce("search:samples=5,blueprint=certainty"))
    assert introduction.is_slow and introduction.explains and introduction.players == (2, 5)
    assert introduction.spec == "search:samples=5,blueprint=certainty"
    other = runner.run(engines.introduce("certainty"))
    assert other.code != introduction.code and not other.is_slow


def test_whoever_leaves_is_not_waited_for(impatient, runner):
    async def leave() -> None:
        for agent in ("hangs", "good"):
            await impatient.introduce(agent)
        before = impatient.status()["engines"]["quick"]["started"]
        tasks = [asyncio.create_task(impatient.move(question(name))) for name in ("hangs", "good")]
        await asyncio.sleep(0.1)
        for task in tasks:
            task.cancel()
        done = await asyncio.gather(*tasks, return_exceptions=True)
        assert all(isinstance(result, asyncio.CancelledError) for result in done)
        assert impatient.status()["engines"]["quick"]["waiting"] == 0
        assert (await impatient.move(question("good"))).move == "p0"  # after the limit
        assert impatient.status()["engines"]["quick"]["started"] == before + 1  # no second try

    runner.run(leave())


def test_moves_come_before_advice_and_advice_is_bounded(engines, runner):
    order: list[str] = []

    async def ask(kind: str) -> None:
        if kind == "move":
            await engines.move(question("good"))
        else:
            await engines.explain(question("good"))
        order.append(kind)

    async def crowd() -> list[Any]:
        await engines.move(question("good"))
        tasks = [asyncio.create_task(ask("advice")) for _ in range(12)]
        tasks += [asyncio.create_task(ask("move")) for _ in range(20)]
        return await asyncio.gather(*tasks, return_exceptions=True)

    results = runner.run(crowd())
    busy = [error for error in results if isinstance(error, EngineError)]
    assert {error.code for error in busy} == {"busy"} and 3 <= len(busy) <= 4
    assert order.count("move") == 20
    assert order[-5:] == ["advice"] * 5  # those that nobody had begun when the moves came


def test_progress_tells_of_seconds_and_of_the_agents_own_time(engines, runner):
    told: list[dict[str, Any]] = []
    agent = "mcts:ms=1600,rollout=2"
    answer = runner.run(engines.move(question(agent), told.append))
    # While code is loaded nobody knows how far it is.
    thinking = [row for row in told if row["type"] == "thinking" and row["of"] is not None]
    assert answer.ms >= 1600 and len(thinking) >= 2
    assert all(row["of"] == 1600 and 0 <= row["done"] <= 1600 for row in thinking)
    assert thinking[0]["seconds"] < thinking[-1]["seconds"]


def test_a_listener_that_fails_harms_only_itself(engines, runner):
    def fail(progress: dict[str, Any]) -> None:
        raise RuntimeError("mine")

    with pytest.raises(RuntimeError, match="mine"):
        runner.run(engines.move(question("mcts:ms=1600,rollout=2"), fail))
    assert runner.run(engines.move(question("good"))).move == "p0"


def test_stopping_refuses_what_waits_and_leaves_no_process(runner, files):
    async def stop() -> tuple[list[Any], int]:
        engines = Engines(files, Limits(quick=60.0))
        for agent in ("hangs", "good"):
            await engines.introduce(agent)
        pid = engines.status()["engines"]["quick"]["pid"]
        tasks = [asyncio.create_task(engines.move(question(name))) for name in ("hangs", "good")]
        await asyncio.sleep(0.1)
        await engines.stop()
        return await asyncio.gather(*tasks, return_exceptions=True), pid

    errors, pid = runner.run(stop())
    assert [(error.code, error.text) for error in errors] == [
        ("unavailable", "the server stops")
    ] * 2
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_a_slow_engine_that_nobody_needs_ends_and_comes_back(runner):
    async def idle() -> None:
        engines = Engines(limits=Limits(idle=0.2))
        agent = "mcts:samples=5"
        try:
            first = await engines.move(question(agent))
            while engines.status()["engines"]["slow"]["pid"] is not None:
                await asyncio.sleep(0.05)
            assert (await engines.move(question(agent))).move == first.move
            assert engines.status()["engines"]["slow"]["started"] == 2
            assert engines.status()["engines"]["quick"]["started"] == 1
        finally:
            await engines.stop()

    runner.run(idle())


@pytest.mark.parametrize("program", ["/nowhere/python", shutil.which("false")])
def test_without_any_process_it_is_said_and_later_it_works(runner, monkeypatch, program):
    async def ask() -> None:
        engines = Engines()
        try:
            with monkeypatch.context() as patch:
                patch.setattr(sys, "executable", program)
                with pytest.raises(EngineError, match="has no process") as error:
                    await engines.move(question("first-legal"))
            assert error.value.code == "unavailable"
            assert (await engines.move(question("first-legal"))).move == "p0"
        finally:
            await engines.stop()

    runner.run(ask())


@pytest.mark.parametrize("sign", [signal.SIGKILL, signal.SIGINT])
def test_an_engine_ends_with_its_server_even_in_the_middle_of_a_move(files, sign):
    """The server is killed, or hears Ctrl-C, while its engine is busy."""
    code = f"""
import asyncio
from tamaya.game import Game
from tamaya.web.engines import Engines, Position, Question

async def serve():
    engines = Engines({files!r})
    await engines.introduce("marks")
    print(engines.status()["engines"]["quick"]["pid"], flush=True)
    await engines.move(Question(Position.of(Game(seed=1)), 0, "marks"))

asyncio.run(serve())
"""
    mark = Path(files[0].partition(":")[0]).with_name("asked")
    mark.unlink(missing_ok=True)
    server = subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert server.stdout is not None
    pid = int(server.stdout.readline())
    _until(mark.exists, "the engine never began")
    os.killpg(server.pid, sign)  # as a terminal does
    _until(lambda: not _lives(pid), "the engine outlived its server")
    assert "web/engine.py" not in server.communicate()[1]  # it did not hear Ctrl-C itself


def _lives(pid: int) -> bool:
    """Whether a process is there and no zombie, which nobody may be left to bury."""
    with suppress(FileNotFoundError, ProcessLookupError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def _until(holds: Callable[[], bool], otherwise: str) -> None:
    for _ in range(1200):
        if holds():
            return
        sleep(0.05)
    pytest.fail(otherwise)


TINY = dedent(
    """
    from tamaya.agent import agent
    from tamaya.knowledge.board import board_now
    from tamaya.moves import play


    @agent("tiny")
    def tiny(view, memory, params):
        return play(view, 0) if board_now(view).playable else 0


    @agent("other")
    def other(view, memory, params):
        return play(view, 1)
    """
)


def test_what_must_be_compiled_is_told_and_not_held_against_the_agent(
    runner, tmp_path, monkeypatch
):
    """With an empty cache, and less time to think than the compiler takes."""
    monkeypatch.setenv("TAMAYA_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "tiny.py"
    path.write_text(TINY)
    told: list[dict[str, Any]] = []

    async def cold() -> None:
        engines = Engines([f"{path}:tiny", f"{path}:other"], Limits(quick=3.0))
        try:
            for agent in ("tiny", "other"):
                await engines.introduce(agent)
            first = asyncio.create_task(engines.move(question("tiny"), told.append))
            while (status := engines.status()["compiling"]) is None:
                assert not first.done()
                await asyncio.sleep(0.05)
            assert status["agent"] == "tiny"
            second = asyncio.create_task(engines.move(question("other")))
            again = asyncio.create_task(engines.move(question("tiny")))
            answers = await asyncio.gather(first, second, again)
            assert [answer.move for answer in answers] == ["p0", "p1", "p0"]
            assert engines.status()["engines"]["quick"]["started"] > 1  # one went aside
            assert engines.status()["compiling"] is None
        finally:
            await engines.stop()

    runner.run(cold())
    compiling = [row for row in told if row["type"] == "compiling" and row["agent"]]
    assert {row["agent"] for row in compiling} == {"tiny"}
    assert all(0 <= row["done"] < row["of"] for row in compiling)
    done = [row["done"] for row in compiling]
    assert len(compiling) >= 2 and done == sorted(done) and done[-1] > 0
    # A kernel has a name as soon as its entry point has taken half a second.
    assert all(isinstance(row["kernel"], str) for row in compiling)


def test_engines_do_not_load_the_server():
    code = (
        "import sys, tamaya.web.engine\n"
        "print([name for name in ('starlette', 'uvicorn', 'sqlalchemy') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
