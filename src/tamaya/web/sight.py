"""Sight: what each role at a table is sent, and the only place that reads a ``Game``.

    a seat                what it sees; legal moves and risks on its own turn
    a watcher of persons  the board, the log and what hints told; no face
    a watcher of agents   all hands
    once it is over       everything, to everybody

While a table waits nobody sees a face, because seats may still be exchanged. Everything in a frame
is computed from a view that was filled for the role (``_see``); what the view does not hold cannot
get into a frame. ``tests/web/test_nothing_leaks.py`` exchanges the hidden cards and compares bytes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

import tamaya
from tamaya.cards import BIT, NO_CARD
from tamaya.compiled import hot
from tamaya.drawing.scene import find_sets
from tamaya.game import Game
from tamaya.game_kernels import copy_common, legal_mask
from tamaya.knowledge.board import reachable_rank
from tamaya.moves import DISCARD, HINT_COLOUR, PLAY, describe, move_text, slot_of
from tamaya.records import (
    DREW,
    GAINED_TOKEN,
    RUNNING,
    SCORED,
    STATUS_NAMES,
    TOLD_COLOUR,
    TOLD_RANK,
    VIEW,
)
from tamaya.replays.link import lost_in_a_link, replay_url
from tamaya.rules import MAX_HAND, MAX_MOVES, MAX_PLAYERS, Rules
from tamaya.view import fill_view
from tamaya.web import figures, wording
from tamaya.web.table import AGENT, OVER, PLAYING, WAITING, WATCH_TABLE, Role, Table, TableError

__all__ = ["Presence", "Role", "asked_frame", "over_frame", "seats_frame", "view_frame",
           "welcome_frame"]  # fmt: skip

Frame = dict[str, Any]

ALL_FACES, NO_FACES = -1, -2  # whose eyes, where it is not a seat's
MARKS = ("playable", "critical", "dead")
KINDS = {PLAY: "play", DISCARD: "discard", HINT_COLOUR: "colour"}
DECK_SIZE = 50


@hot
def _take_view(game, eyes, view):
    """Write what a seat sees of a game, or what somebody sees who sees all faces or none."""
    if eyes >= 0:
        fill_view(game, eyes, view)
        return
    copy_common(view, game)
    for seat in range(game.players):
        for slot in range(game.hand_size):
            view.card[seat, slot] = game.card[seat, slot] if eyes == ALL_FACES else NO_CARD


@hot
def _follow(view, hands, held, drawn):
    """Follow all cards through the log: the hand that each move is about, when each was drawn."""
    n_drawn = 0
    for seat in range(view.players):
        for slot in range(view.hand_size):
            hands[seat, slot] = n_drawn
            n_drawn += 1
    for k in range(view.n_moves):
        event = view.history[k]
        seat = event.seat if event.target < 0 else event.target
        for slot in range(view.hand_size):
            held[k, slot] = hands[seat, slot]
        if event.target >= 0:
            continue
        slot = slot_of(view, np.int64(event.move))
        if not view.refills_in_place:
            for j in range(slot, view.hand_size - 1):
                hands[seat, j] = hands[seat, j + 1]
            slot = view.hand_size - 1
        hands[seat, slot] = -1
        if event.effect & DREW:
            hands[seat, slot] = n_drawn
            drawn[n_drawn] = k + 1
            n_drawn += 1


@hot
def _see(games, eyes, views, scratch, masks, own, hands, held, drawn, reach):
    """Fill the view of a role and all that follows from it; gives the legal moves of the view."""
    _take_view(games[0], eyes, views[0])
    find_sets(views, scratch, masks, own)
    _follow(views[0], hands, held, drawn)
    for colour in range(views[0].colours):
        reach[colour] = reachable_rank(views[0], colour)
    return legal_mask(views[0])


@dataclass(frozen=True)
class Scene:
    """A position in the eyes of a role: the view, and what follows from it."""

    rules: Rules
    view: np.ndarray  # one VIEW record
    eyes: int
    marks: dict[str, int]  # the cards that are playable, critical, dead
    own: list[list[int]]  # [seat][slot] -> what the holder knows, as far as the role knows
    held: list[list[int]]  # [turn][slot] -> orders in the hand that the move is about
    drawn: list[int]  # [order] -> moves made when the card was drawn
    reach: list[int]
    legal: int  # of the seat to move, if that is whose eyes these are

    def number(self, field: str) -> int:
        """A number of the view."""
        return int(self.view[field][0])

    def rows(self, field: str) -> list[list[int]]:
        """[seat][slot] -> a value of the view."""
        size = self.rules.players, self.rules.hand_size
        return self.view[field][0, : size[0], : size[1]].tolist()

    @property
    def is_running(self) -> bool:
        """Whether the game goes on."""
        return self.number("status") == RUNNING


def _scene(game: Game, eyes: int) -> Scene:
    views, scratch = np.zeros(1, VIEW), np.zeros(1, VIEW)
    masks = np.zeros(3, np.int32)
    own = np.zeros((MAX_PLAYERS, MAX_HAND), np.int32)
    hands = np.full((MAX_PLAYERS, MAX_HAND), -1, np.int8)
    held = np.full((MAX_MOVES, MAX_HAND), -1, np.int8)
    drawn = np.zeros(DECK_SIZE, np.int16)
    reach = np.zeros(5, np.int8)
    legal = _see(game.array, np.int64(eyes), views, scratch, masks, own, hands, held, drawn, reach)
    return Scene(
        game.rules,
        views,
        eyes,
        dict(zip(MARKS, masks.tolist(), strict=True)),
        own.tolist(),
        held[: game.turn].tolist(),
        drawn.tolist(),
        reach[: game.rules.colours].tolist(),
        int(legal) if eyes == int(views["mover"][0]) else 0,
    )


# Who sees what.


def eyes_of(table: Table, role: Role) -> int:
    """Whose eyes a role has: those of its seat, all faces or none."""
    if table.phase == OVER:
        return ALL_FACES
    if table.phase == WAITING:
        return NO_FACES
    if role.seat is not None:
        return role.seat
    is_among_agents = table.kind == WATCH_TABLE and all(s.kind == AGENT for s in table.seats)
    return ALL_FACES if is_among_agents else NO_FACES


def check_question(table: Table, role: Role, turn: int, seat: int | None) -> int:
    """The seat that a role may have advice or reasons for at a turn; TableError if none.

    Reasons come from the eyes of the seat that moves: before the end they are for itself alone,
    or for watchers who see all hands anyway.
    """
    _check_looks_back(table, turn)
    if table.phase == WAITING:
        raise TableError("waiting", "the game has not begun")
    position = table.game.at(turn)
    if position.is_over:
        raise TableError("over", f"nobody moves at turn {turn}, the game is over", "turn")
    wanted = position.mover if seat is None else seat
    if not 0 <= wanted < table.rules.players:
        raise TableError("no_such_seat", f"seat {wanted} does not exist", "seat")
    if eyes_of(table, role) not in (ALL_FACES, wanted):
        raise TableError("forbidden", "what another seat thinks is told after the game", "seat")
    if position.mover != wanted:
        raise TableError("not_your_turn", f"seat {wanted} does not move at turn {turn}", "turn")
    return wanted


def _check_looks_back(table: Table, turn: int) -> None:
    if not 0 <= turn <= table.turn:
        raise TableError("stale", f"turn {turn} has not been: it is turn {table.turn}", "turn")


# The log.


@lru_cache(maxsize=64)
def _moves(rules: Rules) -> list[tuple[str, int, int, int]]:
    """[move] -> text, kind, slot or offset, value."""
    return [(move_text(rules, move), *describe(rules, move)) for move in range(rules.n_moves)]


def _log(scene: Scene, names: Sequence[str]) -> tuple[list[Frame], dict[int, list[int]]]:
    """All events so far, and the turns of the hints that touched each card."""
    moves = _moves(scene.rules)
    touched_at: dict[int, list[int]] = {}
    log: list[Frame] = []
    rows = scene.view["history"][0, : scene.number("n_moves")].tolist()
    for turn, (seat, move, target, card, order, touched, newly, effect) in enumerate(rows):
        text, kind, place, value = moves[move]
        held = scene.held[turn]
        event: Frame = {"turn": turn, "seat": seat, "kind": KINDS.get(kind, "rank"), "move": text}
        numbers: list[int] = []
        if target < 0:
            event |= {"slot": place, "card": card, "order": order,
                      "token": bool(effect & GAINED_TOKEN)}  # fmt: skip
            if kind == PLAY:
                event |= {"scored": bool(effect & SCORED), "blind": order not in touched_at}
        else:
            slots = [slot for slot in range(len(held)) if touched >> slot & 1]
            orders = [held[slot] for slot in slots]
            event |= {"target": target, "value": value, "touched": orders,
                      "newly": [held[slot] for slot in slots if newly >> slot & 1]}  # fmt: skip
            counted = wording.slot_numbers(held)
            numbers = [counted[slot] for slot in slots]
            for order in orders:
                touched_at.setdefault(order, []).append(turn)
        event["words"] = wording.event_words(event, names, numbers)
        log.append(event)
    return log, touched_at


def _pile(log: Sequence[Frame], is_played: bool) -> list[Frame]:
    """The cards on the fireworks or among the discards, in order."""
    pile = []
    for event in log:
        if "card" in event and event.get("scored", False) == is_played:
            card = {name: event[name] for name in ("card", "order", "turn")}
            if not is_played:
                card["failed"] = event["kind"] == "play"
            pile.append(card)
    return pile


# Hands.


def _marks(scene: Scene, could_be: int) -> list[str]:
    """Marks of a card that is one of a set, while the game runs."""
    if not scene.is_running or not could_be:
        return []
    return [mark for mark, mask in scene.marks.items() if not could_be & ~mask]


def _hands(
    scene: Scene, log: Sequence[Frame], touched_at: dict[int, list[int]], names: Sequence[str]
) -> list[list[Frame]]:
    rows = zip(*(scene.rows(name) for name in ("card", "order", "told", "possible")), strict=True)
    return [
        _hand(scene, log, touched_at, names, seat, *columns) for seat, columns in enumerate(rows)
    ]


def _hand(scene, log, touched_at, names, seat, cards, orders, told, hints):  # type: ignore[no-untyped-def]
    all_cards = scene.number("all_cards")
    numbers = wording.slot_numbers(orders)
    newest = max(orders)
    hand = []
    for slot, order in enumerate(orders):
        if order < 0:
            hand.append({"slot": slot, "order": -1})
            continue
        card, hinted = cards[slot], hints[slot]
        empathy = hinted if scene.eyes == NO_FACES else scene.own[seat][slot]
        if card >= 0:
            sight = int(BIT[card])
        else:
            sight = hinted if scene.eyes == NO_FACES else scene.own[seat][slot]
        turns = touched_at.get(order, [])
        marks = _marks(scene, sight)
        where = f"slot {numbers[slot]}{', newest' if order == newest else ''}"
        if seat != scene.eyes:
            where = f"{names[seat]}, {where}"
        if card >= 0:
            known = wording.set_words(hinted, all_cards)
            label = wording.seen_label(where, wording.TAMAYA.card(card), marks, known)
        else:
            told_at = (f"told {wording.told_words(log[turn])} at turn {turn + 1}" for turn in turns)
            label = wording.hidden_label(where, wording.set_words(sight, all_cards), told_at, marks)
        hand.append(
            {
                "slot": slot,
                "order": order,
                "card": card if card >= 0 else None,
                "told": {"colour": bool(told[slot] & TOLD_COLOUR),
                         "rank": bool(told[slot] & TOLD_RANK)},
                "hints": hinted,
                "sight": sight,
                "empathy": empathy,
                "marks": marks,
                "drawn": scene.drawn[order],
                "touched": turns,
                "label": label,
            }
        )  # fmt: skip
    return hand


# Frames.


def view_frame(table: Table, role: Role, turn: int | None = None) -> Frame:
    """The position, now or after so many moves, in the eyes of a role."""
    if turn is not None:
        _check_looks_back(table, turn)
    now = table.turn
    is_now = turn is None or turn == now
    game = table.game if is_now else table.game.at(int(turn or 0))
    scene = _scene(game, eyes_of(table, role))
    names = wording.seat_names(table.seats)
    log, touched_at = _log(scene, names)
    hands = _hands(scene, log, touched_at, names)
    number = scene.number
    firework = scene.view["firework"][0, : table.rules.colours].tolist()
    standing = figures.Standing(
        table.rules.players,
        table.rules.ranks,
        number("deck_size"),
        number("tokens"),
        not scene.is_running,
        firework,
        scene.reach,
        [slot["hints"] for hand in hands for slot in hand if slot.get("touched")],
    )
    is_on_turn = is_now and table.phase == PLAYING and role.seat == number("mover")
    legal = _legal(scene) if is_on_turn else None
    is_lost = number("lives") <= 0 and table.rules.bomb == "zero"
    return {
        "type": "view",
        "turn": len(log),
        "now": now,
        "phase": table.phase,
        "status": STATUS_NAMES[number("status")],
        "mover": number("mover") if scene.is_running and table.phase != WAITING else None,
        "seat": role.seat,
        "tokens": number("tokens"),
        "max_tokens": table.rules.tokens,
        "lives": number("lives"),
        "max_lives": table.rules.lives,
        "deck": standing.deck,
        "turns_left": None if standing.deck else number("turns_left"),
        "firework": firework,
        "reach": scene.reach,
        "points": standing.points,
        "score": 0 if is_lost else standing.points,
        "max_score": table.rules.max_score,
        "pace": figures.pace(standing),
        "efficiency": {
            "now": figures.efficiency(standing, figures.n_spent(log, table.rules.ranks)),
            "required": figures.required_efficiency(standing),
        },
        "discarded": _pile(log, False),
        "played": _pile(log, True),
        "hands": hands,
        "last": log[-1] if log else None,
        "past": log,
        "legal": legal,
        "risks": _risks(scene, legal) if legal is not None else {},
        "said": log[-1]["words"] if log else "",
        "call": wording.CALL if legal is not None else "",
    }


def _legal(scene: Scene) -> list[str]:
    moves = _moves(scene.rules)
    return [moves[move][0] for move in range(len(moves)) if scene.legal >> move & 1]


def _risks(scene: Scene, legal: Sequence[str]) -> dict[str, str]:
    """Plays that own knowledge says fail, and discards that it says lose a needed card."""
    own = scene.own[scene.eyes]
    risks = {}
    for text, kind, slot, _ in _moves(scene.rules):
        if text not in legal:
            continue
        if kind == PLAY and not own[slot] & scene.marks["playable"]:
            risks[text] = wording.FAILS
        elif kind == DISCARD and not own[slot] & ~scene.marks["critical"]:
            risks[text] = wording.LAST_COPY
    return risks


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
        seats.append(
            {
                "seat": seat,
                "kind": sitter.kind,
                "name": names[seat],
                "agent": wording.agent_label(sitter.agent).partition(":")[0],
                "label": wording.agent_label(sitter.agent) if sitter.agent else names[seat],
                "version": sitter.code[:8],
                "present": sitter.kind == AGENT or presence.tabs > 0,
                "tabs": presence.tabs,
                "away": presence.away,
                "stuck": presence.stuck,
            }
        )
    return {"type": "seats", "seats": seats}


def welcome_frame(
    table: Table,
    role: Role,
    *,
    token: str | None = None,
    adviser: str = "",
    palette: str = "tamaya",
) -> Frame:
    """Who somebody is at the table, and its rules; its seed, which tells the deck, at the end."""
    rules = table.rules
    is_over = table.phase == OVER
    return {
        "type": "welcome",
        "table": table.id,
        "kind": table.kind,
        "role": "watcher" if role.seat is None else "seat",
        "seat": role.seat,
        "host": role.is_host,
        "token": token,
        "rules": {
            "players": rules.players,
            "colours": rules.colours,
            "ranks": rules.ranks,
            "hand_size": rules.hand_size,
            "tokens": rules.tokens,
            "lives": rules.lives,
            "text": rules.to_text(),
        },
        "palette": palette,
        "phase": table.phase,
        "options": {
            "pace_ms": table.options.pace_ms,
            "paused": table.options.paused,
            "undo": table.options.undo,
        },
        "version": tamaya.__version__,
        "seed": table.seed if is_over else None,
        "index": table.index if is_over else None,
        "adviser": adviser,
    }


def asked_frame(table: Table) -> Frame:
    """Who wants moves back and who has agreed; closed if nobody does."""
    wish = table.asked
    if wish is None:
        return {"type": "asked", "by": None, "turn": None, "agreed": [], "open": False}
    return {"type": "asked", "by": wish.seat, "turn": wish.turn, "agreed": sorted(wish.agreed),
            "open": True}  # fmt: skip


def over_frame(table: Table) -> Frame:
    """How the game ended, with a link to it; TableError while it goes on."""
    if table.phase != OVER:
        raise TableError("forbidden", "the game is not over")
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
