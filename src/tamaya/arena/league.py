"""A league: self-play of many agents on the same deals, beside what was published of them."""

from collections.abc import Sequence
from dataclasses import dataclass

from tamaya.agent import AgentError, check_players
from tamaya.arena.match import ALL, Match
from tamaya.arena.published import PublishedRow, load_table, table_names
from tamaya.arena.runner import Runner
from tamaya.arena.selfplay import Summary, summary_of
from tamaya.registry import find_agent
from tamaya.rules import Rules


@dataclass(frozen=True)
class Standing:
    """An agent in a league: its self-play by number of players."""

    agent: str
    summaries: tuple[Summary, ...]

    @property
    def mean(self) -> float:
        """Mean over the numbers of players it plays with."""
        return sum(summary.mean for summary in self.summaries) / len(self.summaries)


def league(
    agents: Sequence[str], tables: Sequence[Rules], games: int, seed: int, runner: Runner
) -> list[Standing]:
    """Play every agent with itself at every table it can sit at; the best comes first."""
    plan = [(agent, rules) for agent in agents for rules in tables if plays_at(agent, rules)]
    matches = [Match((agent,), rules, seed, ALL) for agent, rules in plan]
    summaries: dict[str, list[Summary]] = {agent: [] for agent, _ in plan}
    for outcome in runner.play(matches, games):
        summary = summary_of(outcome.tally, outcome.match.rules, outcome.seconds)
        summaries[outcome.match.agents[0]].append(summary)
    standings = [Standing(agent, tuple(rows)) for agent, rows in summaries.items()]
    return sorted(standings, key=lambda standing: -standing.mean)


def plays_at(agent: str, rules: Rules) -> bool:
    """Whether an agent plays with this number of players."""
    try:
        check_players(find_agent(agent), rules.players)
    except AgentError:
        return False
    return True


def published_for(agent: str, rules: Rules) -> tuple[str, PublishedRow] | None:
    """A published self-play figure of an agent at a table of this size, and its table's name.

    The paper's rules may differ from the league's; the table says how.
    """
    for name in sorted(table_names(), reverse=True):  # the Challenge before the others
        for row in load_table(name).rows:
            fits = row.players == rules.players and row.hand_size in (0, rules.hand_size)
            if row.agent == agent and fits and row.protocol in ("selfplay", "mirror"):
                return name, row
    return None
