"""What is the same for all moves of a turn: tokens, the latest moves, all hands, habits."""

import numpy as np

from tamaya.agents.learned.people.traces import N_HABITS, chop_of, habit_of
from tamaya.cards import BIT
from tamaya.compiled import hot, popcount
from tamaya.features import latest_hint, still_touched
from tamaya.knowledge.copies import probability
from tamaya.knowledge.hands import seat_from
from tamaya.knowledge.sets import is_subset

N_BACK = 4  # latest moves that are described
_N_SLOTS = 5
_N_OF_MOVE = N_HABITS + 3 + _N_SLOTS
_N_OF_OTHER_CARD = 7
_N_OF_OTHER = _N_SLOTS * _N_OF_OTHER_CARD + 6
_N_OF_OWN_CARD = 7
_N_TABLE = 9 + 4 + 4 + 6 + 2


def context_length(players: int) -> int:
    """How many numbers describe a turn, for some number of players."""
    own = _N_SLOTS * _N_OF_OWN_CARD + 6
    habits = players * (N_HABITS + 1) + 2
    return _N_TABLE + N_BACK * _N_OF_MOVE + own + (players - 1) * _N_OF_OTHER + habits


@hot
def write_table(view, out, at):
    """Tokens, lives, deck, fireworks."""
    out[at + min(8, view.tokens)] = 1
    out[at + 9 + min(3, view.lives)] = 1
    at += 13
    out[at] = view.deck_size / view.n_all
    out[at + 1] = view.deck_size == 0
    out[at + 2] = view.deck_size <= view.players * 2
    out[at + 3] = view.turns_left / view.players if view.deck_size == 0 else 1
    at += 4
    for colour in range(view.colours):
        out[at + view.firework[colour]] += 0.2
    at += 6
    out[at] = view.points / 25
    out[at + 1] = min(1.0, view.n_moves / 60)
    return at + 2


@hot
def write_latest(view, out, at):
    """The latest moves: kind, cards touched, for whom."""
    for back in range(1, N_BACK + 1):
        if back <= view.n_moves:
            event = view.history[view.n_moves - back]
            out[at + habit_of(view, event)] = 1
            if event.target >= 0:
                out[at + N_HABITS] = event.target == view.seat
                out[at + N_HABITS + 1] = 0.2 * popcount(np.int64(event.touched))
                out[at + N_HABITS + 2] = event.newly == 0
                for slot in range(_N_SLOTS):
                    out[at + N_HABITS + 3 + slot] = (np.int64(event.touched) >> slot) & 1
        at += _N_OF_MOVE
    return at


@hot
def write_own_hand(view, chances, out, at):
    """The own slots side by side, then the best of them."""
    seat, sums = view.seat, at + _N_SLOTS * _N_OF_OWN_CARD
    place = latest_hint(view, seat)
    touched = np.int64(still_touched(view, seat, place)) if place >= 0 else 0
    for slot in range(min(view.hand_size, _N_SLOTS)):
        if view.order[seat, slot] >= 0:
            told = np.int64(view.told[seat, slot])
            out[at] = chances[slot, 0]
            out[at + 1] = chances[slot, 1]
            out[at + 2] = chances[slot, 2]
            out[at + 3] = told & 1
            out[at + 4] = (told >> 1) & 1
            out[at + 5] = (touched >> slot) & 1
            out[at + 6] = chances[slot, 3]
            out[sums] = max(out[sums], chances[slot, 0])
            out[sums + 1] = max(out[sums + 1], chances[slot, 1])
            out[sums + 2] += chances[slot, 4]
            out[sums + 3] += chances[slot, 6]
            out[sums + 4] += 0.2 * (told == 0)
        at += _N_OF_OWN_CARD
    out[sums + 5] = (view.n_moves - place) / view.players / 5 if place >= 0 else 1
    out[sums + 5] = min(np.float32(1), out[sums + 5])
    return sums + 6


@hot
def write_other_hand(view, seat, public, board, out, at):
    """The slots of another seat side by side, then what it needs."""
    sums = at + _N_SLOTS * _N_OF_OTHER_CARD
    for slot in range(min(view.hand_size, _N_SLOTS)):
        card = np.int64(view.card[seat, slot])
        if card >= 0:
            bit, possible = BIT[card], np.int64(view.possible[seat, slot])
            told = np.int64(view.told[seat, slot])
            out[at] = (bit & board.playable) != 0
            out[at + 1] = (bit & board.dead) != 0
            out[at + 2] = (bit & board.critical) != 0
            out[at + 3] = told & 1
            out[at + 4] = (told >> 1) & 1
            out[at + 5] = 0.2 * (card % 5 + 1)
            out[at + 6] = probability(public, possible, board.playable)
            out[sums] += out[at]
            out[sums + 1] += is_subset(possible, board.playable)
            out[sums + 2] += is_subset(possible, board.dead)
            if out[at] > 0:
                out[sums + 3] = max(out[sums + 3], out[at + 6])
        at += _N_OF_OTHER_CARD
    chop = chop_of(view, seat)
    if chop >= 0:
        bit = BIT[view.card[seat, chop]]
        out[sums + 4] = (bit & board.critical) != 0
        out[sums + 5] = (bit & board.dead) != 0
    return sums + 6


@hot
def write_habits(view, memory, out, at):
    """How often each player made each kind of move, own first, smoothed by one round of each."""
    for offset in range(view.players):
        seat, total = seat_from(view, view.seat, offset), 0
        for habit in range(N_HABITS):
            total += memory.habit[seat, habit]
        for habit in range(N_HABITS):
            out[at + habit] = (memory.habit[seat, habit] + 1) / (total + N_HABITS)
        out[at + N_HABITS] = min(1.0, total / 20)
        at += N_HABITS + 1
    n_discards = np.int64(memory.habit[view.seat, 0])
    out[at] = (memory.n_chop + 1) / (n_discards + 2)
    out[at + 1] = (memory.discards[0] + 1) / (n_discards + 2)
    return at + 2


@hot
def write_context(view, memory, chances, public, board, out):
    """All numbers about a turn."""
    out[:] = 0
    at = write_table(view, out, np.int64(0))
    at = write_latest(view, out, at)
    at = write_own_hand(view, chances, out, at)
    for offset in range(1, view.players):
        at = write_other_hand(view, seat_from(view, view.seat, offset), public, board, out, at)
    write_habits(view, memory, out, at)
