"""What speaks for playing or discarding each own card, as numbers from 0 to about 1."""

import numpy as np

from tamaya.agents.learned.people.traces import N_ROLES, UNTOUCHED, chop_of
from tamaya.cards import BIT
from tamaya.compiled import hot, popcount
from tamaya.features import latest_hint, still_touched
from tamaya.knowledge.board import board_with
from tamaya.knowledge.copies import probability, take, undiscarded, unseen_by
from tamaya.knowledge.hands import slot_of_order
from tamaya.knowledge.sets import known_rank
from tamaya.moves import HINT_COLOUR, kind_of

N_PROBABILITIES = 7
N_OF_CARD = N_PROBABILITIES + 5 + 5 + 9 + 8 + N_ROLES + 1 + 4 + 3  # numbers for each own card
_LONG = 10.0  # moves after which a hint is old
_FAINT = 1e-6


@hot
def look_at_board(view):
    """Copies that the seat does not see, public copies, and the board."""
    left = undiscarded(view)
    board = board_with(view, left)
    public = take(left, board.played)
    return unseen_by(view, view.seat, public), public, board


@hot
def awaited_cards(view, seat, board):
    """Playable cards that a hinted card in another hand waits for."""
    awaited = 0
    for other in range(view.players):
        for slot in range(view.hand_size):
            card = view.card[other, slot]
            if other != seat and card >= 0 and view.told[other, slot] != 0:
                if view.firework[card // 5] == card % 5 - 1:
                    awaited |= BIT[card - 1]
    return awaited & board.playable


@hot
def write_chances(view, unseen, board, awaited, chances):
    """[slot] -> how likely an own card is playable, dead, critical, awaited; if it surely is."""
    seat = view.seat
    for slot in range(view.hand_size):
        chances[slot, :] = 0
        if view.order[seat, slot] < 0:
            continue
        possible = np.int64(view.possible[seat, slot])
        playable = probability(unseen, possible, board.playable)
        dead = probability(unseen, possible, board.dead)
        chances[slot, 0] = playable
        chances[slot, 1] = dead
        chances[slot, 2] = probability(unseen, possible, board.critical)
        chances[slot, 3] = probability(unseen, possible, awaited)
        chances[slot, 4] = playable > 1 - _FAINT
        chances[slot, 5] = playable < _FAINT
        chances[slot, 6] = dead > 1 - _FAINT


@hot
def lead(chances, slot, column):
    """By how much a slot's chance exceeds that of all others."""
    highest = np.float32(0)
    for other in range(len(chances)):
        if other != slot:
            highest = max(highest, chances[other, column])
    return chances[slot, column] - highest


@hot
def write_position(view, slot, chop, out, at):
    """Where a card is in the hand: slot; whether newest, oldest, chop, newest unhinted."""
    seat, order = view.seat, view.order[view.seat, slot]
    newest, oldest, newest_unhinted = True, True, view.told[seat, slot] == 0
    for other in range(view.hand_size):
        if other != slot and view.order[seat, other] >= 0:
            if view.order[seat, other] > order:
                newest = False
                if view.told[seat, other] == 0:
                    newest_unhinted = False
            else:
                oldest = False
    out[at + min(slot, 4)] = 1
    out[at + 5] = newest
    out[at + 6] = oldest
    out[at + 7] = slot == chop
    out[at + 8] = newest_unhinted
    return at + 9


@hot
def write_hinted(view, memory, slot, out, at):
    """What the latest hint to the seat says of a card, and how hints touched it before."""
    seat, order = view.seat, view.order[view.seat, slot]
    place = latest_hint(view, seat)
    if place >= 0:
        event = view.history[place]
        touched = np.int64(still_touched(view, seat, place))
        is_touched = (touched >> slot) & 1
        is_colour = kind_of(view, event.move) == HINT_COLOUR
        out[at] = is_touched
        out[at + 1] = is_touched and view.n_moves - place <= view.players
        out[at + 2] = memory.focus[seat] == order + 1
        out[at + 3] = memory.focus[seat] == order + 1 and view.n_moves - place <= view.players
        out[at + 4] = is_touched and is_colour
        out[at + 5] = is_touched and not is_colour
        out[at + 6] = is_touched and popcount(np.int64(event.touched)) == 1
        out[at + 7] = not is_touched and view.n_moves - place <= view.players
    at += 8
    out[at + memory.role[order]] = 1
    at += N_ROLES
    if memory.role[order] != UNTOUCHED:
        out[at] = min(1.0, (view.n_moves - memory.since[order]) / _LONG)
    return at + 1


@hot
def is_one_away(view, seat, slot):
    """Whether a card of another seat becomes playable with the next card of its colour."""
    card = view.card[seat, slot] if slot >= 0 else -1
    return card >= 0 and view.firework[card // 5] == card % 5 - 1


@hot
def n_finesses(view, memory):
    """Hints since the own last move whose focus, in another hand, waits for one more card."""
    n = 0
    for back in range(1, min(view.players, view.n_moves + 1)):
        event = view.history[view.n_moves - back]
        if event.target >= 0 and event.target != view.seat:
            slot = slot_of_order(view, event.target, memory.focus[event.target] - 1)
            n += is_one_away(view, event.target, slot)
    return n


@hot
def write_card(view, memory, slot, chances, out):
    """All numbers about an own card."""
    seat, at = view.seat, 0
    out[:] = 0
    if view.order[seat, slot] < 0:
        return
    for k in range(N_PROBABILITIES):
        out[at + k] = chances[slot, k]
    at += N_PROBABILITIES
    for column in range(2):
        ahead = lead(chances, slot, column)
        out[at] = ahead
        out[at + 1] = ahead >= 0 and chances[slot, column] > 0
        at += 2
    possible = np.int64(view.possible[seat, slot])
    out[at] = popcount(possible) / 25
    at += 1
    rank = known_rank(possible)
    if rank >= 0:
        out[at + rank] = 1
    at += 5
    chop = chop_of(view, seat)
    at = write_position(view, slot, chop, out, at)
    at = write_hinted(view, memory, slot, out, at)
    out[at] = view.told[seat, slot] & 1
    out[at + 1] = (view.told[seat, slot] >> 1) & 1
    out[at + 2] = n_finesses(view, memory)
    out[at + 3] = out[at + 2] * chances[slot, 3]
    at += 4
    n_discards, n_plays = memory.habit[seat, 0], memory.habit[seat, 1] + memory.habit[seat, 2]
    out[at] = memory.discards[slot] / (n_discards + 1)
    out[at + 1] = memory.n_chop / (n_discards + 1) if slot == chop else 0
    out[at + 2] = memory.plays[slot] / (n_plays + 1)
