"""What is known of cards for certain: by sight, by hints and by counting copies.

``refresh`` counts the copies that are not seen, for oneself and for everybody, and recognises in
one pass the cards that can only be one thing, seat by seat and newest first. It is the first step
of reading a move, before the words of a hint count: what a hint pins down is counted from the next
move on.
"""

import numpy as np

from tamaya.agents.fireflower.mind import COMMON, MINE, UNKNOWN, is_one, order_at, possible
from tamaya.cards import BIT
from tamaya.compiled import hot, popcount


@hot
def refresh(mind):
    """Count what is not seen, and recognise what can only be one card."""
    played = mind.played
    common_ones, common_twos = mind.ones ^ played, mind.twos ^ (played & ~mind.ones)
    ones, twos = common_ones, common_twos
    for seat in range(mind.players):
        for slot in range(mind.n_cards[seat]):
            card = mind.face[mind.hand[seat, slot]]
            if card >= 0:
                ones ^= BIT[card]
                twos ^= BIT[card] & ones  # the borrow
    for seat in range(mind.players):
        for slot in range(mind.n_cards[seat] - 1, -1, -1):
            order = mind.hand[seat, slot]
            hinted = np.int64(mind.hinted[order])
            bit = hinted & (common_ones | common_twos)
            if is_one(bit):
                common_ones ^= bit
                common_twos ^= bit & common_ones
                mind.can_be[COMMON, order] = bit
            else:
                mind.can_be[COMMON, order] = 0  # to be filled in below
            card = mind.face[order]
            if card < 0:
                bit = hinted & (ones | twos)
                if is_one(bit):
                    ones ^= bit
                    twos ^= bit & ones
                    card = popcount(bit - 1)
            mind.known[order] = card
            mind.can_be[MINE, order] = BIT[card] if card >= 0 else 0
    mind.unseen_ones, mind.unseen_twos = ones, twos
    mind.unseen[MINE], mind.unseen[COMMON] = ones | twos, common_ones | common_twos
    for seat in range(mind.players):
        for slot in range(mind.n_cards[seat]):
            order = mind.hand[seat, slot]
            for whose in range(2):
                if mind.can_be[whose, order] == 0:
                    mind.can_be[whose, order] = mind.hinted[order] & mind.unseen[whose]


@hot
def hide_hand(mind, seat):
    """Forget the faces of a hand, to think as its holder does."""
    for slot in range(mind.n_cards[seat]):
        mind.face[mind.hand[seat, slot]] = UNKNOWN


@hot
def is_consistent(mind):
    """Whether every card in a hand can be something that fits its hints."""
    for seat in range(mind.players):
        for slot in range(mind.n_cards[seat]):
            order = order_at(mind, seat, slot)
            if possible(mind, MINE, order) & mind.hinted[order] == 0:
                return False
    return True


@hot
def note_words(mind, seat, hint, touched):
    """Keep what a hint says of each card of a hand; what was recognised before stays so."""
    for slot in range(mind.n_cards[seat]):
        order = order_at(mind, seat, slot)
        if touched >> slot & 1:
            mind.hinted[order] &= hint
            mind.touched[order] = 1
        else:
            mind.hinted[order] &= ~hint
        for whose in range(2):
            if not is_one(possible(mind, whose, order)):
                mind.can_be[whose, order] &= mind.hinted[order]
