"""Hats: a number that answers the questions put to a hand, and the sum that one move announces.

The hat of a hand has a digit for each answer, the first the lowest; how much room is left for the
next question depends on the answer, so that none is wasted. A message with so many values tells
every other seat its own hat, modulo that number: each subtracts the hats that it sees.
"""

import numpy as np

from tamaya.agents.wtfwthat.desk import is_one, lies_in
from tamaya.agents.wtfwthat.fixed import fixed_hat, read_fixed_hat
from tamaya.agents.wtfwthat.questions import answer_of, ask, narrow
from tamaya.cards import BIT
from tamaya.compiled import hot, popcount
from tamaya.game_kernels import holds_any
from tamaya.view import seat_at


@hot
def seat_after(view, seat, offset):
    """Absolute seat at an offset from a seat."""
    after = np.int64(seat) + offset
    return after - view.players if after >= view.players else after


@hot
def foresee(view, desk, mover, options):
    """Lay down the board on which each seat is asked: the one expected at its turn, or that of now.

    Seats in between play the oldest card that they are publicly known to hold and to be playable.
    """
    playable, dead = desk.playable, desk.dead
    for offset in range(1, view.players):
        seat = seat_after(view, mover, offset)
        desk.playable_for[seat] = playable
        desk.dead_for[seat] = dead
        if not options.project:
            continue
        card = known_play(view, desk, seat, playable)
        if card >= 0:
            playable &= ~BIT[card]
            dead |= BIT[card]
            if card % 5 + 1 < view.ranks:
                playable |= BIT[card + 1] & ~dead


@hot
def known_play(view, desk, seat, playable):
    """The oldest card that a seat is publicly known to hold and to be playable, or -1."""
    for slot in range(view.hand_size):
        mask = desk.sets[seat, slot]
        if is_one(mask) and mask & playable:
            return popcount(mask - 1)
    return -1


@hot
def take_hand(view, desk, seat):
    """Put a hand on the desk to be asked, and the board on which it is asked."""
    for slot in range(view.hand_size):
        desk.hand[slot] = desk.sets[seat, slot]
    desk.asked_playable = desk.playable_for[seat]
    desk.asked_dead = desk.dead_for[seat]


@hot
def hat_of(view, desk, seat, budget, options):
    """The hat of the hand on the desk, which its answers narrow; a number below the budget."""
    if options.version == 2018:
        return fixed_hat(view, desk, seat, budget)
    room, hat, weight = budget, 0, 1
    while room > 1:
        n = ask(view, desk, room)
        if n == 0:
            break
        answer = answer_of(view, desk, seat)
        narrow(desk, answer)
        hat += weight * answer
        weight *= n
        room = (room - answer - 1) // n + 1
    return hat


@hot
def read_hat(view, desk, hat, budget, options):
    """Narrow the hand on the desk by its hat."""
    if options.version == 2018:
        read_fixed_hat(view, desk, hat, budget)
        return
    room = budget
    while room > 1:
        n = ask(view, desk, room)
        if n == 0:
            break
        answer = hat % n
        hat //= n
        narrow(desk, answer)
        room = (room - answer - 1) // n + 1


@hot
def hat_sum(view, desk, budget, options):
    """The sum of the hats of all hands that the mover sees."""
    total = 0
    foresee(view, desk, view.seat, options)
    for offset in range(1, view.players):
        seat = seat_at(view, offset)
        take_hand(view, desk, seat)
        total += hat_of(view, desk, seat, budget, options)
    return total % budget


@hot
def read_sum(view, desk, mover, total, budget, options):
    """Narrow the sets of all seats but the mover by the sum of their hats."""
    rest = total
    foresee(view, desk, mover, options)
    viewer = np.int64(view.seat)
    for offset in range(1, view.players):
        seat = seat_after(view, mover, offset)
        if seat != viewer:
            take_hand(view, desk, seat)
            rest -= hat_of(view, desk, seat, budget, options)
            put_back(view, desk, seat)
    if viewer != mover:
        take_hand(view, desk, viewer)
        read_hat(view, desk, rest % budget, budget, options)
        put_back(view, desk, viewer)


@hot
def put_back(view, desk, seat):
    """Leave a hand as its answers narrowed it."""
    for slot in range(view.hand_size):
        desk.sets[seat, slot] = desk.hand[slot]


@hot
def has_playable(view, desk, seat):
    """Whether a seat holds a card that can be played now."""
    return holds_any(view, seat, desk.playable)


@hot
def knows_playable(view, desk, seat):
    """Whether a seat is publicly known to have a card that can be played now."""
    knows = False
    for slot in range(view.hand_size):
        knows = knows or lies_in(desk.sets[seat, slot], desk.playable)
    return knows


@hot
def exclude_playable(view, desk, mover):
    """What a discard with tokens says: nobody else needs to be told of a playable card."""
    for offset in range(1, view.players):
        seat = seat_after(view, mover, offset)
        if not knows_playable(view, desk, seat):
            for slot in range(view.hand_size):
                if desk.sets[seat, slot] & ~desk.playable:
                    desk.sets[seat, slot] &= ~desk.playable
