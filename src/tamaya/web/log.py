"""The log of a game: every move as the page shows it, and the hints that touched each card.

Everything here is public, so that a table has one log for all roles. It is kept from view to view
and grows by the new moves: a view takes a quarter of the time, its text half of it
(``benchmarks/web_views.py``).
"""

from collections.abc import Mapping, Sequence
from typing import Any
from weakref import WeakKeyDictionary

from tamaya.moves import DISCARD, HINT_COLOUR, HINT_RANK, PLAY
from tamaya.records import GAINED_TOKEN, SCORED
from tamaya.web import figures, wording
from tamaya.web.eyes import Scene, moves_of
from tamaya.web.messages import Written, dump
from tamaya.web.table import Table
from tamaya.web.wording import PALETTES, TAMAYA, Palette

KINDS = {PLAY: "play", DISCARD: "discard", HINT_COLOUR: "colour", HINT_RANK: "rank"}
Record = dict[str, Any]


class Log:
    """The events of a game so far; others read its lists, only ``follow`` adds to them.

    ``seatings`` are the names in the seats from some turns on: who made a move stays its author.
    """

    def __init__(self, seatings: Mapping[int, Sequence[str]], palette: Palette = TAMAYA) -> None:
        self.seatings, self.palette = {turn: tuple(seatings[turn]) for turn in seatings}, palette
        self.events: list[Record] = []
        self.touched: dict[int, list[int]] = {}  # [order] -> turns of the hints that touched it
        self.played: list[Record] = []
        self.discarded: list[Record] = []
        self._texts: list[str] = []  # of the events, as they are sent
        self.spent = 0  # tokens that hints took or that were lost
        self._numbers: list[int] = []  # of the slots that the last hint touched
        self._history = b""

    @property
    def names(self) -> tuple[str, ...]:
        """The names in the seats now."""
        return self.seatings[max(self.seatings)]

    def _names_at(self, turn: int) -> tuple[str, ...]:
        """The names in the seats when a move was made."""
        return self.seatings[max(first for first in self.seatings if first <= turn)]

    def follow(self, scene: Scene) -> bool:
        """Add what has happened since; False if that is not how this log goes on."""
        n_moves = scene.number("n_moves")
        rows = scene.views["history"][0, :n_moves]
        history = rows.tobytes()
        if not history.startswith(self._history):
            return False
        first = len(self.events)
        held = scene.held[first:].tolist()
        for row, orders in zip(rows[first:].tolist(), held, strict=True):
            self._add(scene, row, orders)
        self._history = history
        return True

    def _add(self, scene: Scene, row: tuple[int, ...], held: Sequence[int]) -> None:
        seat, move, target, card, order, touched, newly, effect = row
        text, kind, place, value = moves_of(scene.rules)[move]
        turn = len(self.events)
        event: Record = {"turn": turn, "seat": seat, "kind": KINDS[kind], "move": text}
        self._numbers = []
        if target < 0:
            event |= {"slot": place, "card": card, "order": order}
            event["token"] = bool(effect & GAINED_TOKEN)
            if kind == PLAY:
                event |= {"scored": bool(effect & SCORED), "blind": order not in self.touched}
            self._put_down(event)
        else:
            slots = [slot for slot in range(len(held)) if touched >> slot & 1]
            numbers = wording.slot_numbers(held)
            self._numbers = [numbers[slot] for slot in slots]
            event |= {"target": target, "value": value, "touched": [held[slot] for slot in slots]}
            event["newly"] = [held[slot] for slot in slots if newly >> slot & 1]
            for order in event["touched"]:
                self.touched.setdefault(order, []).append(turn)
        names = self._names_at(turn)
        event["words"] = wording.event_words(event, names, self._numbers, palette=self.palette)
        rules = scene.rules
        self.spent += figures.n_spent([event], rules.ranks, not rules.no_completion_token)
        self.events.append(event)
        self._texts.append(dump(event))

    def _put_down(self, event: Record) -> None:
        """Lay a card on the fireworks or among the discards."""
        card = {name: event[name] for name in ("card", "order", "turn")}
        if event.get("scored"):
            self.played.append(card)
        else:
            self.discarded.append({**card, "failed": event["kind"] == "play"})

    @property
    def past(self) -> Written:
        """The events for a frame, as they are now."""
        return Written(self.events, f"[{','.join(self._texts)}]")

    def said(self, you: int | None) -> str:
        """The last event as it is told to a seat."""
        if not self.events:
            return ""
        last, names = self.events[-1], self._names_at(len(self.events) - 1)
        return wording.event_words(last, names, self._numbers, you=you, palette=self.palette)


def palette_of(table: Table) -> Palette:
    """What the colours of a table are called."""
    return PALETTES[table.options.palette]


def empty_log(table: Table) -> Log:
    """A log of a table that follows nothing yet."""
    seatings = {turn: wording.seat_names(seats) for turn, seats in table.seatings.items()}
    return Log(seatings, palette_of(table))


_LOGS: WeakKeyDictionary[Table, Log] = WeakKeyDictionary()


def log_of(table: Table, scene: Scene) -> Log:
    """The log of a scene of a table; that of the present is kept with the table."""
    is_now = scene.number("n_moves") == table.turn
    log, fresh = _LOGS.get(table) if is_now else None, empty_log(table)
    if log is None or log.seatings != fresh.seatings or not log.follow(scene):
        log = fresh
        log.follow(scene)
    if is_now:
        _LOGS[table] = log
    return log
