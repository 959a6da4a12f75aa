"""What rules ask: what is known of a card, how likely it is something, which hint tells it.

Numbers of copies are kept as two masks, the bits of the number, so that counting the copies in a
set of cards is two population counts: a probability costs 3 ns where a loop over 25 cards costs
40.
"""

import numpy as np

from tamaya.cards import BIT, COLOUR_MASK, RANK_MASK
from tamaya.compiled import hot, popcount
from tamaya.moves import NO_MOVE, hint_colour, hint_rank

COLUMN = (1 << np.arange(6)) - 1  # mask of the lowest cards of the first colour


@hot
def note_facts(view, memory, ghosts):
    """Fill the scratch for a decision.

    With ``ghosts``, cards that the seat itself played or discarded count as not seen: a fault of
    the first version of the framework, with which the numbers of 2017 were made.
    """
    memory.is_read = 0
    ones, twos = 0, 0
    for card in range(25):
        n = view.copies[card] - view.discarded[card]
        if n & 1:
            ones |= BIT[card]
        if n & 2:
            twos |= BIT[card]
    note_board(view, memory, ones, twos)
    for seat in range(view.players):
        for slot in range(view.hand_size):
            card = view.card[seat, slot]
            if card >= 0:
                bit = BIT[card]
                ones ^= bit
                twos ^= bit & ones  # the borrow
    played = memory.played
    twos ^= played & ~ones
    ones ^= played
    if ghosts:
        for k in range(view.n_moves):
            event = view.history[k]
            if event.seat == view.seat and event.card >= 0:
                bit = BIT[event.card]
                twos ^= bit & ones  # the carry
                ones ^= bit
    memory.ones = ones
    memory.twos = twos


@hot
def note_board(view, memory, ones, twos):
    """Fill the masks that follow from fireworks and discards, by copies outside the discards.

    All in one pass: whole games are 1.5 to 1.7 times as fast as with the masks of
    ``tamaya.view`` one by one.
    """
    playable, played, dead = 0, 0, 0
    lost = view.all_cards & ~(ones | twos)
    for colour in range(view.colours):
        height = view.firework[colour]
        below = COLUMN[height] << (5 * colour)
        played |= below
        dead |= below
        if height < view.ranks:
            playable |= BIT[5 * colour + height]
        blocked = lost & COLOUR_MASK[colour] & ~below
        if blocked:
            dead |= COLOUR_MASK[colour] & ~((blocked & -blocked) - 1)
    dead &= view.all_cards
    memory.playable = playable
    memory.played = played
    memory.dead = dead
    memory.critical = ones & ~twos & ~dead


@hot
def n_copies(ones, twos, mask):
    """Copies in a set of cards, by the two masks of their numbers."""
    return popcount(mask & ones) + 2 * popcount(mask & twos)


@hot
def chance(memory, possible, wanted):
    """How likely a card of mine is one of a set, given what it can be by hints."""
    total = n_copies(memory.ones, memory.twos, possible)
    if total == 0:
        return 0.0
    return n_copies(memory.ones, memory.twos, possible & wanted) / total


@hot
def candidates(view, memory, slot):
    """Mask of what the card in an own slot can be."""
    return view.possible[view.seat, slot] & (memory.ones | memory.twos)


@hot
def put_back(view, memory, seat):
    """Count another seat's hand as not seen, as its owner does, for ``their_chance``.

    It is an approximation from here: the owner also sees my cards, which I do not know.
    """
    ones, twos = memory.ones, memory.twos
    for slot in range(view.hand_size):
        card = view.card[seat, slot]
        if card >= 0:
            bit = BIT[card]
            twos ^= bit & ones  # the carry
            ones ^= bit
    memory.theirs_ones = ones
    memory.theirs_twos = twos


@hot
def their_chance(memory, possible, wanted):
    """How likely a card is one of a set for the seat whose hand was put back."""
    total = n_copies(memory.theirs_ones, memory.theirs_twos, possible)
    if total == 0:
        return 0.0
    return n_copies(memory.theirs_ones, memory.theirs_twos, possible & wanted) / total


@hot
def lowest_card(mask):
    """Lowest card of a set that is not empty."""
    return popcount((mask & -mask) - 1)


@hot
def known_colour(possible):
    """The colour that all cards of a set share, or -1."""
    if possible == 0:
        return -1
    colour = lowest_card(possible) // 5
    return colour if possible & COLOUR_MASK[colour] == possible else -1


@hot
def known_rank(possible):
    """The rank that all cards of a set share, or -1."""
    if possible == 0:
        return -1
    rank = lowest_card(possible) % 5
    return rank if possible & RANK_MASK[rank] == possible else -1


@hot
def is_blank(possible):
    """Whether neither colour nor rank is known."""
    return known_colour(possible) < 0 and known_rank(possible) < 0


@hot
def lowest_firework(view):
    """Height of the lowest firework."""
    height = view.firework[0]
    for colour in range(1, view.colours):
        height = min(height, view.firework[colour])
    return height


@hot
def is_known_useless(view, memory, possible):
    """Whether what is known of a card, colour, rank or both, makes it useless."""
    colour, rank = known_colour(possible), known_rank(possible)
    if rank >= 0 and rank < lowest_firework(view):
        return True
    if colour < 0:
        return False
    if view.firework[colour] == view.ranks:
        return True
    return rank >= 0 and BIT[5 * colour + rank] & memory.dead != 0


@hot
def is_known_playable(view, possible):
    """Whether colour and rank are known and the card can be played."""
    colour, rank = known_colour(possible), known_rank(possible)
    return colour >= 0 and rank >= 0 and view.firework[colour] == rank


@hot
def holds(view, seat, slot, wanted):
    """Whether a slot of another seat holds a card of a set."""
    card = view.card[seat, slot]
    return card >= 0 and BIT[card] & wanted != 0


@hot
def has_gap(view, seat):
    """Whether a slot of a seat is empty, which happens in the last round only."""
    return view.n_cards[seat] < view.hand_size


@hot
def likeliest_slot(view, memory, wanted):
    """Own slot most likely to hold a card of a set, the highest of equals, and how likely."""
    best, best_chance = -1, -1.0
    for slot in range(view.hand_size):
        if view.order[view.seat, slot] >= 0:
            here = chance(memory, view.possible[view.seat, slot], wanted)
            if here >= best_chance:
                best, best_chance = slot, here
    return best, best_chance


@hot
def newest_slot(view, seat):
    """Slot of the card drawn last."""
    newest = 0
    for slot in range(1, view.hand_size):
        if view.order[seat, slot] > view.order[seat, newest]:
            newest = slot
    return newest


@hot
def oldest_slot(view, seat):
    """Slot of the card drawn first, -1 if the hand is empty."""
    oldest = -1
    for slot in range(view.hand_size):
        order = view.order[seat, slot]
        if order >= 0 and (oldest < 0 or order < view.order[seat, oldest]):
            oldest = slot
    return oldest


@hot
def hint_of(view, offset, kind, card):
    """The hint of the rank (kind 0) or colour (kind 1) of a card."""
    if kind == 0:
        return hint_rank(view, offset, card % 5)
    return hint_colour(view, offset, card // 5)


@hot
def hint_mask(kind, value):
    """The cards that a hint of a rank (kind 0) or colour (kind 1) touches."""
    return RANK_MASK[value] if kind == 0 else COLOUR_MASK[value]


@hot
def after_hint(view, seat, slot, hint):
    """What a hint, as a mask, leaves possible in a slot of another seat."""
    possible = view.possible[seat, slot]
    return possible & hint if holds(view, seat, slot, hint) else possible & ~hint


@hot
def rank_first(view, offset, seat, slot):
    """Tell what is not known of a card: the rank, else the colour."""
    possible, card = view.possible[seat, slot], view.card[seat, slot]
    if known_rank(possible) < 0:
        return hint_rank(view, offset, card % 5)
    if known_colour(possible) < 0:
        return hint_colour(view, offset, card // 5)
    return NO_MOVE


@hot
def colour_first(view, offset, seat, slot):
    """Tell what is not known of a card: the colour, else the rank."""
    possible, card = view.possible[seat, slot], view.card[seat, slot]
    if known_colour(possible) < 0:
        return hint_colour(view, offset, card // 5)
    if known_rank(possible) < 0:
        return hint_rank(view, offset, card % 5)
    return NO_MOVE
