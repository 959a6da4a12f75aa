"""Rules that discard a card; they are tried while a discard is allowed."""

import numpy as np

from tamaya.agents.rules.facts import (
    candidates,
    chance,
    is_blank,
    is_known_useless,
    likeliest_slot,
)
from tamaya.agents.rules.rule import DISCARDS, rule
from tamaya.compiled import hot
from tamaya.knowledge.board import reachable_rank
from tamaya.knowledge.hands import oldest_slot
from tamaya.knowledge.sets import known_colour, known_rank, lowest_card
from tamaya.moves import NO_MOVE, discard
from tamaya.rng import random_below

_LATE = 1000  # a draw time later than any slot number


@rule("DiscardIfCertain", DISCARDS, source="gene 25")
def discard_if_certain(view, memory, line):
    """Discards a card whose colour and rank are known and that has already been played."""
    for slot in range(view.hand_size):
        possible = view.possible[view.seat, slot]
        colour, rank = known_colour(possible), known_rank(possible)
        if colour >= 0 and rank >= 0 and rank < view.firework[colour]:
            return discard(view, slot)
    return NO_MOVE


@hot
def safe_slot(view, memory):
    """First own slot whose card is known to be useless, or -1."""
    for slot in range(view.hand_size):
        if is_known_useless(view, memory, view.possible[view.seat, slot]):
            return slot
    return -1


@hot
def unreachable_slot(view, memory):
    """First own slot whose colour is known and whose card can never be played, or -1."""
    for slot in range(view.hand_size):
        possible = view.possible[view.seat, slot]
        colour, rank = known_colour(possible), known_rank(possible)
        if colour < 0:
            continue
        open_cards = candidates(view, memory, slot)
        if rank < 0 and open_cards:
            rank = lowest_card(open_cards) % 5
        if rank >= 0 and rank >= reachable_rank(view, colour):
            return slot
    return -1


@hot
def discard_if(view, slot):
    """Discard a slot if there is one."""
    return discard(view, slot) if slot >= 0 else NO_MOVE


@rule("DiscardSafeCard", DISCARDS, source="gene 35")
def discard_safe_card(view, memory, line):
    """Discards a card that is known to be useless."""
    return discard_if(view, safe_slot(view, memory))


@rule("DiscardUselessCard", DISCARDS, source="gene 37")
def discard_useless_card(view, memory, line):
    """Discards a card of known colour that can no longer be reached."""
    return discard_if(view, unreachable_slot(view, memory))


@rule("OsawaDiscard", DISCARDS, source="gene 38")
def osawa_discard(view, memory, line):
    """DiscardSafeCard, else DiscardUselessCard."""
    slot = safe_slot(view, memory)
    return discard_if(view, slot if slot >= 0 else unreachable_slot(view, memory))


@rule("DiscardHighest", DISCARDS, source="gene 24")
def discard_highest(view, memory, line):
    """Discards the card with the highest known rank."""
    best, highest = -1, -1
    for slot in range(view.hand_size):
        rank = known_rank(view.possible[view.seat, slot])
        if rank > highest:
            best, highest = slot, rank
    return discard_if(view, best)


@rule("DiscardOldestFirst", DISCARDS, source="gene 27")
def discard_oldest_first(view, memory, line):
    """Discards the oldest card."""
    return discard_if(view, oldest_slot(view, view.seat))


@hot
def draw_time(view, slot):
    """How many cards of the hand were drawn before this one, exact for the opening hand."""
    order = np.int64(view.order[view.seat, slot])
    is_dealt = order < view.players * view.hand_size
    return order - view.seat * view.hand_size if is_dealt else _LATE


@hot
def oldest_blank_slot(view):
    """Own slot of the oldest card about which nothing is known, or -1."""
    oldest = -1
    for slot in range(view.hand_size):
        if is_blank(view.possible[view.seat, slot]):
            if oldest < 0 or view.order[view.seat, slot] < view.order[view.seat, oldest]:
                oldest = slot
    return oldest


@rule("DiscardOldestNoInfoFirst", DISCARDS, source="gene 28")
def discard_oldest_no_info_first(view, memory, line):
    """Discards the oldest card whose colour and rank are both unknown.

    Original: compares the time a card was drawn with the number of a slot, so that it discards the
    lowest such slot in nearly all cases.
    """
    if not line.faithful:
        return discard_if(view, oldest_blank_slot(view))
    bound = _LATE
    for slot in range(view.hand_size):
        if draw_time(view, slot) <= bound and is_blank(view.possible[view.seat, slot]):
            bound = slot
    return discard(view, bound) if bound < _LATE else NO_MOVE


@rule("DiscardUnidentifiedCard", DISCARDS, source="gene 36")
def discard_unidentified_card(view, memory, line):
    """Discards the first card whose colour and rank are both unknown."""
    for slot in range(view.hand_size):
        if is_blank(view.possible[view.seat, slot]):
            return discard(view, slot)
    return NO_MOVE


@rule("DiscardLeastLikelyToBeNecessary", DISCARDS, source="gene 26")
def discard_least_likely_to_be_necessary(view, memory, line):
    """Discards the card least likely to be the last copy."""
    best, least = -1, 2.0
    for slot in range(view.hand_size):
        if view.order[view.seat, slot] >= 0:
            likely = chance(memory, view.possible[view.seat, slot], memory.critical)
            if likely <= least:
                best, least = slot, likely
    return discard_if(view, best)


@rule("DiscardProbablyUseless", DISCARDS, source="genes 29-33", p=0.0)
def discard_probably_useless(view, memory, line):
    """Discards the card most likely to be useless, if the probability is at least p."""
    slot, likely = likeliest_slot(view, memory, memory.dead)
    return discard(view, slot) if slot >= 0 and likely >= line.args[0] else NO_MOVE


@rule("DiscardRandomly", DISCARDS, source="gene 34")
def discard_randomly(view, memory, line):
    """Discards any card, all equally likely."""
    if view.n_cards[view.seat] == 0:
        return NO_MOVE
    skip = random_below(memory, view.n_cards[view.seat])
    for slot in range(view.hand_size):
        if view.order[view.seat, slot] >= 0:
            if skip == 0:
                return discard(view, slot)
            skip -= 1
    return NO_MOVE
