"""Options that several commands share, as types, and how commands print."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.text import Text

    from tamaya.rules import Rules

# Words of options that commands with other defaults use too. Rich would take text in square
# brackets for markup and drop it.
PLAYERS_HELP = "Numbers of players, such as 3, 2-5 or 2,4."
SEED_HELP = "Seed of all random numbers."
RULES_HELP = "Rules that differ from the standard, such as 'bomb=keep empty_hints=true'."
POOL_HELP = "Agents: W, C, all, or a list such as random,example or all,adaptive."
RULE_SET_HELP = "Rule set: old, new, elites, tamaya, or a file of rules."
FAITHFUL_HELP = "Keep the bugs of the original rules."

AgentText = Annotated[
    str,
    typer.Argument(help="A name, name:key=value,... or path/to/file.py:name.", metavar="AGENT"),
]
Players = Annotated[str, typer.Option("--players", "-p", help=PLAYERS_HELP, metavar="N")]
Games = Annotated[
    int, typer.Option("--games", "-n", min=1, max=10**12, help="Games per number of players.")
]
CellGames = Annotated[
    int, typer.Option("--games", "-n", min=1, max=10**12, help="Games per cell of the table.")
]
Seed = Annotated[int, typer.Option("--seed", help=SEED_HELP)]
RuleText = Annotated[str, typer.Option("--rules", help=RULES_HELP, metavar="TEXT")]
Pool = Annotated[str, typer.Option("--pool", help=POOL_HELP, metavar="POOL")]
RunFolder = Annotated[
    Path, typer.Argument(help="Folder of the run; a stopped run is resumed.", metavar="FOLDER")
]
StoreUrl = Annotated[
    str | None,
    typer.Option(
        "--store",
        help="Where results are stored: a SQLite file or a database URL; also set by TAMAYA_STORE.",
        metavar="URL",
    ),
]
On = Annotated[str, typer.Option("--on", help="Where to run: threads or ray.")]
Address = Annotated[
    str | None, typer.Option("--address", help="Address of the Ray cluster, with --on ray.")
]
Threads = Annotated[
    int, typer.Option("--threads", min=0, max=1024, help="Number of threads; 0 means all cores.")
]
Json = Annotated[
    bool, typer.Option("--json", help="Print one JSON document and nothing else on stdout.")
]


def parse_player_counts(text: str) -> list[int]:
    """Parse numbers of players such as ``3``, ``2-5`` or ``2,4``."""
    from tamaya.arena.rule_texts import player_counts

    return player_counts(text)


def rules_for(players: int, text: str) -> "Rules":
    """The rules of a text for a number of players."""
    from tamaya.arena.rule_texts import rules_for

    return rules_for(players, text)


def counted(n: int, word: str) -> str:
    """A number of things, such as ``1 game`` or ``2,000 games``."""
    plural = f"{word}es" if word.endswith("ch") else f"{word}s"
    return f"{n:,} {word if n == 1 else plural}"


def print_json(document: Any) -> None:
    """Write one JSON document to standard output."""
    text = json.dumps(document, allow_nan=False)  # all of it or nothing
    sys.stdout.write(text + "\n")


def print_table(
    title: str, columns: list[str], rows: "Sequence[Sequence[str | Text]]", left: int = 1
) -> None:
    """Show a table; the first ``left`` columns are text, the others numbers; the last may wrap.

    In a file or a pipe the table is as wide as its contents.
    """
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(title=Text(title), box=box.SIMPLE_HEAD, title_justify="left", title_style="bold")
    for k, name in enumerate(columns):
        is_last = k == len(columns) - 1
        table.add_column(name, justify="left" if k < left else "right", no_wrap=not is_last)
    for row in rows:
        # Names may contain text that Rich would take for markup.
        table.add_row(*(Text(cell) if isinstance(cell, str) else cell for cell in row))
    console = Console()
    if not console.is_terminal:
        needed = Console(width=10_000).measure(table).maximum
        console = Console(width=max(console.width, needed))
    console.print(table)


def print_note(text: str) -> None:
    """Print a line below a table."""
    from rich.console import Console

    Console(highlight=False, markup=False, soft_wrap=True).print(f"  {text}\n")


@contextmanager
def progress_bar(label: str, total: int) -> Iterator[Callable[[int], None]]:
    """A progress bar on standard error, if that is a terminal; yields the function to advance it.

    While code is compiled, the bar shows that instead of its label.
    """
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    from tamaya.compile_progress import CompileProgress, listening

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(),
               TimeRemainingColumn())  # fmt: skip
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as bar:
        task = bar.add_task(label, total=total)

        def show(compiling: CompileProgress | None) -> None:
            bar.update(task, description=str(compiling) if compiling else label)

        with listening(show):
            yield lambda n: bar.advance(task, n)
