"""Information players: each hint tells every other seat something about the card it needs most.

Everybody keeps the same table of what each card can be. For each seat, a hint is about the
unrecognised card most likely to be playable: the hat is the number of the class to which the true
card belongs, in a partition of what it can be. The literal content of the hint counts as well.

In order: play the oldest card that is surely playable; discard a dead one if it is early; hint;
without tokens discard a dead card, one that is also recognised elsewhere, one that is not critical,
one that is not recognised, the oldest.

``cox-information`` is the strategy of Cox and others (2015) for five players, as their program
HanSim plays it: early means fewer than ``early`` discards. ``hat-information`` is Bouzy's version
(2017) for any number of players and cards, with empty hints. ``plain=true`` follows his text: the
hat is the card itself, 25 numbers (modulo 10 or 20 with two or three players), and it is never
early. The default uses Cox's partition, with as many classes as there are hints; early means that
the deck has more cards than there are points to come; and unreachable cards count as dead. The
agent ``information`` is unrelated: see ``tamaya.agents.wtfwthat.information``.
"""

from typing import NamedTuple

import numpy as np

from tamaya.agent import agent
from tamaya.agents.hat.classes import (
    BY_RANK,
    class_members,
    class_of,
    recognised_own,
    target_slot,
)
from tamaya.agents.hat.code import announce, announced, first_card, n_messages, names_rank, receiver
from tamaya.cards import BIT, cards_text
from tamaya.compiled import hot
from tamaya.knowledge.board import board_with, n_discarded, n_to_come
from tamaya.knowledge.copies import Copies, cards_in, singles, take, undiscarded, unseen_by
from tamaya.knowledge.hand_beliefs import beliefs_by_table
from tamaya.knowledge.hands import seat_at
from tamaya.knowledge.literal import lawful
from tamaya.knowledge.sets import is_one, is_subset, known_colour, known_rank
from tamaya.knowledge.tables import (
    TABLE,
    close_table,
    exclude_by_words,
    public_set,
    unrecognised,
)
from tamaya.moves import NO_MOVE, discard, play

COX, PLAIN, BY_DECK = 0, 1, 2
MEMORY = [TABLE]


class Facts(NamedTuple):
    """The facts about the board that the strategies use."""

    playable: int
    dead: int  # for Cox and in Bouzy's text only the played cards
    public: Copies  # neither played nor discarded


@hot
def table_facts(view, style):
    """The facts about a position for one of the strategies."""
    left = undiscarded(view)
    board = board_with(view, left)
    dead = board.dead if style == BY_DECK else board.played
    return Facts(board.playable, dead, take(left, board.played))


@hot
def n_hats(view, style):
    """How many different hats a hand can have."""
    return min(25, n_messages(view)) if style == PLAIN else n_messages(view)


@hot
def hat_of(view, memory, seat, slot, style, dead):
    """The number that stands for the card in a slot of another seat."""
    card = view.card[seat, slot]
    if card < 0:  # an empty slot, in the last round
        return 0
    if style == PLAIN:
        return (5 * (card % 5) + card // 5) % n_hats(view, style)
    return class_of(card, public_set(view, memory, seat, slot), dead, n_hats(view, style))


@hot
def apply_hat(view, memory, seat, slot, hat, style, dead):
    """Exclude what the hat of a card excludes."""
    order = view.order[seat, slot]
    if order < 0:
        return
    members = 0
    if style == PLAIN:
        for number in range(hat, 25, n_hats(view, style)):
            members |= BIT[BY_RANK[number]]
    else:
        mask = public_set(view, memory, seat, slot)
        members = class_members(hat, mask, dead, n_hats(view, style))
    memory.excluded[order] |= ~members


@hot
def note_move(view, event, memory, style):
    """Update the table after a move."""
    playable, dead, public = table_facts(view, style)
    if event.card < 0:
        # Targets follow from the table before the hint; each depends only on its own hand.
        copies = unrecognised(view, memory, public)
        rest = announced(view, event.move)
        for seat in range(view.players):
            if seat != event.seat and seat != view.seat:
                slot = target_slot(view, memory, seat, playable, copies)
                hat = hat_of(view, memory, seat, slot, style, dead)
                apply_hat(view, memory, seat, slot, hat, style, dead)
                rest -= hat
        if view.seat != event.seat:
            slot = target_slot(view, memory, view.seat, playable, copies)
            hat = rest % n_hats(view, style)
            apply_hat(view, memory, view.seat, slot, hat, style, dead)
        exclude_by_words(view, event, memory)
    close_table(view, memory, public, False)


@hot
def hint_of_sum(view, memory, style, facts):
    """The hint that announces the sum of the other seats' hats.

    If the value is free, it is that of the newest card whose value is not publicly known.
    """
    copies = unrecognised(view, memory, facts.public)
    total = 0
    for offset in range(1, view.players):
        seat = seat_at(view, offset)
        slot = target_slot(view, memory, seat, facts.playable, copies)
        total += hat_of(view, memory, seat, slot, style, facts.dead)
    number = total % n_hats(view, style)
    if view.empty_hints:
        return announce(view, number, 0)
    seat = seat_at(view, receiver(view, number))
    named = first_card(view, seat)
    for slot in range(view.hand_size):
        mask = public_set(view, memory, seat, slot)
        known = known_rank(mask) if names_rank(view, number) else known_colour(mask)
        if mask and known < 0:
            named = view.card[seat, slot]
    return lawful(view, announce(view, number, named))


@hot
def sure_play(view, memory, facts):
    """Play of the oldest card that the viewer knows to be playable, or NO_MOVE."""
    unseen = unseen_by(view, view.seat, facts.public)
    found, copies = recognised_own(view, memory, unseen)
    for slot in range(view.hand_size):
        card = found >> (6 * slot) & 63
        if card:
            mask = BIT[card - 1]
        else:
            mask = public_set(view, memory, view.seat, slot) & cards_in(copies)
        if is_subset(mask, facts.playable):
            return play(view, slot)
    return NO_MOVE


@hot
def dead_discard(view, memory, dead):
    """Discard of the oldest own card that everybody knows to be dead, or NO_MOVE."""
    for slot in range(view.hand_size):
        mask = public_set(view, memory, view.seat, slot)
        if mask != 0 and mask & ~dead == 0:
            return discard(view, slot)
    return NO_MOVE


@hot
def live_discard(view, memory, facts):
    """Discard when no card is known to be dead."""
    once, twice = 0, 0
    for seat in range(view.players):
        for slot in range(view.hand_size):
            mask = public_set(view, memory, seat, slot)
            if is_one(mask):
                twice |= mask & once
                once |= mask
    critical = singles(facts.public)
    spare, unknown = -1, -1
    for slot in range(view.hand_size - 1, -1, -1):
        mask = public_set(view, memory, view.seat, slot)
        if mask == 0:
            continue
        if not is_one(mask):
            unknown = slot
        elif not mask & critical:
            spare = slot
    for slot in range(view.hand_size):
        mask = public_set(view, memory, view.seat, slot)
        if is_one(mask) and mask & twice:
            return discard(view, slot)
    return discard(view, max(unknown, 0) if spare < 0 else spare)


@hot
def information_move(view, memory, style, early):
    """The move of the information strategies."""
    facts = table_facts(view, style)
    move = sure_play(view, memory, facts)
    if move != NO_MOVE:
        return move
    move = dead_discard(view, memory, facts.dead)
    if view.tokens > 0:
        if style == BY_DECK:
            is_early = view.deck_size > n_to_come(view, facts.dead)
        else:
            is_early = n_discarded(view) < early
        may_discard = view.tokens < view.max_tokens or view.discard_at_full
        if move == NO_MOVE or not is_early or not may_discard:
            return hint_of_sum(view, memory, style, facts)
    if move == NO_MOVE:
        move = live_discard(view, memory, facts)
    return lawful(view, move)


@agent(
    "cox-information",
    memory=MEMORY,
    shared=True,
    players="5",
    params={"early": 5},
    source="Cox et al. 2015",
)
def cox_information(view, memory, params):
    """Each hint tells every player which class their likeliest playable card belongs to."""
    return information_move(view, memory, COX, params.early)


@cox_information.observe
def note_for_information(view, event, memory, params):
    """Decode hints, count cards."""
    note_move(view, event, memory, COX)


@agent(
    "hat-information",
    memory=MEMORY,
    shared=True,
    params={"plain": False},
    source="Bouzy 2017",
    made_for={"empty_hints": True},
)
def hat_information(view, memory, params):
    """With empty hints: each tells every player what their likeliest playable card is."""
    return information_move(view, memory, PLAIN if params.plain else BY_DECK, 0)


@hat_information.observe
def note_for_hat_information(view, event, memory, params):
    """Decode hints, count cards."""
    note_move(view, event, memory, PLAIN if params.plain else BY_DECK)


@cox_information.explain
def explain_information(view, memory, params):
    """What everybody knows about my cards, and which card of each seat a hint is about."""
    return table_rows(view, memory, COX)


@hat_information.explain
def explain_hat_information(view, memory, params):
    """What everybody knows about my cards, and which card of each seat a hint is about."""
    return table_rows(view, memory, PLAIN if params.plain else BY_DECK)


cox_information.believe(beliefs_by_table)
hat_information.believe(beliefs_by_table)


def table_rows(view: np.record, memory: np.record, style: int) -> list[tuple[str, str]]:
    """Rows on the public table and on the next hint."""
    playable, _, public = table_facts(view, style)
    rows = [
        (f"slot {slot} is publicly", cards_text(int(public_set(view, memory, view.seat, slot))))
        for slot in range(view.hand_size)
        if view.order[view.seat, slot] >= 0
    ]
    copies = unrecognised(view, memory, public)
    for offset in range(1, view.players):
        seat = seat_at(view, offset)
        slot = target_slot(view, memory, seat, playable, copies)
        shown = cards_text(int(public_set(view, memory, seat, slot)))
        rows.append((f"a hint would speak to seat {seat} about slot {slot}", shown))
    return rows
