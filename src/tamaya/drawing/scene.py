"""What a drawing shows: a game or a view, and what follows from it."""

from dataclasses import dataclass

import numpy as np

from tamaya.cards import BIT
from tamaya.compiled import hot
from tamaya.drawing.faces import MARKS
from tamaya.knowledge.board import board_now
from tamaya.knowledge.copies import own_mask
from tamaya.records import VIEW
from tamaya.rules import MAX_HAND, MAX_PLAYERS, Rules
from tamaya.view import fill_view


@dataclass(frozen=True)
class Scene:
    """A record to draw, and what follows from it."""

    record: np.record
    rules: Rules  # its sizes alone
    masks: dict[str, int]  # the cards that are playable, critical, dead
    own: np.ndarray  # [seat, slot] -> what the holder knows, as far as the record shows it

    @property
    def seat(self) -> int:
        """The seat whose view it is, -1 for a game."""
        return int(self.record.seat) if "seat" in (self.record.dtype.names or ()) else -1

    @property
    def last(self) -> np.record | None:
        """The last event."""
        n_moves = int(self.record.n_moves)
        return self.record.history[n_moves - 1] if n_moves else None

    def n_lost(self, colour: int) -> int:
        """Points of a colour that can no longer be scored."""
        first = 5 * colour + int(self.record.firework[colour])
        cards = range(first, 5 * colour + self.rules.ranks)
        return sum(bool(self.masks["dead"] & int(BIT[card])) for card in cards)


@hot
def find_sets(records, views, masks, own):
    """Fill the sets of a record, and those of all slots from their holders' view."""
    board = board_now(records[0])
    masks[0] = board.playable
    masks[1] = board.critical
    masks[2] = board.dead
    for seat in range(records[0].players):
        fill_view(records[0], seat, views[0])  # for a view: what its seat knows that the others see
        for slot in range(records[0].hand_size):
            own[seat, slot] = own_mask(views[0], slot)


def scene_of(record: np.record) -> Scene:
    """The scene of a game or a view."""
    rules = Rules(
        players=int(record.players),
        colours=int(record.colours),
        ranks=int(record.ranks),
        hand_size=int(record.hand_size),
    )
    masks = np.zeros(3, np.int32)
    own = np.zeros((MAX_PLAYERS, MAX_HAND), np.int32)
    find_sets(np.array([record], record.dtype), np.zeros(1, VIEW), masks, own)
    return Scene(record, rules, dict(zip(MARKS, masks.tolist(), strict=True)), own)
