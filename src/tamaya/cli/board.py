"""A position in the terminal: the board, all hands with what their holders know, and moves."""

from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from tamaya.cards import COLOUR_LETTERS, COLOUR_MASK, COLOUR_NAMES, RANK_MASK, card_name
from tamaya.moves import DISCARD, HINT_COLOUR, PLAY, describe
from tamaya.records import GAINED_TOKEN, SCORED

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

    from tamaya.game import Game
    from tamaya.rules import Rules

STYLES = ("bold red", "bold yellow", "bold green", "bold white", "bold blue")
LONGEST_NAME = 60
LEGEND = "slot 0 is the oldest card; · touched by a hint; below: what its holder knows"


def board(game: "Game") -> Text:
    """One line: fireworks, tokens, lives, deck and points before the next move."""
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


def shortened(name: str) -> str:
    """The name of an agent, cut if it is too long, such as a whole list of rules."""
    return name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…"


def hands(game: "Game", agents: "Sequence[str]") -> Table:
    """Two rows per seat: its cards by slot, and below them what it knows about them from hints."""
    grid = Table.grid(padding=(0, 2))
    grid.add_column(min_width=9)  # in a narrow terminal names are cut, cards never
    for _ in range(game.rules.hand_size):
        grid.add_column(min_width=11, no_wrap=True)  # so that columns stay put from turn to turn
    for seat in range(game.rules.players):
        mark = "▶" if seat == game.mover else " "
        name = shortened(agents[seat % len(agents)])
        cards = [Text(f"{mark} {seat} {name}", style="bold" if mark == "▶" else "",
                      no_wrap=True, overflow="ellipsis")]  # fmt: skip
        known = [Text("    knows", style="dim")]
        for slot in range(game.rules.hand_size):
            cards.append(_card(game.record, seat, slot))
            known.append(_knowledge(game.record, seat, slot))
        grid.add_row(*cards)
        grid.add_row(*known)
    return grid


def _card(record: "np.record", seat: int, slot: int) -> Text:
    card = int(record.card[seat, slot])
    if card < 0:
        return Text("--", style="dim")
    told = " ·" if record.told[seat, slot] else ""
    return Text(card_name(card) + told, style=STYLES[card // 5])


def _knowledge(record: "np.record", seat: int, slot: int) -> Text:
    """Colours and ranks that hints leave possible, such as ``RG 23``."""
    mask = int(record.possible[seat, slot])
    text = Text()
    for colour in range(int(record.colours)):
        if mask & int(COLOUR_MASK[colour]):
            text.append(COLOUR_LETTERS[colour], style=STYLES[colour].replace("bold", "dim"))
    text.append(" ")
    text.append("".join(str(r + 1) for r in range(5) if mask & int(RANK_MASK[r])), style="dim")
    return text


def happening(rules: "Rules", event: "np.record") -> Text:
    """What a move did, without its subject: ``plays R1 from slot 0, which scores``."""
    kind, place, value = describe(rules, int(event.move))
    text = Text()
    if kind in (PLAY, DISCARD):
        card = int(event.card)
        text.append("plays " if kind == PLAY else "discards ")
        text.append(card_name(card), style=STYLES[card // 5])
        text.append(f" from slot {place}")
        if kind == PLAY and event.effect & SCORED:
            text.append(", which scores", style="green")
        elif kind == PLAY:
            text.append(", which costs a life", style="red")
        if event.effect & GAINED_TOKEN:
            text.append(", a token back", style="cyan")
    else:
        name = COLOUR_NAMES[value] if kind == HINT_COLOUR else f"rank {value + 1}"
        slots = [str(slot) for slot in range(rules.hand_size) if event.touched >> slot & 1]
        noun = "slot" if len(slots) == 1 else "slots"
        touched = f"{noun} {' '.join(slots)}" if slots else "no card"
        text.append(f"tells seat {event.target} {name}: {touched}")
    return text
