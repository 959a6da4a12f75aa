"""Hints as messages: which number a hint announces, and which hint announces a number.

Each other seat can be given three or four kinds of hints: of the rank or of the colour of its
*reference* card, the one about which least is known, and one that does not touch it; the last
counts twice, by rank and by colour, if everybody knows that the hand has two colours and two ranks.
The numbers of the next seat come first. The value of a hint that does not touch the card is free:
the one that tells most is chosen.

How much a hint tells is a product that the original computes in 32-bit floats, whose rounding
decides between hints that tell equally much. With ``told``, which the original does not have, such
hints count as equal.
"""

import numpy as np

from tamaya.agents.wtfwthat.hats import hat_of, take_hand
from tamaya.agents.wtfwthat.public_state import chance, free_copies
from tamaya.agents.wtfwthat.questions import COLOUR_ORDER, is_open
from tamaya.cards import BIT, COLOUR_MASK, RANK_MASK
from tamaya.compiled import hot
from tamaya.game_kernels import SLOT_BIT, holds_any
from tamaya.knowledge.copies import n_copies
from tamaya.knowledge.hands import seat_at, seat_from
from tamaya.knowledge.hints import give_hint, n_hints, naming_hint, touch_mask
from tamaya.knowledge.sets import is_one, known_colour, known_rank
from tamaya.moves import HINT_COLOUR, NO_MOVE, kind_of

RANK, COLOUR, OTHER, OTHER_COLOUR = 0, 1, 2, 3
_SLIGHTLY = 1 + 1e-9  # products of the same factors in another order


@hot
def n_kinds(view, state, seat, options):
    """How many kinds of hints a seat can be given, surely or almost surely."""
    in_all, n_cards = np.int64(view.all_cards), 0
    colours, ranks = RANK_MASK[0], COLOUR_MASK[0]  # as cards: any of a colour, or of a rank
    for slot in range(view.hand_size):
        mask = state.sets[seat, slot]
        if state.order[seat, slot] < 0:
            continue
        n_cards += 1
        in_all &= mask
        colours &= mask | mask >> 1 | mask >> 2 | mask >> 3 | mask >> 4
        ranks &= mask | mask >> 5 | mask >> 10 | mask >> 15 | mask >> 20
    if n_cards == 0:
        return 0
    if n_cards <= 2 and in_all:  # all cards may be the same
        return 2
    if colours == 0 and ranks == 0:
        return 4
    # If the number then cannot be announced it costs a life, which must not be the last.
    is_bold = options.odds > 0.0 and view.lives > 1
    if is_bold and uniform_chance(view, state, seat, colours, ranks, options.odds) < options.odds:
        return 4
    return 3


@hot
def uniform_chance(view, state, seat, colours, ranks, most):
    """Probability that all cards of a hand share a colour or a rank, with independent slots.

    Once it has reached ``most`` the rest is not added.
    """
    p, copies = 0.0, free_copies(state)
    for k in range(10):
        if p >= most:
            break
        if k < 5:
            if not colours & BIT[5 * k]:
                continue
            wanted = COLOUR_MASK[k]
        else:
            if not ranks & BIT[k - 5]:
                continue
            wanted = RANK_MASK[k - 5]
        product = 1.0
        for slot in range(view.hand_size):
            if state.order[seat, slot] >= 0:
                mask = state.sets[seat, slot]
                product *= chance(copies, mask, wanted)
        p += product
    return p


@hot
def reference_slot(view, state, seat):
    """The slot about which least is known; ties go to the first."""
    best, most = 0, -1
    for slot in range(view.hand_size):
        mask = state.sets[seat, slot]
        if state.order[seat, slot] < 0:
            continue
        score = 0
        if is_open(mask, state.dead):
            score = 1 + (known_colour(mask) < 0) + (known_rank(mask) < 0)
        if score > most:
            best, most = slot, score
    return best


@hot
def n_messages(view, state, mover, options):
    """How many numbers a hint of a seat can announce; fills the kinds of hints to each seat."""
    n = 0
    for offset in range(1, view.players):
        seat = seat_from(view, mover, offset)
        state.kinds[seat] = n_kinds(view, state, seat, options)
        n += state.kinds[seat]
    return n


@hot
def hint_of(view, state, number, options):
    """The hint that announces a number, the sum for all kinds, or NO_MOVE if there is none."""
    for offset in range(1, view.players):
        seat = seat_at(view, offset)
        n = state.kinds[seat]
        if number >= n:
            number -= n
            continue
        slot = reference_slot(view, state, seat)
        card = view.card[seat, slot]
        if number == RANK or number == COLOUR:
            return give_hint(view, offset, naming_hint(view, card, number))
        by_rank = number == OTHER
        by_colour = number == OTHER_COLOUR or n < 4
        return best_other(view, state, offset, card, by_rank, by_colour, options)
    return NO_MOVE


@hot
def best_other(view, state, offset, card, by_rank, by_colour, options):
    """The hint that does not touch the reference card and tells most, ranks before colours."""
    seat = seat_at(view, offset)
    take_hand(view, state, seat)
    if options.version == 2018:
        hat_of(view, state, seat, 3 * (view.players - 1), options)
    elif options.told:
        for slot in range(view.hand_size):
            state.hand[slot] = state.told[seat, slot]
    best, most, margin = NO_MOVE, 0.0, _SLIGHTLY if options.told else 1.0
    for k in range(view.ranks + len(COLOUR_ORDER)):
        hint = k if k < view.ranks else view.ranks + COLOUR_ORDER[k - view.ranks]
        is_wanted = by_rank if hint < view.ranks else by_colour and hint < n_hints(view)
        mask = touch_mask(view, hint)
        if is_wanted and not BIT[card] & mask and (view.empty_hints or holds_any(view, seat, mask)):
            worth = goodness(view, state, seat, mask, options.told)
            if worth > most * margin:
                best, most = give_hint(view, offset, hint), worth
    return best


@hot
def goodness(view, state, seat, words, in_double):
    """How much the literal content of a hint tells about a hand."""
    single, double = np.float32(1.0), 1.0
    copies = free_copies(state)
    for slot in range(view.hand_size):
        card, mask = view.card[seat, slot], state.hand[slot]
        if card < 0:
            continue
        is_touched = BIT[card] & words != 0
        if is_open(mask, state.dead):
            after = mask & words if is_touched else mask & ~words
            bonus = 2 if is_one(after) or after & ~state.dead == 0 else 1
            n_before, n_after = n_copies(copies, mask), max(1, n_copies(copies, after))
            if in_double:
                double *= bonus * (n_before / n_after)
            else:
                single *= np.float32(bonus) * (np.float32(n_before) / np.float32(n_after))
    return double if in_double else np.float64(single)


@hot
def number_of(view, state, event, options):
    """The number that a hint announced, given the kinds of hints before it."""
    target = np.int64(event.target)
    number, n = 0, state.kinds[target]
    for offset in range(1, view.players):
        seat = seat_from(view, event.seat, offset)
        if seat == target:
            break
        number += state.kinds[seat]
    is_colour = kind_of(view, event.move) == HINT_COLOUR
    if event.touched & SLOT_BIT[reference_slot(view, state, target)]:
        return number + (COLOUR if is_colour else RANK)
    return number + min(n - 1, OTHER_COLOUR if is_colour else OTHER)
