"""What it takes to open a table: a request that was read, ids that nobody guesses.

    {"rules": "players=3", "seats": [{"kind": "person", "name": "Ann"}, {"kind": "open"},
     {"kind": "agent", "agent": "smartbot", "params": {}}], "seed": null, "index": null,
     "options": {"pace_ms": 500, "undo": true}}

Who chooses the seed can know the cards: everybody at the table is told so (``chosen_deal``).

An id has 80 random bits, a token or invite 128; of tokens and invites only hashes are kept.
"""

import secrets
from base64 import b32encode
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256

from tamaya.replays.fields import Field, ReplayError, shown
from tamaya.rules import MAX_PLAYERS, Rules, RulesError
from tamaya.web.events import AGENT, FASTEST_PACE, OPEN, PERSON, SLOWEST_PACE, Options
from tamaya.web.values import agent_of, name_of, params_of

LONGEST_RULES = 300  # characters
LARGEST_SEED = 2**64 - 1
LARGEST_INDEX = 2**31 - 1
FIELDS = ("rules", "seats", "seed", "index", "options")
SEAT_FIELDS = {PERSON: ("kind", "name"), AGENT: ("kind", "agent", "params"), OPEN: ("kind",)}
Param = bool | int | float | str


class OrderError(ValueError):
    """A request to open a table that cannot be read; the place names the culprit."""

    def __init__(self, text: str, place: str = "") -> None:
        super().__init__(text)
        self.text, self.place = text, place


@dataclass(frozen=True)
class WantedSeat:
    """Who is to sit in a seat."""

    kind: str
    name: str = ""
    agent: str = ""
    params: dict[str, Param] = field(default_factory=dict)
    place: str = ""  # in the request, for complaints about the agent


@dataclass(frozen=True)
class Order:
    """A table that somebody wants to open; without a seed it is dealt by chance."""

    rules: Rules
    seats: tuple[WantedSeat, ...]
    seed: int | None = None
    index: int = 0
    options: Options = field(default_factory=Options)


def read_order(document: object) -> Order:
    """The order of a document; OrderError names what is wrong with it, and where."""
    try:
        order = Field(document, "")
        check_names(order, FIELDS)
        rules = rules_of(order.get("rules", "players=2"))
        seats = seats_of(order["seats"], rules.players)
        seed = seed_of(order.get("seed", None))
        index = order.get("index", None)
        is_watched = all(seat.kind == AGENT for seat in seats)
        options = options_of(order.get("options", {}), is_watched=is_watched)
        return Order(
            rules,
            seats,
            seed,
            0 if index.value is None else index.whole("game", 0, LARGEST_INDEX),
            replace(options, chosen_deal=seed is not None),
        )
    except ReplayError as error:
        raise OrderError(error.reason, error.place) from None


def seats_of(field: Field, players: int) -> tuple[WantedSeat, ...]:
    """Who is to sit at a table of so many: at most one person, who asks for it."""
    seats = tuple(_seat_of(seat) for seat in field.items()[: MAX_PLAYERS + 1])
    if len(seats) != players:
        raise field.error(f"{len(seats)} seats for {players} players")
    persons = [k for k, seat in enumerate(seats) if seat.kind == PERSON]
    if len(persons) > 1:
        place = field.items()[persons[1]]
        raise place.error("one seat is yours, the others are open to whom you invite")
    return seats


def check_names(field: Field, known: tuple[str, ...]) -> None:
    """Refuse an object with a field that it should not have."""
    for name in field.mapping():
        if name not in known:
            raise field.error(f"unknown field {shown(name)}: expected {', '.join(known)}")


def rules_of(field: Field) -> Rules:
    """The rules of a text."""
    text = field.text()
    if len(text) > LONGEST_RULES:
        raise field.error(f"more than {LONGEST_RULES} characters of rules")
    try:
        return Rules.parse(text)
    except RulesError as error:
        raise field.error(str(error)) from None


def _seat_of(field: Field) -> WantedSeat:
    kind = field["kind"].text()
    if kind not in SEAT_FIELDS:
        raise field["kind"].error(f"{shown(kind)}: expected one of {', '.join(SEAT_FIELDS)}")
    check_names(field, SEAT_FIELDS[kind])
    if kind == PERSON:
        return WantedSeat(PERSON, name_of(field["name"]))
    if kind == AGENT:
        params = params_of(field.get("params", {}))
        return WantedSeat(AGENT, "", agent_of(field["agent"]), params, field.place)
    return WantedSeat(OPEN)


def seed_of(field: Field) -> int | None:
    """A seed as a number or as digits: those of JavaScript are exact up to 53 bits only."""
    digits = field.value if isinstance(field.value, str) else ""
    if digits.isascii() and digits.isdecimal() and len(digits) <= len(str(LARGEST_SEED)):
        field = Field(int(digits), field.place)
    return None if field.value is None else field.whole("seed", 0, LARGEST_SEED)


def options_of(field: Field, is_watched: bool) -> Options:
    """What the host wants: the pace of agents, and whether moves can be taken back."""
    check_names(field, ("pace_ms", "undo"))
    usual = Options()
    # Among agents alone there is nobody from whom their time to think must be kept.
    fastest = 0 if is_watched else FASTEST_PACE
    pace = field.get("pace_ms", usual.pace_ms).whole("pace", fastest, SLOWEST_PACE)
    return Options(pace, usual.paused, field.get("undo", usual.undo).flag())


def own_seat(seats: Sequence[WantedSeat]) -> int | None:
    """The seat of whoever opens the table."""
    kinds = [seat.kind for seat in seats]
    return kinds.index(PERSON) if PERSON in kinds else None


def new_id() -> str:
    """The id of a new table: 16 letters and digits."""
    return b32encode(secrets.token_bytes(10)).decode().lower()


def new_token() -> str:
    """A new token or invite: 22 characters."""
    return secrets.token_urlsafe(16)


def hash_of(token: str) -> str:
    """What is kept of a token."""
    return sha256(token.encode()).hexdigest()
