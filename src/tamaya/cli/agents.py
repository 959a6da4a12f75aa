"""`tamaya agents`: which agents there are, and what one of them takes."""

from typing import Annotated, Any

import typer

from tamaya.cli.options import Json, print_json, print_table


def agents(
    name: Annotated[
        str | None, typer.Argument(help="An agent to describe; without one, all are listed.")
    ] = None,
    json: Json = False,
) -> None:
    """List the agents, or show how one plays and which parameters it takes."""
    from tamaya.registry import all_agents, find_agent

    rows = [_row(player) for player in ([find_agent(name)] if name else all_agents())]
    if json:
        print_json({"agents": rows})
    elif name:
        _print_one(rows[0])
    else:
        print_table(
            "Agents",
            ["name", "players", "source", "how it plays"],
            [
                [row["name"], _sizes(row), row["source"], row["description"]]
                for row in rows
            ],
            left=4,
        )  # fmt: skip


def _row(player: Any) -> dict[str, Any]:
    from tamaya.agent import Agent
    from tamaya.agents.rules.family import RuleAgent
    from tamaya.agents.rules.language import SIZES

    row: dict[str, Any] = {
        "name": player.name,
        "players": list(player.players),
        "params": player.settings if isinstance(player, Agent) else {},
        "shared_memory": isinstance(player, Agent) and player.shared,
        "slow": isinstance(player, Agent) and player.is_slow,
        "source": player.source,
        "description": player.description,
    }
    if isinstance(player, RuleAgent):
        row["rules"] = {players: list(map(str, player.steps(players))) for players in SIZES}
    return row


def _sizes(row: dict[str, Any]) -> str:
    low, high = row["players"]
    return str(low) if low == high else f"{low}-{high}"


def _print_one(row: dict[str, Any]) -> None:
    shown = [["plays", row["description"]], ["players", _sizes(row)], ["source", row["source"]]]
    shown += [[f"{key}=", str(value).lower()] for key, value in row["params"].items()]
    lists: dict[int, list[str]] = row.get("rules", {})
    groups: dict[tuple[str, ...], list[int]] = {}
    for players, rules in lists.items():
        groups.setdefault(tuple(rules), []).append(players)
    for group, sizes in groups.items():
        shown.append([f"{', '.join(map(str, sizes))} players", "\n".join(group)])
    print_table(row["name"], ["", ""], shown, left=2)
