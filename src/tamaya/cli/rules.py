"""`tamaya rules`: the rule library, or how often each rule of an agent makes the move."""

from typing import Annotated, Any

import typer

from tamaya.cli.options import (
    Games,
    Json,
    Players,
    RuleText,
    Seed,
    counted,
    parse_player_counts,
    print_json,
    print_table,
    rules_for,
)


def rules(
    agent: Annotated[
        str | None,
        typer.Argument(help="A rule agent; without one, all rules are listed.", metavar="AGENT"),
    ] = None,
    players: Players = "2-5",
    games: Games = 200,
    seed: Seed = 0,
    rules: RuleText = "bomb=keep refill=in_place",
    json: Json = False,
) -> None:
    """List the rules for rule agents, or show how often each rule of an agent makes the move."""
    if agent is None:
        _list_rules(json)
    else:
        tables = [rules_for(count, rules) for count in parse_player_counts(players)]
        _show_profile(agent, tables, games, seed, json)


def _list_rules(json: bool) -> None:
    from tamaya.agents.rules import library  # noqa: F401  (fills RULES)
    from tamaya.agents.rules.rule import GATE_NAMES, RULES

    rows: list[dict[str, Any]] = [
        {
            "name": rule.name,
            "kind": GATE_NAMES[rule.gate],
            "parameters": dict(rule.parameters),
            "source": rule.source,
            "description": rule.description,
            "original": rule.quirk,
        }
        for rule in RULES.values()
    ]
    if json:
        print_json({"rules": rows})
        return

    _print_rules(rows)


def _print_rules(rows: list[dict[str, Any]]) -> None:
    """The library by kind: each rule with its defaults, and below it what it does."""
    from rich.console import Console
    from rich.padding import Padding
    from rich.text import Text

    console = Console()
    for kind in ("play", "tell", "discard", "any"):
        console.print(Text(f"\nRules that {kind}" if kind != "any" else "\nOther rules", "bold"))
        for row in (row for row in rows if row["kind"] == kind):
            console.print(Text.assemble((_signature(row), "cyan"), f"  {row['source']}"))
            console.print(Padding(Text(row["description"]), (0, 0, 0, 4)))
            if row["original"]:
                console.print(Padding(Text(f"Original: {row['original']}", "dim"), (0, 0, 0, 4)))
    console.print(Text("\nfaithful=false fixes what the originals do differently."))


def _signature(row: dict[str, Any]) -> str:
    shown = {True: "yes", False: "no"}
    values = (f"{key}={shown[value] if isinstance(value, bool) else value}"
              for key, value in row["parameters"].items())  # fmt: skip
    return f"{row['name']}({', '.join(values)})" if row["parameters"] else row["name"]


def _show_profile(agent: str, tables: list[Any], games: int, seed: int, json: bool) -> None:
    from tamaya.agent import AgentError
    from tamaya.agents.rules.family import RuleAgent
    from tamaya.evolve.fitness import firing_profile
    from tamaya.registry import find_agent

    player = find_agent(agent)
    if not isinstance(player, RuleAgent):
        raise AgentError(f"{agent!r} is not a rule agent")
    found = []
    for table in tables:
        counts = firing_profile(player, table, games, seed)
        total = max(1, int(counts.sum()))
        found.append({
            "players": table.players,
            "rules": [{"rule": str(step), "moves": int(n), "share": int(n) / total}
                      for step, n in zip(player.steps(table.players), counts, strict=True)],
        })  # fmt: skip
    if json:
        print_json({"agent": agent, "games": games, "seed": seed, "profiles": found})
        return
    for one in found:
        rows = [[str(k + 1), line["rule"], f"{line['share']:.1%}"]
                for k, line in enumerate(one["rules"]) if line["moves"]]  # fmt: skip
        print_table(f"{agent} with {one['players']} players: share of moves made by each rule, "
                    f"{counted(games, 'game')} of mirror play, seed {seed}",
                    ["", "rule", "moves"], rows, left=2)  # fmt: skip
