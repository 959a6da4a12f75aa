"""`tamaya agents`: a list of all agents, or all details of one."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from tamaya.cli.options import Json, print_json, print_table

if TYPE_CHECKING:
    from tamaya.player import Player

LONGEST_TITLE = 80


def agents(
    name: Annotated[
        str | None,
        typer.Argument(help="An agent to describe; without one, all are listed.", metavar="AGENT"),
    ] = None,
    json: Json = False,
) -> None:
    """List the agents, or show how one plays, its parameters and the file that defines it."""
    from tamaya.lookup import all_agents, find_agent

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


def _row(player: "Player") -> dict[str, Any]:
    from tamaya.agent import Agent
    from tamaya.agents.rules.family import RuleAgent
    from tamaya.agents.rules.language import SIZES

    low, high = player.players
    sizes = [size for size in range(low, high + 1) if player.plays_with(size)]
    row: dict[str, Any] = {
        "name": player.name,
        "spec": player.spec,
        "players": [low, high],
        "sizes": sizes,
        "params": player.settings,
        "defaults": {},
        "least": {},
        "most": {},
        "aliases": {},
        "preset_of": player.preset_of if isinstance(player, Agent) else "",
        "shared_memory": isinstance(player, Agent) and player.shared,
        "slow": player.is_slow,
        "own_beliefs": player.has_beliefs,
        "made_for": player.made_for,
        "training_turns": {size: turns for size in sizes if (turns := player.training_turns(size))},
        "source": player.source,
        "description": player.description,
        "files": [str(file) for file in player.files],
    }
    if isinstance(player, Agent):
        names = ("defaults", "least", "most", "aliases")
        row |= {name: dict(getattr(player.params, name)) for name in names}
    if isinstance(player, RuleAgent):
        row["rules"] = {players: list(map(str, player.steps(players))) for players in SIZES}
    return row


def _sizes(row: dict[str, Any]) -> str:
    low, high = row["players"]
    return str(low) if low == high else f"{low}-{high}"


def _print_one(row: dict[str, Any]) -> None:
    made_for = " ".join(f"{key}={str(value).lower()}" for key, value in row["made_for"].items())
    shown = [
        ["plays", row["description"]],
        ["players", ", ".join(map(str, row["sizes"]))],
        ["made for", made_for or "the standard rules"],
        ["source", row["source"]],
        ["beliefs", "its own" if row["own_beliefs"] else "by counting"],
        ["file", "\n".join(row["files"])],
    ]
    shown += [["trained on", f"{turns:,} turns for {size} players"]
              for size, turns in row["training_turns"].items()]  # fmt: skip
    if row["preset_of"]:
        shown.append(["preset", f"{row['name']} is {row['preset_of']}"])
    if row["slow"]:
        shown.append(["speed", "slow: seconds per game"])
    shown += [[f"{key}=", _parameter(row, key)] for key in row["params"]]
    groups: dict[tuple[str, ...], list[int]] = {}
    for players, rules in row.get("rules", {}).items():
        groups.setdefault(tuple(rules), []).append(players)
    for group, sizes in groups.items():
        shown.append([f"{', '.join(map(str, sizes))} players", "\n".join(group)])
    title = (
        row["spec"] if len(row["spec"]) <= LONGEST_TITLE else row["name"]
    )  # not whole rule lists
    print_table(title, ["", ""], shown, left=2)


def _parameter(row: dict[str, Any], key: str) -> str:
    """The value of a parameter, its default if different, its bounds and former names."""
    value = row["params"][key]
    parts = [str(value).lower() if isinstance(value, bool) else str(value)]
    if key in row["defaults"] and row["defaults"][key] != value:
        parts.append(f"default {str(row['defaults'][key]).lower()}")
    if key in row["least"]:
        parts.append(f"at least {row['least'][key]}")
    if key in row["most"]:
        parts.append(f"at most {row['most'][key]}")
    former = [f"{alias}=" for alias, name in row["aliases"].items() if name == key]
    if former:
        parts.append(f"formerly {', '.join(former)}")
    return ", ".join(parts)
