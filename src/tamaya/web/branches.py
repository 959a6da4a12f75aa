"""Branches: tables that branch off a game at a turn, to try another line.

    {"turn": 12, "seats": [{"kind": "person", "name": "Ann"}, {"kind": "agent", "agent": "piers"}],
     "open": false, "morphs": [[7, 31]], "options": {"pace_ms": 500}}

A branch has the deal of its parent, and begins with its moves up to the turn. Players see what
their seat sees, or all hands if the table is ``open``. Agents that made the parent's moves have
exactly their memory of them; others observe the moves so far as if they had been there. The parent
is only read.

Finished games have branches, and so have games of agents in progress: there watchers see all hands,
so only cards in hands can be swapped.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tamaya.cards import DECK_SIZE
from tamaya.moves import move_text
from tamaya.replays.fields import Field, ReplayError
from tamaya.web.events import (
    AGENT,
    MORPHED,
    MOVED,
    PLAYING,
    SEATED,
    WATCH_TABLE,
    Event,
    Line,
    Opening,
    Options,
    Role,
    SeatState,
    TableError,
)
from tamaya.web.eyes import ALL_FACES, Scene, eyes_of, scene_of
from tamaya.web.guard import Refusal
from tamaya.web.log import log_of, palette_of
from tamaya.web.morphs import MorphError, orders_in_hands, swapped
from tamaya.web.opening import WantedSeat, check_names, new_id, options_of, seats_of
from tamaya.web.table import Table
from tamaya.web.values import TABLE_ID, turn_of
from tamaya.web.wording import agent_label

if TYPE_CHECKING:
    from tamaya.web.live import LiveTable
    from tamaya.web.tables import Tables

FIELDS = ("turn", "seats", "open", "morphs", "options")
MOST_MORPHS = 25  # more swaps than that would be another deal


@dataclass(frozen=True)
class BranchOrder:
    """A branch that somebody wants to open."""

    turn: int
    seats: tuple[WantedSeat, ...]
    options: Options
    morphs: tuple[tuple[int, int], ...]


def read_branch(document: object, players: int) -> BranchOrder:
    """The branch of a document; ReplayError names what is wrong with it, and where."""
    order = Field(document, "")
    check_names(order, FIELDS)
    seats = seats_of(order["seats"], players)
    is_watched = all(seat.kind == AGENT for seat in seats)
    options = options_of(order.get("options", {}), is_watched=is_watched)
    is_open = order.get("open", False).flag() and not is_watched
    pairs = order.get("morphs", []).items()
    if len(pairs) > MOST_MORPHS:
        raise order["morphs"].error(f"at most {MOST_MORPHS} pairs of cards change places")
    morphs = tuple(_pair_of(pair) for pair in pairs)
    return BranchOrder(turn_of(order["turn"]), seats, replace(options, open_hands=is_open), morphs)


def _pair_of(field: Field) -> tuple[int, int]:
    orders = [order.whole("card", 0, DECK_SIZE - 1) for order in field.items()[:3]]
    if len(orders) != 2:
        raise field.error("expected two cards, by their places in the deck")
    return orders[0], orders[1]


async def open_branch(
    tables: "Tables", table_id: str, document: object, token: str | None
) -> dict[str, Any]:
    """Open a branch of a game; returns its id and what opens it, Refusal says why not."""
    parent = (await _parent(tables, table_id, token)).table
    try:
        order = read_branch(document, parent.rules.players)
    except ReplayError as error:
        raise Refusal(400, "bad_request", error.reason, error.place) from None
    if order.turn > parent.turn:
        text = f"turn {order.turn} is not one of this game: it has 0 to {parent.turn}"
        raise Refusal(400, "bad_request", text, "turn")
    if parent.game.at(order.turn).is_over:
        raise Refusal(400, "bad_request", f"the game is over at turn {order.turn}", "turn")
    _check_morphs(parent, order)
    old = parent.opening
    options = replace(order.options, palette=parent.options.palette)
    opening = Opening(new_id(), old.rules, (), old.seed, old.index, options, old.deck, old.start,
                      line=Line(table_id, order.turn))  # fmt: skip

    def begin(seats: Sequence[SeatState]) -> list[Event]:
        swaps = [Event(MORPHED, order.turn, orders=orders) for orders in order.morphs]
        return [*past_of(parent, order.turn, seats), *swaps]

    seats = [replace(wanted, name=_name_of(sitter)) if wanted.kind == AGENT else wanted
             for wanted, sitter in zip(order.seats, parent.seats, strict=True)]  # fmt: skip
    return await tables.open_as(opening, seats, begin)


def _name_of(sitter: SeatState) -> str:
    """The name of a person who sat somewhere, which an agent that plays on there takes over."""
    own = agent_label(sitter.agent).partition(":")[0]
    return "" if sitter.kind == AGENT and sitter.name.startswith(own) else sitter.name


async def _parent(tables: "Tables", table_id: str, token: str | None) -> "LiveTable":
    """A game that has branches: over, or of agents alone."""
    live = await tables.get(table_id) if TABLE_ID.fullmatch(table_id) else None
    if live is None or live.table.kind != WATCH_TABLE or live.table.phase != PLAYING:
        return await tables.finished(table_id, token)
    await tables.deals.check_may_see(live, token)
    return live


def _check_morphs(parent: Table, order: BranchOrder) -> None:
    """Whether all pairs can change places one after the other, and are in sight."""
    game = parent.game.at(order.turn)
    held = orders_in_hands(game)
    for k, orders in enumerate(order.morphs):
        place = f"morphs[{k}]"
        if parent.phase == PLAYING and not held.issuperset(orders):
            raise Refusal(400, "bad_request", "nobody sees those cards yet", place)
        try:
            game = swapped(game, orders)
        except MorphError as error:
            text = _refused(parent, scene_of(game, ALL_FACES), error)
            raise Refusal(400, "bad_request", text, place) from None


def past_of(parent: Table, turn: int, seats: Sequence[SeatState]) -> list[Event]:
    """What a table begins with that goes on from a turn of another.

    Moves keep the names of those who made them: each seat has had them first.
    """
    events = [Event(MORPHED, 0, orders=orders) for orders in parent.morphs]
    before = list(seats)

    def name(turn: int, sitters: Sequence[SeatState]) -> None:
        for seat, (old, sitter) in enumerate(zip(before, sitters, strict=True)):
            if old.name != sitter.name:
                before[seat] = replace(seats[seat], name=sitter.name)
                events.append(Event(SEATED, turn, seat, sitter=before[seat]))

    for k, event in enumerate(parent.game.events[:turn]):
        name(k, parent.seatings.get(k, before))
        seat, memory = int(event["seat"]), parent.memories.get(k + 1)
        if memory is not None and memory.identity != seats[seat].identity:
            memory = None
        text = move_text(parent.rules, int(event["move"]))
        events.append(Event(MOVED, k + 1, seat, text, memory.data if memory else None))
    name(turn, seats)
    return events


# Swapping cards.


def morph(table: Table, role: Role, order: int, card: int) -> Event:
    """Swap a visible card for another; TableError if that is impossible.

    The other card is in a visible hand too; where all hands are open it may come from the deck. So
    the answer does not depend on anything hidden.
    """
    table.check_line(role)
    scene = scene_of(table.game, eyes_of(table, role))
    faces = _faces(scene)
    palette = palette_of(table)
    if order not in faces:
        raise TableError("illegal", "you do not see that card", "order")
    if not scene.all_cards >> card & 1:
        raise TableError("illegal", "there is no such card in this game", "card")
    if faces[order] == card:
        raise TableError("illegal", f"it is a {palette.card(card)} already", "card")
    others = [other for other, face in faces.items() if face == card]
    if scene.eyes == ALL_FACES:
        first = table.rules.deck_size - scene.number("deck_size")
        deck = enumerate(table.game.deck)
        others = [*(other for other, face in deck if other >= first and face == card), *others]
    refusal = f"no {palette.card(card)} is left to change places with"
    for other in others:
        try:
            return table.morph(role, (order, other))
        except MorphError as error:
            refusal = _refused(table, scene, error)
    raise TableError("illegal", refusal, "card")


def _faces(scene: Scene) -> dict[int, int]:
    """The cards in hands whose faces are in sight, by their places in the deck."""
    found: dict[int, int] = {}
    for seat in range(scene.rules.players):
        rows = zip(scene.row("order", seat), scene.row("card", seat), strict=True)
        found.update((order, face) for order, face in rows if order >= 0 and face >= 0)
    return found


def _refused(table: Table, scene: Scene, error: MorphError) -> str:
    """Why cards cannot be swapped; a hint that prevents it is described in words."""
    if error.turn is None:
        return str(error)
    words = log_of(table, scene).events[error.turn]["words"]
    return f"{error}: {words}"
