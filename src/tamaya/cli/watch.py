"""`tamaya watch`: a game in the terminal, turn by turn."""

import re
from pathlib import Path
from time import sleep
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tamaya.cli.options import Json, RuleText, Seed, print_json, rules_for

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from rich.console import Console
    from rich.text import Text

    from tamaya.agent import Player
    from tamaya.game import Game
    from tamaya.seat import Row

AgentTexts = Annotated[
    list[str], typer.Argument(help="One agent for all seats, or one per seat.", metavar="AGENT...")
]
PlayerCount = Annotated[
    int, typer.Option("--players", "-p", help="Number of players; by default one per agent, or 2.")
]
GameIndex = Annotated[int, typer.Option("--game", min=0, help="Which game of the seed.")]
FromTurn = Annotated[int, typer.Option("--from", min=1, help="First turn to show.")]
Turns = Annotated[int, typer.Option("--turns", min=0, help="Show so many turns; 0 shows all.")]
Explain = Annotated[
    bool, typer.Option("--explain", help="Also show the mover's reasons, if it explains itself.")
]
Svg = Annotated[
    Path | None, typer.Option("--svg", help="Also save what is shown as a picture.", metavar="FILE")
]
Delay = Annotated[float, typer.Option("--delay", min=0, help="Seconds between turns.")]

STYLES = ("bold red", "bold yellow", "bold green", "bold white", "bold blue")


def watch(
    agents: AgentTexts,
    players: PlayerCount = 0,
    seed: Seed = 0,
    game: GameIndex = 0,
    from_turn: FromTurn = 1,
    turns: Turns = 0,
    delay: Delay = 0.0,
    rules: RuleText = "",
    explain: Explain = False,
    svg: Svg = None,
    json: Json = False,
) -> None:
    """Show a game turn by turn: the board, all hands, and what each seat knows of its cards."""
    from tamaya.table import play

    count = players or max(2, len(agents))
    table = rules_for(count, rules)
    played = play(agents, table, 1, seed=seed, first=game, record=True)
    finished = played.game(0)
    if json:
        print_json(_as_document(finished, agents, seed, game))
        return
    reasons = _reasons(played.agents, finished) if explain else []
    console = _show(finished, agents, reasons, (from_turn, turns or finished.turn), delay)
    if svg is not None:
        _save_picture(console, svg, f"tamaya watch {' '.join(agents)}")


def _as_document(game: "Game", agents: list[str], seed: int, index: int) -> dict[str, Any]:
    from tamaya.moves import move_text

    return {
        "agents": agents,
        "seed": seed,
        "game": index,
        "rules": game.rules.as_dict(),
        "score": game.score,
        "status": game.status,
        "moves": [move_text(game.rules, move) for move in game.moves],
        "text": game.to_text(),
    }


def _reasons(players: "Sequence[Player]", finished: "Game") -> list[list["Row"]]:
    """What the mover of each turn says about its choice."""
    from tamaya.seat import Seat

    game = finished.at(0)
    count = finished.rules.players
    seats = [Seat(players[seat % len(players)], game, seat) for seat in range(count)]
    rows = []
    for move in finished.moves:
        rows.append(seats[game.mover].explain())
        game.apply(move)
        for seat in seats:
            seat.observe()
    return rows


def _show(
    finished: "Game",
    agents: list[str],
    reasons: list[list["Row"]],
    part: tuple[int, int],
    delay: float,
) -> "Console":
    """Replay a part of a finished game, its first turn and length; gives the console."""
    from rich.console import Console

    console = Console(highlight=False, record=True)
    first, length = part
    game = finished.at(min(first - 1, finished.turn))
    for move in finished.moves[first - 1 : first - 1 + length]:
        console.print(_board(game))
        console.print(_hands(game, agents))
        for reason, value in reasons[game.turn] if reasons else []:
            console.print(f"    {reason}: {value}", style="dim", markup=False)
        mover = game.mover
        game.apply(move)
        console.print(_announcement(game, mover))
        if delay:
            sleep(delay)
    if game.is_over:
        console.print(_board(game))
        console.print(f"[bold]score {game.score}[/], {game.status} after {game.turn} turns")
    else:
        console.print(f"… stopped after turn {game.turn} of {finished.turn}")
    return console


def _save_picture(console: "Console", path: Path, title: str) -> None:
    """Save what a console showed, without the web fonts that Rich would link to."""
    from rich._export_format import CONSOLE_SVG_FORMAT

    without_fonts = re.sub(r"@font-face \{\{.*?\}\}", "", CONSOLE_SVG_FORMAT, flags=re.S)
    console.save_svg(str(path), title=title, code_format=without_fonts)


def _board(game: "Game") -> "Text":
    from rich.text import Text

    from tamaya.cards import COLOUR_LETTERS

    record = game.record
    line = Text(f"turn {game.turn + 1:<3}", style="bold reverse")
    line.append("  ", style="not bold not reverse")
    for colour in range(game.rules.colours):
        height = int(record.firework[colour])
        style = STYLES[colour] if height else "dim"
        line.append(f"{COLOUR_LETTERS[colour]}{height} ", style=f"{style} not reverse")
    line.append(
        f"  tokens {record.tokens}  lives {record.lives}  deck {record.deck_size}  "
        f"points {game.points}",
        style="not bold not reverse",
    )
    return line


def _hands(game: "Game", agents: list[str]) -> Any:
    """A row per seat and slot: the card, and below it what its holder knows from hints."""
    from rich.table import Table
    from rich.text import Text

    grid = Table.grid(padding=(0, 2))
    grid.add_column()
    for _ in range(game.rules.hand_size):
        grid.add_column(min_width=11)  # so that nothing moves from turn to turn
    for seat in range(game.rules.players):
        mark = "▶" if seat == game.mover else " "
        name = agents[seat % len(agents)]
        cards: list[Any] = [Text(f"{mark} {seat} {name}", style="bold" if mark == "▶" else "")]
        known: list[Any] = [Text("    knows", style="dim")]
        for slot in range(game.rules.hand_size):
            cards.append(_card(game.record, seat, slot))
            known.append(_knowledge(game.record, seat, slot))
        grid.add_row(*cards)
        grid.add_row(*known)
    return grid


def _card(record: "np.record", seat: int, slot: int) -> "Text":
    from rich.text import Text

    from tamaya.cards import card_name

    card = int(record.card[seat, slot])
    if card < 0:
        return Text("--", style="dim")
    told = " ·" if record.told[seat, slot] else ""
    return Text(card_name(card) + told, style=STYLES[card // 5])


def _knowledge(record: "np.record", seat: int, slot: int) -> "Text":
    """Colours and ranks that hints leave open, such as ``RG 23``."""
    from rich.text import Text

    from tamaya.cards import COLOUR_LETTERS, COLOUR_MASK, RANK_MASK

    mask = int(record.possible[seat, slot])
    text = Text()
    for colour in range(int(record.colours)):
        if mask & int(COLOUR_MASK[colour]):
            text.append(COLOUR_LETTERS[colour], style=STYLES[colour].replace("bold", "dim"))
    text.append(" ")
    text.append("".join(str(r + 1) for r in range(5) if mask & int(RANK_MASK[r])), style="dim")
    return text


def _announcement(game: "Game", mover: int) -> "Text":
    """What just happened, in words."""
    from rich.text import Text

    from tamaya.cards import COLOUR_NAMES, card_name
    from tamaya.moves import DISCARD, HINT_COLOUR, PLAY, describe
    from tamaya.records import GAINED_TOKEN, SCORED

    event = game.events[-1]
    kind, _, value = describe(game.rules, int(event.move))
    text = Text(f"  seat {mover} ", style="italic")
    if kind in (PLAY, DISCARD):
        card = int(event.card)
        text.append("plays " if kind == PLAY else "discards ")
        text.append(card_name(card), style=STYLES[card // 5])
        if kind == PLAY and event.effect & SCORED:
            text.append(", which scores", style="green")
        elif kind == PLAY:
            text.append(", which costs a life", style="red")
        if event.effect & GAINED_TOKEN:
            text.append(", a token back", style="cyan")
    else:
        name = COLOUR_NAMES[value] if kind == HINT_COLOUR else f"rank {value + 1}"
        slots = [str(slot) for slot in range(game.rules.hand_size) if event.touched >> slot & 1]
        text.append(f"tells seat {event.target} {name}: slot {' '.join(slots) or 'none'}")
    text.append("\n")
    return text
