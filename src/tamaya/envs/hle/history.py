"""Items of HLE's history: moves and deals with their effects."""

from tamaya.envs.hle.board import HIDDEN, Event
from tamaya.envs.hle.cards import card_of
from tamaya.envs.hle.moves import HanabiMove, deal_move
from tamaya.records import GAINED_TOKEN, SCORED

CHANCE_PLAYER_ID = -1


class HanabiHistoryItem:
    """A move or deal that was made, and its effects."""

    __slots__ = ("_card", "_deal_to", "_effect", "_move", "_newly", "_player", "_touched")

    def __init__(self, move: HanabiMove, player: int = CHANCE_PLAYER_ID, deal_to: int = -1) -> None:
        self._move = move
        self._player = player
        self._deal_to = deal_to
        self._card = card_of(HIDDEN)
        self._touched = self._newly = self._effect = 0

    def move(self) -> HanabiMove:
        """The move or deal."""
        return self._move

    def player(self) -> int:
        """Who moved: absolute in a state, relative in an observation, -1 for deals."""
        return self._player

    def scored(self) -> bool:
        """Whether a played card went onto its firework."""
        return bool(self._effect & SCORED)

    def information_token(self) -> bool:
        """Whether the move gained a hint token."""
        return bool(self._effect & GAINED_TOKEN)

    def color(self) -> int:
        """Colour of the card that was played or discarded, -1 for other moves."""
        return self._card.color()

    def rank(self) -> int:
        """Rank of the card that was played or discarded, -1 for other moves."""
        return self._card.rank()

    def card_info_revealed(self) -> list[int]:
        """Slots that the hint named."""
        return _slots(self._touched)

    def card_info_newly_revealed(self) -> list[int]:
        """Slots that the hint named and that had not been told this before."""
        return _slots(self._newly)

    def deal_to_player(self) -> int:
        """Seat that got the dealt card, -1 for other moves."""
        return self._deal_to

    def __str__(self) -> str:
        parts = [str(self._move)]
        if self._player >= 0:
            parts.append(f"by player {self._player}")
        if self.scored():
            parts.append("scored")
        if self.information_token():
            parts.append("info_token")
        if self._card.valid():
            parts.append(str(self._card))
        if self._touched:
            parts.append("reveal " + ",".join(map(str, self.card_info_revealed())))
        return f"<{' '.join(parts)}>"

    __repr__ = __str__


def _slots(mask: int) -> list[int]:
    """Numbers of the bits that are set."""
    return [slot for slot in range(8) if mask >> slot & 1]


def move_item(event: Event, move: HanabiMove, player: int) -> HanabiHistoryItem:
    """Item of a player's move."""
    item = HanabiHistoryItem(move, player)
    item._card = card_of(event.card)
    item._touched, item._newly, item._effect = event.touched, event.newly, event.effect
    return item


def deal_item(card: int, deal_to: int) -> HanabiHistoryItem:
    """Item of a card dealt to a seat."""
    return HanabiHistoryItem(deal_move(card), CHANCE_PLAYER_ID, deal_to)
