"""Threads for work that may never end.

Compiled code runs without the interpreter's lock and never handles a signal. So the main thread
only waits, which Ctrl-C can interrupt, and the work runs in daemon threads, for which the program
does not wait at its end. Idle threads are reused, because starting one takes 100 microseconds.
"""

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import suppress
from queue import Empty, SimpleQueue
from time import process_time, thread_time
from typing import Any, TypeVar

from tamaya.compiled import JIT

MAX_THREADS = 1024
Item = TypeVar("Item")
Answer = TypeVar("Answer")
_Call = tuple["Future[Any]", Callable[..., Any], tuple[Any, ...]]
_Calls = SimpleQueue[_Call | None]  # None: no more work


class Workers:
    """Some daemon threads that run calls; use it in a ``with`` statement.

    After its end no further call begins; calls that have begun are not interrupted.
    """

    def __init__(self, n: int) -> None:
        self._n = 0
        self._calls: _Calls = SimpleQueue()
        for _ in range(check_threads(n)):
            try:
                worker = _idle_worker()
            except RuntimeError:  # the system has no more threads: use fewer
                if self._n == 0:
                    raise
                break
            worker.duties.put(self._calls)
            self._n += 1

    def submit(self, call: Callable[..., Answer], *arguments: Any) -> "Future[Answer]":
        """Run a call in the next free thread."""
        future: Future[Answer] = Future()
        self._calls.put((future, call, arguments))
        return future

    def __enter__(self) -> "Workers":
        return self

    def __exit__(self, *error: object) -> None:
        with suppress(Empty):
            while entry := self._calls.get_nowait():
                entry[0].cancel()
        for _ in range(self._n):
            self._calls.put(None)


class _Worker(threading.Thread):
    """A thread that runs the calls of one queue after another."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.duties: SimpleQueue[_Calls] = SimpleQueue()
        self.is_idle = False

    def run(self) -> None:
        while True:
            self._serve(self.duties.get())
            self.is_idle = True
            _idle.append(self)

    def _serve(self, calls: _Calls) -> None:
        while entry := calls.get():
            future, call, arguments = entry
            if not future.set_running_or_notify_cancel():
                continue
            try:
                future.set_result(call(*arguments))
            except BaseException as error:
                future.set_exception(error)


_idle: list[_Worker] = []
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_idle.clear)  # threads do not survive a fork


def _idle_worker() -> _Worker:
    """An idle thread, started if there is none."""
    try:
        worker = _idle.pop()
    except IndexError:
        worker = _Worker()
        worker.start()
    worker.is_idle = False
    return worker


def cpu_time() -> float:
    """CPU time of this thread; of the process in the main thread, which has others work for it."""
    is_main = threading.current_thread() is threading.main_thread()
    return process_time() if is_main else thread_time()


def check_threads(n: int) -> int:
    """A number of threads, checked to be in range."""
    if not 0 <= n <= MAX_THREADS:
        raise ValueError(f"threads must be 0 to {MAX_THREADS:,}, not {n:,}")
    return n


def in_order(call: Callable[[Item], Answer], items: Sequence[Item], n: int) -> Iterator[Answer]:
    """Results of a call for each item, in order, from at most n threads.

    If called in the main thread, even a single thread's work runs in another, so that Ctrl-C works.
    """
    is_main = threading.current_thread() is threading.main_thread()
    if min(n, len(items)) <= 1 and not (JIT and is_main and items):
        yield from map(call, items)
        return
    with Workers(min(n, len(items))) as workers:
        for future in [workers.submit(call, item) for item in items]:
            yield future.result()
