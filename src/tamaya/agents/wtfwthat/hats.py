"""Hats: a number that answers the questions put to a hand, and the sum that one move announces.

The hat of a hand has a digit for each answer, the first the lowest; how much room is left for the
next question depends on the answer, so none is wasted. A message with n values tells every other
seat its own hat modulo n: each subtracts the hats that it sees.
"""

import numpy as np

from tamaya.agents.wtfwthat.fixed import fixed_hat, read_fixed_hat
from tamaya.agents.wtfwthat.questions import answer_of, ask, narrow
from tamaya.cards import BIT
from tamaya.compiled import hot
from tamaya.game_kernels import holds_any
from tamaya.knowledge.hands import seat_at, seat_from
from tamaya.knowledge.sets import is_one, is_subset, lowest_card


@hot
def foresee(view, state, mover, options):
    """Fill the board for the questions to each seat: as expected at its turn, or as it is now.

    Seats in between play the oldest card that they are publicly known to hold and to be playable.
    """
    playable, dead = state.playable, state.dead
    for offset in range(1, view.players):
        seat = seat_from(view, mover, offset)
        state.playable_for[seat] = playable
        state.dead_for[seat] = dead
        if not options.project:
            continue
        card = known_play(view, state, seat, playable)
        if card >= 0:
            playable &= ~BIT[card]
            dead |= BIT[card]
            if card % 5 + 1 < view.ranks:
                playable |= BIT[card + 1] & ~dead


@hot
def known_play(view, state, seat, playable):
    """The oldest card that a seat is publicly known to hold and to be playable, or -1."""
    for slot in range(view.hand_size):
        mask = state.sets[seat, slot]
        if is_one(mask) and mask & playable:
            return lowest_card(mask)
    return -1


@hot
def take_hand(view, state, seat):
    """Set the hand to be asked, and the board for its questions."""
    for slot in range(view.hand_size):
        state.hand[slot] = state.sets[seat, slot]
    state.asked_playable = state.playable_for[seat]
    state.asked_dead = state.dead_for[seat]


@hot
def hat_of(view, state, seat, budget, options):
    """The hat of the hand in question, which its answers narrow; a number below the budget."""
    if options.version == 2018:
        return fixed_hat(view, state, seat, budget)
    room, hat, weight = budget, 0, 1
    while room > 1:
        n = ask(view, state, room)
        if n == 0:
            break
        answer = answer_of(view, state, seat)
        narrow(state, answer)
        hat += weight * answer
        weight *= n
        room = (room - answer - 1) // n + 1
    return hat


@hot
def read_hat(view, state, hat, budget, options):
    """Narrow the hand in question by its hat."""
    if options.version == 2018:
        read_fixed_hat(view, state, hat, budget)
        return
    room = budget
    while room > 1:
        n = ask(view, state, room)
        if n == 0:
            break
        answer = hat % n
        hat //= n
        narrow(state, answer)
        room = (room - answer - 1) // n + 1


@hot
def hat_sum(view, state, budget, options):
    """The sum of the hats of all hands that the mover sees; what each learns is in ``told``."""
    total = 0
    foresee(view, state, view.seat, options)
    for offset in range(1, view.players):
        seat = seat_at(view, offset)
        take_hand(view, state, seat)
        total += hat_of(view, state, seat, budget, options)
        for slot in range(view.hand_size):
            state.told[seat, slot] = state.hand[slot]
    return total % budget


@hot
def read_sum(view, state, mover, total, budget, options):
    """Narrow the sets of all seats but the mover by the sum of their hats."""
    rest = total
    foresee(view, state, mover, options)
    viewer = np.int64(view.seat)
    for offset in range(1, view.players):
        seat = seat_from(view, mover, offset)
        if seat != viewer:
            take_hand(view, state, seat)
            rest -= hat_of(view, state, seat, budget, options)
            put_back(view, state, seat)
    if viewer != mover:
        take_hand(view, state, viewer)
        read_hat(view, state, rest % budget, budget, options)
        put_back(view, state, viewer)


@hot
def put_back(view, state, seat):
    """Store a hand as narrowed by its answers."""
    for slot in range(view.hand_size):
        state.sets[seat, slot] = state.hand[slot]


@hot
def has_playable(view, state, seat):
    """Whether a seat holds a card that can be played now."""
    return holds_any(view, seat, state.playable)


@hot
def knows_playable(view, state, seat):
    """Whether a seat is publicly known to have a card that can be played now."""
    knows = False
    for slot in range(view.hand_size):
        knows = knows or is_subset(state.sets[seat, slot], state.playable)
    return knows


@hot
def exclude_playable(view, state, mover):
    """What a discard with tokens implies: nobody else needs to be told about a playable card."""
    for offset in range(1, view.players):
        seat = seat_from(view, mover, offset)
        if not knows_playable(view, state, seat):
            for slot in range(view.hand_size):
                if state.sets[seat, slot] & ~state.playable:
                    state.sets[seat, slot] &= ~state.playable
