"""Up to which turn a lost game could be won with open hands, in words, for its analysis and review.

``tamaya.arena.losses`` finds the move that lost the game, and the cause. *Won* means the highest
score, and *open hands* that everybody sees all cards and the deck, so the move need not have been a
mistake.
"""

from collections.abc import Sequence
from typing import Any

from tamaya.arena.losses import (
    BOMBED,
    BOTTOM_DECK,
    DEAL,
    DISCARDED,
    FORCED,
    GAVE_UP,
    LATE,
    MISPLAY,
    ORDER,
    PACE,
    UNKNOWN,
    Loss,
    loss_of,
)
from tamaya.game import Game

_WITHOUT_TURN = {
    GAVE_UP: "the game was given up although with open hands it could still be won",
    DEAL: "this deal cannot be won, not even with open hands",
    LATE: "even with open hands a needed card came too late from the deck; which turn lost the "
          "game is not known, because there are too many lines to try",
    UNKNOWN: "up to which turn it could be won with open hands is not known, because there are too "
             "many lines to try",
}  # fmt: skip
_CAUSES = {
    MISPLAY: "the last copy of a needed card",
    DISCARDED: "the last copy of a needed card",
    FORCED: "the last copy of a needed card, but there was no token for a hint, and no card that "
            "was surely safe",
    PACE: "pace: fewer turns were left than points missing",
    BOTTOM_DECK: "bottom deck: the other copies came too late",
    LATE: "late card: one that was needed was still too deep in the deck",
    ORDER: "order: all needed cards were in hands, but could not be played in time",
}  # fmt: skip


def loss_in(game: Game) -> Loss | None:
    """Why a game was lost; None if it was won, or is not over."""
    if not game.is_over or game.score >= game.rules.max_score:
        return None
    return loss_of(game)


def loss_document(loss: Loss | None) -> dict[str, Any] | None:
    """The cause, the turn and the kind of move that lost the game, and what would not have."""
    if loss is None:
        return None
    return {
        "cause": loss.cause,
        "turn": loss.turn or None,
        "move": loss.move or None,
        "instead": list(loss.instead),
    }


def loss_words(loss: Loss) -> str:
    """The same for people; a turn is named once, as ``turn 34``."""
    if loss.turn == 0:
        return _WITHOUT_TURN[loss.cause]
    kept = f"{_kinds(loss.instead, loss.move)} would have kept it winnable"
    if loss.cause == BOMBED:
        words = f"on turn {loss.turn} the last life was lost"
        return f"{words}; with open hands {kept}" if loss.instead else words
    words = (f"with open hands it could be won until a {loss.move} on turn {loss.turn} lost it "
             f"({_CAUSES[loss.cause]})")  # fmt: skip
    return f"{words}; {kept}" if loss.instead else words


def _kinds(kinds: Sequence[str], made: str) -> str:
    """Kinds of moves as a list: ``a play, another discard or a hint``."""
    words = [f"{'another' if kind == made else 'a'} {kind}" for kind in kinds]
    return " or ".join([", ".join(words[:-1]), words[-1]] if words[1:] else words)
