"""Threads for work that may never end.

Compiled code runs without the interpreter's lock and never sees a signal. So the main thread only
waits, which Ctrl-C interrupts, and the work runs in threads that the end of the program does not
wait for.
"""

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import suppress
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import Any, TypeVar

from tamaya.compiled import JIT

Item = TypeVar("Item")
Answer = TypeVar("Answer")
_Call = tuple["Future[Any]", Callable[..., Any], tuple[Any, ...]]


class Workers:
    """Some daemon threads that carry out calls; use it in a ``with`` statement.

    At its end no further call begins. Calls that have begun are waited for, unless the statement
    was left by an exception.
    """

    def __init__(self, n: int) -> None:
        self._calls: SimpleQueue[_Call | None] = SimpleQueue()
        self._threads = [_Worker(self._calls) for _ in range(n)]
        for thread in self._threads:
            thread.start()

    def submit(self, call: Callable[..., Answer], *arguments: Any) -> "Future[Answer]":
        """Have a call carried out by the next thread that is free."""
        future: Future[Answer] = Future()
        self._calls.put((future, call, arguments))
        return future

    def __enter__(self) -> "Workers":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with suppress(Empty):
            while entry := self._calls.get_nowait():
                entry[0].cancel()
        for _ in self._threads:
            self._calls.put(None)
        if kind is None:
            for thread in self._threads:
                thread.join()


class _Worker(threading.Thread):
    """A thread that carries out the calls of a queue until it finds None."""

    def __init__(self, calls: "SimpleQueue[_Call | None]") -> None:
        super().__init__(daemon=True)
        self._calls = calls

    def run(self) -> None:
        while (entry := self._calls.get()) is not None:
            future, call, arguments = entry
            if not future.set_running_or_notify_cancel():
                continue
            try:
                future.set_result(call(*arguments))
            except BaseException as error:
                future.set_exception(error)


def in_order(call: Callable[[Item], Answer], items: Sequence[Item], n: int) -> Iterator[Answer]:
    """Answers of a call for each item, in order, from at most n threads.

    In the main thread even one thread's work is done by another, so that Ctrl-C comes through.
    """
    is_main = threading.current_thread() is threading.main_thread()
    if min(n, len(items)) <= 1 and not (JIT and is_main and items):
        yield from map(call, items)
        return
    with Workers(min(n, len(items))) as workers:
        for future in [workers.submit(call, item) for item in items]:
            yield future.result()
