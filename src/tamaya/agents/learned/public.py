"""The network of a public agent: a trunk that both seats can run, and a head per hand.

The trunk gets the public information of the seat to move, HLE's vector without its section of
hands, and the beliefs; it runs once per turn. The head adds rows for the cards that the seat to
move sees in the other hand: once for the actual hand, and once for each possible hand when both
seats decode the move.

All weights are one float32 array, in the order of ``layout``.
"""

from typing import NamedTuple

import numpy as np

from tamaya.agents.learned.network import (
    NETWORK,
    add_row,
    add_rows,
    floats_at,
    multiply,
    normalise,
    normalise_layer,
)
from tamaya.cards import BIT
from tamaya.compiled import hot
from tamaya.encoding import encode_hle, vector_length
from tamaya.features import active_bits
from tamaya.records import record
from tamaya.rules import Rules

MAX_WIDTH = 384
N_MARKS = 3  # playable, dead, critical

BRAIN = record([
    ("network", NETWORK),
    ("n_marks", np.int64),   # 0, or N_MARKS: the network sees which cards are playable and so on
    ("version", np.int64),   # V0, V1, V2
    ("rounds", np.int64),    # in which beliefs are made consistent
    ("n_hands", np.int64),   # most hands to evaluate per move
    ("mixing", np.float64),  # share of V1 in V2
])  # fmt: skip


class Sizes(NamedTuple):
    """Lengths of the parts of a public agent's vector."""

    hand: int  # bits of the other hand: what is private
    public: int  # bits of HLE's vector behind them
    belief: int  # probabilities of both hands, mover first, then of their marks
    marks: int  # bits: which cards of the other hand are playable, dead, critical


def vector_sizes(rules: Rules, n_marks: int) -> Sizes:
    """Lengths of the parts of the vector, in order."""
    hand = rules.hand_size * rules.colours * rules.ranks
    public = vector_length(rules, "hle") - hand
    n_slots = rules.hand_size
    return Sizes(hand, public, 2 * hand + 2 * n_slots * n_marks, n_slots * n_marks)


def layout(rules: Rules, width: int, n_marks: int) -> dict[str, tuple[int, ...]]:
    """Names and shapes of the parts of the weights, in order."""
    if rules.players != 2:
        raise ValueError(f"BAD is for 2 players, not {rules.players}")
    if width > MAX_WIDTH:
        raise ValueError(f"the width of BAD's network is at most {MAX_WIDTH}, not {width}")
    sizes, n_out = vector_sizes(rules, n_marks), rules.n_moves + 1
    return {
        "first": (sizes.public + sizes.belief, width), "first bias": (width,),
        "first scale": (width,), "first shift": (width,),
        "second": (width, width), "second bias": (width,),
        "private": (sizes.hand + sizes.marks, width),
        "second scale": (width,), "second shift": (width,),
        "out": (width, n_out), "out bias": (n_out,),
    }  # fmt: skip


class Head(NamedTuple):
    """The weights of the private half of a network."""

    private: np.ndarray  # [card or mark, unit]
    scale: np.ndarray
    shift: np.ndarray
    out: np.ndarray  # [unit, move or value]
    bias: np.ndarray


@hot
def n_kinds_of(network):
    """Number of different cards."""
    return network.colours * network.ranks


@hot
def n_first(brain):
    """Inputs of the trunk."""
    network = brain.network
    n_cards = network.hand_size * n_kinds_of(network)
    return network.n_inputs + n_cards + 2 * network.hand_size * brain.n_marks


@hot
def n_trunk_weights(brain):
    """Weights of the trunk."""
    width = brain.network.width
    return n_first(brain) * width + 4 * width + width * width


@hot
def head_of(brain):
    """The private half of the weights."""
    network = brain.network
    width, n_out = network.width, network.n_moves + 1
    n_private = network.hand_size * (n_kinds_of(network) + brain.n_marks)
    start = n_trunk_weights(brain)
    floats = floats_at(network.weights, start + (n_private + 2 + n_out) * width + n_out)
    a = start + n_private * width
    b = a + 2 * width
    c = b + width * n_out
    return Head(floats[start:a].reshape((n_private, width)), floats[a : a + width],
                floats[a + width : b], floats[b:c].reshape((width, n_out)),
                floats[c : c + n_out])  # fmt: skip


@hot
def write_beliefs(source, belief, masks, n_marks, out):
    """Beliefs about both hands, the mover's first, then the probability of each mark."""
    at = 0
    for offset in range(2):
        hand = belief[(source.mover + offset) % 2]
        for slot in range(source.hand_size):
            for colour in range(source.colours):
                for rank in range(source.ranks):
                    out[at] = hand[slot, 5 * colour + rank]
                    at += 1
    for offset in range(2):
        hand = belief[(source.mover + offset) % 2]
        for slot in range(source.hand_size):
            for mark in range(n_marks):
                chance = np.float32(0)
                for card in range(25):
                    if masks[mark] & BIT[card]:
                        chance += hand[slot, card]
                out[at] = chance
                at += 1


@hot
def run_trunk(source, belief, masks, brain, hidden):
    """Write the part of the second layer that depends on public information."""
    network = brain.network
    n_bits, n_inputs, width = network.n_inputs, n_first(brain), network.width
    n_hand = network.hand_size * n_kinds_of(network)
    n_public = n_bits - n_hand
    floats = floats_at(network.weights, n_trunk_weights(brain))
    bits, places = np.empty(n_bits, np.uint8), np.empty(n_bits + 1, np.int64)
    beliefs, units = np.empty(n_inputs - n_public, np.float32), np.empty(width, np.float32)
    encode_hle(source, np.int64(source.mover), bits)
    write_beliefs(source, belief, masks, brain.n_marks, beliefs)

    at = n_inputs * width
    matrix = floats[:at].reshape((n_inputs, width))
    units[:] = floats[at : at + width]
    add_rows(units, matrix, places, active_bits(bits[n_hand:], places))
    multiply(beliefs, matrix[n_public:], units)
    normalise_layer(units, floats, at + width)

    start, at = at + 3 * width, at + 3 * width + width * width
    hidden[:width] = floats[at : at + width]
    multiply(units, floats[start:at].reshape((width, width)), hidden[:width])


@hot
def run_head(head, hidden, hand, masks, brain, units, out):
    """Write the outputs, moves and last the value, given the other seat's hand."""
    network = brain.network
    ranks, n_kinds = network.ranks, n_kinds_of(network)
    first_mark = network.hand_size * n_kinds
    one = np.float32(1)
    units[:] = hidden[: len(units)]
    for slot in range(network.hand_size):
        card = hand[slot]
        if card >= 0:
            add_row(units, head.private[slot * n_kinds + card // 5 * ranks + card % 5], one)
            for mark in range(brain.n_marks):
                if masks[mark] & BIT[card]:
                    add_row(units, head.private[first_mark + slot * brain.n_marks + mark], one)
    normalise(units, head.scale, head.shift, np.float32(0))
    out[:] = head.bias
    multiply(units, head.out, out)
