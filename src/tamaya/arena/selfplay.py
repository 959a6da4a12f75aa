"""Self-play: one agent in all seats, and what its scores amount to."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from tamaya.records import OUT_OF_LIVES
from tamaya.table import Played


@dataclass(frozen=True)
class Summary:
    """Statistics of games under one set of rules; shares are between 0 and 1."""

    players: int
    hand_size: int
    games: int
    mean: float
    se: float  # standard error of the mean
    sd: float  # standard deviation of a score
    perfect: float  # share of games with the highest score
    bombed: float  # share of games that ended without lives
    mean_points_kept: float  # mean of the fireworks, whatever a bomb-out scores
    histogram: list[int]  # games with score 0, 1, ..., 25
    moves: int  # in all games together
    seconds: float

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def summarise(played: Played) -> Summary:
    """Statistics of the results of a run."""
    results = played.results
    n = len(results)
    if n == 0:
        raise ValueError("no games were played, so there is nothing to summarise")
    scores = results["score"].astype(np.float64)
    sd = float(scores.std(ddof=1)) if n > 1 else 0.0
    return Summary(
        players=played.rules.players,
        hand_size=played.rules.hand_size,
        games=n,
        mean=float(scores.mean()),
        se=sd / n**0.5,
        sd=sd,
        perfect=float((scores == played.rules.max_score).mean()),
        bombed=float((results["status"] == OUT_OF_LIVES).mean()),
        mean_points_kept=float(results["points"].mean()),
        histogram=np.bincount(results["score"], minlength=26).tolist(),
        moves=int(results["n_moves"].sum()),
        seconds=played.seconds,
    )
