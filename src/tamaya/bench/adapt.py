"""Timed parts of the agent that learns its partner: decisions in play, and preparing for a team."""

from tamaya.adapt.player import AdaptiveAgent
from tamaya.bench.loops import Loop
from tamaya.game import Game
from tamaya.lookup import find_agent
from tamaya.rules import Rules
from tamaya.table import play

SEED = 7000  # of the games
SAMPLES = 10


def _samples(partner: str, players: int) -> list[Game]:
    """Self-play games of a partner."""
    played = play(partner, Rules(players=players), SAMPLES, seed=SEED, record=True, threads=1)
    return [played.game(k) for k in range(SAMPLES)]


def _agent(without: str) -> AdaptiveAgent:
    """The agent that must not know a family, or that may know all."""
    agent = find_agent(f"adaptive:without={without}" if without else "adaptive")
    assert isinstance(agent, AdaptiveAgent)
    return agent


def decisions(partner: str, without: str, is_prepared: bool, players: int) -> Loop:
    """Decisions in games with a partner, whose own time counts too."""
    agent, rules = _agent(without), Rules(players=players)
    if is_prepared:
        agent = agent.prepared(_samples(partner, players))
    team, first = [agent.spec, *[partner] * (players - 1)], 0

    def loop(n: int) -> int:
        nonlocal first
        n_games = max(1, n // 30)
        played = play(team, rules, n_games, seed=SEED, first=first, record=True, threads=1)
        first += n_games
        return sum(int((played.game(k).events["seat"] == 0).sum()) for k in range(n_games))

    return loop


def preparations(partner: str, without: str, players: int) -> Loop:
    """Times that the agent is prepared by ten games of a team."""
    agent, samples = _agent(without), _samples(partner, players)

    def loop(n: int) -> int:
        for _ in range(n):
            agent.prepared(samples)
        return n

    return loop
