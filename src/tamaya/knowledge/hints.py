"""Hints: one loop over all that a seat can be given, what each touches and leaves possible.

Hints to a seat are numbered from 0 to ``n_hints - 1``, ranks first, then colours:

    for hint in range(n_hints(view)):
        touched = touched_slots(view, seat, touch_mask(view, hint))
        ...
        best = give_hint(view, offset, hint)

Functions about the effect of a hint take its mask, the cards that it names.
"""

from tamaya.cards import BIT, COLOUR_MASK, RANK_MASK
from tamaya.compiled import hot
from tamaya.game_kernels import SLOT_BIT
from tamaya.knowledge.hands import holds
from tamaya.moves import HINT_RANK, hint_colour, hint_rank, kind_of, value_of


@hot
def n_hints(view):
    """Number of hints that a seat can be given, including those that touch nothing."""
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
def naming_hint(view, card, kind):
    """Number of the hint that names the rank (kind 0) or the colour (kind 1) of a card."""
    return card % 5 if kind == 0 else view.ranks + card // 5


@hot
def hint_number(view, move):
    """Number of the hint that a move gives."""
    value = value_of(view, move)
    return value if kind_of(view, move) == HINT_RANK else view.ranks + value


@hot
def named_mask(view, move):
    """Cards that a move, a hint, names."""
    return touch_mask(view, hint_number(view, move))


@hot
def touched_slots(view, seat, mask):
    """Slots of a seat, as bits, that a hint touches."""
    slots = 0
    for slot in range(view.hand_size):
        if holds(view, seat, slot, mask):
            slots |= SLOT_BIT[slot]
    return slots


@hot
def is_news(view, seat, slot, mask):
    """Whether a hint that touches a slot says something new about its card."""
    possible = view.possible[seat, slot]
    return possible & mask != possible


@hot
def newly_touched(view, seat, mask):
    """Slots of a seat, as bits, that a hint touches and says something new about."""
    slots = 0
    for slot in range(view.hand_size):
        if holds(view, seat, slot, mask) and is_news(view, seat, slot, mask):
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
