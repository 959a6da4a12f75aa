"""Finished games for other programs: tamaya's text, hanab.live's JSON with names, a link."""

import json
from collections.abc import Sequence
from typing import Any

from tamaya.moves import move_text
from tamaya.replays.files import write_game
from tamaya.replays.hanab_live import to_json
from tamaya.replays.link import replay_url
from tamaya.web.guard import Refusal
from tamaya.web.notes import Note, notes_by_seat
from tamaya.web.sight import rules_fields
from tamaya.web.table import Table
from tamaya.web.wording import seat_names


def document(table: Table, notes: Sequence[Note] = ()) -> dict[str, Any]:
    """The complete document of a finished game, for the page and for programs."""
    game = table.game
    return {
        "id": table.id,
        "kind": table.kind,
        "text": game.to_text(),
        "json": with_notes(table, notes),
        "names": list(seat_names(table.seats)),
        "agents": [seat.agent for seat in table.seats],
        "rules": rules_fields(game.rules),
        "palette": table.options.palette,
        "score": game.score,
        "status": game.status,
        "turns": game.turn,
        "moves": [move_text(game.rules, move) for move in game.moves],
        "link": _link(table),
        "seed": str(table.seed),  # 64 bits are more than a number of JavaScript holds
        "index": table.index,
        "chosen_deal": table.options.chosen_deal,
        "undos": table.undos,
    }


def with_notes(table: Table, notes: Sequence[Note]) -> dict[str, Any]:
    """A game as hanab.live's JSON; notes that it has no place for are with tamaya's own things."""
    texts = notes_by_seat(notes, table.rules.players)
    found = to_json(table.game, list(seat_names(table.seats)), texts)
    if notes:
        found["tamaya"]["notes"] = [note.document() for note in notes]
    return found


def _link(table: Table) -> str | None:
    """A link that hanab.live opens, None for rules that it cannot express."""
    try:
        return replay_url(table.game)
    except ValueError:
        return None


def exported(table: Table, form: str, notes: Sequence[Note] = ()) -> str:
    """A finished game in a form: text, json or link; Refusal if the form cannot hold it."""
    if form == "json":
        return json.dumps(with_notes(table, notes)) + "\n"
    try:
        return write_game(table.game, form)
    except ValueError as error:
        raise Refusal(409, "unavailable", str(error), "as") from None
