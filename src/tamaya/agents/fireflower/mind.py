"""A mind: the position as one player sees it, what is known of each card, and what is believed.

Everything that an imagined move changes is one flat record of about a kilobyte, so that imagining
is copying: ``copy_mind``, then the same functions that read real moves. Cards go by their order
(place in the deck). Hands are kept oldest first, whatever the table does with its slots.

Two maps of knowledge are kept side by side: ``MINE``, from all that this player sees, and
``COMMON``, from what everybody sees. Numbers of copies are two masks, the bits of the number.
"""

import numpy as np

from tamaya.cards import BIT, DECK_SIZE
from tamaya.compiled import JIT, hot
from tamaya.records import record
from tamaya.rules import MAX_HAND, MAX_PLAYERS

MINE, COMMON = 0, 1  # whose knowledge
NOTHING, PLAY, SAVE, JUNK = 0, 1, 2, 3  # kinds of belief
UNKNOWN = -1  # card, promise or place that there is not

MIND = record([
    # Masks of the board, and of the rules.
    ("all_cards", np.int32), ("singles", np.int32), ("triples", np.int32),  # by copies in the deck
    ("ones", np.int32), ("twos", np.int32),   # copies outside the discard pile
    ("played", np.int32),
    ("playable", np.int32), ("useful", np.int32), ("danger", np.int32), ("trash", np.int32),
    ("old_playable", np.int32),               # before the last move
    # Knowledge.
    ("unseen_ones", np.int32, 2), ("unseen_twos", np.int32, 2),  # [whose] -> copies not seen
    ("unseen", np.int32, 2),                  # [whose] -> cards with such copies
    ("hinted", np.int32, DECK_SIZE),          # [order] -> cards that hints leave open
    ("spared_danger", np.int32, MAX_PLAYERS),  # [seat] -> what was in danger at its snapshot
    # Beliefs, and how much of the ledger they use.
    ("group", np.int16, DECK_SIZE), ("below", np.int16, DECK_SIZE),
    ("n_groups", np.int16), ("n_buried", np.int16),
    ("n_moves", np.int16),
    ("max_discards", np.int16),               # more of them leave no time for a perfect game
    ("reading", np.int16),                    # conventions that the last move followed
    ("kind", np.int8, DECK_SIZE), ("place", np.int8, DECK_SIZE),
    ("promise", np.int8, DECK_SIZE),          # card that a finesse promises, or UNKNOWN
    ("queued", np.int8, DECK_SIZE),           # whether it ever was to be played after another
    ("touched", np.int8, DECK_SIZE),          # whether a hint ever named it
    ("face", np.int8, DECK_SIZE),             # card in sight, or UNKNOWN
    ("known", np.int8, (2, DECK_SIZE)),       # [whose, order] -> card seen or recognised
    ("hand", np.int8, (MAX_PLAYERS, MAX_HAND)),  # [seat, slot] -> order, oldest first
    ("n_cards", np.int8, MAX_PLAYERS),
    ("old_hand", np.int8, MAX_HAND), ("n_old", np.int8),  # of the last mover, before its move
    ("seen_until", np.int8, MAX_PLAYERS),     # [seat] -> orders below are not new in its hand
    ("spared", np.int8, MAX_PLAYERS),         # [seat] -> card that it let the next seat discard
    # The board.
    ("firework", np.int8, 5),
    ("tokens", np.int8), ("lives", np.int8), ("points", np.int8), ("n_discards", np.int8),
    ("n_blind", np.int8),                     # imagined hints of no content
    ("deck_size", np.int8), ("mover", np.int8),
    ("final", np.int8),                       # turns left once the deck is empty, else -1
    ("stops_early", np.int8),                 # over as soon as a perfect game is out of reach
    ("seat", np.int8), ("players", np.int8), ("colours", np.int8), ("ranks", np.int8),
    ("hand_size", np.int8), ("max_tokens", np.int8), ("n_all", np.int8),
])  # fmt: skip

ORDER_BIT = np.int64(1) << np.arange(DECK_SIZE, dtype=np.int64)
COLUMN = (1 << np.arange(6)) - 1  # mask of the lowest cards of the first colour
NOT_FIVES = int(sum(BIT[card] for card in range(25) if card % 5 < 4))


if JIT:
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic

    @intrinsic
    def copy_mind(typing_context, target, source):
        """Copy a mind over another, as bytes."""

        def generate(context, builder, signature, arguments):
            size = ir.IntType(64)(MIND.itemsize)
            cgutils.raw_memcpy(builder, arguments[0], arguments[1], size, ir.IntType(64)(1))
            return context.get_dummy_value()

        return types.void(target, source), generate

else:

    def copy_mind(target, source):  # type: ignore[misc]
        """Copy a mind over another, as bytes."""
        for name in MIND.names:
            target[name] = source[name]


@hot
def order_at(mind, seat, slot):
    """Order of the card in a slot."""
    return np.int64(mind.hand[seat, slot])


@hot
def slot_in(mind, seat, order):
    """Slot in which a seat holds a card, or -1."""
    for slot in range(mind.n_cards[seat]):
        if mind.hand[seat, slot] == order:
            return slot
    return -1


@hot
def is_one(mask):
    """Whether a set has exactly one card."""
    return mask != 0 and mask & (mask - 1) == 0


@hot
def possible(mind, whose, order):
    """What a card can be: what it is recognised as, else what hints and counting leave."""
    card = mind.known[whose, order]
    if card >= 0:
        return np.int64(BIT[card])
    return np.int64(mind.hinted[order] & mind.unseen[whose])


@hot
def next_ranks(mind, mask):
    """The cards one rank above those of a set, colour by colour."""
    return np.int64((mask & NOT_FIVES) << 1 & mind.all_cards)


@hot
def seat_after(mind, seat):
    """The next seat."""
    return seat + 1 if seat + 1 < mind.players else 0
