"""`tamaya agents`: which agents there are."""

from tamaya.cli.options import Json, print_json, print_table


def agents(json: Json = False) -> None:
    """List the agents: players, parameters, source, how they play."""
    from tamaya.agent import Agent, Player
    from tamaya.registry import all_agents

    def row(player: Player) -> dict:
        return {
            "name": player.name,
            "players": list(player.players),
            "params": player.parameters if isinstance(player, Agent) else {},
            "shared_memory": isinstance(player, Agent) and player.shared,
            "source": player.source,
            "description": player.description,
        }

    rows = [row(player) for player in all_agents()]
    if json:
        print_json({"agents": rows})
        return
    print_table(
        "Agents",
        ["name", "players", "parameters", "source", "how it plays"],
        [
            [
                row["name"],
                "-".join(map(str, row["players"])),
                " ".join(f"{key}={value}" for key, value in row["params"].items()),
                row["source"],
                row["description"],
            ]
            for row in rows
        ],
        left=5,
    )
