"""The desk: what everybody knows of the board and of every hand, laid out for one decision.

Everybody keeps the same tables. ``memory.excluded[order]`` is the set of cards that the card at a
place of the deck is publicly known not to be. How many copies a card may still be is the same for
all slots, namely those not yet played or discarded, so that a table of 25 weights is one mask here,
and a probability is four population counts.

A desk is scratch: filled anew for each decision, and for each move that is observed as things
were before the move.
"""

import numpy as np

from tamaya.agents.hat.board import dead_cards, next_and_played, undiscarded
from tamaya.agents.rules.facts import n_copies
from tamaya.cards import BIT, DECK_SIZE
from tamaya.compiled import hot
from tamaya.game_kernels import SLOT_BIT
from tamaya.moves import slot_of
from tamaya.records import SCORED, record
from tamaya.rules import MAX_HAND, MAX_PLAYERS

MEMORY = [("excluded", np.int32, DECK_SIZE)]  # [order] -> mask, common knowledge
MAX_ITEMS = 2 * MAX_HAND

MAX_STACK = 128
NODE = record([
    ("seat", np.int64), ("deck", np.int64), ("turns", np.int64), ("tokens", np.int64),
    ("playable", np.int64), ("points", np.int64),
])  # fmt: skip

DESK = record([
    # What everybody knows.
    ("order", np.int64, (MAX_PLAYERS, MAX_HAND)),  # [seat, slot] -> place in the deck, -1 if empty
    ("sets", np.int64, (MAX_PLAYERS, MAX_HAND)),   # [seat, slot] -> what the card can be, or 0
    ("playable", np.int64), ("dead", np.int64), ("critical", np.int64),
    ("ones", np.int64), ("twos", np.int64),        # copies neither played nor discarded, two masks
    ("free_ones", np.int64), ("free_twos", np.int64),  # those that no table has recognised
    # The hand that is asked, and the question.
    ("hand", np.int64, MAX_HAND),                  # sets, narrowed by the answers
    ("before", np.int64, MAX_HAND),                # sets, as they were
    ("playable_for", np.int64, MAX_PLAYERS), ("dead_for", np.int64, MAX_PLAYERS),
    ("asked_playable", np.int64), ("asked_dead", np.int64),
    ("kind", np.int64),                            # of question
    ("n_answers", np.int64),
    ("slot", np.int64), ("room", np.int64),        # of a question about one card
    ("n_items", np.int64), ("items", np.int64, MAX_ITEMS),  # of a list: slot, or 8 + slot if dead?
    ("p_playable", np.float64, MAX_HAND), ("p_dead", np.float64, MAX_HAND),
    # What the mover knows of its own cards.
    ("own", np.int64, MAX_HAND),
    ("own_ones", np.int64), ("own_twos", np.int64),
    ("loss", np.float64, 25),                      # [card] -> points that its discard costs
    ("held", np.int64, MAX_PLAYERS),               # [seat] -> cards known to be in a hand
    ("stack", NODE, MAX_STACK),
    ("visible", np.int64),                         # cards in the other hands
    ("rule", np.int64),                            # that decided the move
])  # fmt: skip


@hot
def is_one(mask):
    """Whether a set has exactly one card."""
    return mask != 0 and mask & (mask - 1) == 0


@hot
def lies_in(mask, wanted):
    """Whether a set that is not empty lies inside another."""
    return mask != 0 and mask & ~wanted == 0


@hot
def chance(ones, twos, mask, wanted):
    """How likely a card of a set is one of another set, by copies; exact at both ends."""
    if mask & wanted == 0:
        return 0.0
    if mask & ~wanted == 0:
        return 1.0
    total = n_copies(ones, twos, mask)
    return n_copies(ones, twos, mask & wanted) / total if total > 0 else 0.0


@hot
def lay_board(view, desk, card, effect):
    """Fill the masks of the board as it was before a card was used; card -1 for the board now."""
    ones, twos = undiscarded(view)
    playable, played = next_and_played(view)
    if card >= 0:
        bit = np.int64(BIT[card])
        if effect & SCORED:
            played &= ~bit
            playable |= bit
            if card % 5 + 1 < view.ranks:
                playable &= ~(bit << 1)
        else:
            twos ^= bit & ones  # the carry
            ones ^= bit
    desk.playable = playable
    desk.dead = dead_cards(view, ones | twos, played)
    desk.critical = ones & ~twos & ~desk.dead
    desk.twos = twos ^ (played & ~ones)
    desk.ones = ones ^ played


@hot
def lay_hands(view, memory, desk, does_deduce):
    """Fill the sets of all cards by ``desk.order``; with ``does_deduce`` recognised cards count."""
    left = desk.ones | desk.twos
    for seat in range(view.players):
        for slot in range(view.hand_size):
            order = desk.order[seat, slot]
            mask = left & ~np.int64(memory.excluded[order]) if order >= 0 else 0
            if order >= 0 and mask == 0:  # somebody meant something else by what was said
                mask = left
            desk.sets[seat, slot] = mask
    desk.free_ones = desk.ones
    desk.free_twos = desk.twos
    if does_deduce:
        deduce(view, desk)


@hot
def take_one(ones, twos, bit):
    """Numbers of copies less one of a card, if there is one."""
    if bit & (ones | twos):
        ones ^= bit
        twos ^= bit & ones  # the borrow
    return ones, twos


@hot
def deduce(view, desk):
    """Take cards that everybody recognises out of all other sets, until nothing more follows."""
    ones, twos = desk.ones, desk.twos
    recognised, n_before, n_found = np.int64(0), -1, 0
    while n_found != n_before:
        n_before = n_found
        for seat in range(view.players):
            for slot in range(view.hand_size):
                place = np.int64(1) << (MAX_HAND * seat + slot)
                if recognised & place:
                    continue
                mask = desk.sets[seat, slot]
                if not is_one(mask) and mask & (ones | twos):
                    mask &= ones | twos
                    desk.sets[seat, slot] = mask
                if is_one(mask):
                    recognised |= place
                    n_found += 1
                    ones, twos = take_one(ones, twos, mask)
    desk.free_ones = ones
    desk.free_twos = twos


@hot
def lay_now(view, memory, desk, does_deduce):
    """Fill the desk for a decision."""
    lay_board(view, desk, np.int8(-1), np.uint8(0))
    for seat in range(view.players):
        for slot in range(view.hand_size):
            desk.order[seat, slot] = view.order[seat, slot]
    lay_hands(view, memory, desk, does_deduce)


@hot
def lay_before(view, event, memory, desk, does_deduce):
    """Fill the desk as things were before a move."""
    lay_board(view, desk, event.card, event.effect)
    for seat in range(view.players):
        for slot in range(view.hand_size):
            desk.order[seat, slot] = view.order[seat, slot]
    if event.card >= 0:
        used = slot_of(view, event.move)
        if not view.refills_in_place:
            for slot in range(used + 1, view.hand_size):
                desk.order[event.seat, slot] = view.order[event.seat, slot - 1]
        desk.order[event.seat, used] = event.order
    lay_hands(view, memory, desk, does_deduce)


@hot
def lay_own(view, desk, does_deduce):
    """Fill what the mover knows of its own cards: copies in sight are not among them."""
    ones, twos, visible = desk.ones, desk.twos, 0
    for seat in range(view.players):
        if seat != view.seat:
            for slot in range(view.hand_size):
                card = view.card[seat, slot]
                if card >= 0:
                    visible |= BIT[card]
                    ones, twos = take_one(ones, twos, np.int64(BIT[card]))
    desk.visible = visible
    n_before, n_found, recognised = -1, 0, 0
    while n_found != n_before:
        n_before = n_found
        for slot in range(view.hand_size):
            if recognised & SLOT_BIT[slot]:
                continue
            mask = desk.sets[view.seat, slot]
            if not is_one(mask) and mask & (ones | twos):
                mask &= ones | twos
            desk.own[slot] = mask
            if does_deduce and is_one(mask):
                recognised |= SLOT_BIT[slot]
                n_found += 1
                ones, twos = take_one(ones, twos, mask)
    desk.own_ones = ones
    desk.own_twos = twos
