"""The sums of one turn, in cells of its numbered deals, and their form in the store.

    deals    0 .. 31 | 32 .. 127 | 128 .. 299 | then 300 each to 1,199 | then 400 each

Cells always begin at the same deals, and the sums of a cell are those of its first deals, so
earlier results, from this or another process, are prefixes that more deals extend. A cell with more
deals than requested is left alone; its shorter prefix is computed separately, so that equal
requests have equal results.
"""

import zlib
from bisect import bisect_right
from dataclasses import dataclass, field

import numpy as np

from tamaya.replays.analysis import TurnAnalysis, turn_analysis
from tamaya.replays.move_values import Choice, add_sums, new_weights

STARTS = (0, 32, 128, 300, 600, 900, 1200)  # where cells begin
LATER = 400  # deals of all cells after these
LARGEST = 1 << 20  # bytes of unpacked sums, a generous limit

_NUMBERS = ("total", "squares", "gain", "gain_squares")  # whole numbers, as scores are


@dataclass(frozen=True, eq=False)
class Cell:
    """The sums of the first deals of a cell; immutable, so that it can be saved at any time."""

    deals: int = 0
    weights: np.ndarray = field(default_factory=new_weights)


def cell_start(deal: int) -> int:
    """Where the cell of a deal begins."""
    last = STARTS[-1]
    if deal >= last:
        return last + (deal - last) // LATER * LATER
    return STARTS[bisect_right(STARTS, deal) - 1]


def cell_end(start: int) -> int:
    """The first deal after a cell."""
    place = bisect_right(STARTS, start)
    return STARTS[place] if place < len(STARTS) else start + LATER


class TurnSums:
    """The sums of a turn so far."""

    def __init__(self, choice: Choice, key: str) -> None:
        self.choice, self.key = choice, key
        self.usual: int | None = None  # the blueprint's move, -1 for none, None if not yet asked
        self.cells: dict[int, Cell] = {}
        self._beginnings: dict[int, Cell] = {}  # prefixes of cells that have more deals
        self.unsaved: set[int] = set()  # starts of cells that the store does not have

    def goal(self, deals: int) -> int:
        """The number of deals needed: one suffices if there is no choice."""
        return min(1, deals) if self.choice.is_forced else deals

    def done(self, deals: int) -> int:
        """Number of first deals that are done."""
        goal, n = self.goal(deals), 0
        while n < goal:
            start, end = n, min(cell_end(n), goal)
            here = self._cell(start, end - start).deals
            n += here
            if n < end:
                break
        return n

    @property
    def known(self) -> int:
        """How many of the first deals are there, whoever asked for them."""
        n = 0
        while cell := self.cells.get(n):
            n += cell.deals
            if cell_start(n) != n or not cell.deals:
                break
        return n

    def missing(self, deals: int) -> range:
        """The deals to play next, all of one cell; empty if all are done."""
        goal, n = self.goal(deals), self.done(deals)
        return range(n, min(goal, cell_end(cell_start(n)))) if n < goal else range(0)

    def _cell(self, start: int, deals: int) -> Cell:
        """The cell for a number of deals: the stored one unless that has more."""
        kept = self.cells.setdefault(start, Cell())
        if kept.deals <= deals:
            return kept
        if self._beginnings.get(start, kept).deals > deals:
            self._beginnings[start] = Cell()
        return self._beginnings[start]

    def add(self, deals: range, goal: int, weights: np.ndarray, usual: int) -> None:
        """Add the sums of some missing deals towards a goal."""
        start = cell_start(deals.start)
        cell = self._cell(start, min(self.goal(goal), cell_end(start)) - start)
        assert cell.deals == deals.start - start, "deals are added in order"
        is_kept, total = cell is self.cells[start], cell.weights.copy()
        add_sums(total, weights)
        (self.cells if is_kept else self._beginnings)[start] = Cell(cell.deals + len(deals), total)
        self.usual = usual
        if is_kept:
            self.unsaved.add(start)

    def analysis(self, deals: int) -> TurnAnalysis:
        """The analysis from the first deals, all of which must be done."""
        goal, total, n = self.goal(deals), new_weights(), 0
        if self.done(deals) < goal or self.usual is None:
            raise ValueError(f"turn {self.choice.turn} has not been analysed on {deals} deals")
        while n < goal:
            end = min(cell_end(n), goal)
            add_sums(total, self._cell(n, end - n).weights)
            n = end
        return turn_analysis(self.choice, self.usual, total)

    # In the store.

    def take_unsaved(self) -> list[tuple[int, int, bytes]]:
        """First deal, number of deals and sums of all cells that the store does not have."""
        starts, self.unsaved = self.unsaved, set()
        cells = {start: self.cells[start] for start in sorted(starts)}
        return [(start, cell.deals, self._packed(cell)) for start, cell in cells.items()]

    def _packed(self, cell: Cell) -> bytes:
        weights = cell.weights
        moves = np.flatnonzero(weights["n"])
        rows = [moves, *(weights[name][moves] for name in _NUMBERS)]
        table = np.array([row.astype(np.int64) for row in rows], "<i8")
        head = np.array([-1 if self.usual is None else self.usual], "<i8")
        return zlib.compress(head.tobytes() + table.tobytes())

    def restore(self, start: int, deals: int, packed: bytes) -> bool:
        """Load a cell from the store; returns whether it was valid and had more deals."""
        try:
            numbers = np.frombuffer(zlib.decompressobj().decompress(packed, LARGEST), "<i8")
            usual, table = int(numbers[0]), numbers[1:].reshape(1 + len(_NUMBERS), -1)
            weights = new_weights()
            moves = table[0]
            weights["n"][moves] = deals
            for name, row in zip(_NUMBERS, table[1:], strict=True):
                weights[name][moves] = row
        except (zlib.error, ValueError, IndexError):
            return False  # damaged: it is computed again
        wanted = () if self.choice.is_forced else self.choice.legal
        is_cell = cell_start(start) == start and 0 < deals <= cell_end(start) - start
        if not is_cell or tuple(moves) != wanted or usual >= self.choice.rules.n_moves:
            return False
        if start in self.cells and self.cells[start].deals >= deals:
            return False
        self.cells[start], self.usual = Cell(deals, weights), usual
        self.unsaved.discard(start)
        return True
