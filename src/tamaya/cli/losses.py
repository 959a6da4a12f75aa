"""`tamaya losses`: where an agent loses its points."""

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tamaya.cli.options import (
    AgentText,
    Players,
    RuleText,
    Seed,
    counted,
    print_json,
    print_note,
    print_table,
)
from tamaya.cli.running import ArenaOptions, arena_command

if TYPE_CHECKING:
    from tamaya.arena.losses import Loss
    from tamaya.arena.protocols.losses import Table
    from tamaya.game import Game
    from tamaya.rules import Rules

EXAMPLES = 10  # games of a cause that are written
RARE = 0.01  # share of the lost games below which losing moves are not shown
Lost = Annotated[
    int, typer.Option("--lost", min=1, help="Play until this many games are lost.")
]  # fmt: skip
Games = Annotated[
    int, typer.Option("--games", "-n", min=1, help="Play at most this many games.")
]  # fmt: skip
Positions = Annotated[
    int,
    typer.Option(
        "--positions", min=1, help="Look at this many positions to say whether one can be won."
    ),
]
Moves = Annotated[
    bool, typer.Option("--moves", help="Also show the losing moves, and what would have won.")
]
Examples = Annotated[
    Path | None,
    typer.Option(
        "--examples",
        help=f"Write up to {EXAMPLES} lost games of each cause into a folder.",
        metavar="FOLDER",
    ),
]


@arena_command
def losses(
    agent: AgentText,
    players: Players = "2-5",
    lost: Lost = 1000,
    games: Games = 1_000_000,
    seed: Seed = 0,
    rules: RuleText = "",
    positions: Positions = 200_000,
    moves: Moves = False,
    examples: Examples = None,
    *,
    options: ArenaOptions,
) -> None:
    """Show where an agent loses its points: the causes of its lost games.

    A lost game has a last move at which it could still be won if all cards lay open; what that
    move did is the cause.
    """
    from tamaya.arena.protocols.losses import PROTOCOL, Config
    from tamaya.store.export import write_games

    texts: list[tuple[str, int, str]] = []
    n_kept: Counter[str] = Counter()

    def keep(rules: "Rules", loss: "Loss", game: "Game") -> None:
        folder = f"{rules.players}-players-{loss.cause}"
        n_kept[folder] += 1
        if n_kept[folder] <= EXAMPLES:
            texts.append((folder, loss.game, game.to_text()))

    config = Config(agent, players, lost, games, seed, rules, positions)
    [result], pace = options.run_and_store(PROTOCOL, [config], keep=keep)
    notes = [str(pace)]
    if examples is not None:
        places = write_games(texts, examples)
        notes.append(f"wrote {counted(len(texts), 'game')} of {counted(len(places), 'cause')} "
                     f"to {examples}")  # fmt: skip
    if options.json:
        print_json(result.to_document())
        return
    for table in result.tables:
        _print_causes(agent, seed, table)
        if moves:
            _print_moves(agent, table)
    for note in notes:
        print_note(note)


def _print_causes(agent: str, seed: int, table: "Table") -> None:
    """The causes at one table size; losing moves by kind."""
    from tamaya.arena.losses import MOVES

    rows = []
    for cause in table.causes():
        deck = "" if cause.deck is None else f"{cause.deck:g}"
        kinds = (str(n) if n else "" for n in cause.moves.values())
        rows.append([cause.cause, f"{cause.lost:,}", f"{100 * cause.share:.1f} %",
                     f"{cause.points:,}", f"{cause.per_game:.4f}", deck, *kinds])  # fmt: skip
    title = (f"{agent}, {table.rules.players} players: {len(table.losses):,} lost of "
             f"{counted(table.games, 'game')}, seed {seed}, mean {table.mean:.3f}")  # fmt: skip
    columns = ["cause", "lost games", "share", "points", "per game", "deck", *MOVES]
    print_table(title, columns, rows)


def _print_moves(agent: str, table: "Table") -> None:
    """The losing moves at one table size, except rare ones: what was done, what would have won."""
    rows = [
        [row.cause, row.move, " or ".join(row.instead), f"{row.lost:,}",
         f"{100 * row.lost / len(table.losses):.1f} %", f"{row.deck:g}", f"{row.tokens:g}",
         str(row.game), str(row.turn)]
        for row in table.losing_moves()
        if row.lost >= RARE * len(table.losses)
    ]  # fmt: skip
    title = (
        f"{agent}, {table.rules.players} players: losing moves, from {RARE:.0%} of the lost games"
    )
    columns = [
        "cause",
        "move",
        "instead of",
        "lost games",
        "share",
        "deck",
        "tokens",
        "game",
        "turn",
    ]
    print_table(title, columns, rows, left=3)
