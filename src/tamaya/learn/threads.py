"""Threads of a run: one, and for Rainbow a second that works ahead, with the same result."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeVar

import torch

Answer = TypeVar("Answer")


def set_up_torch() -> None:
    """Use one thread and flush subnormal numbers to zero; for the calling thread only.

    Processors are slow with subnormal numbers, and the moments of weights that have long been
    unused become that small: without this, an update of Rainbow takes 1.5 times as long.
    """
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)


class Helper:
    """Runs calls in another thread or, without one, when the result is needed."""

    def __init__(self, has_thread: bool = False) -> None:
        self.has_thread = has_thread
        self._pool = ThreadPoolExecutor(1, initializer=set_up_torch) if has_thread else None

    def ask(self, question: Callable[..., Answer], *given: object) -> Callable[[], Answer]:
        """Start a call; the returned function waits for its result."""
        if self._pool is None:
            return partial(question, *given)
        return self._pool.submit(question, *given).result
