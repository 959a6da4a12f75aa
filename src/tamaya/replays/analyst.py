"""The analyst: values of the moves of games, computed once and stored.

    analyst = Analyst("certainty", seed=1, store=Store())
    row = analyst.weigh(game, turn=12, deals=300)       # a TurnAnalysis

Commands, reports and pages use it. Results are stored under a hash of the mover's view, the move
made, the blueprint with its code, and the seed, so nothing is computed twice, more deals extend
existing results, and equal positions of other games, such as branches, share their values. Without
a store everything stays in memory.
"""

import hashlib
import json
import os
from collections.abc import Callable, Sequence
from functools import cached_property
from threading import Lock
from time import thread_time

from tamaya.agent import check_players
from tamaya.fingerprint import fingerprint
from tamaya.game import Game
from tamaya.lookup import find_agent
from tamaya.replays.analysis import TurnAnalysis
from tamaya.replays.kept_sums import TurnSums
from tamaya.replays.marks import Mark
from tamaya.replays.move_values import choice_at, new_weights, weigh, weigher
from tamaya.search import slices
from tamaya.search.blueprint import USUAL_BLUEPRINT
from tamaya.store.analyses import Slice, read_slices, write_slices
from tamaya.store.database import Store
from tamaya.workers import in_order

DEALS = 300  # per turn, by default
OPEN_DEALS = 1200  # where the mark is still open
MOST_DEALS = 8000  # the most that may be requested
SLICE_SECONDS = 0.05  # of work per slice
FIRST_SLICE = 8  # deals, until it is known how long one takes
FORMAT = 1  # of stored results


class Analyst:
    """Values the moves of games by one blueprint and seed."""

    def __init__(
        self, blueprint: str = USUAL_BLUEPRINT, seed: int = 0, store: Store | None = None
    ) -> None:
        self.blueprint, self.seed, self.store = blueprint, seed, store
        self.agent = weigher(blueprint)
        self.n_weighed = 0  # deals that were not in the store
        self._cost = 0.0  # seconds per deal and legal move, as measured
        self._lock = Lock()

    @cached_property
    def _question(self) -> str:
        """What all results depend on besides view and move."""
        texts, identities, modules = [self.blueprint], [], {slices.__name__}
        for text in texts:
            player = find_agent(text)
            identities.append(player.identity)
            modules.update(player.modules)
            texts += player.depends_on
        code = fingerprint(*modules)
        return json.dumps([FORMAT, identities, code, self.seed % 2**64])

    def _key(self, digest: str) -> str:
        return hashlib.sha256(f"{digest} {self._question}".encode()).hexdigest()

    def check(self, game: Game) -> None:
        """Raise an AgentError if the blueprint does not support these rules."""
        check_players(self.agent, game.rules.players)

    def open(self, game: Game, turns: Sequence[int] | None = None) -> list[TurnSums]:
        """The stored sums of some turns of a game, counted from 1, or of all, in one query.

        ValueError names a turn that the game does not have.
        """
        self.check(game)
        opened = []
        for turn in range(1, game.turn + 1) if turns is None else turns:
            choice = choice_at(game, turn)
            opened.append(TurnSums(choice, self._key(choice.digest)))
        if self.store is not None:
            found: dict[str, list[Slice]] = {}
            for kept in read_slices(self.store, sorted({sums.key for sums in opened})):
                found.setdefault(kept.key, []).append(kept)
            for sums in opened:
                for kept in found.get(sums.key, ()):
                    sums.restore(kept.first, kept.deals, kept.sums)
        return opened

    def extend(self, sums: TurnSums, deals: int, seconds: float | None = None) -> bool:
        """Continue towards a number of deals, for about some seconds of work or to the end.

        Returns whether all of them are done.
        """
        while missing := sums.missing(deals):
            some = missing[: self._affordable(sums, seconds)]
            weights, started = new_weights(), thread_time()
            usual = weigh(sums.choice, self.agent, self.seed, some, weights)
            took = thread_time() - started
            sums.add(some, deals, weights, usual)
            with self._lock:
                self._note(len(some), len(sums.choice.legal), took)
            if seconds is not None:
                return not sums.missing(deals)
        return True

    def _affordable(self, sums: TurnSums, seconds: float | None) -> int:
        """Number of deals that can be played in some time."""
        if seconds is None:
            return MOST_DEALS
        if not self._cost:
            return FIRST_SLICE
        return max(1, int(seconds / (self._cost * len(sums.choice.legal))))

    def _note(self, deals: int, moves: int, seconds: float) -> None:
        self.n_weighed += deals
        cost = seconds / (deals * moves)
        self._cost = max(cost, 0.8 * self._cost + 0.2 * cost) if self._cost else cost

    def save(self, opened: Sequence[TurnSums]) -> None:
        """Store what is not stored yet."""
        slices = [Slice(sums.key, *entry) for sums in opened for entry in sums.take_unsaved()]
        if self.store is not None:
            write_slices(self.store, slices)

    def weigh(self, game: Game, turn: int, deals: int = DEALS) -> TurnAnalysis:
        """The values of all legal moves at a turn, on a number of deals."""
        (row,) = self.analyse(game, [turn], deals, threads=1)
        return row

    def analyse(
        self,
        game: Game,
        turns: Sequence[int] | None = None,
        deals: int = DEALS,
        open_deals: int = 0,
        *,
        threads: int = 0,
        on_progress: Callable[[int], None] | None = None,
    ) -> list[TurnAnalysis]:
        """Analyse some or all turns of a game, each on a number of deals.

        Turns that are still open get as many again, repeatedly, up to ``open_deals``.
        """
        if deals < 2:
            raise ValueError(f"deals must be at least 2, not {deals}")
        opened = self.open(game, turns)
        if any(sums.missing(deals) for sums in opened):
            self.agent.compile()
        rows = []
        try:
            for row in in_order(
                lambda sums: self._weighed(sums, deals, open_deals),
                opened,
                threads or os.cpu_count() or 1,
            ):
                rows.append(row)
                if on_progress:
                    on_progress(1)
        finally:
            self.save(opened)
        return rows

    def _weighed(self, sums: TurnSums, deals: int, open_deals: int) -> TurnAnalysis:
        n = deals
        while True:
            self.extend(sums, n)
            row = sums.analysis(n)
            if row.mark != Mark.OPEN or n >= open_deals:
                return row
            n += deals
