"""Progress of a decision: its time so far and, where possible, its share done.

For agents with a fixed time, the clock shows the progress. ``search`` counts the deals that it has
tried in an array, which another thread can read while compiled code fills it; so its ``act`` is
repeated here, step by step, with our own array. Only the count is reported, never a value: how a
search rates moves would reveal something about cards.
"""

from time import monotonic

import numpy as np

from tamaya.agent import Agent
from tamaya.search.agents.depth_one import compare_moves, search
from tamaya.search.race import ARM, chosen
from tamaya.search.workspace import N_IDS, random_seed
from tamaya.seat import Seat


class Thinking:
    """The decision of a seat."""

    def __init__(self, seat: Seat) -> None:
        settings = seat.player.settings if seat.player.is_slow else {}
        self._seat = seat
        self._since = monotonic()
        self._ms = round(float(settings.get("ms", 0)))
        self._samples = 0
        if seat.player.act_function is search.act_function and not self._ms:
            self._samples = int(settings["samples"])
            self._arms = np.zeros(N_IDS, ARM)

    def act(self) -> int:
        """The move that the seat chooses."""
        return self._search() if self._samples else self._seat.act()

    def _search(self) -> int:
        """What ``search`` does, move for move and bit for bit of its memory."""
        player = self._seat.player
        assert isinstance(player, Agent)
        params = player.compile().params[0]
        seed = np.uint64(random_seed(self._seat.memory[0]))
        default = compare_moves(self._seat.view(), seed, params, -1, self._arms)
        return int(chosen(self._arms, default, params.margin))

    def progress(self) -> tuple[int | None, int | None]:
        """How much is done, of how much: milliseconds or deals; None if unknown."""
        if self._ms:
            return min(self._ms, round(1000 * (monotonic() - self._since))), self._ms
        if self._samples:
            tried = self._arms["n"]
            n_moves = max(1, int(np.count_nonzero(tried)))
            return min(self._samples, int(tried.sum()) // n_moves), self._samples
        return None, None
