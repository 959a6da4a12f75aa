"""The two faces of a kernel, and what people see while one is compiled."""

import numpy as np
import pytest

from tamaya import compile_progress
from tamaya.compiled import JIT, hot

pytestmark = pytest.mark.skipif(not JIT, reason="this is about compiled code")


@pytest.fixture(autouse=True)
def _nothing_kept(monkeypatch):
    """Everything is compiled here, whatever an earlier run has kept."""
    from tamaya import kernel_cache

    monkeypatch.setattr(kernel_cache, "load", lambda *arguments: None)


@hot
def _increased(number):
    return number + 1


@hot
def _doubled(number):
    return _increased(number) + number - 1


@hot
def _outer(number):
    return _doubled(number) + _increased(number)


def test_kernels_that_only_kernels_call_have_no_entry_point():
    assert _outer(20) == 61
    assert not _increased.overloads and len(_increased.inner.overloads) == 1


def test_a_kernel_called_from_both_sides_agrees_with_itself():
    assert _doubled(21) == 42
    assert _outer(np.int64(21)) == 64
    assert _doubled.py_func(21) == 42


def test_exceptions_pass_through_inner_faces():
    @hot
    def picky(number):
        if number < 0:
            raise ValueError("no negative numbers")
        return number

    @hot
    def caller(number):
        return picky(number)

    assert caller(3) == 3
    with pytest.raises(ValueError, match="no negative numbers"):
        caller(-3)


def test_reachable_kernels_are_counted_once_each():
    from tamaya.kernel import reachable_kernels

    assert reachable_kernels(_outer) == {_doubled.py_func, _increased.py_func}
    assert reachable_kernels(_increased) == set()


def test_progress_counts_kernels_up_to_the_whole(monkeypatch):
    monkeypatch.setattr(compile_progress, "PATIENCE", -1.0)
    seen = []

    @hot
    def low(number):
        return number * 3

    @hot
    def middle(number):
        return low(number) + 1

    @hot
    def top(number):
        return middle(number) + low(number)

    def listener(progress):
        seen.append(progress and (progress.kernel.rpartition(".")[2], progress.done))

    with compile_progress.listening(listener):
        assert top(1) == 7
    assert seen == [("low", 1), ("middle", 2), None]


def test_progress_is_shown_in_a_terminal_and_nowhere_else(monkeypatch, capsys):
    progress = compile_progress.CompileProgress("table.play", 40, 12, "game.deal")
    compile_progress._show_line(progress)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    compile_progress._show_line(progress)
    assert "compiling table.play, once: 12 of 40 (game.deal)" in capsys.readouterr().err
