"""Masks and numbers: the vector reads what a loop would; for writing see the tests of encoders."""

import numpy as np
import pytest

from tamaya.cards import N_CARDS
from tamaya.compiled import hot
from tamaya.simd_masks import N_LANES, difference_bit, masked_sum

pytestmark = [pytest.mark.checked, pytest.mark.interpreted]


@hot
def masks_of(more, less):
    return difference_bit(more, less, 1), difference_bit(more, less, 2)


def test_each_card_has_its_bits():
    random = np.random.default_rng(1)
    for _ in range(100):
        more = random.integers(0, 4, N_CARDS, np.int8)
        less = random.integers(0, more + 1, N_CARDS, np.int8)
        numbers = [int(left) for left in more - less]
        expected = [sum(1 << k for k, n in enumerate(numbers) if n & bit) for bit in (1, 2)]
        assert list(masks_of(more, less)) == expected


@hot
def sum_of(numbers, mask):
    return masked_sum(numbers, mask)


def test_the_numbers_of_a_mask_are_added():
    random = np.random.default_rng(2)
    numbers = random.normal(size=N_LANES)
    for mask in (0, 1, 1 << 24, (1 << 25) - 1, *random.integers(0, 1 << 25, 50).tolist()):
        expected = sum(numbers[card] for card in range(N_CARDS) if mask >> card & 1)
        assert sum_of(numbers, mask) == pytest.approx(expected, abs=1e-12)
