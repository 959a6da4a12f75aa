"""`tamaya analyse`: which moves of a game lost points, given what their movers saw.

``tamaya.cli.analyse_many`` handles several games, a folder or a file of many games.
"""

from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tamaya.cli.options import (
    Json,
    Seed,
    StoreUrl,
    Threads,
    print_json,
    print_note,
    print_table,
    progress_bar,
)
from tamaya.cli.replay import read_source
from tamaya.cli.running import opened_store
from tamaya.cli.saving import check_picture, say_saved

if TYPE_CHECKING:
    from tamaya.agent import Player
    from tamaya.arena.losses import Loss
    from tamaya.game import Game
    from tamaya.replays.analysis import TurnAnalysis
    from tamaya.replays.analyst import Analyst

Sources = Annotated[
    list[str],
    typer.Argument(help="A file, a hanab.live link, games.jsonl.gz#12, or - for standard input. "
                   "Several, or a folder, get a row per game.", metavar="GAME|FOLDER"),
]  # fmt: skip
Blueprint = Annotated[
    str | None,
    typer.Option("--blueprint", "-b", help="The agent that plays every imagined deal to its "
                 "end, in all seats.", metavar="AGENT",
                 show_default="the agent that played all seats of a saved game, otherwise "
                 "mirror-situational:faithful=false"),
]  # fmt: skip
Samples = Annotated[
    int, typer.Option("--samples", min=2, help="Imagined deals per turn, the same for all moves.")
]
OpenSamples = Annotated[
    int,
    typer.Option(
        "--open-samples",
        min=0,
        help="Add deals to turns whose mark is still open, up to this many.",
    ),
]
Turn = Annotated[str, typer.Option("--turn", help="Turns to analyse: 12 or 10-20.", metavar="N")]
Agree = Annotated[
    str,
    typer.Option("--agree", help="Count agreement with this agent instead of the blueprint.",
                 metavar="AGENT"),
]  # fmt: skip
By = Annotated[
    str,
    typer.Option("--by", help="For many games: analyse only people's moves, grouped by an answer "
                 "in the file's survey, such as exp.", metavar="QUESTION"),
]  # fmt: skip
Sample = Annotated[
    int,
    typer.Option("--sample", min=0, help="With --by: at most this many random games per row; 0 "
                 "means all."),
]  # fmt: skip
Svg = Annotated[
    Path | None,
    typer.Option("--svg", help="Also draw expected scores and losses.", metavar="FILE"),
]


def analyse(
    sources: Sources,
    blueprint: Blueprint = None,
    samples: Samples = 300,
    open_samples: OpenSamples = 0,
    turn: Turn = "",
    agree: Agree = "",
    seed: Seed = 0,
    threads: Threads = 0,
    svg: Svg = None,
    by: By = "",
    sample: Sample = 0,
    store: StoreUrl = None,
    json: Json = False,
) -> None:
    """Mark the moves of a game that lost points, and show the expected score of every move.

    Values are expected final scores if the blueprint plays on in all seats, given what the mover
    saw: a move that was right but unlucky loses nothing, but a move that relies on a convention
    unknown to the blueprint counts as a loss. If a game was lost, the last line says up to which
    turn it could be won with open hands. With one turn (--turn 12), all its legal moves are shown.
    Several games, a folder or a file of many games get a row per game, or people are compared
    (--by exp). Results are stored, so nothing is computed twice.
    """
    from tamaya.cli.analyse_many import ManyOptions, analyse_many, are_many
    from tamaya.lookup import find_agent
    from tamaya.replays.analyst import Analyst
    from tamaya.replays.blueprints import blueprint_of, caution, saved_blueprint
    from tamaya.replays.files import read_agents
    from tamaya.search.blueprint import USUAL_BLUEPRINT

    if blueprint is not None:
        blueprint_of(
            blueprint
        )  # refuses an agent that cannot be a blueprint, before files are read
    player = find_agent(agree) if agree else None
    agents: list[str] = []
    if are_many(sources):
        if turn or svg is not None:
            what = " and others" if sources[1:] else ", which is a folder or a file of many"
            raise typer.BadParameter(f"--turn and --svg are for one game, not {sources[0]}{what}")
        if sample and not by:
            raise typer.BadParameter("--sample goes with --by")
        many = ManyOptions(samples, open_samples, player, threads, store, json, by, sample)
        blueprint = blueprint or USUAL_BLUEPRINT
        analyse_many(Analyst(blueprint, seed), sources, many)
    else:
        if by or sample:
            raise typer.BadParameter("--by and --sample are for many games")
        one = _OneOptions(samples, open_samples, turn, player, threads, svg, store, json)
        game, agents = read_source(sources[0]), read_agents(sources[0])
        blueprint = blueprint or saved_blueprint(agents, game.rules.players)
        _analyse_one(Analyst(blueprint, seed), game, sources[0], one)
    if not json and (words := caution(blueprint, agents)):
        print_note(f"{words}; choose another with --blueprint")


@dataclass(frozen=True)
class _OneOptions:
    samples: int
    open_samples: int
    turn: str
    agree: "Player | None"
    threads: int
    svg: Path | None
    store: str | None
    json: bool


def _analyse_one(analyst: "Analyst", game: "Game", source: str, options: _OneOptions) -> None:
    """A line per turn of one game, or the moves of one turn."""
    from tamaya.replays.game_rows import with_moves_of
    from tamaya.replays.lost import loss_document, loss_in

    svg = options.svg
    if game.turn == 0:
        raise ValueError(f"{source}: the game has no moves to analyse")
    turns = _turns(options.turn, game.turn)
    if svg is not None:
        check_picture(svg, "--svg")
    analyst.check(game)
    with (
        opened_store(options.store) as analyst.store,
        progress_bar("analysing", len(turns)) as advance,
    ):
        analyst.agent.compile()
        started = perf_counter()
        rows = analyst.analyse(game, turns, options.samples, options.open_samples,
                               threads=options.threads, on_progress=advance)  # fmt: skip
    seconds = perf_counter() - started  # compile time excluded
    if options.agree:
        rows = with_moves_of(options.agree, game, rows)
    document = _document(game, rows, analyst.blueprint, analyst.seed)
    slices = max(1, -(-options.open_samples // options.samples))
    document |= {"samples": options.samples, "open_samples": slices * options.samples}
    adviser = options.agree.spec if options.agree else analyst.blueprint
    document |= {"agree": adviser, "seconds": seconds}
    loss = None if options.turn else loss_in(game)
    if not options.turn:
        document["lost"] = loss_document(loss)
    if svg is not None:
        _draw(document, svg)
    if options.json:
        print_json(document)
    elif len(turns) == 1:
        _show_turn(game, rows[0], document)
    else:
        _show(game, rows, document, loss)
    if svg is not None:
        say_saved(svg, "a chart")


def _turns(text: str, n_turns: int) -> list[int]:
    """The turns of ``12`` or ``10-20``; without a text, all turns of a game."""
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
    game: "Game", rows: "list[TurnAnalysis]", blueprint: str, seed: int
) -> dict[str, Any]:
    from tamaya.replays.marks import summarise

    seats = summarise(rows)
    return {
        "rules": game.rules.as_dict(),
        "blueprint": blueprint,
        "seed": seed,
        "score": game.score,
        "status": game.status,
        "clear_loss": sum(seat.sure_loss for seat in seats),
        "seats": [seat.as_dict() for seat in seats],
        "turns": [row.as_dict() for row in rows],
    }


def _draw(document: dict[str, Any], path: Path) -> None:
    from tamaya.atomic import write_atomically
    from tamaya.report.analysis_charts import analysis_chart
    from tamaya.report.theme import draw_svg, on_white

    chart = analysis_chart(document["turns"], document["score"])
    write_atomically(path, on_white(draw_svg(chart)))


def _title(document: dict[str, Any]) -> str:
    """What the values mean, and how slots are counted, because hanab.live counts differently."""
    return f"as if {document['blueprint']} played on in all seats; slot 0 is the oldest card"


def _phrase(game: "Game", move: str | None) -> str:
    from tamaya.moves import move_phrase, parse_move

    return "" if move is None else move_phrase(game.rules, parse_move(game.rules, move))


def _adviser(document: dict[str, Any]) -> str:
    """The agent whose moves are compared: the blueprint or another."""
    return "the blueprint" if document["agree"] == document["blueprint"] else document["agree"]


def _show_turn(game: "Game", row: "TurnAnalysis", document: dict[str, Any]) -> None:
    """All legal moves of a turn, the best first."""
    adviser, title = _adviser(document), _title(document)
    notes = {row.played: "played", row.blueprint: adviser.removeprefix("the ")}
    if row.played == row.blueprint:
        notes[row.played] = f"played, as {adviser}"
    shown = [
        [_phrase(game, value.move), notes.get(value.move, ""),
         f"{value.mean:.2f} ± {value.se:.2f}",
         "" if value.move == row.played else f"{value.gain:+.2f} ± {value.gain_se:.2f}"]
        for value in row.moves
    ]  # fmt: skip
    columns = ["move", "", "expected", "gain over played"]
    print_table(f"turn {row.turn}, seat {row.seat}, {title}", columns, shown, left=2)
    print_note(f"{_said_of(game, row)}; {row.moves[0].samples} deals")


def _said_of(game: "Game", row: "TurnAnalysis") -> str:
    """The mark of a turn in words."""
    from tamaya.replays.marks import Mark

    if row.mark.is_loss:
        better = _phrase(game, row.best)
        return f"{row.mark.sign} {row.mark}: {better} is surely {row.sure:.1f} points better"
    return {
        Mark.NONE: "no mark: no other move is surely better",
        Mark.OPEN: "… open: more deals could tell (--open-samples)",
        Mark.FORCED: "□ forced: the only legal move",
    }[row.mark]


def _show(
    game: "Game", rows: "list[TurnAnalysis]", document: dict[str, Any], loss: "Loss | None"
) -> None:
    """A line per turn, a line per seat, what the marks mean, and which turn lost the game."""
    from tamaya.replays.lost import loss_words
    from tamaya.replays.marks import FULL_SCORE, LEAST_LOSS, Mark

    shown = []
    for row in rows:
        is_loss = row.mark.is_loss
        shown.append([
            str(row.turn), str(row.seat), _phrase(game, row.played), row.mark.sign,
            _phrase(game, row.best) if is_loss else "",
            f"{row.loss:.1f} ± {row.loss_se:.1f}" if is_loss else "",
            f"{row.expected:.1f} ± {row.se:.1f}" if row.mark != Mark.FORCED else "",
        ])  # fmt: skip
    columns = ["turn", "seat", "played", "", "better", "loss", "expected"]
    print_table(_title(document), columns, shown, left=5)
    marks = [Mark.BLUNDER, Mark.MISTAKE, Mark.INACCURACY, Mark.OPEN]
    shown = [
        [str(seat["seat"]), str(seat["turns"]), *(str(seat[mark]) for mark in marks),
         f"{seat['sure_loss']:.1f}", f"{seat['agreed']} of {seat['choices']}"]
        for seat in document["seats"]
    ]  # fmt: skip
    columns = ["seat", "turns", *(mark.sign for mark in marks), "surely lost",
               f"as {_adviser(document)}"]  # fmt: skip
    print_table("", columns, shown)
    losses = " ".join(mark.sign for mark in LEAST_LOSS)
    scale = game.rules.max_score / FULL_SCORE
    points = ", ".join(f"{scale * least:g}" for least in LEAST_LOSS.values())
    n_deals = " to ".join(str(n) for n in sorted({document["samples"], document["open_samples"]}))
    print_note(
        f"{losses}  surely lost {points} points or more, by three standard errors\n"
        f"  {Mark.OPEN.sign}  open: more deals could tell, see --open-samples\n"
        f"  score {game.score}, {game.status}; {n_deals} deals per turn; "
        f"{document['seconds']:.1f} s" + (f"\n  {loss_words(loss)}" if loss else "")
    )
