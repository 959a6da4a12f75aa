"""A league: self-play of many agents on the same deals, next to published figures.

It is not a separate protocol: it runs the protocol ``selfplay`` for every agent. Agents that are
made for other rules play under those rules and are ranked separately.
"""

from collections.abc import Iterable, Sequence

from tamaya.agent import Player
from tamaya.arena.protocols.selfplay import Config, Result
from tamaya.arena.published import PublishedRow, load_table, table_names
from tamaya.arena.rule_texts import options_text, player_counts
from tamaya.lookup import find_agent
from tamaya.rules import Rules


def league_configs(
    agents: Sequence[str], players: str, games: int = 1000, seed: int = 0, rules: str = ""
) -> list[Config]:
    """Self-play of every agent for each number of players it supports; omits agents without any."""
    configs = []
    for agent in agents:
        player = find_agent(agent)
        sizes = [str(count) for count in player_counts(players) if player.plays_with(count)]
        if sizes:
            text = rules_for_player(player, rules)
            configs.append(Config(agent, ",".join(sizes), games, seed, text))
    return configs


def rules_for_player(player: Player, text: str) -> str:
    """Rules with those that an agent is made for, unless the text says otherwise."""
    given = {part.partition("=")[0] for part in text.replace(",", " ").split()}
    own = {name: value for name, value in player.made_for.items() if name not in given}
    return " ".join(part for part in (text, options_text(own)) if part)


def ranked(results: Iterable[Result], rules: str = "") -> dict[str, list[Result]]:
    """Results by rules, those of the league first; the best agent comes first."""
    groups: dict[str, list[Result]] = {rules: []}
    for result in results:
        groups.setdefault(result.config.rules, []).append(result)
    return {text: sorted(group, key=lambda one: -one.mean) for text, group in groups.items()
            if group}  # fmt: skip


def published_for(agent: str, rules: Rules) -> tuple[str, PublishedRow] | None:
    """A published self-play figure of an agent for a number of players, and its table's name.

    The paper's rules may differ from the league's; the published table states them.
    """
    for name in sorted(table_names(), reverse=True):  # the Hanabi Challenge before the others
        for row in load_table(name).rows:
            fits = row.players == rules.players and row.hand_size in (0, rules.hand_size)
            if row.agent == agent and fits and row.protocol in ("selfplay", "mirror"):
                return name, row
    return None
