"""What a view of the web table is made of, with its log kept from move to move and made anew.

Run `python benchmarks/web_views.py`; all times are CPU time of one core, at turn 40 of a game of
three.
"""

from timing import nanoseconds

from tamaya.rules import Rules
from tamaya.web import log
from tamaya.web.events import PERSON, Opening, Role, SeatState
from tamaya.web.eyes import scene_of
from tamaya.web.messages import dump
from tamaya.web.sight import view_frame
from tamaya.web.table import Table

TURN, SEED = 40, 1


def table_at(turn: int) -> Table:
    """A table at which nobody plays a card: hints and discards go on and on."""
    seats = tuple(SeatState(PERSON, name) for name in ("Ann", "Ben", "Cho"))
    table = Table(Opening("", Rules(players=3), seats, SEED))
    while table.turn < turn:
        legal = table.game.legal_moves
        hints = [move for move in legal if move >= 2 * table.rules.hand_size]
        table.game.apply(hints[table.turn % len(hints)] if hints else legal[0])
    return table


def main() -> None:
    """Print the table."""
    table = table_at(TURN)
    role = Role(table.game.mover)
    frame = view_frame(table, role)
    plain = {**frame, "past": list(frame["past"])}

    def anew() -> None:
        log._LOGS.clear()
        view_frame(table, role)

    rows = {
        "what the eyes see": lambda: scene_of(table.game, 0),
        "view, log kept": lambda: view_frame(table, role),
        "view, log anew": anew,
        "view of turn 39": lambda: view_frame(table, role, TURN - 1),
        "JSON, log kept": lambda: dump(frame),
        "JSON, log anew": lambda: dump(plain),
    }
    print(f"what                  us    ({len(dump(frame)):,} characters of JSON)")
    for what, do in rows.items():
        print(f"{what:18} {nanoseconds(do, per=1) / 1000:5.0f}")


if __name__ == "__main__":
    main()
