"""Cards are ints, sets of cards are 25-bit masks.

card = 5 * colour + rank      colour, rank in 0..4      R1 = 0, R2 = 1, ..., B5 = 24

Smaller games use the first colours and ranks of the same numbering. Kernels write ``BIT[card]``,
never ``1 << card``: a shift of an int8 field overflows when the compiler is off.
"""

from collections.abc import Iterator

import numpy as np

N_COLOURS = 5
N_RANKS = 5
N_CARDS = N_COLOURS * N_RANKS
DECK_SIZE = 50
NO_CARD = -1

COLOUR_LETTERS = "RYGWB"
COLOUR_NAMES = ("red", "yellow", "green", "white", "blue")

BIT = (1 << np.arange(N_CARDS)).astype(np.int32)  # BIT[card] is the mask of one card
COLOUR_OF = (np.arange(N_CARDS) // 5).astype(np.int8)
RANK_OF = (np.arange(N_CARDS) % 5).astype(np.int8)
COLOUR_MASK = np.array([BIT[5 * c : 5 * c + 5].sum() for c in range(N_COLOURS)], np.int32)
RANK_MASK = np.array([BIT[r::5].sum() for r in range(N_RANKS)], np.int32)
ALL_CARDS = (1 << N_CARDS) - 1


def copies_of_rank(rank: int, ranks: int = N_RANKS) -> int:
    """Copies of a card in the deck: 3 of the lowest rank, 1 of the highest, 2 between."""
    if rank == 0:
        return 3
    return 1 if rank == ranks - 1 else 2


def card_name(card: int) -> str:
    """Short name, such as ``G3``; ``XX`` for a card that is not known."""
    if card == NO_CARD:
        return "XX"
    return COLOUR_LETTERS[card // 5] + str(card % 5 + 1)


def parse_card(text: str) -> int:
    """Card of a short name; ValueError names the text."""
    if len(text) == 2 and text[0] in COLOUR_LETTERS and text[1] in "12345":
        return 5 * COLOUR_LETTERS.index(text[0]) + int(text[1]) - 1
    raise ValueError(f"{text!r} is not a card: expected a colour of RYGWB and a rank, such as G3")


class CardSet:
    """A set of cards for people: wraps a mask, prints as a grid of colours and ranks."""

    def __init__(self, mask: int = 0) -> None:
        self.mask = int(mask)

    def __contains__(self, card: int) -> bool:
        return bool(self.mask >> card & 1)

    def __iter__(self) -> Iterator[int]:
        return (card for card in range(N_CARDS) if card in self)

    def __len__(self) -> int:
        return self.mask.bit_count()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CardSet) and self.mask == other.mask

    def __hash__(self) -> int:
        return hash(self.mask)

    def __repr__(self) -> str:
        return f"CardSet({self.mask:#x})"

    def __str__(self) -> str:
        rows = []
        for colour in range(N_COLOURS):
            cells = (5 * colour + rank for rank in range(N_RANKS))
            marks = (str(card % 5 + 1) if card in self else "." for card in cells)
            rows.append(f"{COLOUR_LETTERS[colour]} {' '.join(marks)}")
        return "\n".join(rows)


def cards_text(mask: int) -> str:
    """A set of cards in one line: their names, or their number if there are many."""
    cards = [card_name(card) for card in CardSet(mask)]
    return " ".join(cards) if len(cards) <= 8 else f"{len(cards)} cards"
