"""Eyes: a game as one role sees it, and what follows from that; nothing else reads a ``Game``.

    a seat                what it sees
    a watcher of persons  the board, the log and what hints told; no face
    a watcher of agents   all hands
    at an open table      all hands, from any seat
    once it is over       everything, to everybody

While a table waits nobody sees a face, because seats may still be exchanged. ``_see`` fills the
view of a role; everything else is computed from that view, so that what it does not contain cannot
leak.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from tamaya.cards import DECK_SIZE, N_COLOURS, NO_CARD
from tamaya.compiled import hot
from tamaya.drawing.faces import MARKS
from tamaya.drawing.scene import find_sets
from tamaya.game import Game
from tamaya.game_kernels import copy_common, legal_mask
from tamaya.knowledge.board import reachable_rank
from tamaya.moves import describe, move_text, slot_of
from tamaya.records import DREW, RUNNING, VIEW
from tamaya.rules import MAX_HAND, MAX_MOVES, MAX_PLAYERS, Rules
from tamaya.view import fill_view
from tamaya.web.events import AGENT, OVER, WAITING, WATCH_TABLE, Role, TableError
from tamaya.web.table import Table
from tamaya.web.values import plain_text

ALL_FACES, NO_FACES = -1, -2  # whose eyes, where it is not a seat's
LONGEST_WORDS = 300  # of an agent's own about what went wrong


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
    """Fill the view of a role and all that follows from it; returns the legal moves of the view."""
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
    views: np.ndarray  # one VIEW record
    eyes: int  # a seat, ALL_FACES or NO_FACES
    masks: dict[str, int]  # the cards that are playable, critical, dead
    own: list[list[int]]  # [seat][slot] -> what the holder knows, as far as the role can tell
    held: np.ndarray  # [turn, slot] -> orders in the hand that the move is about
    drawn: list[int]  # [order] -> moves made when the card was drawn
    reach: list[int]  # [colour] -> greatest height that is still possible
    legal: int  # the legal moves of the seat to move, 0 in the eyes of anybody else
    is_running: bool

    def number(self, field: str) -> int:
        """A number of the view."""
        return int(self.views[field][0])

    def row(self, field: str, seat: int) -> list[int]:
        """[slot] -> a value of the view."""
        return self.views[field][0, seat, : self.rules.hand_size].tolist()

    @property
    def all_cards(self) -> int:
        """The cards of the game."""
        return self.number("all_cards")


def scene_of(game: Game, eyes: int) -> Scene:
    """A game in somebody's eyes."""
    views, scratch = np.zeros(1, VIEW), np.zeros(1, VIEW)
    masks, own = np.zeros(3, np.int32), np.zeros((MAX_PLAYERS, MAX_HAND), np.int32)
    hands = np.empty((MAX_PLAYERS, MAX_HAND), np.int8)
    held = np.empty((MAX_MOVES, MAX_HAND), np.int8)
    drawn, reach = np.zeros(DECK_SIZE, np.int16), np.zeros(N_COLOURS, np.int8)
    legal = _see(game.array, np.int64(eyes), views, scratch, masks, own, hands, held, drawn, reach)
    return Scene(
        game.rules,
        views,
        eyes,
        dict(zip(MARKS, masks.tolist(), strict=True)),
        own.tolist(),
        held[: game.turn, : game.rules.hand_size],
        drawn.tolist(),
        reach[: game.rules.colours].tolist(),
        int(legal) if eyes == int(views["mover"][0]) else 0,
        int(views["status"][0]) == RUNNING,
    )


@lru_cache(maxsize=64)
def moves_of(rules: Rules) -> list[tuple[str, int, int, int]]:
    """[move] -> text, kind, slot or offset, value."""
    return [(move_text(rules, move), *describe(rules, move)) for move in range(rules.n_moves)]


# Who sees what.


def eyes_of(table: Table, role: Role) -> int:
    """Whose eyes a role has: those of its seat, all faces or none."""
    if table.phase == OVER:
        return ALL_FACES
    if table.phase == WAITING:
        return NO_FACES
    if role.seat is not None:
        return ALL_FACES if table.options.open_hands else role.seat
    is_among_agents = table.kind == WATCH_TABLE and all(s.kind == AGENT for s in table.seats)
    return ALL_FACES if is_among_agents else NO_FACES


def stuck_words(table: Table, text: str, words: str) -> str:
    """Why an agent is stuck, for everybody at a table.

    Its error message may name cards that others must not know; then it is only in the log.
    """
    if not words:
        return text
    if eyes_of(table, Role()) == ALL_FACES:
        return f"{text}: {plain_text(words)[:LONGEST_WORDS]}"
    return f"{text}; its error message may name cards, so it is only in the server's log"


def check_question(table: Table, role: Role, turn: int, seat: int | None) -> int:
    """The seat that a role may have advice or reasons for at a turn; TableError if none.

    Reasons come from the eyes of the seat that moves: before the end they are for itself alone,
    or for watchers who see all hands anyway.
    """
    check_looks_back(table, turn)
    if table.phase == WAITING:
        raise TableError("waiting", "the game has not begun")
    if seat is not None and not 0 <= seat < table.rules.players:
        raise TableError("no_such_seat", f"seat {seat} does not exist", "seat")
    is_last = turn == table.turn
    if is_last and table.phase == OVER:
        raise TableError("over", f"nobody moves at turn {turn}, the game is over", "turn")
    mover = table.game.mover if is_last else int(table.game.events[turn]["seat"])
    eyes = eyes_of(table, role)
    wanted = seat if seat is not None else mover if eyes == ALL_FACES else role.seat
    if wanted is None or eyes not in (ALL_FACES, wanted):
        raise TableError("forbidden", "the reasons of a seat are shown after the game", "seat")
    if mover != wanted:
        raise TableError("not_your_turn", f"seat {wanted} does not move at turn {turn}", "turn")
    return wanted


def check_looks_back(table: Table, turn: int) -> None:
    """Check that a turn has been reached; nobody may see later ones."""
    if not 0 <= turn <= table.turn:
        raise TableError(
            "stale", f"turn {turn} has not been reached: it is turn {table.turn}", "turn"
        )
