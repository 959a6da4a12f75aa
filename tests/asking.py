"""All that can be asked of a server, rightly or not: its addresses, documents for them, frames.

Tests that ask everything take it from here, and fail if the server knows an address or a frame that
is missing.
"""

import json
from random import Random
from typing import Any

from starlette.routing import Route

from inside import Frame, Inside

SMALL = "players=2 colours=2 ranks=3 hand_size=3"
BEN, FREE = {"kind": "person", "name": "Ben"}, {"kind": "open"}
BOT = {"kind": "agent", "agent": "piers"}

# Documents for all addresses that take one, and what else to ask of others.
SEATS = {"seats": [BEN, BOT], "options": {"pace_ms": 100}}
POSTED: dict[str, list[Frame]] = {
    "/api/tables": [{"rules": SMALL, **SEATS}],
    "/api/games": [{"text": "nothing"}],
    "/api/games/{id}/deal": [{}],
    "/api/games/{id}/branch": [{"turn": 0, **SEATS}, {"turn": 0, **SEATS, "open": True},
                               {"turn": 0, **SEATS, "morphs": [[0, 7]]}],
    "/api/deals": [],  # deals the cards of any seed
    "/api/deals/{id}/play": [SEATS, {"seats": [BEN, FREE]}],
    "/api/lab/fires": [{"run": "rules", "list": "all finalist 1", "players": 2}],
    "/api/lab/guests": [{"run": "rules", "list": "all finalist 1"}],
    "/api/report/games": [{"game": "a" * 16}],
    "/api/acquaintance": [{}],  # deletes what is remembered of a person
}  # fmt: skip
SOMEBODY = "p" * 22  # the key of somebody whom no agent remembers
QUERIES = {
    "/api/games/{id}/views": ["", "?from=0&to=0&seat=0"],
    "/api/games/{id}/export": ["?as=text", "?as=json", "?as=link"],
    "/api/lab/run": ["?run=rules", "?run=damaged"],
    "/api/lab/list": ["?run=rules&list=all finalist 1"],
}
FRAMES: dict[str, Frame] = {
    "sit": {"seat": 1, "name": "Ben"}, "leave": {}, "start": {}, "again": {}, "back": {},
    "fill": {"seat": 1, "agent": "piers"}, "move": {"turn": 0, "move": "p0"}, "step": {},
    "look": {"turn": 0}, "undo": {"turn": 1}, "agree": {"yes": True}, "advise": {"turn": 0},
    "why": {"turn": 0, "agent": "piers"}, "pace": {"ms": 200}, "pause": {"on": True},
    "morph": {"order": 0, "card": 1}, "analyse": {}, "focus": {"turn": 0}, "more": {"turn": 0},
    "cancel": {}, "choices": {"turn": 0}, "disagree": {}, "believe": {"turn": 0, "seat": 0},
    "note": {"turn": 0, "text": "hm", "name": "Ben"},
}  # fmt: skip


def routes_of(server: Inside) -> list[tuple[str, str]]:
    """Method and address of everything that a server answers over HTTP."""
    inner: Any = server.app.app
    return [
        (method, route.path)
        for route in inner.app.routes
        if isinstance(route, Route)
        for method in sorted(route.methods or ())
        if method != "HEAD"
    ]


# What nobody should send.

NASTY: list[Any] = [
    None, True, False, 0, 1, -1, 2**31, 10**30, 1e308, 0.5, "", "x", "0", "p0", "A" * 5000,
    "\u202e\x00", "\ud800", "\u2066evil", "é😀", "<script>alert(1)</script>", "/etc/passwd",
    "../../etc/passwd", "search:blueprint=/tmp/x.py", "'; DROP TABLE web_tables; --", "{{7*7}}",
    [], {}, [[]] * 60, [[[[[[[[[[]]]]]]]]]], {"__proto__": {}, "text": "x"},
]  # fmt: skip


def spoiled(rng: Random, document: Any) -> Any:
    """A document in which something is not as it should be, somewhere."""
    document = json.loads(json.dumps(document))
    if not isinstance(document, dict | list) or not document or rng.random() < 0.1:
        return rng.choice(NASTY)
    place: Any = document
    key = _key(rng, place)
    while isinstance(place[key], dict | list) and place[key] and rng.random() < 0.8:
        place = place[key]
        key = _key(rng, place)
    kind = rng.random()
    if kind < 0.15:
        del place[key]
    elif kind < 0.25 and isinstance(place, dict):
        place[rng.choice(("deck", "seed", "id", "x" * 300, "\u202e"))] = rng.choice(NASTY)
    elif kind < 0.35 and isinstance(place, list):
        place *= 60
    else:
        place[key] = rng.choice(NASTY)
    return document


def _key(rng: Random, place: Any) -> Any:
    return rng.choice(list(place)) if isinstance(place, dict) else rng.randrange(len(place))
