"""How good a position is, for this player: an expected score, bent so that averages favour luck.

    raw = points + L * (danger * turns * hints * lives * clog * next loss * few hints)
          - 3 * (points of a perfect game that are out of reach)
    value = exp(raw / 2.5)

with L, the plays still possible. The exponential makes averages lean on good outcomes, which
counters the fear of discarding the very card that somebody else is about to discard.
"""

from math import exp, log

import numpy as np

from tamaya.agents.fireflower.board import is_over, lost_cards
from tamaya.agents.fireflower.budget import hints_factor
from tamaya.agents.fireflower.mind import (
    COMMON,
    MINE,
    ORDER_BIT,
    PLAY,
    SAVE,
    order_at,
    possible,
    seat_after,
)
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

SCALE = 2.5
LOST_POINT = 3.0  # raw value of a point that is out of reach
CLOG_BY_DISTANCE = np.array([0.80, 0.80, 0.88, 0.94, 0.97, 0.99, 1.00])
ROOM = np.array([0.66, 0.88, 0.96, 0.99, 1.00])  # factor by free places in a hand
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
def evaluate(mind, ledger, is_careful):
    """Value of a position; for a careful player a game without lives has no points."""
    best = mind.colours * mind.ranks
    if is_over(mind):
        points = 0 if is_careful and mind.lives <= 0 else mind.points
        return bent(points - LOST_POINT * (best - points))
    n_turns = turns_with_plays(mind)
    n_plays = min(n_turns, obtainable(mind))
    fine = fine_plays(mind, ledger)
    factor = danger_factor(mind)
    if n_plays > 0:
        factor *= min(n_plays, 0.8 * n_turns) / n_plays
        factor *= hints_factor(mind, n_plays, fine)
    factor *= LIVES[min(mind.lives, 3)]
    factor *= clog_factor(mind, fine)
    factor *= next_loss_factor(mind) * few_hints_factor(mind)
    if is_careful and mind.lives == 1:
        factor *= peril_factor(mind)
    return bent(mind.points + n_plays * factor - LOST_POINT * (best - mind.points - n_plays))


@hot
def fine_plays(mind, ledger):
    """Orders of all cards in hands that will be playable in their turn."""
    orders = np.int64(0)
    for seat in range(mind.players):
        for slot in range(mind.n_cards[seat]):
            order = order_at(mind, seat, slot)
            if mind.kind[order] == PLAY and plays_fine(mind, ledger, order):
                orders |= ORDER_BIT[order]
    return orders


@hot
def has_use(mind, seat):
    """Whether a seat may hold a useful card."""
    for slot in range(mind.n_cards[seat]):
        if possible(mind, MINE, order_at(mind, seat, slot)) & ~mind.trash != 0:
            return True
    return False


@hot
def turns_with_plays(mind):
    """Turns left in which somebody may play."""
    n = 0
    if mind.final < 0:
        for seat in range(mind.players):
            if has_use(mind, seat):
                n += 1
        return n + mind.deck_size
    seat = mind.mover
    for _ in range(mind.final):
        if has_use(mind, seat):
            n += 1
        seat = seat_after(mind, seat)
    return n


@hot
def obtainable(mind):
    """Cards that can still be played, by the copies that are left."""
    lost = lost_cards(mind)
    rest = mind.all_cards & ~mind.played
    n = popcount(rest)
    if lost != 0:
        for colour in range(mind.colours):
            blocked = lost & COLOUR_MASK[colour]
            if blocked != 0:
                n -= popcount(rest & COLOUR_MASK[colour] & ~((blocked & -blocked) - 1))
    return n


@hot
def danger_factor(mind):
    """Fear for last copies that are still in the deck or in the own hand."""
    ones, twos = mind.unseen_ones, mind.unseen_twos
    last = mind.danger & ones & ~twos
    thinned = mind.triples & mind.twos & ~mind.ones & twos & ~ones & ~mind.played
    worry = 0.0
    for rank in range(mind.ranks):
        gap = mind.ranks - 1 - rank
        weight = gap + 0.1 * gap * gap
        worry += weight * popcount(last & RANK_MASK[rank])
        worry += 0.6 * weight * popcount(thinned & RANK_MASK[rank])
    return max(0.0, 1.0 - worry / 200.0)


@hot
def distance(mind, card):
    """Steps from a card to being playable; cards in danger on the way count double."""
    colour = card // 5
    on_the_way = mind.danger & COLOUR_MASK[colour] & (BIT[card] - 1)
    return card % 5 - mind.firework[colour] + popcount(on_the_way)


@hot
def clog_of(mind, order, fine):
    """How much of a place in the hand a card blocks."""
    kind = mind.kind[order]
    card = np.int64(mind.known[order])
    far = np.int64(0)
    if card >= 0:
        bit = BIT[card]
        if bit & mind.playable != 0 or fine & ORDER_BIT[order] != 0:
            return 0.0
        if bit & mind.danger == 0 and kind != SAVE and kind != PLAY:
            return 0.0
        far = distance(mind, card)
    else:
        mask = possible(mind, MINE, order)
        if kind == PLAY or mask & ~mind.playable == 0 or mask & ~mind.trash == 0:
            return 0.0
        if mask & ~mind.danger != 0 and kind != SAVE:
            return 0.0
        while mask != 0:
            far = max(far, distance(mind, popcount((mask & -mask) - 1)))
            mask &= mask - 1
    return CLOG_BY_DISTANCE[min(max(far, 0), 6)]


@hot
def clog_factor(mind, fine):
    """Room left in the hands."""
    factor = 1.0
    for seat in range(mind.players):
        room = float(mind.hand_size)
        for slot in range(mind.n_cards[seat]):
            room -= clog_of(mind, order_at(mind, seat, slot), fine)
        if room < 4.0:
            whole = int(max(room, 0.0))
            factor *= ROOM[whole] + (ROOM[whole + 1] - ROOM[whole]) * (room - whole)
    return factor


@hot
def will_misplay(mind, seat):
    """Whether a seat is expected to play what costs the game: 0, or the number of its plays."""
    plays = expected_plays(mind, seat, COMMON, AT_ONCE)
    is_bad = False
    for slot in range(mind.n_cards[seat]):
        if plays & SLOT_BIT[slot] != 0:
            mask = possible(mind, MINE, order_at(mind, seat, slot))
            if mask & mind.playable == 0 and (mind.lives <= 1 or mask & ~mind.danger == 0):
                is_bad = True
    return popcount(plays) if is_bad else 0


@hot
def will_lose_card(mind, seat, least):
    """Whether a seat would discard the last copy of a card unawares, by a grade at least."""
    slot, grade = next_discard(mind, seat, COMMON)
    order = order_at(mind, seat, slot)
    return (
        grade >= least
        and mind.kind[order] != SAVE
        and possible(mind, MINE, order) & ~mind.danger == 0
    )


@hot
def next_loss_factor(mind):
    """Fear of what the next player is about to do, with at most one token to prevent it."""
    seat = mind.mover
    if seat == mind.seat or mind.tokens > 1:
        return 1.0
    loss = 0.20 if mind.tokens <= 0 else 0.10
    factor = 1.0
    if (
        mind.n_discards < mind.max_discards
        and mind.tokens < mind.max_tokens
        and will_lose_card(mind, seat, ORDINARY)
        and expected_plays(mind, seat, MINE, AT_ONCE) == 0
    ):
        factor -= loss
    n_plays = will_misplay(mind, seat)
    if n_plays > 0:
        factor *= 1.0 - loss / n_plays
    return factor


@hot
def peril_factor(mind):
    """A careful player's fear of any other seat that is about to lose the last life."""
    factor = 1.0
    for seat in range(mind.players):
        if seat != mind.seat and will_misplay(mind, seat) > 0:
            factor *= PERIL
    return factor


@hot
def few_hints_factor(mind):
    """Fear of what the player after the next is about to do, without tokens."""
    if mind.tokens > 0:
        return 1.0
    seat = seat_after(mind, mind.mover)
    factor = 1.0
    if seat != mind.seat:
        if (
            mind.n_discards < mind.max_discards
            and will_lose_card(mind, seat, SURELY_LAST)
            and expected_plays(mind, seat, COMMON, IN_TURN) == 0
        ):
            factor = 0.85
        n_plays = will_misplay(mind, seat)
        if n_plays > 0:
            factor *= 1.0 - 0.15 / n_plays
    if factor == 1.0 and mind.players != 3:
        return 0.98
    return factor
