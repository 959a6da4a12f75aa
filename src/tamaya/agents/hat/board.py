"""What fireworks, discards and hands in sight say, as masks computed in one pass.

``playable`` can be played now, ``played`` has been, ``dead`` can never score again (played, or out
of reach because every copy of a card below is discarded), ``critical`` is the last copy of a card
that is still needed. Numbers of copies are two masks, the bits of the number, so that counting the
copies in a set of cards is two population counts.
"""

from tamaya.agents.rules.facts import COLUMN, n_copies
from tamaya.cards import BIT, COLOUR_MASK
from tamaya.compiled import hot, popcount
from tamaya.game_kernels import is_legal, legal_mask, nth_move


@hot
def undiscarded(view):
    """Copies of each card outside the discard pile, as two masks."""
    ones, twos = 0, 0
    for card in range(25):
        n = view.copies[card] - view.discarded[card]
        if n & 1:
            ones |= BIT[card]
        if n & 2:
            twos |= BIT[card]
    return ones, twos


@hot
def next_and_played(view):
    """The playable cards and the played ones."""
    playable, played = 0, 0
    for colour in range(view.colours):
        height = view.firework[colour]
        played |= COLUMN[height] << (5 * colour)
        if height < view.ranks:
            playable |= BIT[5 * colour + height]
    return playable, played


@hot
def dead_cards(view, left, played):
    """Cards that can never score again, by those of which a copy is left."""
    dead = played
    lost = view.all_cards & ~left & ~played
    if lost:
        for colour in range(view.colours):
            blocked = lost & COLOUR_MASK[colour]
            if blocked:
                dead |= COLOUR_MASK[colour] & ~((blocked & -blocked) - 1)
    return dead & view.all_cards


@hot
def n_to_come(view, dead):
    """Points that can still be scored."""
    return popcount(view.all_cards & ~dead)


@hot
def without_hand(view, seat, ones, twos):
    """Numbers of copies less the cards of a hand; cards that are not seen do not count."""
    for slot in range(view.hand_size):
        card = view.card[seat, slot]
        if card >= 0:
            bit = BIT[card]
            ones ^= bit
            twos ^= bit & ones  # the borrow
    return ones, twos


@hot
def unseen_copies(view, ones, twos, played):
    """Copies that the viewer sees neither on the board nor in a hand, from the undiscarded ones."""
    twos ^= played & ~ones
    ones ^= played
    for seat in range(view.players):
        if seat != view.seat:
            ones, twos = without_hand(view, seat, ones, twos)
    return ones, twos


@hot
def is_likely(ones, twos, possible, wanted, chance):
    """Whether a card of a set is one of another set at least so likely; never if it is nothing."""
    total = n_copies(ones, twos, possible)
    return total > 0 and n_copies(ones, twos, possible & wanted) >= chance * total


@hot
def slot_of_order(view, seat, order):
    """Slot in which a seat holds the card of a place in the deck, or -1."""
    for slot in range(view.hand_size):
        if view.order[seat, slot] == order:
            return slot
    return -1


@hot
def lawful(view, move):
    """The move if it is legal, otherwise the lowest legal one: the discard of the oldest card."""
    return move if is_legal(view, move) else nth_move(legal_mask(view), 0)
