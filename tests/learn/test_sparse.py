"""Products of sparse rows: the same as those of whole matrices."""

import numpy as np
import pytest

pytest.importorskip("torch", reason="training needs torch, the extra `learn`")

from tamaya.compiled import hot
from tamaya.learn.sparse import (
    add_products,
    add_rows,
    dot_rows,
    list_bits,
    list_columns,
    list_rows,
    new_columns,
    new_lists,
    padded,
)


def some_rows(n: int, length: int, share: float) -> np.ndarray:
    """Padded rows of which some numbers are not zero."""
    rng = np.random.default_rng(n + length)
    rows = np.zeros((n, padded(length)), np.float32)
    rows[:, :length] = rng.normal(size=(n, length)) * (rng.random((n, length)) < share)
    return rows


@pytest.mark.parametrize("length", [1, 24, 127, 128, 129, 512, 1020])
def test_padded_rows_hold_whole_blocks_and_never_begin_at_the_same_place_of_a_cache(length):
    assert padded(length) >= length + 16 and padded(length) % 128 == 16


@pytest.mark.parametrize(("length", "width"), [(5, 3), (64, 128), (65, 200), (300, 512)])
@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_products_equal_those_of_whole_rows(length, width, share):
    rows, matrix = some_rows(7, length, share), some_rows(length, width, 1.0)
    lists = new_lists(7, length)
    list_rows(rows, length, lists)
    out = some_rows(7, width, 1.0)
    wanted = out + rows[:, :length].astype(np.float64) @ matrix
    add_products(lists, matrix, out)
    assert np.allclose(out, wanted, atol=1e-4)
    assert (out[:, width:] == 0).all()
    assert (lists[2][:, -1] == np.count_nonzero(rows, axis=1)).all()


@pytest.mark.parametrize("length", [5, 8, 64, 70, 658])
def test_bits_are_listed(length):
    bits = np.random.default_rng(1).random((6, length)) < 0.3
    packed = np.packbits(bits, axis=1)
    lists = new_lists(6, length)
    list_bits(packed, lists)
    places, values, starts = lists
    for row in range(6):
        own = np.flatnonzero(bits[row])
        assert places[row, : starts[row, -1]].tolist() == own.tolist()
        assert (values[row, : len(own)] == 1).all()
        assert starts[row, :-1].tolist() == [(own < first).sum() for first in range(0, length, 64)]


@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_the_same_is_listed_by_columns(share):
    rows, lists, columns = some_rows(7, 70, share), new_lists(7, 70), new_columns(7, 70)
    list_rows(rows, 70, lists)
    for _ in range(2):  # what was there before is forgotten
        list_columns(lists, columns)
    places, values, counts = columns
    for column in range(70):
        n = counts[column]
        own = np.flatnonzero(rows[:, column])
        assert places[column, :n].tolist() == own.tolist()
        assert np.array_equal(values[column, :n], rows[own, column])


def test_rows_of_matrices_are_added_and_multiplied():
    matrix, out = some_rows(9, 200, 1.0), some_rows(2, 200, 1.0)
    values, places = np.array([[9, 9, 9], [2, -1, 0.5]], np.float32), np.array([[4, 0, 8]])
    wanted = out[1] + 2 * matrix[4] - matrix[0]
    add_rows(out, 1, values, 1, places, 0, 2, matrix)
    assert np.allclose(out[1], wanted, atol=1e-5)
    wanted = matrix[3].astype(np.float64) @ out[1]
    assert product_of_rows(matrix, 3, out, 1) == pytest.approx(wanted, rel=1e-4)


@hot
def product_of_rows(one, row, other, other_row):
    """Machine code can only be called by compiled code."""
    return dot_rows(one, row, other, other_row, 256)
