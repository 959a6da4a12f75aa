"""A helper answers in its own thread, or when the answer is needed."""

import threading

import pytest

torch = pytest.importorskip("torch", reason="training needs torch, the extra `learn`")

from tamaya.learn.threads import Helper, set_up_torch


@pytest.mark.parametrize("has_thread", [True, False])
def test_answers_come_from_a_thread_if_there_is_one(has_thread):
    asked = []

    def question(number: int) -> tuple[int, int]:
        asked.append(number)
        return number + 1, threading.get_ident()

    answer = Helper(has_thread).ask(question, 3)
    if not has_thread:
        assert not asked
    number, thread = answer()
    assert number == 4 and (thread != threading.get_ident()) == has_thread


def test_numbers_next_to_nothing_are_nothing():
    set_up_torch()
    tiny = torch.full((4,), 1e-38) * 1e-3
    assert torch.get_num_threads() == 1
    assert not tiny.any()
