"""A review: all turns of a game analysed pass by pass, for interactive use.

    review = Review(Analyst(store=store), game)      # or opened=, stored sums of some turns
    for row in review.values():          # a TurnAnalysis whenever a turn has finished a pass
        show(row)                        # meanwhile, from any thread: review.focus(12)

Every turn gets few deals first and more later; the turn in focus goes first. Work is cut into
slices of about 50 ms, between which the order may change and everything may be cancelled. Results
are stored regularly, so the next review of the game begins there.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import monotonic

from tamaya.game import Game
from tamaya.replays.analysis import TurnAnalysis
from tamaya.replays.analyst import MOST_DEALS, OPEN_DEALS, SLICE_SECONDS, Analyst
from tamaya.replays.kept_sums import TurnSums
from tamaya.replays.marks import Mark

PASSES = (32, 128, 300)  # deals, for all turns
SAVE_SECONDS = 0.5  # between two transactions


@dataclass(frozen=True)
class Progress:
    """Progress of a review, in finished passes of turns and in all that are needed."""

    done: int
    of: int


class Review:
    """The analysis of a game in progress; ``values`` does the work, in one thread."""

    def __init__(
        self,
        analyst: Analyst,
        game: Game,
        passes: Sequence[int] = PASSES,
        open_deals: int = OPEN_DEALS,
        *,
        opened: Sequence[TurnSums] | None = None,
    ) -> None:
        self.analyst, self.passes, self.open_deals = analyst, tuple(passes), open_deals
        turns = analyst.open(game) if opened is None else opened
        self.turns = {sums.choice.turn: sums for sums in turns}
        self.rows: dict[int, TurnAnalysis] = {}  # the newest analysis of each turn
        self.is_cancelled = False
        self._reached = dict.fromkeys(self.turns, 0)  # deals of these
        self._wanted = dict.fromkeys(self.turns, 0)  # further deals requested
        self._focus = min(self.turns, default=1)

    def focus(self, turn: int) -> None:
        """Give a turn priority."""
        self._focus = self._checked(turn)

    def more(self, turn: int, deals: int = MOST_DEALS) -> None:
        """Request more deals at a turn; ``values`` must be running or run again."""
        self._wanted[self._checked(turn)] = min(deals, MOST_DEALS)

    def cancel(self) -> None:
        """Stop after the current slice; finished work is saved."""
        self.is_cancelled = True

    def _checked(self, turn: int) -> int:
        if turn not in self.turns:
            raise ValueError(f"turn {turn} is not one of this game: it has 1 to {len(self.turns)}")
        return turn

    @property
    def progress(self) -> Progress:
        """Passes that turns have finished, of all that are known to be needed."""
        done = sum(reached >= goal for reached in self._reached.values() for goal in self.passes)
        return Progress(done, len(self.passes) * len(self.turns))

    def values(self) -> Iterator[TurnAnalysis]:
        """Yield turns as they finish a pass; first those that were in the store."""
        return (row for row in self.steps() if row is not None)

    def steps(self) -> Iterator[TurnAnalysis | None]:
        """The same slice by slice, with None for those that finish nothing."""
        saved = monotonic()
        try:
            yield from self._kept()
            while not self.is_cancelled and (task := self._next_task()):
                turn, goal = task
                is_there = self.analyst.extend(self.turns[turn], goal, SLICE_SECONDS)
                yield self._reach(turn, goal) if is_there else None
                if monotonic() - saved > SAVE_SECONDS:
                    self.save()
                    saved = monotonic()
        finally:
            self.save()

    def save(self) -> None:
        """Store what is not stored yet."""
        self.analyst.save(list(self.turns.values()))

    def _kept(self) -> Iterator[TurnAnalysis]:
        """Every turn of which the store had a whole pass, with all that it had beyond the last."""
        for turn, sums in self.turns.items():
            whole = [goal for goal in self.passes if not sums.missing(goal)]
            if whole == list(self.passes):
                whole.append(max(self.passes[-1], sums.known))
            if whole:
                yield self._reach(turn, whole[-1])

    def _reach(self, turn: int, goal: int) -> TurnAnalysis:
        self._reached[turn] = goal
        row = self.rows[turn] = self.turns[turn].analysis(goal)
        return row

    def _next_task(self) -> tuple[int, int] | None:
        """The turn to work on and its target number of deals, None if all is done."""
        goals = {turn: goal for turn in self.turns if (goal := self._goal(turn))}
        if not goals:
            return None
        focus = self._focus
        turn = min(goals, key=lambda turn: (turn != focus, goals[turn], abs(turn - focus), turn))
        return turn, goals[turn]

    def _goal(self, turn: int) -> int:
        """The next target number of deals of a turn, 0 if it has enough."""
        reached = self._reached[turn]
        for goal in self.passes:
            if reached < goal:
                return goal
        step, row = self.passes[-1], self.rows[turn]
        if row.mark == Mark.FORCED:
            return 0
        if row.mark == Mark.OPEN and reached < self.open_deals:
            return min(reached + step, self.open_deals)
        if reached < self._wanted[turn]:
            return min(reached + step, self._wanted[turn])
        return 0
