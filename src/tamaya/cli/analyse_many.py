"""`tamaya analyse FOLDER`: a row per game, totals, and the games that could not be read.

With ``--by`` only people's moves are analysed, and there is a row per group of games instead.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from tamaya.cli.options import counted, print_json, print_note, print_table, progress_bar
from tamaya.cli.running import opened_store

if TYPE_CHECKING:
    from tamaya.agent import Player
    from tamaya.replays.analyst import Analyst
    from tamaya.replays.data_files import DataGame
    from tamaya.replays.game_rows import GameRow, Totals
    from tamaya.replays.people import GroupRow


@dataclass(frozen=True)
class ManyOptions:
    """How games are analysed and shown."""

    samples: int
    open_samples: int
    agree: "Player | None"
    threads: int
    store: str | None
    json: bool
    by: str = ""  # what groups of games differ in, such as exp
    sample: int = 0  # games of each group at most, 0 for all


def are_many(sources: Sequence[str]) -> bool:
    """Whether to print a row per game: for several sources, a folder, or a file of many games."""
    from tamaya.replays.data_files import is_data_file

    if len(sources) > 1:
        return True
    try:
        return Path(sources[0]).is_dir() or is_data_file(sources[0])
    except (OSError, ValueError):  # the text is not a path
        return False


def analyse_many(analyst: "Analyst", sources: Sequence[str], options: ManyOptions) -> None:
    """Analyse all games; those that cannot be analysed are listed with the reason."""
    from tamaya.agent import AgentError
    from tamaya.replays.files import all_games
    from tamaya.replays.game_rows import game_row, totals_of
    from tamaya.replays.people import check_question, rows_by, sample_of

    found = list(all_games(sources))
    if not found:
        raise ValueError(f"{', '.join(sources)}: no games found")
    if options.by:
        check_question(found, options.by)
    if options.sample:
        found = sample_of(found, options.by, options.sample, analyst.seed)
    rows: list[GameRow] = []
    skipped = [(each.name, each.error) for each in found if each.game is None]
    started = perf_counter()
    with (
        opened_store(options.store) as analyst.store,
        progress_bar("analysing", sum(len(_turns(each, options)) for each in found)) as advance,
    ):
        analyst.agent.compile()
        for each in found:
            if each.game is None:
                continue
            turns = _turns(each, options)
            if not turns:
                skipped.append((each.name, "the game has no moves to analyse"))
                continue
            try:
                rows.append(game_row(analyst, each, options.samples, options.open_samples,
                                     turns=turns, agree=options.agree,
                                     threads=options.threads, on_progress=advance))  # fmt: skip
            except (
                AgentError
            ) as error:  # such as a number of players that an agent does not support
                skipped.append((each.name, str(error)))
    totals = totals_of(rows)
    groups = rows_by(rows, options.by) if options.by else []
    adviser = options.agree.spec if options.agree else analyst.blueprint
    if options.json:
        print_json({
            "blueprint": analyst.blueprint, "agree": adviser, "seed": analyst.seed,
            "samples": options.samples, "open_samples": options.open_samples,
            "games": [row.as_dict() for row in rows], "totals": totals.as_dict(),
            "skipped": [{"name": name, "reason": reason} for name, reason in skipped],
            **({"by": options.by, "groups": [group.as_dict() for group in groups]}
               if options.by else {}),
            "weighed": analyst.n_weighed, "seconds": perf_counter() - started,
        })  # fmt: skip
        return
    if groups:
        _show_groups(groups, options, analyst.blueprint)
    elif rows:
        _show(rows, totals, analyst.blueprint, adviser)
    for name, reason in skipped:
        print_note(f"skipped {name}: {reason}")


def _turns(found: "DataGame", options: ManyOptions) -> list[int]:
    """The turns to analyse: all, or those of people where people are compared."""
    from tamaya.replays.people import turns_of_people

    if found.game is None:
        return []
    return turns_of_people(found) if options.by else list(range(1, found.game.turn + 1))


def _show_groups(groups: "list[GroupRow]", options: ManyOptions, blueprint: str) -> None:
    """What people lost, grouped by their answers."""
    from tamaya.replays.marks import Mark

    marks = [Mark.BLUNDER, Mark.MISTAKE, Mark.INACCURACY]
    shown = [
        [str(row.players), row.answer, str(row.participants or ""), f"{row.games:,}",
         f"{row.moves:,}",
         *(f"{100 * getattr(row, mark.value) / row.moves:.1f}" for mark in marks),
         f"{row.loss_per_move:.3f} ± {row.se:.3f}"]
        for row in groups
    ]  # fmt: skip
    columns = ["players", options.by, "people", "games", "moves",
               *(f"{mark.sign} in 100" for mark in marks), "surely lost per move"]  # fmt: skip
    print_table(f"moves of people, as if {blueprint} played on in all seats", columns, shown, 2)
    deals = f"{options.samples} deals per move"
    if options.sample:
        deals += f"; at most {counted(options.sample, 'game')} a row, spread over its people"
    print_note(
        f"{deals}; points of 25\n"
        "  every person has the same weight, and standard errors are over persons; where nobody\n"
        "  is named, the same holds for games"
    )


def _show(rows: "list[GameRow]", totals: "Totals", blueprint: str, adviser: str) -> None:
    from tamaya.replays.marks import Mark

    marks = [Mark.BLUNDER, Mark.MISTAKE, Mark.INACCURACY, Mark.OPEN]

    def in_order(count: Callable[[str], int]) -> list[str]:
        return [str(count(mark.value)) for mark in marks]

    shown = [
        [row.name, str(row.score), str(row.turns), *in_order(row.count),
         " ".join(f"{seat.sure_loss:.1f}" for seat in row.seats),
         f"{row.count('agreed')} of {row.count('choices')}"]
        for row in rows
    ]  # fmt: skip
    shown.append([
        f"all {totals.games:,}", "", f"{totals.turns:,}",
        *in_order(lambda name: getattr(totals, name)),
        f"{totals.sure_loss:.1f}", f"{totals.agreed} of {totals.choices}",
    ])  # fmt: skip
    who = "the blueprint" if adviser == blueprint else adviser
    columns = ["game", "score", "turns", *(mark.sign for mark in marks), "surely lost by seat",
               f"as {who}"]  # fmt: skip
    print_table(f"as if {blueprint} played on in all seats", columns, shown)
    print_note(
        f"surely lost per move: {totals.loss_per_move:.3f} ± {totals.loss_per_move_se:.3f} points "
        f"of 25 (standard error over games)"
    )
