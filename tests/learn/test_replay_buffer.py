"""Prioritised replay: drawing equals a naive running sum, rows lead to what came next."""

from itertools import pairwise

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs torch, the extra `learn`")

from tamaya.learn.replay_buffer import NEW, Replay, Samples, find_leaves, set_leaves

LENGTH, N_MOVES = 13, 5


def episode(rng, n):
    """Random turns of a seat: vectors, legal moves, moves, rewards."""
    return (rng.integers(0, 2, (n, LENGTH)).astype(np.uint8), rng.random((n, N_MOVES)) < 0.5,
            rng.integers(0, N_MOVES, n), rng.integers(-25, 26, n))  # fmt: skip


def add(replay, turns):
    vectors, *rest = turns
    replay.add(np.packbits(vectors, axis=1), *rest)


def some_replay(capacity: int, lengths: list[int], seed: int = 1):
    """A replay with episodes of some lengths, and these."""
    rng = np.random.default_rng(seed)
    replay = Replay(capacity, LENGTH, N_MOVES)
    episodes = [episode(rng, n) for n in lengths]
    for turns in episodes:
        add(replay, turns)
    return replay, episodes


# The tree of sums.


@pytest.mark.parametrize("n_leaves", [1, 2, 8, 64])
def test_points_are_found_as_in_a_naive_running_sum(n_leaves):
    rng = np.random.default_rng(n_leaves)
    tree = np.zeros(2 * n_leaves)
    priorities = np.zeros(n_leaves)
    for _ in range(40):
        rows = rng.integers(0, n_leaves, 3)
        new = rng.integers(0, 20, 3).astype(float)  # whole numbers: sums are exact
        set_leaves(tree, rows, new)
        for row, priority in zip(rows, new, strict=True):
            priorities[row] = priority
        assert tree[1] == priorities.sum()
        points = rng.random(50) * priorities.sum()
        found = np.empty(50, np.int64)
        find_leaves(tree, points, found)
        if priorities.sum() > 0:
            assert (found == np.searchsorted(priorities.cumsum(), points, side="right")).all()


def test_the_end_of_the_sum_is_never_an_empty_row():
    """Sums that rounding makes too large by a bit must not lead past the last row."""
    rng = np.random.default_rng(2)
    for n in range(1, 100):
        tree = np.zeros(256)
        set_leaves(tree, np.arange(n), rng.random(n) * 10.0 ** rng.integers(-8, 8, n))
        found = np.empty(2, np.int64)
        find_leaves(tree, np.array([tree[1], np.nextafter(tree[1], 0)]), found)
        assert found.max() < n


def test_rows_are_drawn_as_often_as_their_priorities_say():
    """Chi-square over all rows within four standard deviations of its mean."""
    n, n_drawn = 40, 40_000
    replay, _ = some_replay(50, [20, 20])
    priorities = np.random.default_rng(3).random(n).astype(np.float32) * 4
    replay.reprioritise(np.arange(n), priorities)
    generator = torch.Generator().manual_seed(1)
    drawn = replay.draw(n_drawn, 1, 0.99, generator).rows
    counts = np.bincount(drawn, minlength=n)
    expected = n_drawn * priorities / priorities.sum()
    chi_square = ((counts - expected) ** 2 / expected).sum()
    assert abs(chi_square - (n - 1)) < 4 * (2 * (n - 1)) ** 0.5


# Transitions.


def test_new_transitions_come_first_and_weights_make_up_for_it():
    replay, _ = some_replay(100, [10, 10])
    replay.reprioritise(np.arange(10), np.full(10, 0.25, np.float32))
    assert replay.priorities.tolist() == [0.25] * 10 + [NEW] * 10
    samples = replay.look_up(np.array([3, 15, 4]), 1, 0.99)
    # 1/sqrt(priority) is 2, 0.1, 2; the largest becomes 1.
    assert samples.weights.tolist() == pytest.approx([1, 0.05, 1])


@pytest.mark.parametrize("horizon", [1, 3])
@pytest.mark.parametrize("capacity", [100, 20])
def test_transitions_lead_to_the_same_seats_later_turns(capacity, horizon):
    """Compared with the episodes themselves, also after the ring has overwritten the oldest."""
    gamma, lengths = 0.9, [5, 1, 7, 4, 9, 2, 6]
    replay, episodes = some_replay(capacity, lengths)
    assert len(replay) == min(capacity, sum(lengths))
    turns = [(which, turn) for which, n in enumerate(lengths) for turn in range(n)]
    for number in range(sum(lengths) - len(replay), sum(lengths)):
        which, turn = turns[number]
        vectors, legal, moves, rewards = episodes[which]
        samples = replay.look_up(np.array([number % capacity]), horizon, gamma)
        assert (samples.packed[0] == np.packbits(vectors[turn])).all()
        assert samples.moves[0] == moves[turn]
        last = min(turn + horizon, len(moves))
        gain = sum(gamma**k * rewards[turn + k] for k in range(last - turn))
        assert float(samples.gains[0]) == pytest.approx(gain, rel=1e-5, abs=1e-5)
        if turn + horizon < len(moves):
            assert float(samples.discounts[0]) == pytest.approx(gamma**horizon)
            assert (samples.later_packed[0] == np.packbits(vectors[turn + horizon])).all()
            assert (samples.later_legal[0] == legal[turn + horizon]).all()
        else:
            assert samples.discounts[0] == 0


def test_the_oldest_make_room():
    replay, episodes = some_replay(16, [10, 10, 10])
    assert len(replay) == 16 and replay.n_added == 30
    kept = [np.packbits(row) for turns in episodes for row in turns[0]][-16:]
    assert (np.roll(replay.vectors, -(30 % 16), axis=0) == kept).all()
    assert replay.tree[1] == 16 * NEW


@pytest.mark.parametrize("lengths", [[5, 6], [20, 20, 20]])
def test_a_restored_replay_draws_and_takes_in_alike(lengths):
    one, _ = some_replay(50, lengths)
    one.reprioritise(np.arange(9), np.random.default_rng(5).random(9).astype(np.float32))
    state = {name: part.clone() if torch.is_tensor(part) else part
             for name, part in one.state().items()}  # fmt: skip
    assert state["vectors"].shape == (min(50, sum(lengths)), 2)  # only what is filled
    other, _ = some_replay(50, [50, 50], seed=2)
    other.restore(state)
    assert (one.tree == other.tree).all()
    more = episode(np.random.default_rng(6), 8)
    for replay in (one, other):
        add(replay, more)
    first, second = (replay.draw(64, 2, 0.9, torch.Generator().manual_seed(1))
                     for replay in (one, other))  # fmt: skip
    assert (first.rows == second.rows).all()
    for name in ("weights", "packed", "moves", "gains", "discounts"):
        assert np.array_equal(getattr(first, name), getattr(second, name)), name
    goes_on = first.discounts > 0
    for name in ("later_packed", "later_legal"):
        one_part, other_part = (getattr(samples, name)[goes_on] for samples in (first, second))
        assert np.array_equal(one_part, other_part), name


def test_samples_are_restored_also_from_float_vectors():
    """As older checkpoints have them."""
    replay, _ = some_replay(50, [20, 20])
    samples = replay.draw(9, 1, 0.9, torch.Generator().manual_seed(1))
    state = samples.state()
    older = dict(state)
    for name in ("packed", "later_packed"):
        bits = np.unpackbits(older.pop(name).numpy(), axis=1, count=LENGTH)
        older[name.replace("packed", "vectors")] = torch.from_numpy(bits).float()
    for form in (state, older):
        again = Samples.restored(form)
        for one, other in zip(samples, again, strict=True):
            assert np.array_equal(one, other) and one.dtype == other.dtype


def test_the_sums_of_a_restored_tree_are_those_of_its_leaves():
    replay, _ = some_replay(37, [30])
    replay.reprioritise(np.arange(30), np.random.default_rng(7).random(30).astype(np.float32))
    again = Replay(37, LENGTH, N_MOVES)
    again.restore(replay.state())
    levels = [again.tree[2**k : 2 ** (k + 1)] for k in range(7)]
    for upper, lower in pairwise(levels):
        assert (upper == lower[::2] + lower[1::2]).all()
