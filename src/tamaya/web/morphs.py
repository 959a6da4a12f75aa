"""Morphs: two cards are swapped as if the deck had been shuffled that way; the past stays.

Only cards that nobody has played or discarded can be swapped. The moves so far are replayed with
the new deck; if a hint would touch different cards, that past is impossible, and the swap is
refused with that hint as the reason.
"""

from tamaya.game import Game


class MorphError(ValueError):
    """Two cards that cannot change places; ``turn`` is that of a hint that stands against it."""

    def __init__(self, text: str, turn: int | None = None) -> None:
        super().__init__(text)
        self.turn = turn


def swapped(game: Game, orders: tuple[int, int]) -> Game:
    """The game with two cards exchanged, by their places in the deck."""
    one, other = orders
    for order in orders:
        if not 0 <= order < game.rules.deck_size:
            raise MorphError(f"there is no card {order}: the deck has {game.rules.deck_size}")
    gone = {int(event["order"]): turn for turn, event in enumerate(game.events)
            if event["target"] < 0}  # fmt: skip
    for order in orders:
        if order in gone:
            raise MorphError(f"card {order} left its hand at turn {gone[order] + 1}")
    changed = game.copy()
    deck = changed.record.deck
    deck[one], deck[other] = int(deck[other]), int(deck[one])
    changed = changed.at(game.turn)
    for turn, (before, after) in enumerate(zip(game.events, changed.events, strict=True)):
        if before != after:
            raise MorphError(f"the hint at turn {turn + 1} would touch other cards", turn)
    return changed


def orders_in_hands(game: Game) -> set[int]:
    """The cards that somebody holds, by their places in the deck."""
    rules = game.rules
    held = game.array["order"][0, : rules.players, : rules.hand_size].ravel().tolist()
    return {order for order in held if order >= 0}
