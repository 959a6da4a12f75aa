"""Derived features: what a good player would derive from the canonical vector before moving.

The encoder `derived` (``tamaya.encoding``) is HLE's vector followed by this block of bits, in the
order of ``derived_lengths``. Everything is computed from what the seat legally sees:

- marks: for each card of the other seats whether it is playable, dead, critical;
- chances: for each slot of every seat, own hand first, how likely its card is playable, dead,
  critical, as thermometers. Own slots count the copies that the seat does not see, those of
  other seats only public information, a lower bound on what that seat knows;
- latest hint: for every seat the slots that the latest hint to it touched, where those cards are
  now, whether it named a colour or a rank, and how many rounds ago;
- last round: how many moves are left once the deck is empty.

Kernels accept a game or a view and never read the cards of the seat itself.
"""

import numpy as np

from tamaya.cards import BIT
from tamaya.compiled import hot
from tamaya.knowledge.board import board_with
from tamaya.knowledge.copies import n_copies, take, undiscarded, unseen_by
from tamaya.moves import HINT_COLOUR, kind_of, slot_of
from tamaya.records import MINIMAL
from tamaya.rules import Rules

VERSION = 1  # of the block; weights are only valid for the version they were trained on
LEVELS = np.array([10, 25, 40, 55, 70, 85, 100])  # per cent; the first bit stands for "above 0"
N_LEVELS = len(LEVELS) + 1
N_ROUNDS = 3  # rounds for which the age of a hint is encoded
_BELOW_SLOT = (1 << np.arange(8)) - 1  # bits of the slots below one


@hot
def write_chance(out, at, n, total):
    """The share n of total as a thermometer; returns the next position."""
    out[at] = n > 0
    for level in range(N_LEVELS - 1):
        out[at + 1 + level] = 100 * n >= LEVELS[level] * total
    return at + N_LEVELS


@hot
def encode_marks(source, seat, masks, out, at):
    """Whether each card of the other seats is playable, dead, critical."""
    for offset in range(1, source.players):
        other = (seat + offset) % source.players
        for slot in range(source.hand_size):
            card = source.card[other, slot]
            for k in range(3):
                out[at + k] = card >= 0 and masks[k] & BIT[card] != 0
            at += 3
    return at


@hot
def encode_chances(source, seat, masks, public, out, at):
    """How likely the card in each slot is playable, dead, critical; own hand first.

    ``public`` are the copies neither played nor discarded.
    """
    for offset in range(source.players):
        other = (seat + offset) % source.players
        copies = unseen_by(source, seat, public) if offset == 0 else public
        for slot in range(source.hand_size):
            possible = np.int64(source.possible[other, slot])
            if source.observation == MINIMAL:
                possible = np.int64(source.all_cards)
            total = n_copies(copies, possible)
            if source.order[other, slot] < 0 or total == 0:
                at += 3 * N_LEVELS
                continue
            for k in range(3):
                at = write_chance(out, at, n_copies(copies, possible & masks[k]), total)
    return at


@hot
def latest_hint(source, seat):
    """Index in the history of the latest hint to a seat, or -1."""
    for k in range(source.n_moves - 1, -1, -1):
        if source.history[k].target == seat:
            return k
    return -1


@hot
def still_touched(source, seat, place):
    """Slots in which a seat now holds the cards that a hint of the history touched, as bits."""
    touched = np.int64(source.history[place].touched)
    for k in range(place + 1, source.n_moves):
        event = source.history[k]
        if event.seat == seat and event.card >= 0:
            slot = slot_of(source, event.move)
            below = touched & _BELOW_SLOT[slot]
            if source.refills_in_place:
                touched = below | (touched >> (slot + 1)) << (slot + 1)
            else:
                touched = below | (touched >> (slot + 1)) << slot
    return touched


@hot
def encode_latest_hints(source, seat, out, at):
    """What is left of the latest hint to each seat, own first."""
    size = np.int64(source.hand_size)
    for offset in range(source.players):
        other = (seat + offset) % source.players
        place = latest_hint(source, other)
        if place >= 0:
            touched = still_touched(source, other, place)
            for slot in range(size):
                out[at + slot] = (touched >> slot) & 1
            is_colour = kind_of(source, source.history[place].move) == HINT_COLOUR
            out[at + size + (0 if is_colour else 1)] = 1
            rounds = (source.n_moves - 1 - place) // source.players
            if rounds < N_ROUNDS:
                out[at + size + 2 + rounds] = 1
        at += size + 2 + N_ROUNDS
    return at


@hot
def encode_derived(source, seat, out, at):
    """Write the whole block of a seat at a position; the entries must be zero."""
    left = undiscarded(source)
    board = board_with(source, left)
    masks = board.playable, board.dead, board.critical
    at = encode_marks(source, seat, masks, out, at)
    at = encode_chances(source, seat, masks, take(left, board.played), out, at)
    at = encode_latest_hints(source, seat, out, at)
    if source.deck_size == 0 and source.turns_left > 0:
        out[at + source.turns_left - 1] = 1


@hot
def active_bits(vector, places):
    """Write the indices of the set bits of a vector; returns their number."""
    n = 0
    for place in range(len(vector)):
        places[n] = place
        n += np.int64(vector[place])  # int8 would overflow with the compiler off
    return n


def derived_lengths(rules: Rules) -> list[tuple[str, int]]:
    """Names and lengths of the parts of the block, in order."""
    players, hand_size = rules.players, rules.hand_size
    chances = [(f"chances +{k}", hand_size * 3 * N_LEVELS) for k in range(players)]
    hints = [(f"latest hint +{k}", hand_size + 2 + N_ROUNDS) for k in range(players)]
    return [("marks", (players - 1) * hand_size * 3), *chances, *hints, ("last round", players)]
