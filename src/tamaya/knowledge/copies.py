"""How many copies of each card are left, as two masks: the bits of the number.

A card has 0 to 3 copies. ``ones`` has bit 0 of that number for every card and ``twos`` bit 1, so
counting the copies in a set of cards is two population counts: a probability costs 3 ns where a
loop over 25 cards costs 40. Adding or removing copies is a carry or a borrow between the masks, for
a whole set of cards at once.
"""

from typing import NamedTuple

from tamaya.cards import BIT
from tamaya.compiled import hot, popcount
from tamaya.simd_masks import difference_bit


class Copies(NamedTuple):
    """Copies of every card: ones + 2 twos, card by card."""

    ones: int
    twos: int


@hot
def take(copies, cards):
    """Copies less one of each card of a set; each must have a copy."""
    ones = copies.ones ^ cards
    return Copies(ones, copies.twos ^ (cards & ones))  # the borrow


@hot
def put(copies, cards):
    """Copies plus one of each card of a set."""
    return Copies(copies.ones ^ cards, copies.twos ^ (cards & copies.ones))  # the carry


@hot
def take_present(copies, cards):
    """Copies less one of each card of a set, where there is one left."""
    return take(copies, cards & (copies.ones | copies.twos))


@hot
def cards_in(copies):
    """Cards that have a copy."""
    return copies.ones | copies.twos


@hot
def singles(copies):
    """Cards that have exactly one copy."""
    return copies.ones & ~copies.twos


@hot
def n_copies(copies, cards):
    """Copies of all cards of a set together."""
    return popcount(cards & copies.ones) + 2 * popcount(cards & copies.twos)


@hot
def probability(copies, possible, wanted):
    """Probability that a card from one set is in another; 0 if there are no copies."""
    total = n_copies(copies, possible)
    return n_copies(copies, possible & wanted) / total if total > 0 else 0.0


@hot
def is_likely(copies, possible, wanted, least):
    """Whether a card is in a set with at least some probability; never if there are no copies."""
    total = n_copies(copies, possible)
    return total > 0 and n_copies(copies, possible & wanted) >= least * total


# Copies at a table.


@hot
def full_deck(view):
    """Copies of each card in the whole deck."""
    ones, twos = 0, 0
    for card in range(25):
        ones |= BIT[card] if view.copies[card] & 1 else 0
        twos |= BIT[card] if view.copies[card] & 2 else 0
    return Copies(ones, twos)


@hot
def undiscarded(view):
    """Copies outside the discard pile; less the played cards, they are the public copies."""
    ones = difference_bit(view.copies, view.discarded, 1)
    return Copies(ones, difference_bit(view.copies, view.discarded, 2))


@hot
def without_hand(copies, view, seat):
    """Copies less the visible cards of a hand."""
    for slot in range(view.hand_size):
        card = view.card[seat, slot]
        if card >= 0:
            copies = take(copies, BIT[card])
    return copies


@hot
def with_hand(copies, view, seat):
    """Copies plus the cards of a hand: its owner does not see them."""
    for slot in range(view.hand_size):
        card = view.card[seat, slot]
        if card >= 0:
            copies = put(copies, BIT[card])
    return copies


@hot
def unseen_by(view, seat, public):
    """Of the copies neither played nor discarded, those that a seat sees in no other hand."""
    for other in range(view.players):
        if other != seat:
            public = without_hand(public, view, other)
    return public


# Copies that the viewer does not see, counted once per view.


@hot
def count_unseen(view):
    """Fill ``unseen``, the copies of each card in the deck or in the viewer's own hand.

    Done once per view, by the first function that needs it: counting card by card in every
    function made a ten-line agent five times slower.
    """
    if view.is_counted:
        return
    for card in range(25):
        view.unseen[card] = view.copies[card] - view.discarded[card]
    for colour in range(view.colours):
        for rank in range(view.firework[colour]):
            view.unseen[5 * colour + rank] -= 1
    for seat in range(view.players):
        for slot in range(view.hand_size):
            card = view.card[seat, slot]
            if card >= 0:
                view.unseen[card] -= 1
    mask = 0
    for card in range(25):
        if view.unseen[card] > 0:
            mask |= BIT[card]
    view.unseen_cards = mask
    view.is_counted = 1


@hot
def n_unseen(view, card):
    """Copies of a card that the viewer does not see: in the deck or in its own hand."""
    count_unseen(view)
    return view.unseen[card]


@hot
def unseen_mask(view):
    """Cards of which the viewer does not see every copy, so they may be in its own hand."""
    count_unseen(view)
    return view.unseen_cards


@hot
def own_mask(view, slot):
    """What the card in an own slot can be, from hints and all cards in sight."""
    return view.possible[view.seat, slot] & unseen_mask(view)
