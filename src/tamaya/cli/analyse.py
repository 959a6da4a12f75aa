"""`tamaya analyse`: what each move of a game was worth, from the view of who made it."""

from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tamaya.cli.options import Json, Seed, Threads, print_json, print_table, progress_bar
from tamaya.cli.replay import Source, read_source

if TYPE_CHECKING:
    from tamaya.game import Game
    from tamaya.replays.analysis import TurnAnalysis

Blueprint = Annotated[
    str, typer.Option("--blueprint", "-b", help="The agent that plays on in imagination.",
                      metavar="AGENT")
]  # fmt: skip
Samples = Annotated[
    int, typer.Option("--samples", min=2, help="Imagined deals per turn, the same for all moves.")
]
Turn = Annotated[str, typer.Option("--turn", help="Turns to analyse: 12 or 10-20.", metavar="N")]
Svg = Annotated[
    Path | None, typer.Option("--svg", help="Also draw expected score and loss.", metavar="FILE")
]


def analyse(
    source: Source,
    blueprint: Blueprint = "mirror-situational:faithful=false",
    samples: Samples = 300,
    turn: Turn = "",
    seed: Seed = 0,
    threads: Threads = 0,
    svg: Svg = None,
    json: Json = False,
) -> None:
    """Show the expected final score of every move of a game, and what the moves played lost."""
    from tamaya.replays.analysis import analyse as analyse_turns
    from tamaya.replays.analysis import analyst

    game = read_source(source)
    agent = analyst(blueprint, samples)
    turns = _turns(turn, game.turn)
    started = perf_counter()
    with progress_bar("analyse", len(turns)) as advance:
        rows = analyse_turns(game, agent, turns, seed=seed, threads=threads, on_progress=advance)
    document = _document(game, rows, blueprint, samples, seed)
    document["seconds"] = perf_counter() - started
    if svg is not None:
        _draw(document, svg)
    if json:
        print_json(document)
    else:
        _show(game, rows, document, is_single=len(turns) == 1)


def _turns(text: str, n_turns: int) -> list[int]:
    """The turns of ``12`` or ``10-20``; all of a game without a text."""
    if n_turns == 0:
        raise ValueError("the game has no moves to analyse")
    first, dash, last = text.partition("-")
    try:
        low = int(first) if text else 1
        high = (int(last) if dash else low) if text else n_turns
    except ValueError:
        raise typer.BadParameter(f"--turn must be like 12 or 10-20, not {text!r}") from None
    if not 1 <= low <= high <= n_turns:
        raise ValueError(f"--turn {text}: the game has turns 1 to {n_turns}")
    return list(range(low, high + 1))


def _document(
    game: "Game", rows: "list[TurnAnalysis]", blueprint: str, samples: int, seed: int
) -> dict[str, Any]:
    return {
        "rules": game.rules.as_dict(),
        "blueprint": blueprint,
        "samples": samples,
        "seed": seed,
        "score": game.score,
        "status": game.status,
        "clear_loss": sum(row.loss for row in rows if row.is_clear),
        "turns": [row.as_dict() for row in rows],
    }


def _draw(document: dict[str, Any], path: Path) -> None:
    from tamaya.report.analysis_charts import analysis_chart
    from tamaya.report.theme import draw_svg, on_white

    chart = analysis_chart(document["turns"], document["score"])
    path.write_text(on_white(draw_svg(chart)), encoding="utf-8")


def _show(
    game: "Game", rows: "list[TurnAnalysis]", document: dict[str, Any], is_single: bool
) -> None:
    from rich.console import Console

    from tamaya.moves import move_phrase, parse_move

    def phrase(move: str | None) -> str:
        return "" if move is None else move_phrase(game.rules, parse_move(game.rules, move))

    title = f"{document['blueprint']} plays on, {document['samples']} deals per turn"
    if is_single:
        row = rows[0]
        marks = {row.played: "played", row.blueprint: "blueprint"}
        if row.played == row.blueprint:
            marks[row.played] = "played, as the blueprint"
        shown = [
            [phrase(v.move), marks.get(v.move, ""), f"{v.mean:.2f} ± {v.se:.2f}",
             f"{v.gain:+.2f} ± {v.gain_se:.2f}"]
            for v in row.moves
        ]  # fmt: skip
        heading = f"turn {row.turn}, seat {row.seat}: {title}"
        print_table(heading, ["move", "", "expected", "gain over played"], shown, left=2)
        return
    shown = [
        [str(row.turn), str(row.seat), phrase(row.played), phrase(row.best),
         f"{row.expected:.2f} ± {row.se:.2f}", f"{row.loss:.2f} ± {row.loss_se:.2f}",
         "!" if row.is_clear else ""]
        for row in rows
    ]  # fmt: skip
    columns = ["turn", "seat", "played", "best", "expected", "loss", ""]
    print_table(title, columns, shown, left=4)
    Console(highlight=False).print(
        f"  score {game.score}, {game.status}; clear losses (!, above two standard errors) "
        f"{document['clear_loss']:.2f} in all; {document['seconds']:.1f} s\n"
    )
