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

from tamaya.cards import NO_CARD
from tamaya.compiled import hot, hot_sums, scratch
from tamaya.records import record
from tamaya.rng import GOLDEN, scramble
from tamaya.rules import MAX_HAND

N_SEATS = 2
V0, V1, V2 = 0, 1, 2
VERSIONS = ("V0", "V1", "V2")
LANES = 32  # cards and padding, for loops in whole vectors
LEAST = np.float32(1e-30)  # sums of shares below it count as nothing
_UNIT = 1.0 / 2.0**53
_SHIFT = np.uint64(11)
_N_TRIES = 20  # to draw a hand that needs no more copies than there are

TABLE = record([
    ("slots", np.int64, (N_SEATS * MAX_HAND, 2)),  # seat and slot of each row of the following
    ("shares", np.float32, (N_SEATS * MAX_HAND, LANES)),
    ("weights", np.float32, (N_SEATS * MAX_HAND, LANES)),  # of a copy, 0 if a card is impossible
    ("left", np.float32, LANES),
    ("taken", np.float32, LANES),  # by all slots
    ("ones", np.float32, LANES),
])  # fmt: skip


@hot
def count_left(source, left):
    """Copies of each card neither played nor discarded."""
    for card in range(25):
        left[card] = source.copies[card] - source.discarded[card]
    for colour in range(source.colours):
        for rank in range(source.firework[colour]):
            left[5 * colour + rank] -= 1


@hot
def list_slots(source, slots):
    """Write seat and slot of each card that is held; returns their number."""
    n = 0
    for seat in range(N_SEATS):
        for slot in range(source.hand_size):
            if source.order[seat, slot] >= 0:
                slots[n, 0], slots[n, 1] = seat, slot
                n += 1
    return n


@hot_sums
def write_shares(mask, left, likelihood, share, weight):
    """Write copies left of the cards of a mask times likelihood, normalised, and the factors.

    False if none is left.
    """
    total = np.float32(0)
    for card in range(25):
        weight[card] = np.float32((mask >> card) & 1) * likelihood[card]
        total += left[card] * weight[card]
    if total < LEAST:
        return False
    for card in range(25):
        weight[card] /= total
        share[card] = left[card] * weight[card]
    return True


@hot_sums
def step_halfway(share, weight, left, taken):
    """Move a slot's shares halfway to the copies that the other slots probably leave to it."""
    total = np.float32(0)
    for card in range(LANES):
        copies = left[card] - (taken[card] - share[card])
        total += max(copies, np.float32(0)) * weight[card]
    if total > LEAST:
        factor = np.float32(0.5) / total
        for card in range(LANES):
            copies = left[card] - (taken[card] - share[card])
            move = factor * max(copies, np.float32(0)) * weight[card]
            share[card] = move + np.float32(0.5) * share[card]


@hot
def settle(source, left, likelihood, rounds, belief):
    """Beliefs of all slots, made consistent with each other in rounds; V0 without any.

    Each round moves every slot halfway to the copies minus what the other slots probably hold.
    Whole steps would oscillate where two slots compete for the same last copy.
    """
    table = scratch(TABLE)
    shares, weights, copies, taken = table.shares, table.weights, table.left, table.taken
    n = list_slots(source, table.slots)
    copies[:] = 0
    copies[:25] = left
    for k in range(n):
        seat, slot = table.slots[k, 0], table.slots[k, 1]
        mask = np.int32(source.possible[seat, slot])
        shares[k], weights[k] = 0, 0
        if not write_shares(mask, copies, likelihood[seat, slot], shares[k], weights[k]):
            # No card fits what the moves implied.
            table.ones[:] = 1
            write_shares(mask, copies, table.ones, shares[k], weights[k])
            weights[k] = 0
    for _ in range(rounds):
        taken[:] = 0
        for k in range(n):
            for card in range(LANES):
                taken[card] += shares[k, card]
        for k in range(n):
            step_halfway(shares[k], weights[k], copies, taken)
    belief[:] = 0
    for k in range(n):
        row = belief[table.slots[k, 0], table.slots[k, 1]]
        for card in range(25):
            row[card] = shares[k, card]


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
def write_quantiles(shares, quantiles):
    """Write the sums of shares up to each card, infinite from the last possible card on."""
    total, last = 0.0, 24
    for card in range(25):
        total += shares[card]
        quantiles[card] = total
        if shares[card] > 0:
            last = card
    quantiles[last:] = np.inf


@hot
def card_at(quantiles, unit):
    """The card at a quantile: as many as have smaller sums."""
    card = 0
    for k in range(len(quantiles)):  # without a branch, hence in vectors
        card += quantiles[k] <= unit
    return card


@hot
def stock_of(left):
    """The copies left of all cards, two bits each."""
    stock = np.int64(0)
    for card in range(25):
        stock |= np.int64(left[card]) << 2 * card
    return stock


@hot
def is_feasible(hand, hand_size, stock):
    """Whether there are as many copies left as a hand needs."""
    for slot in range(hand_size):
        if hand[slot] >= 0:
            place = np.int64(2 * hand[slot])
            if stock >> place & 3 == 0:
                return False
            stock -= np.int64(1) << place
    return True


@hot
def list_all_hands(belief, hand_size, left, hands, weights):
    """All hands with their probabilities, slots treated as independent; returns their number."""
    hand = np.full(len(belief), NO_CARD, np.int64)
    for slot in range(hand_size):
        hand[slot] = first_card(belief[slot])
    n, goes_on, stock = 0, True, stock_of(left)
    while goes_on:
        if is_feasible(hand, hand_size, stock):
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
    state, stock = np.uint64(seed), stock_of(left)
    quantiles = np.full((len(belief), LANES), np.inf)
    is_empty = np.zeros(len(belief), np.bool_)
    for slot in range(hand_size):
        write_quantiles(belief[slot], quantiles[slot])
        is_empty[slot] = first_card(belief[slot]) == NO_CARD
    n = 0
    for _ in range(len(hands)):
        for _ in range(_N_TRIES):
            for slot in range(hand_size):
                state += GOLDEN
                unit = (scramble(state) >> _SHIFT) * _UNIT
                hands[n, slot] = NO_CARD if is_empty[slot] else card_at(quantiles[slot], unit)
            if is_feasible(hands[n], hand_size, stock):
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
