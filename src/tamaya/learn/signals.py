"""Deferring Ctrl-C and SIGTERM until something is finished."""

import signal
from collections.abc import Callable
from contextlib import suppress
from typing import Any


class Signals:
    """Inside this block signals that end the process call a function instead.

    A second Ctrl-C raises ``KeyboardInterrupt``.
    """

    def __init__(self, on_signal: Callable[[], None]) -> None:
        self.on_signal, self.were_received = on_signal, False
        self._is_interrupted = False
        self.before: dict[int, Any] = {}

    def __enter__(self) -> "Signals":
        for number in (signal.SIGINT, signal.SIGTERM):
            with suppress(ValueError):  # not in the main thread: the caller handles them
                self.before[number] = signal.signal(number, self._receive)
        return self

    def _receive(self, number: int, frame: Any) -> None:
        if number == signal.SIGINT:
            if self._is_interrupted:
                raise KeyboardInterrupt
            self._is_interrupted = True
        self.were_received = True
        self.on_signal()

    def __exit__(self, *error: object) -> None:
        for number, handler in self.before.items():
            signal.signal(number, handler)
