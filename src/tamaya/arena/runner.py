"""Plays matches chunk by chunk: keeps each tally as it comes, and goes on where a run stopped.

The chunks of a match lie on a fixed grid, so that a run that was interrupted, one that asks for
more games, and one on another machine all meet the same chunks.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from tamaya.arena.executor import Done, Executor, Task, Threads
from tamaya.arena.match import Match
from tamaya.arena.tally import Tally

CHUNK = 250  # games; what an interruption can lose on each worker


class Keeper(Protocol):
    """Where tallies are kept, such as ``tamaya.store.database.Store``."""

    def chunks(self, match: Match) -> dict[tuple[int, int], Done]:
        """What has been played of a match, by first game and number of games."""
        ...

    def add_chunk(self, done: Done) -> None:
        """Keep the tally of a finished task."""
        ...


class Nowhere:
    """Keeps nothing."""

    def chunks(self, match: Match) -> dict[tuple[int, int], Done]:
        """Nothing has been played."""
        return {}

    def add_chunk(self, done: Done) -> None:
        """Forget it."""


@dataclass(frozen=True)
class Outcome:
    """What came of a match."""

    match: Match
    tally: Tally
    seconds: float  # of work, added up over workers


@dataclass
class Runner:
    """How matches are played: where the work runs, where tallies are kept, who hears of it."""

    executor: Executor | None = None
    keeper: Keeper | None = None
    chunk: int = CHUNK
    on_progress: Callable[[int], None] | None = None

    def play(self, matches: Sequence[Match], games: int, first: int = 0) -> list[Outcome]:
        """Play the same number of games of each match; gives the outcomes in their order."""
        return self.play_tasks(
            [(match, _grid(match, first, games, self.chunk)) for match in matches]
        )

    def play_until(self, match: Match, games: int, se: float) -> Outcome:
        """Play a match until the standard error is small enough, at most so many games.

        Whether to go on is decided chunk by chunk in the order of the games, so the answer is the
        same however the chunks are spread over workers.
        """
        outcome = Outcome(match, Tally(), 0.0)
        for task in _grid(match, 0, games, self.chunk):
            [part] = self.play_tasks([(match, [task])])
            tally = outcome.tally + part.tally
            outcome = Outcome(match, tally, outcome.seconds + part.seconds)
            if tally.games > 1 and tally.se <= se:
                break
        return outcome

    def play_tasks(self, plan: Sequence[tuple[Match, Sequence[Task]]]) -> list[Outcome]:
        """Carry out the tasks of some matches that have not been kept yet, and add all up."""
        keeper = self.keeper or Nowhere()
        done: dict[Task, Done] = {}
        for match, tasks in plan:
            kept = keeper.chunks(match)
            for task in tasks:
                if (task.first, task.games) in kept:
                    self._note(done, kept[task.first, task.games])
        missing = [task for _, tasks in plan for task in tasks if task not in done]
        for finished in (self.executor or Threads()).run(missing):
            keeper.add_chunk(finished)
            self._note(done, finished)
        return [_outcome(match, [done[task] for task in tasks]) for match, tasks in plan]

    def _note(self, done: dict[Task, Done], finished: Done) -> None:
        done[finished.task] = finished
        if self.on_progress:
            self.on_progress(finished.task.games)


def _grid(match: Match, first: int, games: int, chunk: int) -> list[Task]:
    last = first + games
    return [Task(match, start, min(chunk, last - start)) for start in range(first, last, chunk)]


def _outcome(match: Match, parts: Iterable[Done]) -> Outcome:
    tally, seconds = Tally(), 0.0
    for part in parts:
        tally, seconds = tally + part.tally, seconds + part.seconds
    return Outcome(match, tally, seconds)
