"""`tamaya behaviour`: how an agent plays, not how well."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from tamaya.cli.options import Json, RuleText, Seed, Threads, print_json, print_table, rules_for
from tamaya.cli.running import StoreUrl, working
from tamaya.cli.selfplay import AgentText

if TYPE_CHECKING:
    from tamaya.arena.behaviour import Behaviour

PlayerCount = Annotated[int, typer.Option("--players", "-p", help="Number of players.")]
Games = Annotated[int, typer.Option("--games", "-n", min=1, help="Games to record and count.")]


def behaviour(
    agent: AgentText,
    players: PlayerCount = 2,
    games: Games = 1000,
    seed: Seed = 0,
    rules: RuleText = "",
    store: StoreUrl = None,
    threads: Threads = 0,
    json: Json = False,
) -> None:
    """Rates of action kinds, precision of hints, and P(next action | action), in self-play."""
    from tamaya.arena.behaviour import behaviour_of
    from tamaya.arena.match import Match

    table = rules_for(players, rules)
    match = Match((agent,), table, seed)
    with working(agent, games, store, "threads", None, threads) as place:
        played = match.play(0, games, record=True, threads=threads or None,
                            on_progress=place.runner.on_progress)  # fmt: skip
        assert played.records is not None
        counted = behaviour_of(played.records, table)
        document = {"agent": agent, "seed": seed, "players": players, "rules": table.as_dict(),
                    "seconds": played.seconds, **_as_document(counted)}  # fmt: skip
        config = {"agent": agent, "rules": rules, "seed": seed, "games": games, "players": players}
        place.keep("behaviour", agent, config, document)
    if json:
        print_json(document)
        return
    title = f"{agent}: {games:,} games of {players} players, seed {seed}"
    _print_behaviour(title, counted)


def _as_document(counted: "Behaviour") -> dict[str, Any]:
    import numpy as np

    conditional = counted.conditional()
    document = {
        "counts": counted.to_dict(),
        "labels": counted.labels(),
        "conditional": np.where(np.isnan(conditional), -1, conditional).tolist(),  # -1: never seen
        "marginal": counted.marginal().tolist(),
        "rates": counted.rates,
        "turns_per_game": counted.turns_per_game,
        "hints_per_game": counted.hints_per_game,
        "play_success": counted.play_success,
        "lives_lost_per_game": counted.lives_lost_per_game,
        "playable_hint_precision": counted.playable_hint_precision,
        "touched_playable": counted.touched_playable,
        "discarded_critical_per_game": counted.discarded_critical_per_game,
    }
    # JSON has no word for the share of nothing.
    return {key: None if value != value else value for key, value in document.items()}


def _print_behaviour(title: str, counted: "Behaviour") -> None:
    rows = [
        *([f"{name.replace('_', ' ')} moves", f"{100 * rate:.1f} %"]
          for name, rate in counted.rates.items()),
        ["turns per game", f"{counted.turns_per_game:.2f}"],
        ["hints per game", f"{counted.hints_per_game:.2f}"],
        ["plays that score", f"{100 * counted.play_success:.1f} %"],
        ["lives lost per game", f"{counted.lives_lost_per_game:.2f}"],
        ["hints that touch a playable card", f"{100 * counted.playable_hint_precision:.1f} %"],
        ["newly touched cards that are playable", f"{100 * counted.touched_playable:.1f} %"],
        ["critical cards discarded per game", f"{counted.discarded_critical_per_game:.2f}"],
    ]  # fmt: skip
    print_table(title, ["", ""], rows)
    _print_conditional(counted)


def _print_conditional(counted: "Behaviour") -> None:
    """P(next action | action) in percent, the row being the action."""
    from rich.console import Console
    from rich.text import Text

    labels = counted.labels()
    console = Console()
    console.print("P(next action | action) in percent, rows: the action; last row: P(action)")
    console.print(Text("    " + "".join(f"{label:>3}" for label in labels), style="bold"))
    shares = [*counted.conditional(), counted.marginal()]
    for label, row in zip([*labels, "all"], shares, strict=True):
        line = Text(f"{label:>4}", style="bold")
        for share in row:
            text = "  ·" if not share >= 0.005 else f"{100 * share:3.0f}"
            style = "bold cyan" if share >= 0.25 else "cyan" if share >= 0.1 else ""
            line.append(text, style=f"{style} not bold" if "bold" not in style else style)
        console.print(line)
