"""Threads of a run: one, and for Rainbow a second that works ahead, with the same result."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeVar

import torch

Answer = TypeVar("Answer")


def set_up_torch() -> None:
    """Set torch up for learning on one thread; the last setting is for the calling thread only.

    Processors are slow with subnormal numbers, and the moments of weights that have long been
    unused become that small: without flushing them to zero, an update of Rainbow takes 1.5 times as
    long.

    "medium" lets oneDNN multiply matrices instead of MKL, which makes no use of AVX-512 on
    processors other than Intel's and is half as fast there. Sums are as exact, except on processors
    that multiply whole tiles in bfloat16 (AMX).
    """
    torch.set_num_threads(1)
    torch.set_float32_matmul_precision("medium")
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
