"""The compiler: what a kernel is compiled for, when its code is kept, and life without it."""

import numpy as np
import pytest

from support import run_python
from tamaya import kernel_cache
from tamaya.compiled import JIT, hot, popcount, scratch
from tamaya.records import record

FIRST_MOVE = """if True:
    from tamaya.game import Game
    game = Game(seed=1)
    game.apply("p0")
    print(game.hands)
    """

needs_compiler = pytest.mark.skipif(not JIT, reason="this is about compiled code")


@needs_compiler
def test_compiled_code_is_kept_and_used_again_whatever_else_lies_there(tmp_path):
    environment = {"TAMAYA_CACHE": str(tmp_path / "cache")}
    first = run_python(FIRST_MOVE, **environment)
    (folder,) = (tmp_path / "cache").glob("kernels-*")
    stale = folder / "tamaya.game._move_if_legal-01234567-0123456789abcdef0123.nbc"
    stale.write_bytes(b"rubbish")
    kept = {path: path.stat().st_mtime_ns for path in folder.iterdir()}
    second = run_python(FIRST_MOVE, **environment)
    assert first.stdout == second.stdout != ""
    assert {path.name.split("-")[0] for path in kept} >= {
        "tamaya.game._move_if_legal", "tamaya.game_kernels.deal", "tamaya.rng.seed_of",
    }  # fmt: skip
    assert {path: path.stat().st_mtime_ns for path in folder.iterdir()} == kept


@needs_compiler
def test_damaged_code_is_compiled_again(tmp_path):
    environment = {"TAMAYA_CACHE": str(tmp_path)}
    first = run_python(FIRST_MOVE, **environment)
    (folder,) = tmp_path.glob("kernels-*")
    sizes = {path: path.stat().st_size for path in folder.iterdir()}
    for path in folder.iterdir():
        path.write_bytes(path.read_bytes()[:100])
    second = run_python(FIRST_MOVE, **environment)
    assert first.stdout == second.stdout != "", second.stderr
    assert {path: path.stat().st_size for path in folder.iterdir()} == sizes


@needs_compiler
def test_a_place_that_cannot_be_written_is_done_without(tmp_path):
    """Below a file no directory can be made, not even by root."""
    (tmp_path / "file").write_text("")
    result = run_python(FIRST_MOVE, TAMAYA_CACHE=str(tmp_path / "file" / "cache"))
    assert result.stdout.startswith("[["), result.stderr


@needs_compiler
def test_a_function_typed_at_the_prompt_is_compiled_but_not_kept(tmp_path):
    code = """if True:
        from tamaya import hot
        @hot
        def double(n):
            return 2 * n
        print(double(21))
        """
    result = run_python(code, TAMAYA_CACHE=str(tmp_path))
    assert result.stdout == "42\n", result.stderr
    assert not list(tmp_path.rglob("*.nbc"))


def test_the_interpreter_alone_plays_the_same_game(tmp_path):
    interpreted = run_python(FIRST_MOVE, NUMBA_DISABLE_JIT="1", TAMAYA_CACHE=str(tmp_path / "no"))
    assert interpreted.stdout == run_python(FIRST_MOVE).stdout != ""
    assert not (tmp_path / "no").exists()


@hot
def count_ones(bits):
    return popcount(bits)


@pytest.mark.interpreted
@pytest.mark.parametrize("bits", [0, 1, 2**63, 2**64 - 1, 0x5555555555555555])
def test_popcount_counts_ones(bits):
    assert count_ones(np.uint64(bits)) == bits.bit_count()


PAIR = record([("first", np.int64), ("more", np.float64, 1000)])


@hot
def sums_in_two_records(n):
    """Two records, so that each would spoil the sum of the other if they shared a place."""
    one, other = scratch(PAIR), scratch(PAIR)
    one.first = n
    one.more[:] = 1.0
    other.first = -n
    other.more[:] = 2.0
    return one.first + other.first, one.more.sum() + other.more.sum()


def test_every_scratch_record_has_its_own_place():
    for n in range(3):
        assert sums_in_two_records(n) == (0, 3000)


def test_bounds_are_checked_when_asked_for():
    code = """if True:
        import numpy as np
        from tamaya import hot
        @hot
        def read(numbers, index):
            return numbers[index]
        read(np.zeros(3), 5)
        """
    assert "IndexError" in run_python(code, NUMBA_BOUNDSCHECK="1").stderr


@needs_compiler
def test_a_kernel_is_compiled_once_for_all_sizes_of_integers_that_kernels_hand_it(monkeypatch):
    # What an earlier run has kept would not be compiled at all.
    monkeypatch.setattr(kernel_cache, "load", lambda *_: None)

    @hot
    def twice(number):
        return number + number

    @hot
    def sum_of_both(small, large):
        return twice(small) + twice(large)

    assert sum_of_both(np.int8(100), np.int64(2**40)) == 200 + 2**41
    assert len(twice.inner.signatures) == 1
    assert sum_of_both(np.uint8(200), np.int32(-3)) == 400 - 6
    assert len(twice.inner.signatures) == 2  # unsigned ones stay what they are
