"""Where a lost game was lost: the last move at which it could still be won with open hands.

With all hands and the deck open a game can be won up to some turn and never again after it, so
there is one move that lost it, which a binary search over the turns finds. The position after that
move decides the cause:

- ``bombed``: the lives ran out
- ``gave up``: the agent ended a game that could be won
- ``deal``: the deal cannot be won
- ``misplay``: the last copy of a needed card was misplayed
- ``discard``: the last copy of a needed card was discarded
- ``forced discard``: the same without a choice: no token to hint with, and by the hints and the
  cards in sight every card might have been such a copy, and none was surely playable
- ``pace``: fewer turns are left than points are missing
- ``bottom deck``: a copy was thrown away, and the others, all in the deck, come too late
- ``late card``: any other move, but cards that are needed are still in the deck and come too late
- ``order``: all needed cards are in hands, but cannot be played in time
- ``unknown``: the search gave up before it found the move

The first that holds is the cause. If the search gave up, but the first position that is known to be
lost lacks neither copies nor turns and waits for cards of the deck, then so did those before it:
the cause is a late card, the move unknown.
"""

from dataclasses import dataclass

import numpy as np

from tamaya.cards import BIT
from tamaya.compiled import hot
from tamaya.game import Game
from tamaya.knowledge.board import board_now, n_to_come
from tamaya.knowledge.copies import own_mask
from tamaya.moves import DISCARD, PLAY, kind_of
from tamaya.records import OUT_OF_LIVES, SCORED, VIEW
from tamaya.search.endgame.winnable import MOST, NO, YES, Solver, held_cards, n_spare_turns
from tamaya.view import fill_view

BOMBED, GAVE_UP, DEAL, MISPLAY, DISCARDED, FORCED = (
    "bombed", "gave up", "deal", "misplay", "discard", "forced discard",
)  # fmt: skip
PACE, BOTTOM_DECK, LATE, ORDER, UNKNOWN = "pace", "bottom deck", "late card", "order", "unknown"
CAUSES = (BOMBED, GAVE_UP, DEAL, MISPLAY, DISCARDED, FORCED, PACE, BOTTOM_DECK, LATE, ORDER,
          UNKNOWN)  # fmt: skip
MOVES = ("play", "misplay", "discard", "hint")


@dataclass(frozen=True)
class Loss:
    """Why a game scored less than the maximum."""

    game: int  # its number within the match
    score: int
    cause: str  # one of CAUSES
    turn: int  # of the move that lost it, from 1; 0 if no move did or it is not known
    move: str  # its kind, one of MOVES, or empty
    deck: int  # cards in the deck before it; -1 without it
    tokens: int  # before it; -1 without it
    instead: tuple[str, ...]  # kinds of moves that are known to win there with open hands


def loss_of(game: Game, number: int = 0, solver: Solver | None = None, most: int = MOST) -> Loss:
    """Why a finished game scored less than the maximum; ``most`` positions for each answer."""
    if not game.is_over or game.score >= game.rules.max_score:
        raise ValueError(f"game {number} is not lost: {game.score} points, {game.status}")
    solver = solver or Solver()
    cause, turn = _cause_and_turn(game, solver, most)
    if turn == 0:
        return Loss(number, game.score, cause, 0, "", -1, -1, ())
    before = game.at(turn - 1)
    return Loss(number, game.score, cause, turn, move_kind(game, turn),
                int(before.record.deck_size), int(before.record.tokens),
                winning_kinds(before, solver, most))  # fmt: skip


def _cause_and_turn(game: Game, solver: Solver, most: int) -> tuple[str, int]:
    """Why a game was lost, and the turn that lost it, 0 without one."""
    if int(game.record.status) == OUT_OF_LIVES:
        return BOMBED, game.turn
    lost_after, is_located = first_lost_turn(game, solver, most)
    if lost_after > game.turn:
        return GAVE_UP, 0
    if lost_after == 0:
        return DEAL, 0
    if is_located:
        return _cause_of_turn(game, lost_after), lost_after
    after = game.at(lost_after)
    return LATE if has_all(after) and waiting_for(after) else UNKNOWN, 0


def first_lost_turn(game: Game, solver: Solver, most: int = MOST) -> tuple[int, bool]:
    """Moves after which a game cannot be won; one more than it has if it was given up too early.

    Also whether it is known that the game can be won one move before.
    """
    winnable, lost, is_known = -1, game.turn + 1, True
    while lost - winnable > 1:
        turn = (winnable + lost) // 2
        answer = solver.solve(game.at(turn), most=most).answer
        if answer == NO:
            lost = turn
        else:
            winnable, is_known = turn, answer == YES
    return lost, is_known


def move_kind(game: Game, turn: int) -> str:
    """Which of MOVES was made at a turn, from 1."""
    event = game.events[turn - 1]
    kind = kind_of(game.record, event.move)
    if kind == PLAY:
        return "play" if event.effect & SCORED else "misplay"
    return "discard" if kind == DISCARD else "hint"


def winning_kinds(game: Game, solver: Solver, most: int = MOST) -> tuple[str, ...]:
    """Which of MOVES are known to win with open hands; a misplay only if discards are not allowed.

    One hint stands for all, and so does one copy of a card.
    """
    hand_size, kinds = game.rules.hand_size, set()
    hand = game.array["card"][0, game.mover, :hand_size].tolist()
    tried: set[tuple[str, int]] = set()
    for move in game.legal_moves:
        after = game.copy()
        after.apply(move)
        kind = move_kind(after, after.turn)
        what = kind, hand[move % hand_size] if move < 2 * hand_size else -1
        is_open = what not in tried and not (kind == "misplay" and "discard" in kinds)
        tried.add(what)
        if is_open and solver.solve(after, most=most).answer == YES:
            kinds.add(kind)
    return tuple(kind for kind in MOVES if kind in kinds)


def _cause_of_turn(game: Game, turn: int) -> str:
    """Why the position after a losing move is lost."""
    before, after = game.at(turn - 1), game.at(turn)
    if not has_copies(after):
        if move_kind(game, turn) == "misplay":
            return MISPLAY
        return DISCARDED if has_choice(before) else FORCED
    if not has_all(after):
        return PACE
    waiting, card = waiting_for(after), int(game.events[turn - 1].card)
    if not waiting:
        return ORDER
    return BOTTOM_DECK if card >= 0 and waiting & int(BIT[card]) else LATE


def has_copies(game: Game) -> bool:
    """Whether a copy of every card that is needed is left."""
    return game.points + int(_n_to_come(game.array)) >= game.rules.max_score


def has_all(game: Game) -> bool:
    """Whether copies and turns suffice for the maximum."""
    return has_copies(game) and n_spare_turns(game.record, game.rules.max_score) >= 0


def waiting_for(game: Game) -> int:
    """Cards that are needed and that nobody holds, as a mask."""
    return int(_waiting_for(game.array))


def has_choice(game: Game) -> bool:
    """Whether the seat to move need not risk the last copy of a needed card.

    It can hint, or it has a card that is surely no such copy or surely playable.
    """
    return bool(_has_choice(game.array, np.zeros(1, VIEW)))


@hot
def _n_to_come(games):
    return n_to_come(games[0], board_now(games[0]).dead)


@hot
def _waiting_for(games):
    return games[0].all_cards & ~board_now(games[0]).dead & ~held_cards(games[0])


@hot
def _has_choice(games, views):
    fill_view(games[0], games[0].mover, views[0])
    view, board = views[0], board_now(views[0])
    if view.tokens > 0:
        return True
    for slot in range(view.hand_size):
        mask = own_mask(view, slot)
        if mask and (not mask & board.critical or not mask & ~board.playable):
            return True
    return False
