"""`tamaya behaviour`: how an agent plays, not how well."""

from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tamaya.cli.options import Json, RuleText, Seed, Threads, print_json, print_table, rules_for
from tamaya.cli.running import StoreUrl, working

if TYPE_CHECKING:
    from tamaya.arena.behaviour import Behaviour
    from tamaya.rules import Rules

Source = Annotated[
    str,
    typer.Argument(help="An agent, or a file or folder of recorded games.", metavar="AGENT|GAMES"),
]
PlayerCount = Annotated[int, typer.Option("--players", "-p", help="Number of players.")]
Games = Annotated[int, typer.Option("--games", "-n", min=1, help="Games to record and count.")]


def behaviour(
    source: Source,
    players: PlayerCount = 2,
    games: Games = 1000,
    seed: Seed = 0,
    rules: RuleText = "",
    store: StoreUrl = None,
    threads: Threads = 0,
    json: Json = False,
) -> None:
    """Rates of action kinds, precision of hints, and P(next action | action).

    Of an agent in self-play, or of games that were recorded.
    """
    started = perf_counter()
    with working(source, games, store, "threads", None, threads) as place:
        if _is_recorded(source):
            counted = _of_recorded(source)
        else:
            counted = _of_agent(source, rules_for(players, rules), games, seed, threads)
        document = {"agent": source, "seed": seed, "players": counted.rules.players,
                    "rules": counted.rules.as_dict(), "seconds": perf_counter() - started,
                    **_as_document(counted)}  # fmt: skip
        config = {"agent": source, "rules": rules, "seed": seed, "games": games, "players": players}
        place.keep("behaviour", source, config, document)
    if json:
        print_json(document)
        return
    title = f"{source}: {counted.games:,} games of {counted.rules.players} players"
    _print_behaviour(title, counted)


def _is_recorded(source: str) -> bool:
    """Whether a text names games: a path with a separator or an ending, so no agent is hidden."""
    from tamaya.registry import agent_file

    path = Path(source)
    is_path = "/" in source or bool(path.suffix)
    return is_path and path.exists() and agent_file(source) is None


def _of_recorded(source: str) -> "Behaviour":
    import numpy as np

    from tamaya.arena.behaviour import behaviour_of
    from tamaya.replays.files import read_games

    games = read_games(source)
    return behaviour_of(np.concatenate([game.array for game in games]), games[0].rules)


def _of_agent(agent: str, rules: "Rules", games: int, seed: int, threads: int) -> "Behaviour":
    from tamaya.arena.behaviour import behaviour_of
    from tamaya.arena.match import Match

    played = Match((agent,), rules, seed).play(0, games, record=True, threads=threads or None)
    assert played.records is not None
    return behaviour_of(played.records, rules)


def _as_document(counted: "Behaviour") -> dict[str, Any]:
    import numpy as np

    from tamaya.arena.tally import without_nan

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
    return without_nan(document)


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
