"""Finished games for other programs: tamaya's text, hanab.live's JSON with names, a link."""

import json
from typing import Any

from tamaya.moves import move_text
from tamaya.replays.files import write_game
from tamaya.replays.hanab_live import to_json
from tamaya.replays.link import replay_url
from tamaya.web.guard import Refusal
from tamaya.web.table import Table
from tamaya.web.wording import seat_names


def document(table: Table) -> dict[str, Any]:
    """All there is to know of a finished game, for the page and for programs."""
    game = table.game
    names = list(seat_names(table.seats))
    return {
        "id": table.id,
        "text": game.to_text(),
        "json": to_json(game, names),
        "names": names,
        "agents": [seat.agent for seat in table.seats],
        "score": game.score,
        "status": game.status,
        "moves": [move_text(game.rules, move) for move in game.moves],
        "link": _link(table),
        "seed": str(table.seed),  # 64 bits are more than a number of JavaScript holds
        "index": table.index,
        "undos": table.undos,
    }


def _link(table: Table) -> str | None:
    """A link that hanab.live opens, None for rules that it has no words for."""
    try:
        return replay_url(table.game)
    except ValueError:
        return None


def exported(table: Table, form: str) -> str:
    """A finished game in a form: text, json or link; Refusal if the form cannot hold it."""
    if form == "json":
        return json.dumps(to_json(table.game, list(seat_names(table.seats)))) + "\n"
    try:
        return write_game(table.game, form)
    except ValueError as error:
        raise Refusal(409, "unavailable", str(error), "as") from None
