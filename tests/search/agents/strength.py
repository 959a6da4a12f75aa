"""How strong search agents are under the rules of the 2018 competition."""

from tamaya.rules import Rules
from tamaya.table import play


def mean_and_variance(agent: str, players: int, n: int) -> tuple[float, float]:
    """Mean score, and the variance of that mean."""
    rules = Rules.parse(f"players={players} bomb=keep refill=in_place")
    scores = play(agent, rules, n, seed=1001).results["score"]
    return scores.mean(), scores.var() / n


def assert_better(
    agent: str, other: str, players: int, games: int, other_games: int | None = None
) -> None:
    """An agent is better than another one by four combined standard errors."""
    better = mean_and_variance(agent, players, games)
    worse = mean_and_variance(other, players, other_games or games)
    assert better[0] - worse[0] > 4 * (better[1] + worse[1]) ** 0.5
