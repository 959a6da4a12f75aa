"""Hints: all that a seat can be given in one loop, what each touches and what it leaves possible.

Hints to a seat are numbered from 0 to ``n_hints - 1``, ranks first, then colours:

    for hint in range(n_hints(view)):
        touched = touched_slots(view, seat, touch_mask(view, hint))
        ...
        best = give_hint(view, offset, hint)

Kernels that ask what a hint does take its mask, the cards that it names.
"""

from tamaya.cards import BIT, COLOUR_MASK, RANK_MASK
from tamaya.compiled import hot
from tamaya.game_kernels import SLOT_BIT
from tamaya.knowledge.hands import holds
from tamaya.moves import HINT_COLOUR, hint_colour, hint_rank, kind_of, value_of


@hot
def n_hints(view):
    """How many hints a seat can be given, those included that touch nothing."""
    return view.ranks + view.colours


@hot
def touch_mask(view, hint):
    """Cards that a hint of a number names."""
    return RANK_MASK[hint] if hint < view.ranks else COLOUR_MASK[hint - view.ranks]


@hot
def give_hint(view, offset, hint):
    """Move that gives the hint of a number to the seat at an offset."""
    if hint < view.ranks:
        return hint_rank(view, offset, hint)
    return hint_colour(view, offset, hint - view.ranks)


@hot
def colours_first(view, k):
    """Number of the k-th hint when colours are listed before ranks."""
    return k + view.ranks if k < view.colours else k - view.colours


@hot
def rank_hint(view, card):
    """Number of the hint that names the rank of a card."""
    return card % 5


@hot
def colour_hint(view, card):
    """Number of the hint that names the colour of a card."""
    return view.ranks + card // 5


@hot
def named_mask(view, move):
    """Cards that a move, a hint, names."""
    value = value_of(view, move)
    return COLOUR_MASK[value] if kind_of(view, move) == HINT_COLOUR else RANK_MASK[value]


@hot
def touched_slots(view, seat, mask):
    """Slots of a seat, as bits, that a hint touches."""
    slots = 0
    for slot in range(view.hand_size):
        if holds(view, seat, slot, mask):
            slots |= SLOT_BIT[slot]
    return slots


@hot
def newly_touched(view, seat, mask):
    """Slots of a seat, as bits, that a hint touches and says something new about."""
    slots = 0
    for slot in range(view.hand_size):
        possible = view.possible[seat, slot]
        if holds(view, seat, slot, mask) and possible & mask != possible:
            slots |= SLOT_BIT[slot]
    return slots


@hot
def after_hint(view, seat, slot, mask):
    """What a hint leaves possible in a slot of another seat."""
    possible = view.possible[seat, slot]
    return possible & mask if holds(view, seat, slot, mask) else possible & ~mask


@hot
def touches_only(view, seat, mask, wanted):
    """Whether a hint touches cards of a seat and only cards of a set."""
    n_touched = 0
    for slot in range(view.hand_size):
        card = view.card[seat, slot]
        if card >= 0 and BIT[card] & mask:
            if not BIT[card] & wanted:
                return False
            n_touched += 1
    return n_touched > 0
