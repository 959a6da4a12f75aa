"""Randomness: an explicit 64-bit state advanced by named functions (SplitMix64), no globals.

Seeds determine everything: game k of seed s gets ``seed_of(s, k)``, and the generator of a seat in
that game ``seat_seed`` of that, so play does not depend on threads or on order.
"""

import numpy as np

from tamaya.compiled import hot
from tamaya.rules import whole_number

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_FOLD = np.uint64(0xD1342543DE82EF95)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_S27, _S30, _S31, _S32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)


@hot
def scramble(state):
    """The 64 random bits that belong to a state of the generator."""
    bits = np.uint64(state)
    bits = (bits ^ (bits >> _S30)) * _MIX_1
    bits = (bits ^ (bits >> _S27)) * _MIX_2
    return bits ^ (bits >> _S31)


@hot
def seed_of(seed, index):
    """Seed of the index-th child of a seed."""
    return scramble(scramble(np.uint64(seed) + GOLDEN) + np.uint64(index) * GOLDEN)


@hot
def seat_seed(seed, seat):
    """State of the generator of a seat, from the seed of a deal.

    Two scrambled values are combined, so that an agent cannot infer the deal from its generator.
    """
    child = seed_of(seed, seat + 1)
    return scramble(child) ^ scramble(child + _FOLD)


def wrapped_seed(seed: int) -> np.uint64:
    """Any whole number as a seed of 64 bits."""
    return np.uint64(whole_number("seed", seed) % 2**64)


@hot
def below(bits, n):
    """A number 0..n-1 made of 64 random bits."""
    return np.int64(((bits >> _S32) * np.uint64(n)) >> _S32)


@hot
def random_below(memory, n):
    """A random number 0..n-1 from the generator of an agent's memory."""
    memory.rng += GOLDEN
    return below(scramble(memory.rng), n)


@hot
def random_unit(memory):
    """A random float in [0, 1) from the generator of an agent's memory."""
    return random_below(memory, 1 << 31) / float(1 << 31)
