"""Randomness: SplitMix64, children of seeds, numbers below a bound."""

from collections import Counter

import numpy as np
import pytest

from support import GENERATOR, scaled
from tamaya.rng import (
    GOLDEN,
    below,
    random_below,
    random_unit,
    scramble,
    seat_seed,
    seed_of,
)

pytestmark = [pytest.mark.checked, pytest.mark.interpreted]

MASK = 2**64 - 1


def splitmix(state: int) -> int:
    """The output of SplitMix64 for a state, in unbounded integers."""
    state = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    state = ((state ^ (state >> 27)) * 0x94D049BB133111EB) & MASK
    return state ^ (state >> 31)


def generator(seed: int) -> np.record:
    """A record with nothing but a generator."""
    memory = np.zeros(1, GENERATOR)
    memory["rng"] = seed
    return memory[0]


@pytest.mark.parametrize("state", [0, 1, 2**31, 2**63, MASK, 0x123456789ABCDEF])
def test_scramble_is_splitmix(state):
    assert scramble(np.uint64(state)) == splitmix(state)


def test_the_first_numbers_are_the_published_ones():
    """The output of the reference implementation in C for seed 1234567."""
    state, numbers = np.uint64(1234567), []
    for _ in range(3):
        state = np.uint64((int(state) + int(GOLDEN)) & MASK)
        numbers.append(int(scramble(state)))
    assert numbers == [6457827717110365317, 3203168211198807973, 9817491932198370423]


def test_children_of_seeds_are_all_different():
    seeds = {int(seed_of(np.uint64(seed), index)) for seed in range(40) for index in range(40)}
    assert len(seeds) == 1600


def test_a_seed_and_its_child_do_not_change_between_versions():
    assert int(seed_of(np.uint64(0), 0)) == splitmix(splitmix(int(GOLDEN)))
    assert int(seed_of(np.uint64(7), 3)) == splitmix(
        (splitmix((7 + int(GOLDEN)) & MASK) + 3 * int(GOLDEN)) & MASK
    )


@pytest.mark.parametrize("n", [1, 2, 5, 64, 2**31])
def test_below_reaches_both_ends_and_no_further(n):
    assert below(np.uint64(0), n) == 0
    assert below(np.uint64(MASK), n) == n - 1


def test_random_below_is_uniform():
    memory, n = generator(1), 20 * scaled(3000)
    counts = Counter(int(random_below(memory, 20)) for _ in range(n))
    expected = n / 20
    assert set(counts) == set(range(20))
    assert sum((count - expected) ** 2 / expected for count in counts.values()) < 50


def test_random_unit_fills_the_unit_interval():
    memory = generator(2)
    numbers = [float(random_unit(memory)) for _ in range(scaled(30000))]
    assert 0 <= min(numbers) < 0.01 and 0.99 < max(numbers) < 1
    assert abs(np.mean(numbers) - 0.5) < 4 * 12**-0.5 / len(numbers) ** 0.5


def test_equal_generators_give_equal_numbers():
    first, second, other = generator(3), generator(3), generator(4)
    numbers = [int(random_below(first, 1000)) for _ in range(20)]
    assert numbers == [int(random_below(second, 1000)) for _ in range(20)]
    assert numbers != [int(random_below(other, 1000)) for _ in range(20)]


def test_the_generator_of_a_seat_does_not_give_the_deal_away():
    """Undoing the scrambling of a generator must not lead back to the seed of the deal."""
    mask = 2**64 - 1

    def unscramble(bits: int) -> int:
        for shift, factor in ((31, 0x94D049BB133111EB), (27, 0xBF58476D1CE4E5B9), (30, 1)):
            value = bits
            for _ in range(64 // shift + 1):
                value = bits ^ (value >> shift)
            bits = value * pow(factor, -1, 2**64) & mask
        return bits

    def attack(state: int, seat: int) -> int:
        inner = (unscramble(state) - (seat + 1) * int(GOLDEN)) & mask
        return (unscramble(inner) - int(GOLDEN)) & mask

    deal = int(seed_of(np.uint64(5), 7))
    for seat in range(5):
        assert attack(int(seed_of(np.uint64(deal), seat + 1)), seat) == deal  # it works on a child
        assert attack(int(seat_seed(np.uint64(deal), seat)), seat) != deal
