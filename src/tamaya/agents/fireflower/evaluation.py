"""The value of a position for this player: an expected score, transformed to favour good luck.

    raw = points + L * (danger * turns * hints * lives * clog * next loss * few hints)
          - 3 * (points of a perfect game that are out of reach)
    value = exp(raw / 2.5)

with L, the plays still possible. The exponential makes averages lean on good outcomes, which
counters the fear of discarding the very card that somebody else is about to discard.
"""

from math import exp, log

import numpy as np

from tamaya.agents.fireflower.belief_state import (
    COMMON,
    MINE,
    ORDER_BIT,
    PLAY,
    SAVE,
    order_at,
    possible,
)
from tamaya.agents.fireflower.board import is_over, lost_cards
from tamaya.agents.fireflower.budget import hints_factor
from tamaya.agents.fireflower.questions import (
    AT_ONCE,
    IN_TURN,
    ORDINARY,
    SURELY_LAST,
    expected_plays,
    next_discard,
    plays_fine,
)
from tamaya.cards import BIT, COLOUR_MASK, RANK_MASK
from tamaya.compiled import hot, popcount
from tamaya.game_kernels import SLOT_BIT
from tamaya.knowledge.copies import Copies, singles
from tamaya.knowledge.hands import seat_after
from tamaya.knowledge.sets import lowest_card

SCALE = 2.5
LOST_POINT = 3.0  # raw value of a point that is out of reach
CLOG_BY_DISTANCE = np.array([0.80, 0.80, 0.88, 0.94, 0.97, 0.99, 1.00])
ROOM = np.array([0.66, 0.88, 0.96, 0.99, 1.00])  # factor by free slots in a hand
LIVES = np.array([0.0, 0.93, 0.98, 1.0])
PERIL = 0.4  # of a seat that would lose the last life; not in the original


@hot
def bent(raw):
    """Value of a raw score."""
    return exp(raw / SCALE)


@hot
def raw_of(value):
    """Raw score of a value."""
    return SCALE * log(value)


@hot
def evaluate(state, ledger, is_careful):
    """Value of a position; for a careful player a game without lives has no points."""
    best = state.colours * state.ranks
    if is_over(state):
        points = 0 if is_careful and state.lives <= 0 else state.points
        return bent(points - LOST_POINT * (best - points))
    n_turns = turns_with_plays(state)
    n_plays = min(n_turns, obtainable(state))
    fine = fine_plays(state, ledger)
    factor = danger_factor(state)
    if n_plays > 0:
        factor *= min(n_plays, 0.8 * n_turns) / n_plays
        factor *= hints_factor(state, n_plays, fine)
    factor *= LIVES[min(state.lives, 3)]
    factor *= clog_factor(state, fine)
    factor *= next_loss_factor(state) * few_hints_factor(state)
    if is_careful and state.lives == 1:
        factor *= peril_factor(state)
    return bent(state.points + n_plays * factor - LOST_POINT * (best - state.points - n_plays))


@hot
def fine_plays(state, ledger):
    """Orders of all cards in hands that will be playable in their turn."""
    orders = np.int64(0)
    for seat in range(state.players):
        for slot in range(state.n_cards[seat]):
            order = order_at(state, seat, slot)
            if state.kind[order] == PLAY and plays_fine(state, ledger, order):
                orders |= ORDER_BIT[order]
    return orders


@hot
def has_use(state, seat):
    """Whether a seat may hold a useful card."""
    for slot in range(state.n_cards[seat]):
        if possible(state, MINE, order_at(state, seat, slot)) & ~state.trash != 0:
            return True
    return False


@hot
def turns_with_plays(state):
    """Turns left in which somebody may play."""
    n = 0
    if state.final < 0:
        for seat in range(state.players):
            if has_use(state, seat):
                n += 1
        return n + state.deck_size
    seat = state.mover
    for _ in range(state.final):
        if has_use(state, seat):
            n += 1
        seat = seat_after(state, seat)
    return n


@hot
def obtainable(state):
    """Cards that can still be played, given the copies left."""
    lost = lost_cards(state)
    rest = state.all_cards & ~state.played
    n = popcount(rest)
    if lost != 0:
        for colour in range(state.colours):
            blocked = lost & COLOUR_MASK[colour]
            if blocked != 0:
                n -= popcount(rest & COLOUR_MASK[colour] & ~((blocked & -blocked) - 1))
    return n


@hot
def danger_factor(state):
    """Penalty for last copies that are still in the deck or in this player's hand."""
    ones, twos = state.unseen_ones, state.unseen_twos
    last = state.danger & singles(Copies(ones, twos))
    thinned = state.triples & state.twos & ~state.ones & twos & ~ones & ~state.played
    worry = 0.0
    for rank in range(state.ranks):
        gap = state.ranks - 1 - rank
        weight = gap + 0.1 * gap * gap
        worry += weight * popcount(last & RANK_MASK[rank])
        worry += 0.6 * weight * popcount(thinned & RANK_MASK[rank])
    return max(0.0, 1.0 - worry / 200.0)


@hot
def distance(state, card):
    """Steps from a card to being playable; cards in danger on the way count double."""
    colour = card // 5
    on_the_way = state.danger & COLOUR_MASK[colour] & (BIT[card] - 1)
    return card % 5 - state.firework[colour] + popcount(on_the_way)


@hot
def clog_of(state, order, fine):
    """How much of a slot a card blocks."""
    kind = state.kind[order]
    card = np.int64(state.known[order])
    far = np.int64(0)
    if card >= 0:
        bit = BIT[card]
        if bit & state.playable != 0 or fine & ORDER_BIT[order] != 0:
            return 0.0
        if bit & state.danger == 0 and kind != SAVE and kind != PLAY:
            return 0.0
        far = distance(state, card)
    else:
        mask = possible(state, MINE, order)
        if kind == PLAY or mask & ~state.playable == 0 or mask & ~state.trash == 0:
            return 0.0
        if mask & ~state.danger != 0 and kind != SAVE:
            return 0.0
        while mask != 0:
            far = max(far, distance(state, lowest_card(mask)))
            mask &= mask - 1
    return CLOG_BY_DISTANCE[min(max(far, 0), 6)]


@hot
def clog_factor(state, fine):
    """Free space in the hands."""
    factor = 1.0
    for seat in range(state.players):
        room = float(state.hand_size)
        for slot in range(state.n_cards[seat]):
            room -= clog_of(state, order_at(state, seat, slot), fine)
        if room < 4.0:
            whole = int(max(room, 0.0))
            factor *= ROOM[whole] + (ROOM[whole + 1] - ROOM[whole]) * (room - whole)
    return factor


@hot
def will_misplay(state, seat):
    """Number of a seat's expected plays if one of them would be a disaster, otherwise 0."""
    plays = expected_plays(state, seat, COMMON, AT_ONCE)
    is_bad = False
    for slot in range(state.n_cards[seat]):
        if plays & SLOT_BIT[slot] != 0:
            mask = possible(state, MINE, order_at(state, seat, slot))
            if mask & state.playable == 0 and (state.lives <= 1 or mask & ~state.danger == 0):
                is_bad = True
    return popcount(plays) if is_bad else 0


@hot
def will_lose_card(state, seat, least):
    """Whether a seat would unknowingly discard the last copy of a card, of at least a grade."""
    slot, grade = next_discard(state, seat, COMMON)
    order = order_at(state, seat, slot)
    return (
        grade >= least
        and state.kind[order] != SAVE
        and possible(state, MINE, order) & ~state.danger == 0
    )


@hot
def next_loss_factor(state):
    """Penalty for what the next player is about to lose, with at most one token to prevent it."""
    seat = state.mover
    if seat == state.seat or state.tokens > 1:
        return 1.0
    loss = 0.20 if state.tokens <= 0 else 0.10
    factor = 1.0
    if (
        state.n_discards < state.max_discards
        and state.tokens < state.max_tokens
        and will_lose_card(state, seat, ORDINARY)
        and expected_plays(state, seat, MINE, AT_ONCE) == 0
    ):
        factor -= loss
    n_plays = will_misplay(state, seat)
    if n_plays > 0:
        factor *= 1.0 - loss / n_plays
    return factor


@hot
def peril_factor(state):
    """A careful player's penalty for any other seat that is about to lose the last life."""
    factor = 1.0
    for seat in range(state.players):
        if seat != state.seat and will_misplay(state, seat) > 0:
            factor *= PERIL
    return factor


@hot
def few_hints_factor(state):
    """Penalty for what the player after the next is about to lose, without tokens."""
    if state.tokens > 0:
        return 1.0
    seat = seat_after(state, state.mover)
    factor = 1.0
    if seat != state.seat:
        if (
            state.n_discards < state.max_discards
            and will_lose_card(state, seat, SURELY_LAST)
            and expected_plays(state, seat, COMMON, IN_TURN) == 0
        ):
            factor = 0.85
        n_plays = will_misplay(state, seat)
        if n_plays > 0:
            factor *= 1.0 - 0.15 / n_plays
    if factor == 1.0 and state.players != 3:
        return 0.98
    return factor
