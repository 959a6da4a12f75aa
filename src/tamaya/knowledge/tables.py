"""Public tables: what everybody knows about every card in a hand, and what follows by counting.

``memory.excluded[order]`` is the set of cards that the card with that order is publicly known not
to be; empty at the deal. A table is closed when counting excludes nothing more: a card of which
every copy has been played, discarded or publicly recognised in a hand is nowhere else.
"""

import numpy as np

from tamaya.cards import DECK_SIZE
from tamaya.compiled import hot
from tamaya.game_kernels import SLOT_BIT
from tamaya.knowledge.copies import cards_in, take, take_present
from tamaya.knowledge.hints import named_mask
from tamaya.knowledge.sets import is_one

# The field of an agent's memory, [order] -> mask. It is common knowledge: one memory serves all.
TABLE = ("excluded", np.int32, DECK_SIZE)


@hot
def public_set(view, memory, seat, slot):
    """What the card in a slot can be, as everybody knows; 0 for an empty slot."""
    order = view.order[seat, slot]
    return view.all_cards & ~memory.excluded[order] if order >= 0 else 0


@hot
def set_of(view, memory, order):
    """What the card with an order can be, as everybody knows."""
    return view.all_cards & ~memory.excluded[order]


@hot
def restrict(view, memory, order, cards):
    """Restrict a card to a set, unless that leaves nothing."""
    if set_of(view, memory, order) & cards:
        memory.excluded[order] |= ~cards


@hot
def exclude_by_words(view, event, memory):
    """Exclude what the literal content of a hint excludes."""
    mask = named_mask(view, event.move)
    for slot in range(view.hand_size):
        order = view.order[event.target, slot]
        if order >= 0:
            memory.excluded[order] |= ~mask if event.touched & SLOT_BIT[slot] else mask


@hot
def unrecognised(view, memory, copies):
    """Copies less the cards that are publicly recognised in hands."""
    for seat in range(view.players):
        for slot in range(view.hand_size):
            cards = public_set(view, memory, seat, slot)
            if is_one(cards):
                copies = take(copies, cards)
    return copies


@hot
def mend_recognised(view, memory, copies):
    """Like ``unrecognised``; a card of which no copy is left was recognised by mistake."""
    for seat in range(view.players):
        for slot in range(view.hand_size):
            cards = public_set(view, memory, seat, slot)
            if not is_one(cards):
                continue
            if cards & cards_in(copies):
                copies = take(copies, cards)
            else:
                memory.excluded[view.order[seat, slot]] = ~set_by_words(view, seat, slot, cards)
    return copies


@hot
def set_by_words(view, seat, slot, gone):
    """What the literal content of hints leaves possible, for a set that proved to be wrong."""
    words = view.possible[seat, slot]
    return words & ~gone if words & ~gone else words


@hot
def close_table(view, memory, copies, mends):
    """Draw all conclusions from counting; the copies are those neither played nor discarded.

    A team that shares a convention never contradicts itself. With ``mends``, contradictions that
    other partners cause are resolved: a set that would be empty is reset to what the literal
    content of hints leaves possible.
    """
    if mends:
        copies = mend_recognised(view, memory, copies)
    else:
        copies = unrecognised(view, memory, copies)
    gone = view.all_cards & ~cards_in(copies)
    checked = 0
    while gone != checked:  # each round excludes only what is newly impossible
        news = gone & ~checked
        checked = gone
        for seat in range(view.players):
            for slot in range(view.hand_size):
                cards = public_set(view, memory, seat, slot)
                if cards & news == 0 or is_one(cards):
                    continue
                cards &= ~news
                if mends and cards == 0:
                    cards = set_by_words(view, seat, slot, gone)
                memory.excluded[view.order[seat, slot]] = ~cards
                if is_one(cards):
                    copies = take_present(copies, cards) if mends else take(copies, cards)
        gone = view.all_cards & ~cards_in(copies)
