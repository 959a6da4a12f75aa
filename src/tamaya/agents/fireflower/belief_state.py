"""The belief state: the position as one player sees it, what it knows and what it believes.

Everything that an imagined move changes is one flat record of less than two kilobytes, so imagining
a move means copying it (``copy_state``) and then calling the functions that interpret real moves.
That is why the board is part of it and not taken from a view. Cards are identified by order
(position in the deck). Hands are stored oldest first, even where slots are refilled in place.

There are two maps of knowledge: ``MINE``, from all that this player sees, and ``COMMON``, from what
everybody sees. Numbers of copies are two masks, the bits of the number. What each card can be is
stored as well: games are 1.3 times as fast as when it is recomputed for every query.
"""

import numpy as np

from tamaya.cards import BIT, DECK_SIZE
from tamaya.compiled import JIT, hot
from tamaya.records import record
from tamaya.rules import MAX_HAND, MAX_PLAYERS

# NumPy numbers, because Numba compiles a kernel once for each plain constant argument.
MINE, COMMON = np.int64(0), np.int64(1)  # whose knowledge
NOTHING, PLAY, SAVE, JUNK = np.arange(4)  # kinds of belief
UNKNOWN = np.int64(-1)  # no card, promise or place

BELIEF_STATE = record([
    # Masks of the board, and of the rules.
    ("all_cards", np.int64), ("singles", np.int64), ("triples", np.int64),  # by copies in the deck
    ("ones", np.int64), ("twos", np.int64),   # copies outside the discard pile
    ("played", np.int64),
    ("playable", np.int64), ("useful", np.int64), ("danger", np.int64), ("trash", np.int64),
    ("old_playable", np.int64),               # before the last move
    # The board.
    ("tokens", np.int64), ("lives", np.int64), ("points", np.int64), ("n_discards", np.int64),
    ("n_blind", np.int64),                    # imagined hints without content
    ("deck_size", np.int64), ("mover", np.int64),
    ("final", np.int64),                      # turns left once the deck is empty, else -1
    ("stops_early", np.int64),                # over as soon as a perfect game is out of reach
    ("max_discards", np.int64),               # more of them leave no time for a perfect game
    ("seat", np.int64), ("players", np.int64), ("colours", np.int64), ("ranks", np.int64),
    ("hand_size", np.int64), ("max_tokens", np.int64), ("n_all", np.int64), ("n_moves", np.int64),
    ("no_completion_token", np.int64),
    ("n_cards", np.int64, MAX_PLAYERS),
    ("firework", np.int64, 5),
    ("hand", np.int8, (MAX_PLAYERS, MAX_HAND)),  # [seat, slot] -> order, oldest first
    ("old_hand", np.int8, MAX_HAND), ("n_old", np.int64),  # of the last mover, before its move
    # Knowledge.
    ("unseen_ones", np.int64), ("unseen_twos", np.int64),  # copies that this player does not see
    ("unseen", np.int64, 2),                  # [whose] -> cards with copies not seen
    ("hinted", np.int32, DECK_SIZE),          # [order] -> cards that hints leave possible
    ("face", np.int8, DECK_SIZE),             # [order] -> visible card, or UNKNOWN
    ("known", np.int8, DECK_SIZE),            # [order] -> card that this player sees or recognises
    ("can_be", np.int32, (2, DECK_SIZE)),     # [whose, order] -> what it can be, see ``possible``
    ("touched", np.int8, DECK_SIZE),          # [order] -> whether a hint ever named it
    ("seen_until", np.int64, MAX_PLAYERS),    # [seat] -> orders below are not new in its hand
    ("spared", np.int64, MAX_PLAYERS),        # [seat] -> card that it let the next seat discard
    ("spared_danger", np.int64, MAX_PLAYERS),  # [seat] -> what was in danger then
    # Beliefs: the top of each card's stack, and how much of the ledger is used.
    ("kind", np.int8, DECK_SIZE), ("place", np.int8, DECK_SIZE), ("group", np.int16, DECK_SIZE),
    ("promise", np.int8, DECK_SIZE),          # card that a finesse promises, or UNKNOWN
    ("queued", np.int8, DECK_SIZE),           # whether it was ever to be played after another
    ("below", np.int16, DECK_SIZE),           # what is below it in the ledger, or UNKNOWN
    ("n_groups", np.int64), ("n_buried", np.int64),
    ("reading", np.int64),                    # conventions that the last move followed
])  # fmt: skip

ORDER_BIT = np.int64(1) << np.arange(DECK_SIZE, dtype=np.int64)
NOT_FIVES = int(sum(BIT[card] for card in range(25) if card % 5 < 4))


if JIT:
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic

    @intrinsic
    def copy_state(typing_context, target, source):
        """Copy a belief state over another, as bytes."""

        def generate(context, builder, signature, arguments):
            size = ir.IntType(64)(BELIEF_STATE.itemsize)
            cgutils.raw_memcpy(builder, arguments[0], arguments[1], size, ir.IntType(64)(1))
            return context.get_dummy_value()

        return types.void(target, source), generate

else:

    def copy_state(target, source):  # type: ignore[misc]
        """Copy a belief state over another, as bytes."""
        for name in BELIEF_STATE.names:
            target[name] = source[name]


@hot
def order_at(state, seat, slot):
    """Order of the card in a slot."""
    return np.int64(state.hand[seat, slot])


@hot
def slot_in(state, seat, order):
    """Slot in which a seat holds a card, or -1."""
    for slot in range(state.n_cards[seat]):
        if state.hand[seat, slot] == order:
            return slot
    return -1


@hot
def possible(state, whose, order):
    """What a card can be: what it is recognised as, else what hints and counting leave possible."""
    return np.int64(state.can_be[whose, order])


@hot
def next_ranks(state, mask):
    """The cards one rank above those of a set, colour by colour."""
    return (mask & NOT_FIVES) << 1 & state.all_cards
