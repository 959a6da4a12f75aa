"""The facts of a position that features of moves read, computed once per decision."""

import numpy as np

from tamaya.adapt.hints import NEWEST, NO_HINT, TOLD
from tamaya.cards import BIT
from tamaya.compiled import hot
from tamaya.knowledge.board import board_now, public_copies
from tamaya.knowledge.copies import probability, unseen_by
from tamaya.knowledge.hands import seat_at
from tamaya.records import record
from tamaya.rules import MAX_HAND, MAX_PLAYERS

SURE = 0.999

FACTS = record([
    ("playable", np.int64), ("dead", np.int64), ("critical", np.int64),  # masks of cards
    # The mover's own hand, by slot.
    ("play", np.float64, MAX_HAND), ("waste", np.float64, MAX_HAND), ("loss", np.float64, MAX_HAND),
    ("likeliest", np.int64),   # slots: most likely playable, dead, least likely critical, and most
    ("deadest", np.int64), ("safest", np.int64), ("hinted", np.int64),  # playable of those hinted
    ("chop", np.int64), ("oldest", np.int64), ("newest", np.int64),
    ("has_sure", np.int64), ("has_hinted", np.int64),
    ("needs_hint", np.int64),  # somebody holds a playable card that no hint has touched
    ("in_danger", np.int64),   # somebody's chop is critical
    # The other hands, by offset.
    ("ones", np.int64, MAX_PLAYERS), ("twos", np.int64, MAX_PLAYERS),  # copies its seat cannot see
    ("knows", np.float64, (MAX_PLAYERS, MAX_HAND)),  # chance to be playable, to its holder
    ("their_chop", np.int64, MAX_PLAYERS), ("their_newest", np.int64, MAX_PLAYERS),
    ("their_oldest", np.int64, MAX_PLAYERS),
    ("is_busy", np.int64, MAX_PLAYERS), ("is_promised", np.int64, MAX_PLAYERS),
])  # fmt: skip


@hot
def find_facts(view, hints, facts):
    """Compute all facts of the position of a view."""
    board, public = board_now(view), public_copies(view)
    facts.playable, facts.dead, facts.critical = board.playable, board.dead, board.critical
    own_hand(view, hints, board, unseen_by(view, view.seat, public), facts)
    facts.needs_hint, facts.in_danger = 0, 0
    for offset in range(1, view.players):
        seat = seat_at(view, offset)
        copies = unseen_by(view, seat, public)
        facts.ones[offset], facts.twos[offset] = copies.ones, copies.twos
        other_hand(view, hints, board, copies, offset, facts)


@hot
def own_hand(view, hints, board, copies, facts):
    """The facts of the mover's own hand."""
    me = np.int64(view.seat)
    facts.likeliest, facts.deadest, facts.safest, facts.hinted = -1, -1, -1, -1
    facts.chop, facts.oldest, facts.newest, facts.has_sure, facts.has_hinted = -1, -1, -1, 0, 0
    was_told = hints.kind[me] != NO_HINT
    for slot in range(view.hand_size):
        facts.play[slot], facts.waste[slot], facts.loss[slot] = 0.0, 0.0, 0.0
        order = view.order[me, slot]
        if order < 0:
            continue
        possible = np.int64(view.possible[me, slot])
        play = probability(copies, possible, board.playable)
        waste = probability(copies, possible, board.dead)
        loss = probability(copies, possible, board.critical)
        facts.play[slot], facts.waste[slot], facts.loss[slot] = play, waste, loss
        if facts.likeliest < 0 or play > facts.play[facts.likeliest]:
            facts.likeliest = slot
        if facts.deadest < 0 or waste > facts.waste[facts.deadest]:
            facts.deadest = slot
        if facts.safest < 0 or loss < facts.loss[facts.safest]:
            facts.safest = slot
        if play > SURE:
            facts.has_sure = 1
        if was_told and hints.touched[me] >> slot & 1:
            if play > 0:
                facts.has_hinted = 1
            if facts.hinted < 0 or play > facts.play[facts.hinted]:
                facts.hinted = slot
        if facts.chop < 0 and not hints.marks[order] & TOLD:
            facts.chop = slot
        if facts.oldest < 0:
            facts.oldest = slot
        facts.newest = slot


@hot
def other_hand(view, hints, board, copies, offset, facts):
    """The facts of the hand of the seat at an offset."""
    seat = seat_at(view, offset)
    facts.their_chop[offset], facts.their_newest[offset], facts.their_oldest[offset] = -1, -1, -1
    facts.is_busy[offset], facts.is_promised[offset] = 0, 0
    for slot in range(view.hand_size):
        facts.knows[offset, slot] = 0.0
        order = view.order[seat, slot]
        if order < 0:
            continue
        bit = BIT[view.card[seat, slot]]
        knows = probability(copies, np.int64(view.possible[seat, slot]), board.playable)
        facts.knows[offset, slot] = knows
        if knows > SURE:
            facts.is_busy[offset] = 1
        marks = hints.marks[order]
        if marks & NEWEST and bit & board.playable:
            facts.is_promised[offset] = 1
        if not marks & TOLD:
            if facts.their_chop[offset] < 0:
                facts.their_chop[offset] = slot
                if bit & board.critical:
                    facts.in_danger = 1
            if bit & board.playable:
                facts.needs_hint = 1
        if facts.their_oldest[offset] < 0:
            facts.their_oldest[offset] = slot
        facts.their_newest[offset] = slot
