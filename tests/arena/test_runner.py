"""The runner: chunks that are kept are not played again, and all ways lead to the same tally."""

from dataclasses import dataclass, field

import pytest

from tamaya.arena.executor import Done, Task, Threads, carry_out, make_executor
from tamaya.arena.match import ONE, Match
from tamaya.arena.runner import Runner, cover
from tamaya.rules import Rules

MATCH = Match(("certainty", "example"), Rules(players=3), 4, ONE)


@dataclass
class Memory:
    """Keeps chunks in a dictionary."""

    kept: dict[Task, Done] = field(default_factory=dict)

    def chunks(self, match: Match) -> dict[tuple[int, int], Done]:
        return {(t.first, t.games): done for t, done in self.kept.items() if t.match == match}

    def add_chunk(self, done: Done) -> None:
        self.kept[done.task] = done


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
    keeper = Memory()
    with pytest.raises(KeyboardInterrupt):
        Runner(Counting(limit=3), keeper, chunk=100).play([MATCH], 1000)
    assert len(keeper.kept) == 3
    again = Counting()
    [outcome] = Runner(again, keeper, chunk=100).play([MATCH], 1000)
    assert again.count == 7
    assert outcome.tally == MATCH.tally(0, 1000)


def test_more_games_play_only_what_is_missing():
    keeper, executor = Memory(), Counting()
    Runner(executor, keeper, chunk=100).play([MATCH], 500)
    Runner(executor, keeper, chunk=100).play([MATCH], 800)
    assert executor.count == 8


def test_chunks_of_any_size_are_taken_and_the_rest_is_played():
    keeper, executor = Memory(), Counting()
    for first, games in ((0, 130), (100, 50), (300, 7), (990, 40)):
        keeper.add_chunk(carry_out(Task(MATCH, first, games)))
    [outcome] = Runner(executor, keeper, chunk=1000).play([MATCH], 1000)
    assert outcome.tally == MATCH.tally(0, 1000)
    assert executor.count == 2  # 130 to 300 and 307 to 1000


def test_covering_leaves_no_game_out_and_none_twice():
    kept = {(0, 10): 1, (0, 30): 2, (20, 20): 3, (50, 10): 4, (95, 10): 5}
    assert cover(kept, (0, 100)) == ([2, 4], [(30, 50), (60, 100)])
    assert cover(kept, (15, 45)) == ([3], [(15, 20), (40, 45)])
    assert cover({}, (5, 5)) == ([], [])


def test_chunks_grow_with_the_pace():
    keeper = Memory()
    [outcome] = Runner(Threads(1), keeper).play([Match(("random",), Rules(players=2), 1)], 30_000)
    sizes = [task.games for task in keeper.kept]
    assert outcome.tally.games == sum(sizes) == 30_000
    assert min(sizes) == 10 < 1000 < max(sizes)


def test_progress_counts_kept_games_too():
    counted: list[int] = []
    keeper = Memory()
    Runner(Threads(1), keeper, 100).play([MATCH], 300)
    Runner(Threads(1), keeper, 100, counted.append).play([MATCH], 500)
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
        "from tamaya.agent import agent\n\n@agent('bad')\n"
        "def bad(view, memory, params):\n    return 99\n"
    )
    with pytest.raises(ValueError, match="illegal move 99"):
        Runner(Threads(2)).play([Match((f"{file}:bad",), Rules(players=2), 0)], 1000)


def test_unknown_executors_are_named():
    with pytest.raises(ValueError, match="unknown executor 'cloud'"):
        make_executor("cloud")
