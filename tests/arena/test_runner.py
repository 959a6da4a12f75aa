"""The runner: stored chunks are not played again, and all ways lead to the same tally."""

from dataclasses import dataclass, field
from itertools import count
from time import sleep

import pytest

from tamaya.arena.executor import Task, TaskResult, Threads, carry_out, make_executor
from tamaya.arena.match import ONE, Match
from tamaya.arena.runner import NullStore, Pace, Runner, cover
from tamaya.rules import Rules

MATCH = Match(("certainty", "example"), Rules(players=3), 4, ONE)


@dataclass
class Memory:
    """Stores chunks in a dictionary."""

    kept: dict[Task, TaskResult] = field(default_factory=dict)

    def chunks(self, match: Match) -> dict[tuple[int, int], TaskResult]:
        return {(t.first, t.games): result for t, result in self.kept.items() if t.match == match}

    def add_chunk(self, result: TaskResult) -> None:
        self.kept[result.task] = result


class Counting(Threads):
    """Counts the tasks it carries out, and stops after some of them."""

    def __init__(self, limit: int = 10**9) -> None:
        super().__init__(2)
        self.limit, self.count = limit, 0

    def run(self, tasks):
        for done in super().run(tasks):
            if self.count == self.limit:
                raise KeyboardInterrupt
            self.count += 1
            yield done


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("chunk", [100, 250, 999])
def test_threads_and_chunks_change_nothing(threads, chunk):
    [outcome] = Runner(Threads(threads), chunk=chunk).play([MATCH], 1000)
    assert outcome.tally == MATCH.tally(0, 1000)


def test_an_interrupted_run_goes_on_where_it_stopped():
    store = Memory()
    with pytest.raises(KeyboardInterrupt):
        Runner(Counting(limit=3), store, chunk=100).play([MATCH], 1000)
    assert len(store.kept) == 3
    again = Counting()
    [outcome] = Runner(again, store, chunk=100).play([MATCH], 1000)
    assert again.count == 7
    assert outcome.tally == MATCH.tally(0, 1000)


def test_more_games_play_only_what_is_missing():
    store, executor = Memory(), Counting()
    Runner(executor, store, chunk=100).play([MATCH], 500)
    Runner(executor, store, chunk=100).play([MATCH], 800)
    assert executor.count == 8


def test_chunks_of_any_size_are_taken_and_the_rest_is_played():
    store, executor = Memory(), Counting()
    for first, games in ((0, 130), (100, 50), (300, 7), (990, 40)):
        store.add_chunk(carry_out(Task(MATCH, first, games)))
    [outcome] = Runner(executor, store, chunk=1000).play([MATCH], 1000)
    assert outcome.tally == MATCH.tally(0, 1000)
    assert executor.count == 2  # 130 to 300 and 307 to 1000


def test_covering_leaves_no_game_out_and_none_twice():
    kept = {(0, 10): 1, (0, 30): 2, (20, 20): 3, (50, 10): 4, (95, 10): 5}
    assert cover(kept, (0, 100)) == ([2, 4], [(30, 50), (60, 100)])
    assert cover(kept, (15, 45)) == ([3], [(15, 20), (40, 45)])
    assert cover({}, (5, 5)) == ([], [])


def test_chunks_grow_with_the_pace():
    store = Memory()
    [outcome] = Runner(Threads(1), store).play([Match(("random",), Rules(players=2), 1)], 30_000)
    sizes = [task.games for task in store.kept]
    assert outcome.tally.games == sum(sizes) == 30_000
    assert min(sizes) == 10 < 1000 < max(sizes)


def test_progress_counts_stored_games_too():
    counted: list[int] = []
    store = Memory()
    Runner(Threads(1), store, 100).play([MATCH], 300)
    Runner(Threads(1), store, 100, counted.append).play([MATCH], 500)
    assert sum(counted) == 500


def test_stopping_early_does_not_depend_on_threads():
    def until(threads: int):
        match = Match(("certainty",), Rules(players=2), 1)
        return Runner(Threads(threads), chunk=50).play_until(match, 5000, 0.1)

    outcome = until(1)
    assert outcome.tally.se <= 0.1
    assert outcome.tally.games < 5000
    assert outcome.tally == until(2).tally


def test_an_agent_that_fails_ends_the_run(tmp_path):
    file = tmp_path / "bad.py"
    file.write_text(
        "from tamaya.agent import agent\n\n@agent('faulty')\n"
        "def bad(view, memory, params):\n    return 99\n"
    )
    with pytest.raises(ValueError, match="illegal move 99"):
        Runner(Threads(2)).play([Match((f"{file}:faulty",), Rules(players=2), 0)], 1000)


def test_unknown_executors_are_named():
    with pytest.raises(ValueError, match="unknown executor 'cloud'"):
        make_executor("cloud")


def test_what_is_asked_for_twice_is_played_once():
    match = Match(("random",), Rules(players=2), 3)
    first, second = Runner(Threads(4), chunk=10).play([match, match], 100)
    assert first == second
    assert first.tally.games == 100


def test_the_pace_tells_games_played_from_games_of_the_store():
    store = Memory()
    first = Runner(Threads(1), store, 100)
    first.play([MATCH], 300)
    assert (first.pace.played, first.pace.stored) == (300, 0)
    assert str(first.pace).endswith(" games per second per core")
    second = Runner(Threads(1), store, 100)
    second.play([MATCH], 500)
    assert (second.pace.played, second.pace.stored) == (200, 300)
    assert str(second.pace).endswith(" games per second per core; 300 of 500 games from the store")
    third = Runner(Threads(1), store, 100)
    third.play([MATCH], 500)
    assert str(third.pace) == "all 500 games from the store"


def test_the_pace_of_known_games():
    assert str(Pace(played=3000, seconds=2.0)) == "1,500 games per second per core"
    assert str(Pace(played=4, seconds=10.0)) == "2.5 CPU seconds per game"


def test_the_pace_is_cpu_time(monkeypatch):
    hurrying = count(0, 1000)  # as for a process that has to wait for others
    monkeypatch.setattr("tamaya.table.perf_counter", lambda: float(next(hurrying)))
    assert MATCH.play(0, 10, threads=1).seconds == 1000
    runner = Runner(Threads(1), chunk=100)
    runner.play([MATCH], 100)
    assert 0 < runner.pace.seconds < 10


def test_compiling_is_not_counted(tmp_path, monkeypatch):
    from tamaya.agent import Agent

    def compile_slowly(self):
        sleep(0.3)
        return compiled(self)

    compiled = Agent.compile
    monkeypatch.setattr(Agent, "compile", compile_slowly)
    [outcome] = Runner(Threads(1), chunk=10).play([Match(("random",), Rules(players=2), 5)], 10)
    assert outcome.seconds < 0.3


def test_nothing_is_stored_without_a_store():
    store = NullStore()
    store.add_chunk(carry_out(Task(MATCH, 0, 1)))
    assert store.chunks(MATCH) == {}


@dataclass(frozen=True)
class Late:
    """Work that fails the sooner the later it was begun."""

    number: int
    agents: tuple[str, ...] = ()

    def carry_out(self) -> int:
        sleep(0.1 if self.number == 1 else 0)
        if self.number > 0:
            raise ValueError(f"task {self.number}")
        return self.number


def test_of_several_failures_the_first_in_order_is_reported():
    answers = []
    with pytest.raises(ValueError, match="task 1"):
        for answer in Threads(4).run(map(Late, range(4))):
            answers.append(answer)
    assert answers == [0]
