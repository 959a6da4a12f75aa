"""Sight: what each role at a table is sent; ``tamaya.web.eyes`` says who sees what.

Frames are computed from what the role's eyes see and from what everybody knows: seats, names, the
log. ``tests/web/test_nothing_leaks.py`` exchanges the hidden cards and compares bytes.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import tamaya
from tamaya.game import Game
from tamaya.moves import DISCARD, PLAY
from tamaya.records import STATUS_NAMES, TOLD_COLOUR, TOLD_RANK
from tamaya.replays.link import lost_in_a_link, replay_url
from tamaya.rules import Rules
from tamaya.web import figures, wording
from tamaya.web.events import AGENT, OVER, PLAYING, WAITING, Role, TableError
from tamaya.web.eyes import (
    ALL_FACES,
    NO_FACES,
    Scene,
    check_looks_back,
    check_question,
    eyes_of,
    moves_of,
    scene_of,
)
from tamaya.web.log import Log, empty_log, log_of, palette_of
from tamaya.web.table import Table

__all__ = [
    "Presence",
    "Reasons",
    "Role",
    "asked_frame",
    "check_over",
    "check_question",
    "over_frame",
    "reasons_frame",
    "review_views",
    "rules_fields",
    "seats_frame",
    "speaker_of",
    "view_frame",
    "welcome_frame",
]

Frame = dict[str, Any]


# The position.


def view_frame(table: Table, role: Role, turn: int | None = None) -> Frame:
    """The position, now or after so many moves, in the eyes of a role."""
    is_now = turn is None or turn == table.turn
    if turn is not None:
        check_looks_back(table, turn)
    scene = scene_of(_game_at(table, table.turn if turn is None else turn), eyes_of(table, role))
    log = log_of(table, scene)
    is_waiting = table.phase == WAITING
    mover = scene.number("mover")
    has_turn = is_now and table.phase == PLAYING and role.seat == mover
    # At an open table a seat sees more than it moves by.
    own = scene_of(table.game, mover) if has_turn and table.options.open_hands else scene
    legal = _legal(own) if has_turn else None
    return {
        **_position(table, scene, log, role.seat),
        "mover": mover if scene.is_running and not is_waiting else None,
        "past": log.past,
        "legal": legal,
        "risks": _risks(own, legal) if legal is not None else {},
        "call": wording.CALL if legal is not None else "",
    }


def review_views(table: Table, turns: Iterable[int], seat: int | None) -> list[Frame]:
    """Positions of a game that is over, in order of their turns, without the log of each.

    They show all faces, or those that a seat saw then.
    """
    check_over(table)
    log = empty_log(table)
    views = []
    for turn in turns:
        game = _game_at(table, turn)
        scene = scene_of(game, ALL_FACES if seat is None else seat)
        log.follow(scene)
        mover = scene.number("mover") if scene.is_running else None
        risks = {}
        if mover is not None:  # what whoever moves could know of the risks
            own = scene_of(game, mover)
            risks = _risks(own, _legal(own))
        # How long the game was is for who asks for its end.
        unasked: Frame = {"now": turn, "mover": mover, "legal": None, "risks": risks, "call": ""}
        views.append({**_position(table, scene, log, seat), **unasked})
    return views


def check_over(table: Table) -> None:
    """Refuse what shows everything while a game goes on."""
    if table.phase != OVER:
        raise TableError("forbidden", "the game is not over")


def _game_at(table: Table, turn: int) -> Game:
    """The game after so many moves; at the end also if an agent gave it up there."""
    return table.game if turn == table.turn else table.game.at(turn)


def _position(table: Table, scene: Scene, log: Log, seat: int | None) -> Frame:
    """What a scene shows of the board and of all hands."""
    return {
        "type": "view",
        "turn": len(log.events),
        "now": table.turn,
        "phase": table.phase,
        "status": STATUS_NAMES[scene.number("status")],
        "seat": seat,
        **_board(scene, log),
        "hands": [_hand(scene, log, holder, seat) for holder in range(table.rules.players)],
        "last": log.events[-1] if log.events else None,
        "discarded": list(log.discarded),
        "played": list(log.played),
        "said": log.said(seat),
    }


def _board(scene: Scene, log: Log) -> Frame:
    """The numbers of a position, which are the same for everybody."""
    rules = scene.rules
    firework = scene.views["firework"][0, : rules.colours].tolist()
    lives, deck = scene.number("lives"), scene.number("deck_size")
    standing = figures.Standing(
        players=rules.players,
        ranks=rules.ranks,
        deck=deck,
        tokens=scene.number("tokens"),
        is_over=not scene.is_running,
        firework=firework,
        reach=scene.reach,
        told_masks=_told_masks(scene),
        is_rewarded=not rules.no_completion_token,
    )
    return {
        "tokens": standing.tokens,
        "max_tokens": rules.tokens,
        "lives": lives,
        "max_lives": rules.lives,
        "deck": deck,
        "turns_left": None if deck else scene.number("turns_left"),
        "firework": firework,
        "reach": scene.reach,
        "points": standing.points,
        "score": 0 if lives <= 0 and rules.bomb == "zero" else standing.points,
        "max_score": rules.max_score,
        "pace": figures.pace(standing),
        "efficiency": {
            "now": figures.efficiency(standing, log.spent),
            "required": figures.required_efficiency(standing),
        },
    }


def _told_masks(scene: Scene) -> list[int]:
    """What hints leave open of each card that one has named."""
    masks = []
    for seat in range(scene.rules.players):
        rows = zip(scene.row("told", seat), scene.row("possible", seat), strict=True)
        masks += [mask for told, mask in rows if told]
    return masks


# Hands.


def _hand(scene: Scene, log: Log, seat: int, viewer: int | None) -> list[Frame]:
    """The slots of a seat, oldest card first; labels of the viewer's own go without a name."""
    rows = ("card", "order", "told", "possible")
    cards, orders, told, hints = (scene.row(name, seat) for name in rows)
    newest, numbers = max(orders), wording.slot_numbers(orders)
    name = "" if seat == viewer else f"{log.names[seat]}, "
    hand: list[Frame] = []
    for slot, order in enumerate(orders):
        if order < 0:
            hand.append({"slot": slot, "order": -1})
            continue
        card = cards[slot]
        empathy = hints[slot] if scene.eyes == NO_FACES else scene.own[seat][slot]
        sight = empathy if card < 0 else 1 << card
        turns = log.touched.get(order, ())
        held: Frame = {
            "slot": slot,
            "order": order,
            "card": card if card >= 0 else None,
            "told": {"colour": told[slot] & TOLD_COLOUR > 0, "rank": told[slot] & TOLD_RANK > 0},
            "hints": hints[slot],
            "sight": sight,
            "empathy": empathy,
            "marks": _marks(scene, sight),
            "drawn": scene.drawn[order],
            "touched": list(turns),
        }
        where = f"{name}slot {numbers[slot]}{', newest' if order == newest else ''}"
        by_hints = [log.events[turn] for turn in turns] if card < 0 else ()
        held["label"] = wording.card_label(where, held, by_hints, scene.all_cards, log.palette)
        hand.append(held)
    return hand


def _marks(scene: Scene, could_be: int) -> list[str]:
    """Marks of a card that is surely one of a set, while the game runs."""
    if not scene.is_running or not could_be:
        return []
    return [mark for mark, mask in scene.masks.items() if not could_be & ~mask]


# The seat to move.


def _legal(scene: Scene) -> list[str]:
    return [move[0] for k, move in enumerate(moves_of(scene.rules)) if scene.legal >> k & 1]


def _risks(scene: Scene, legal: Sequence[str]) -> dict[str, str]:
    """Plays that own knowledge says fail, and discards that it says lose a needed card."""
    own, risks = scene.own[scene.eyes], {}
    for text, kind, slot, _ in moves_of(scene.rules):
        if text not in legal:
            continue
        if kind == PLAY and not own[slot] & scene.masks["playable"]:
            risks[text] = wording.FAILS
        elif kind == DISCARD and not own[slot] & ~scene.masks["critical"]:
            risks[text] = wording.LAST_COPY
    return risks


# Reasons.

Detail = tuple[str, object, str]  # a row, and what it means


@dataclass(frozen=True)
class Reasons:
    """What an agent says: the move it would make, and rows of (reason, value).

    ``details`` are its own terms, where the rows are plain words for them.
    """

    agent: str
    move: str | None
    rows: Sequence[tuple[str, object]] = ()
    details: Sequence[Detail] = ()


def orders_at(table: Table, turn: int) -> list[list[int]]:
    """[seat][slot] -> order of the card that lay there at a turn, -1 if none did."""
    scene = scene_of(table.game.at(turn), NO_FACES)
    return [list(scene.row("order", seat)) for seat in range(table.rules.players)]


def speaker_of(table: Table, seat: int, turn: int) -> wording.Speaker:
    """What the slots of a seat and the others are called at a turn."""
    numbers = tuple(wording.slot_numbers(orders_at(table, turn)[seat]))
    names = wording.seat_names(table.seats)
    return wording.Speaker(table.rules, seat, names, numbers, palette_of(table))


def reasons_frame(table: Table, kind: str, turn: int, seat: int, reasons: Reasons) -> Frame:
    """Why an agent moves as it does in a seat; ``check_question`` says to whom this may go."""
    speaker = speaker_of(table, seat, turn)
    agent = wording.agent_label(reasons.agent)
    does = f"would {speaker.move(reasons.move)}" if reasons.move else "says nothing"
    return {
        "type": "reasons",
        "kind": kind,
        "turn": turn,
        "seat": seat,
        "agent": agent,
        "move": reasons.move,
        "words": f"{agent} {does}",
        "rows": wording.row_parts(reasons.rows, speaker),
        "details": [
            {**wording.row_parts([(reason, value)], speaker)[0], "words": words}
            for reason, value, words in reasons.details
        ],
        "orders": orders_at(table, turn),
    }


# Who is there.


@dataclass(frozen=True)
class Presence:
    """Whether somebody is at a seat: the tabs open there, seconds away, why an agent is stuck."""

    tabs: int = 0
    away: int = 0
    stuck: str | None = None


def seats_frame(table: Table, presences: Sequence[Presence] = ()) -> Frame:
    """Who sits where, which everybody may know."""
    names = wording.seat_names(table.seats)
    seats = []
    for seat, sitter in enumerate(table.seats):
        presence = presences[seat] if seat < len(presences) else Presence()
        label = wording.agent_label(sitter.agent)
        seats.append({
            "seat": seat,
            "kind": sitter.kind,
            "name": names[seat],
            "agent": label.partition(":")[0],
            "label": label or names[seat],
            "version": sitter.code[:8],
            "present": sitter.kind == AGENT or presence.tabs > 0,
            "tabs": presence.tabs,
            "away": presence.away,
            "stuck": presence.stuck,
        })  # fmt: skip
    return {"type": "seats", "seats": seats}


def welcome_frame(
    table: Table, role: Role, *, token: str | None = None, adviser: str = ""
) -> Frame:
    """Who somebody is at the table, and its rules; its seed, which tells the deck, at the end."""
    options, line, is_over = table.options, table.opening.line, table.phase == OVER
    return {
        "type": "welcome",
        "table": table.id,
        "kind": table.kind,
        "role": "watcher" if role.seat is None else "seat",
        "seat": role.seat,
        "host": role.is_host,
        "token": token,
        "rules": rules_fields(table.rules),
        "palette": options.palette,
        "phase": table.phase,
        "options": {"pace_ms": options.pace_ms, "paused": options.paused, "undo": options.undo},
        "version": tamaya.__version__,
        # Who chose the seed, has played the deal or left another game here may know the cards.
        "chosen_deal": options.chosen_deal or options.seen_deal or line is not None,
        "line": line and {"parent": line.parent, "turn": line.turn, "open": options.open_hands},
        "deal": table.opening.deal,
        "seed": str(table.seed) if is_over else None,  # 64 bits, of which a page can count 53
        "index": table.index if is_over else None,
        "adviser": adviser,
    }


def rules_fields(rules: Rules) -> Frame:
    """What the page needs to know of the rules."""
    sizes = ("players", "colours", "ranks", "hand_size", "tokens", "lives")
    return {**{name: getattr(rules, name) for name in sizes}, "text": rules.to_text()}


def asked_frame(table: Table) -> Frame:
    """Who wants moves back and who has agreed; closed if nobody does."""
    wish = table.asked
    return {
        "type": "asked",
        "by": wish.seat if wish else None,
        "turn": wish.turn if wish else None,
        "agreed": sorted(wish.agreed) if wish else [],
        "open": wish is not None,
    }


def over_frame(table: Table) -> Frame:
    """How the game ended, with a link to it; TableError while it goes on."""
    check_over(table)
    game = table.game
    return {
        "type": "over",
        "score": game.score,
        "points": game.points,
        "max_score": table.rules.max_score,
        "status": game.status,
        "turns": game.turn,
        "undos": table.undos,
        "game": table.id,
        "link": None if lost_in_a_link(game) else replay_url(game),
        "perfect": game.score == table.rules.max_score,
    }
