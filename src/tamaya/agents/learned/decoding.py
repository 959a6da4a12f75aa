"""Decoding a move of BAD: which of the hands that the mover may have seen would have led to it.

The head of the network runs for many hands that differ only in the rows that their cards add to
the second layer. These rows are laid out on a desk once, so that a hand costs a sum of rows and as
many outputs as it takes to find one above that of the move. ``run_head`` computes the same plainly.
"""

import numpy as np

from tamaya.agents.learned.beliefs import draw_hands, list_all_hands, n_hands, weigh_move
from tamaya.agents.learned.network import EPSILON
from tamaya.agents.learned.public import MAX_WIDTH, head_of, n_kinds_of
from tamaya.cards import BIT, COLOUR_OF, NO_CARD, RANK_OF
from tamaya.compiled import hot, hot_sums
from tamaya.game_kernels import MOVE_BIT
from tamaya.records import record
from tamaya.rng import seed_of
from tamaya.rules import MAX_HAND

CAUTION = 1.0  # hands added to those drawn; none where all are listed
_DRAWS = np.uint64(0xBAD)  # seed of the hands that are drawn, the same for everybody
_MAX_MOVES = 2 * MAX_HAND + 10
_NO_ROW = 25 * MAX_HAND  # a row of zeros, for slots without a card
_AT_ONCE = 5  # rows, as many as a hand usually has

DESK = record([
    # Rows begin at cache lines, because their length is a multiple of these.
    ("rows", np.float32, (_NO_ROW + 1, MAX_WIDTH)),  # [25 slot + card], what it adds to the layer
    ("out", np.float32, (_MAX_MOVES + 1, MAX_WIDTH)),  # [move, unit], and a row for no move
    ("scale", np.float32, MAX_WIDTH),    # of the second layer's normalisation
    ("shift", np.float32, MAX_WIDTH),
    ("hidden", np.float32, MAX_WIDTH),   # the public part of the second layer
    ("units", np.float32, MAX_WIDTH),    # the second layer for one hand
    ("means", np.float32, _NO_ROW + 1),  # of the rows
    ("bias", np.float32, _MAX_MOVES + 1),  # of the outputs, with the noise of the turn
    ("places", np.int64, MAX_HAND + _AT_ONCE),  # the rows of one hand, then some of zeros
    ("hints", np.uint64, 25),            # that name a card
    ("rivals", np.int64, _MAX_MOVES),    # moves in the order in which they are compared
    ("listed", np.int64, _MAX_MOVES + 4),  # those to compare for one hand
])  # fmt: skip


@hot
def set_up(brain, desk):
    """Lay out what does not depend on the position."""
    network, head = brain.network, head_of(brain)
    for move in range(network.n_moves):
        for unit in range(network.width):
            desk.out[move, unit] = head.out[unit, move]
    desk.scale[: network.width] = head.scale
    desk.shift[: network.width] = head.shift
    desk.rows[_NO_ROW] = 0
    desk.means[_NO_ROW] = 0
    desk.places[:] = _NO_ROW
    first_colour = 2 * network.hand_size
    first_rank = first_colour + network.colours
    for card in range(25):
        colour, rank = COLOUR_OF[card], RANK_OF[card]
        if colour < network.colours and rank < network.ranks:
            desk.hints[card] = MOVE_BIT[first_colour + colour] | MOVE_BIT[first_rank + rank]


@hot_sums
def copy_row(source, target):
    """Copy a row; returns its sum."""
    total = np.float32(0)
    for k in range(len(source)):
        target[k] = source[k]
        total += source[k]
    return total


@hot_sums
def add_to_row(source, target):
    """Add a row to another one; returns the sum of the row that was added."""
    total = np.float32(0)
    for k in range(len(source)):
        target[k] += source[k]
        total += source[k]
    return total


@hot_sums
def mean_of(numbers):
    """The mean of some numbers."""
    total = np.float32(0)
    for k in range(len(numbers)):
        total += numbers[k]
    return total / np.float32(len(numbers))


@hot
def lay_out_rows(belief, masks, brain, desk):
    """Lay out what each card that a slot may hold adds to the second layer, with its marks."""
    network, private = brain.network, head_of(brain).private
    ranks, n_kinds, width = network.ranks, n_kinds_of(network), network.width
    first_mark = network.hand_size * n_kinds
    for slot in range(network.hand_size):
        for card in range(25):
            if belief[slot, card] > 0:
                place = 25 * slot + card
                row = desk.rows[place, :width]
                total = copy_row(private[slot * n_kinds + card // 5 * ranks + card % 5], row)
                for mark in range(brain.n_marks):
                    if masks[mark] & BIT[card]:
                        total += add_to_row(private[first_mark + slot * brain.n_marks + mark], row)
                desk.means[place] = total / np.float32(width)


@hot_sums
def add_five(start, rows, places, first, middle, units):
    """Write a sum of five rows and a start, less a number; returns the sum of squares."""
    a, b, c = rows[places[first]], rows[places[first + 1]], rows[places[first + 2]]
    d, e = rows[places[first + 3]], rows[places[first + 4]]
    squares = np.float32(0)
    for k in range(len(units)):
        unit = ((start[k] - middle) + (a[k] + b[k])) + ((c[k] + d[k]) + e[k])
        units[k] = unit
        squares += unit * unit
    return squares


@hot_sums
def activate(units, factor, scale, shift):
    """Scale and shift units, then clip them at 0."""
    for k in range(len(units)):
        units[k] = max(np.float32(0), units[k] * factor * scale[k] + shift[k])


@hot
def run_second_layer(hidden_mean, hand, width, desk):
    """Write the second layer for a hand."""
    size = len(hand)
    middle = hidden_mean
    for slot in range(size):
        desk.places[slot] = 25 * slot + hand[slot] if hand[slot] >= 0 else _NO_ROW
        middle += desk.means[desk.places[slot]]
    units = desk.units[:width]
    squares = add_five(desk.hidden, desk.rows, desk.places, 0, middle, units)
    for first in range(_AT_ONCE, size, _AT_ONCE):
        squares = add_five(units, desk.rows, desk.places, first, np.float32(0), units)
    factor = np.float32(1.0 / np.sqrt(squares / width + EPSILON))
    activate(units, factor, desk.scale, desk.shift)


@hot_sums
def four_products(numbers, rows, places, first):
    """The scalar products of some numbers with four rows."""
    one, two = rows[places[first]], rows[places[first + 1]]
    three, four = rows[places[first + 2]], rows[places[first + 3]]
    a, b, c, d = np.float32(0), np.float32(0), np.float32(0), np.float32(0)
    for k in range(len(numbers)):
        a += numbers[k] * one[k]
        b += numbers[k] * two[k]
        c += numbers[k] * three[k]
        d += numbers[k] * four[k]
    return a, b, c, d


@hot
def list_moves(move, legal, n_moves, desk):
    """List a move and its legal rivals, filled up to a multiple of four; returns their number."""
    desk.listed[0] = move
    n = 1
    for k in range(n_moves):
        rival = desk.rivals[k]
        desk.listed[n] = rival
        n += (legal & MOVE_BIT[rival] != 0) & (rival != move)  # a branch could not be predicted
    desk.listed[n : n + 3] = n_moves
    return n


@hot
def is_best(move, legal, n_moves, width, desk):
    """Whether a move has the highest output of the legal ones, the first of equal ones."""
    units, own = desk.units[:width], np.float32(-np.inf)
    for first in range(0, list_moves(move, legal, n_moves, desk), 4):
        outputs = four_products(units, desk.out, desk.listed, first)
        for k in range(4):
            listed = desk.listed[first + k]
            output = outputs[k] + desk.bias[listed]
            if listed == move:
                own = output
            elif output > own or (output == own and listed < move):
                try_first(listed, desk)  # for the next hand it is probably the best again
                return False
    return True


@hot
def try_first(rival, desk):
    """Move a rival to the front of the list."""
    before = rival
    for k in range(len(desk.rivals)):
        desk.rivals[k], before = before, desk.rivals[k]
        if before == rival:
            return


@hot
def all_hints(source):
    """All hints, whatever the other seat holds."""
    hints = np.uint64(0)
    for value in range(source.colours + source.ranks):
        hints |= MOVE_BIT[2 * source.hand_size + value]
    return hints


@hot
def find_agreeing(source, move, memory, hands, brain, noise, desk, agrees):
    """Say for each hand whether the seat that moved would have made a move if it had seen it.

    The same noise is added to its outputs for all hands.
    """
    network, head, size = brain.network, head_of(brain), np.int64(source.hand_size)
    n_moves, width = network.n_moves, network.width
    desk.hidden[:width] = memory.hidden[:width]
    hidden_mean = mean_of(desk.hidden[:width])
    for k in range(n_moves):
        desk.bias[k] = head.bias[k] + noise[k]
        desk.rivals[k] = k
    desk.bias[n_moves] = -np.inf
    always = memory.moves
    if memory.may_hint and source.empty_hints:
        always |= all_hints(source)
    for k in range(len(agrees)):
        legal = always
        if memory.may_hint:
            for slot in range(size):
                if hands[k, slot] >= 0:
                    legal |= desk.hints[hands[k, slot]]
        agrees[k] = False
        if legal & MOVE_BIT[move]:
            run_second_layer(hidden_mean, hands[k, :size], width, desk)
            agrees[k] = is_best(move, legal, n_moves, width, desk)


@hot
def decode(source, event, memory, brain, noise, desk):
    """Weight the hands that the mover may have seen by whether it would have made its move.

    The same ``noise`` was added to its outputs for all hands: given it, the policy is
    deterministic.
    """
    target, size = 1 - np.int64(event.seat), np.int64(source.hand_size)
    belief = memory.belief[target]
    hands = np.full((brain.n_hands, len(belief)), NO_CARD, np.int64)
    weights = np.empty(brain.n_hands, np.float32)
    if n_hands(belief, size, brain.n_hands) <= brain.n_hands:
        n = list_all_hands(belief, size, memory.left, hands, weights)
        caution = np.float32(0)
    else:
        seed = seed_of(_DRAWS, source.n_moves)
        n = draw_hands(belief, size, memory.left, seed, hands, weights)
        caution = np.float32(CAUTION)
    agrees = np.zeros(n, np.bool_)
    lay_out_rows(belief, memory.masks, brain, desk)
    find_agreeing(source, event.move, memory, hands, brain, noise, desk, agrees)
    weigh_move(hands, weights[:n], agrees, size, caution, memory.likelihood[target])
