"""Plays matches in chunks: stores each tally as it arrives, and resumes where a run stopped.

A chunk is a range of games that takes about half a second, so that an interruption loses little and
storing them costs little. Tallies add up exactly, so the sizes do not matter: a resumed run uses
the stored chunks and plays the games between them.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from tamaya.arena.executor import Answer, Executor, Task, TaskResult, Threads, Work
from tamaya.arena.match import Match, code_of
from tamaya.arena.tally import Tally
from tamaya.lookup import find_agent

SECONDS = 0.5  # of work in a chunk, which an interruption can lose on each worker
FIRST_CHUNK = 10  # games, before it is known how long they take
LARGEST_CHUNK = 10_000
STEP = 250  # games between two checks of the standard error

Range = tuple[int, int]  # first game, and the one after the last


class TallyStore(Protocol):
    """Where tallies are stored, such as ``tamaya.store.database.Store``."""

    def chunks(self, match: Match) -> dict[tuple[int, int], TaskResult]:
        """What has been played of a match, by first game and number of games."""
        ...

    def add_chunk(self, result: TaskResult) -> None:
        """Store the tally of a finished task."""
        ...

    def parts(self, match: Match, kind: str) -> dict[int, Any]:
        """What a protocol recorded about the games of a match, by their numbers."""
        ...

    def add_part(self, match: Match, kind: str, number: int, document: Any) -> None:
        """Store what a protocol recorded about a game."""
        ...


class NullStore:
    """Stores nothing."""

    def chunks(self, match: Match) -> dict[tuple[int, int], TaskResult]:
        """Returns nothing."""
        return {}

    def add_chunk(self, result: TaskResult) -> None:
        """Discards the tally."""

    def parts(self, match: Match, kind: str) -> dict[int, Any]:
        """Returns nothing."""
        return {}

    def add_part(self, match: Match, kind: str, number: int, document: Any) -> None:
        """Discards the document."""


@dataclass(frozen=True)
class Outcome:
    """The outcome of a match."""

    match: Match
    tally: Tally
    seconds: float  # of CPU time, added up over workers


@dataclass
class Pace:
    """How many games a runner has played in how long, and how many the store already had."""

    played: int = 0
    seconds: float = 0.0  # of CPU time for the games played, on all workers, without compiling
    stored: int = 0

    def __str__(self) -> str:
        """One line for display."""
        if not self.played:
            games = f"all {self.stored:,} games" if self.stored != 1 else "the game"
            return f"{games} from the store"
        per_second = self.played / self.seconds if self.seconds else 0
        rate = f"{per_second:,.0f} games per second per core" if per_second else ""
        if 0 < per_second < 1:
            rate = f"{1 / per_second:,.1f} CPU seconds per game"
        if not self.stored:
            return rate
        total = self.played + self.stored
        return f"{rate}; {self.stored:,} of {total:,} games from the store"


@dataclass
class Runner:
    """How matches are played: where work runs, where tallies go, and a callback for progress."""

    executor: Executor | None = None
    store: TallyStore | None = None
    chunk: int = 0  # games in a chunk; 0 adapts to the pace of the agents
    on_progress: Callable[[int], None] | None = None
    pace: Pace = field(default_factory=Pace)
    _seconds_per_game: dict[tuple[str, ...], float] = field(default_factory=dict)

    def play(self, matches: Sequence[Match], games: int, first: int = 0) -> list[Outcome]:
        """Play the same number of games of each match; returns the outcomes in their order."""
        return self.play_ranges([(match, (first, first + games)) for match in matches])

    def play_until(self, match: Match, games: int, se: float) -> Outcome:
        """Play a match until the standard error is small enough, but at most ``games`` games.

        The standard error is checked every STEP games in the order of the games, so the result does
        not depend on workers or chunks.
        """
        outcome = Outcome(match, Tally(), 0.0)
        for start in range(0, games, STEP):
            [part] = self.play_ranges([(match, (start, min(start + STEP, games)))])
            tally = outcome.tally + part.tally
            outcome = Outcome(match, tally, outcome.seconds + part.seconds)
            if tally.games > 1 and tally.se <= se:
                break
        return outcome

    def play_ranges(self, plan: Sequence[tuple[Match, Range]]) -> list[Outcome]:
        """Play ranges of games of some matches, except those in the store; adds up all tallies."""
        asked, plan = plan, list(dict.fromkeys(plan))  # games requested twice are played once
        store = self.store or NullStore()
        stored = {match: store.chunks(match) for match, _ in plan}
        parts: list[list[TaskResult]] = []
        gaps: list[tuple[int, Range]] = []  # index in the plan, and games to play
        for place, (match, games) in enumerate(plan):
            used, missing = cover(stored[match], games)
            parts.append(used)
            gaps += [(place, gap) for gap in missing]
            n_stored = sum(result.task.games for result in used)
            self.note_stored(n_stored)
        owner: dict[Task, int] = {}
        for result in self.carry_out(self._tasks(plan, gaps, owner)):
            store.add_chunk(result)
            parts[owner[result.task]].append(result)
            n = result.task.games
            self._seconds_per_game[result.task.match.agents] = result.seconds / n
            self.note_played(n, result.seconds)
        outcomes = {
            entry: _outcome(entry[0], results) for entry, results in zip(plan, parts, strict=True)
        }
        return [outcomes[entry] for entry in asked]

    def carry_out(self, tasks: Iterable[Work[Answer]]) -> Iterator[Answer]:
        """Run tasks of any kind on the executor."""
        return (self.executor or Threads()).run(tasks)

    def note_stored(self, n_games: int) -> None:
        """Count games that the store already had."""
        self.pace.stored += n_games
        self._report_progress(n_games)

    def note_played(self, n_games: int, seconds: float) -> None:
        """Count games that were played."""
        self.pace.played += n_games
        self.pace.seconds += seconds
        self._report_progress(n_games)

    def _tasks(
        self,
        plan: Sequence[tuple[Match, Range]],
        gaps: list[tuple[int, Range]],
        owner: dict[Task, int],
    ) -> Iterator[Task]:
        """Cut gaps into tasks lazily, so that their sizes adapt to the pace."""
        for place, (start, stop) in gaps:
            match = plan[place][0]
            while start < stop:
                size = min(self._size(match), stop - start)
                task = Task(match, start, size, code_of(match.agents))
                owner[task] = place
                start += task.games
                yield task

    def _size(self, match: Match) -> int:
        """Games in the next chunk of a match."""
        if self.chunk:
            return self.chunk
        seconds = self._seconds_per_game.get(match.agents)
        if seconds is None:
            return 1 if is_slow(match) else FIRST_CHUNK
        return max(1, min(LARGEST_CHUNK, int(SECONDS / max(seconds, 1e-9))))

    def _report_progress(self, n_games: int) -> None:
        if self.on_progress and n_games:
            self.on_progress(n_games)


def is_slow(match: Match) -> bool:
    """Whether a game of the match takes seconds."""
    return any(find_agent(text).is_slow for text in match.agents)


def cover(
    stored: dict[tuple[int, int], TaskResult], games: Range
) -> tuple[list[TaskResult], list[Range]]:
    """Stored chunks that lie in a range without overlapping, and the gaps between them."""
    position, stop = games
    used: list[TaskResult] = []
    gaps: list[Range] = []
    for first, n in sorted(stored, key=lambda chunk: (chunk[0], -chunk[1])):
        if first < position or first + n > stop:
            continue
        if first > position:
            gaps.append((position, first))
        used.append(stored[first, n])
        position = first + n
    if position < stop:
        gaps.append((position, stop))
    return used, gaps


def _outcome(match: Match, parts: Sequence[TaskResult]) -> Outcome:
    tally, seconds = Tally(), 0.0
    for part in parts:
        tally, seconds = tally + part.tally, seconds + part.seconds
    return Outcome(match, tally, seconds)
