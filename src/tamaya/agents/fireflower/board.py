"""What moves do to the board of a mind, real moves and imagined ones alike.

A card drawn in imagination stays unknown. Four masks follow from fireworks and discards, and
nearly every question of the conventions is one AND with them:

    playable    the next card of its firework
    useful      still to be played; but for the early stop, only if every lower card still exists
    danger      useful, and at most one copy is left
    trash       all others
"""

import numpy as np

from tamaya.agents.fireflower.mind import COLUMN, COMMON, MINE, UNKNOWN, order_at, seat_after
from tamaya.cards import BIT, COLOUR_MASK
from tamaya.compiled import hot


@hot
def begin(view, mind):
    """Set up the position at the deal, before anybody has moved; no card is in sight yet."""
    mind.seat = view.seat
    mind.players = view.players
    mind.colours = view.colours
    mind.ranks = view.ranks
    mind.hand_size = view.hand_size
    mind.max_tokens = view.max_tokens
    mind.n_all = view.n_all
    mind.all_cards = view.all_cards
    mind.tokens = view.max_tokens
    mind.lives = view.max_lives
    mind.mover = view.start
    n_dealt = view.players * view.hand_size
    mind.deck_size = view.n_all - n_dealt
    mind.max_discards = mind.deck_size + view.players - view.colours * view.ranks
    mind.final = -1 if mind.deck_size > 0 else view.players
    begin_cards(view, mind)
    mind.spared[:] = UNKNOWN
    note_masks(mind)


@hot
def begin_cards(view, mind):
    """Deal the orders, and count the copies of each card."""
    mind.promise[:] = UNKNOWN
    mind.below[:] = UNKNOWN
    mind.face[:] = UNKNOWN
    for order in range(view.n_all):
        mind.hinted[order] = view.all_cards
    for seat in range(view.players):
        mind.n_cards[seat] = view.hand_size
        for slot in range(view.hand_size):
            mind.hand[seat, slot] = seat * view.hand_size + slot
    for card in range(25):
        n = view.copies[card]
        if n & 1:
            mind.ones |= BIT[card]
        if n & 2:
            mind.twos |= BIT[card]
    mind.singles = mind.ones & ~mind.twos
    mind.triples = mind.ones & mind.twos


@hot
def lost_cards(mind):
    """Cards still to be played of which no copy is left."""
    return mind.all_cards & ~(mind.ones | mind.twos | mind.played)


@hot
def note_masks(mind):
    """Find the four masks of the board."""
    lost = lost_cards(mind)
    playable, useful = 0, 0
    for colour in range(mind.colours):
        height = mind.firework[colour]
        rest = mind.all_cards & COLOUR_MASK[colour] & ~(COLUMN[height] << (5 * colour))
        if rest == 0:
            continue
        playable |= BIT[5 * colour + height]
        blocked = lost & rest
        if blocked and not mind.stops_early:
            rest &= 2 * (blocked & -blocked) - 1
        useful |= rest
    mind.playable = playable
    mind.useful = useful
    mind.danger = useful & ~mind.twos
    mind.trash = mind.all_cards & ~useful


@hot
def is_over(mind):
    """Whether the game is over, early or not."""
    if mind.lives <= 0 or mind.final == 0 or mind.points >= mind.colours * mind.ranks:
        return True
    return mind.stops_early != 0 and (mind.n_discards > mind.max_discards or lost_cards(mind) != 0)


@hot
def note_before(mind):
    """Remember the mover's hand and what is playable, before its move."""
    mind.reading = 0
    mind.old_playable = mind.playable
    mind.n_old = mind.n_cards[mind.mover]
    for slot in range(mind.n_old):
        mind.old_hand[slot] = mind.hand[mind.mover, slot]


@hot
def play_card(mind, slot):
    """The mover plays a card whose face is known; gives whether it scored."""
    note_before(mind)
    card = np.int64(mind.face[mind.hand[mind.mover, slot]])
    scored = BIT[card] & mind.playable != 0
    if scored:
        mind.firework[card // 5] += 1
        mind.points += 1
        mind.played |= BIT[card]
        if card % 5 == mind.ranks - 1 and mind.tokens < mind.max_tokens:
            mind.tokens += 1
    else:
        mind.lives -= 1
        lose_copy(mind, card)
    replace_card(mind, slot, card)
    return scored


@hot
def discard_card(mind, slot):
    """The mover discards a card whose face is known."""
    note_before(mind)
    card = np.int64(mind.face[mind.hand[mind.mover, slot]])
    if mind.tokens < mind.max_tokens:
        mind.tokens += 1
    lose_copy(mind, card)
    replace_card(mind, slot, card)


@hot
def lose_copy(mind, card):
    """Put a copy of a card on the discard pile."""
    mind.n_discards += 1
    mind.ones ^= BIT[card]
    mind.twos ^= BIT[card] & mind.ones  # the borrow


@hot
def replace_card(mind, slot, card):
    """Show the mover's card to everybody and draw another, unknown, while the deck lasts."""
    seat = mind.mover
    order = order_at(mind, seat, slot)
    mind.known[order] = card
    mind.can_be[MINE, order] = BIT[card]
    mind.can_be[COMMON, order] = BIT[card]
    last = mind.n_cards[seat] - 1
    for k in range(slot, last):
        mind.hand[seat, k] = mind.hand[seat, k + 1]
    if mind.deck_size == 0:
        mind.n_cards[seat] = last
    else:
        mind.hand[seat, last] = mind.n_all - mind.deck_size
        mind.deck_size -= 1
        if mind.deck_size == 0:
            mind.final = mind.players + 1  # this turn does not count
    end_turn(mind)
    note_masks(mind)


@hot
def end_turn(mind):
    """Pass the move on."""
    mind.mover = seat_after(mind, mind.mover)
    if mind.final > 0:
        mind.final -= 1


@hot
def spend_token(mind):
    """The mover gives a hint; what it says is read elsewhere."""
    note_before(mind)
    mind.tokens -= 1
    end_turn(mind)
