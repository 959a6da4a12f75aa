"""Plays matches in chunks: keeps each tally as it comes, and goes on where a run stopped.

Chunks are ranges of games of whatever size takes about half a second, so that an interruption
loses little and keeping them costs little. Tallies add up exactly, so the sizes do not matter: a
run that goes on takes the chunks it finds and plays the games between them.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from tamaya.arena.executor import Done, Executor, Task, Threads
from tamaya.arena.match import Match, code_of
from tamaya.arena.tally import Tally
from tamaya.registry import find_agent

SECONDS = 0.5  # of work in a chunk, what an interruption can lose on each worker
FIRST_CHUNK = 10  # games, before it is known how long they take
LARGEST_CHUNK = 10_000
STEP = 250  # games between two looks at the standard error

Range = tuple[int, int]  # first game, and the one after the last


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
    chunk: int = 0  # games in a chunk; 0 adapts to the pace of the agents
    on_progress: Callable[[int], None] | None = None
    _pace: dict[tuple[str, ...], float] = field(default_factory=dict)  # seconds per game

    def play(self, matches: Sequence[Match], games: int, first: int = 0) -> list[Outcome]:
        """Play the same number of games of each match; gives the outcomes in their order."""
        return self.play_ranges([(match, (first, first + games)) for match in matches])

    def play_until(self, match: Match, games: int, se: float) -> Outcome:
        """Play a match until the standard error is small enough, at most so many games.

        Whether to go on is decided every STEP games in the order of the games, so the answer does
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
        """Play ranges of games of some matches, as far as they have not been kept, and add up."""
        asked, plan = plan, list(dict.fromkeys(plan))  # what is asked for twice is played once
        keeper = self.keeper or Nowhere()
        kept = {match: keeper.chunks(match) for match, _ in plan}
        parts: list[list[Done]] = []
        gaps: list[tuple[int, Range]] = []  # place in the plan, and games to play
        for place, (match, games) in enumerate(plan):
            used, missing = cover(kept[match], games)
            parts.append(used)
            gaps += [(place, gap) for gap in missing]
            self._note(sum(done.task.games for done in used))
        owner: dict[Task, int] = {}
        for done in (self.executor or Threads()).run(self._tasks(plan, gaps, owner)):
            keeper.add_chunk(done)
            parts[owner[done.task]].append(done)
            self._pace[done.task.match.agents] = done.seconds / done.task.games
            self._note(done.task.games)
        outcomes = {
            entry: _outcome(entry[0], done) for entry, done in zip(plan, parts, strict=True)
        }
        return [outcomes[entry] for entry in asked]

    def _tasks(
        self,
        plan: Sequence[tuple[Match, Range]],
        gaps: list[tuple[int, Range]],
        owner: dict[Task, int],
    ) -> Iterator[Task]:
        """Cut gaps into tasks, one when it is asked for, so that sizes follow the pace."""
        for place, (start, stop) in gaps:
            match = plan[place][0]
            while start < stop:
                size = min(self._size(match), stop - start)
                task = Task(match, start, size, code_of(match.agents))
                owner[task] = place
                start += task.games
                yield task

    def _size(self, match: Match) -> int:
        if self.chunk:
            return self.chunk
        pace = self._pace.get(match.agents)
        if pace is None:
            players = [find_agent(text) for text in match.agents]
            return (
                1 if any(getattr(player, "is_slow", False) for player in players) else FIRST_CHUNK
            )
        return max(1, min(LARGEST_CHUNK, int(SECONDS / pace)))

    def _note(self, n_games: int) -> None:
        if self.on_progress and n_games:
            self.on_progress(n_games)


def cover(kept: dict[tuple[int, int], Done], games: Range) -> tuple[list[Done], list[Range]]:
    """Kept chunks that lie in a range without overlapping, and what they leave open."""
    position, stop = games
    used: list[Done] = []
    gaps: list[Range] = []
    for first, n in sorted(kept, key=lambda chunk: (chunk[0], -chunk[1])):
        if first < position or first + n > stop:
            continue
        if first > position:
            gaps.append((position, first))
        used.append(kept[first, n])
        position = first + n
    if position < stop:
        gaps.append((position, stop))
    return used, gaps


def _outcome(match: Match, parts: Sequence[Done]) -> Outcome:
    tally, seconds = Tally(), 0.0
    for part in parts:
        tally, seconds = tally + part.tally, seconds + part.seconds
    return Outcome(match, tally, seconds)
