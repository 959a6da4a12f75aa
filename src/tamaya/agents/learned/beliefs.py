"""Public beliefs about both hands of a two-player game, from all public information.

``belief[seat, slot, card]`` is the probability that a slot holds a card, for somebody who sees no
hand at all (Foerster et al. 2019, "Bayesian Action Decoder"):

- V0: copies neither played nor discarded, among the cards that hints leave possible;
- V1: V0 made self-consistent: a copy in another slot is not available for this one;
- V2: V1 weighted with ``likelihood[seat, slot, card]``, how well the moves of the seat that saw
  the card agree with it, and mixed with a little V1.

Hands are listed one per row, cards by slot; -1 is an empty slot, which may be anywhere with
``refill=in_place``.
"""

import numpy as np

from tamaya.cards import BIT, NO_CARD
from tamaya.compiled import hot
from tamaya.rng import GOLDEN, scramble

N_SEATS = 2
V0, V1, V2 = 0, 1, 2
VERSIONS = ("V0", "V1", "V2")
_UNIT = 1.0 / 2.0**53
_SHIFT = np.uint64(11)
_N_TRIES = 20  # to draw a hand that needs no more copies than there are


@hot
def count_left(source, left):
    """Copies of each card neither played nor discarded."""
    for card in range(25):
        left[card] = source.copies[card] - source.discarded[card]
    for colour in range(source.colours):
        for rank in range(source.firework[colour]):
            left[5 * colour + rank] -= 1


@hot
def write_shares(mask, copies, likelihood, shares):
    """Copies of the cards of a mask times likelihood, normalised; False if none is left."""
    total = np.float32(0)
    for card in range(25):
        shares[card] = np.float32(0)
        if mask & BIT[card] and copies[card] > 0:
            shares[card] = copies[card] * likelihood[card]
            total += shares[card]
    if total > 0:
        for card in range(25):
            shares[card] /= total
    return total > 0


@hot
def settle(source, left, likelihood, rounds, belief):
    """Beliefs of all slots, made consistent with each other in rounds; V0 without any.

    Each round moves every slot halfway to the copies minus what the other slots probably hold.
    Whole steps would oscillate where two slots compete for the same last copy.
    """
    copies, taken = np.empty(25, np.float32), np.empty(25, np.float32)
    before, ones = np.empty(25, np.float32), np.ones(25, np.float32)
    belief[:] = 0
    for seat in range(N_SEATS):
        for slot in range(source.hand_size):
            mask = np.int64(source.possible[seat, slot])
            copies[:] = left
            row = belief[seat, slot]
            if source.order[seat, slot] >= 0 and not write_shares(
                mask, copies, likelihood[seat, slot], row
            ):
                write_shares(mask, copies, ones, row)  # no card fits what the moves implied
    for _ in range(rounds):
        taken[:] = 0
        for seat in range(N_SEATS):
            for slot in range(source.hand_size):
                taken += belief[seat, slot]
        for seat in range(N_SEATS):
            for slot in range(source.hand_size):
                if source.order[seat, slot] >= 0:
                    row = belief[seat, slot]
                    for card in range(25):
                        before[card] = row[card]
                        copies[card] = left[card] - (taken[card] - row[card])
                    mask = np.int64(source.possible[seat, slot])
                    if write_shares(mask, copies, likelihood[seat, slot], row):
                        for card in range(25):
                            row[card] = np.float32(0.5) * (row[card] + before[card])
                    else:
                        row[:] = before


@hot
def believe(source, likelihood, brain, belief):
    """The belief of a version about all slots, from what is public in a game or view."""
    left = np.empty(25, np.int64)
    plain = np.ones(likelihood.shape, np.float32)
    count_left(source, left)
    settle(source, left, plain, 0 if brain.version == V0 else brain.rounds, belief)
    if brain.version == V2:
        plain[:] = belief
        settle(source, left, likelihood, brain.rounds, belief)
        mixing = np.float32(brain.mixing)
        for seat in range(N_SEATS):
            for slot in range(source.hand_size):
                for card in range(25):
                    told = (np.float32(1) - mixing) * belief[seat, slot, card]
                    belief[seat, slot, card] = told + mixing * plain[seat, slot, card]


# Hands that may be held.


@hot
def n_hands(belief, hand_size, limit):
    """Number of combinations of possible cards of the slots; above a limit, any larger number."""
    n = 1
    for slot in range(hand_size):
        n_cards = 0
        for card in range(25):
            if belief[slot, card] > 0:
                n_cards += 1
        n *= max(1, n_cards)
        if n > limit:
            break
    return n


@hot
def next_hand(belief, hand, hand_size):
    """Advance to the next combination of possible cards; False after the last one."""
    for slot in range(hand_size):
        if hand[slot] < 0:
            continue
        for card in range(hand[slot] + 1, 25):
            if belief[slot, card] > 0:
                hand[slot] = card
                return True
        hand[slot] = first_card(belief[slot])
    return False


@hot
def first_card(shares):
    """First card with a share, or none in an empty slot."""
    for card in range(25):
        if shares[card] > 0:
            return card
    return NO_CARD


@hot
def drawn_card(shares, unit):
    """The card at a quantile of the shares, or none in an empty slot."""
    last = NO_CARD
    for card in range(25):
        if shares[card] > 0:
            last = card
            unit -= shares[card]
            if unit < 0:
                break
    return last


@hot
def is_feasible(hand, hand_size, left):
    """Whether there are as many copies left as a hand needs."""
    for slot in range(hand_size):
        if hand[slot] >= 0:
            n = 0
            for other in range(hand_size):
                if hand[other] == hand[slot]:
                    n += 1
            if n > left[hand[slot]]:
                return False
    return True


@hot
def list_all_hands(belief, hand_size, left, hands, weights):
    """All hands with their probabilities, slots treated as independent; returns their number."""
    hand = np.full(len(belief), NO_CARD, np.int64)
    for slot in range(hand_size):
        hand[slot] = first_card(belief[slot])
    n, goes_on = 0, True
    while goes_on:
        if is_feasible(hand, hand_size, left):
            weight = np.float32(1)
            for slot in range(hand_size):
                hands[n, slot] = hand[slot]
                if hand[slot] >= 0:
                    weight *= belief[slot, hand[slot]]
            weights[n] = weight
            n += 1
        goes_on = next_hand(belief, hand, hand_size)
    return n


@hot
def draw_hands(belief, hand_size, left, seed, hands, weights):
    """As many hands as there are rows, drawn by their probabilities; returns their number."""
    state = np.uint64(seed)
    n = 0
    for _ in range(len(hands)):
        for _ in range(_N_TRIES):
            for slot in range(hand_size):
                state += GOLDEN
                unit = (scramble(state) >> _SHIFT) * _UNIT
                hands[n, slot] = drawn_card(belief[slot], unit)
            if is_feasible(hands[n], hand_size, left):
                weights[n] = 1
                n += 1
                break
    return n


@hot
def weigh_move(hands, weights, agrees, hand_size, caution, likelihood):
    """Multiply the likelihood of a hand's cards by how probable they make the observed move.

    ``agrees`` says which hands would have led to it. Probabilities are shrunk towards that of all
    hands as if ``caution`` more hands had been seen; a move that no hand explains has no effect.
    """
    total, agreeing = np.float32(0), np.float32(0)
    sums = np.zeros((2, len(likelihood), 25), np.float32)
    for k in range(len(weights)):
        total += weights[k]
        agreeing += weights[k] * agrees[k]
        for slot in range(hand_size):
            card = hands[k, slot]
            if card >= 0:
                sums[0, slot, card] += weights[k]
                sums[1, slot, card] += weights[k] * agrees[k]
    if agreeing <= 0:
        return
    share = agreeing / total
    for slot in range(hand_size):
        highest = np.float32(0)
        for card in range(25):
            n = sums[0, slot, card] + caution
            chance = (sums[1, slot, card] + caution * share) / n if n > 0 else share
            likelihood[slot, card] *= chance
            highest = max(highest, likelihood[slot, card])
        for card in range(25):  # if moves contradict each other, start again
            likelihood[slot, card] = likelihood[slot, card] / highest if highest > 0 else 1


@hot
def shift_cards(source, likelihood, slot):
    """Update a hand after a slot's card was replaced by an unknown one."""
    last = np.int64(source.hand_size) - 1
    if not source.refills_in_place:
        for k in range(slot, last):
            likelihood[k] = likelihood[k + 1]
        slot = last
    likelihood[slot] = 1
