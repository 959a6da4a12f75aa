"""Ctrl-C and the usual signal to end a process, held back while something is to be finished."""

import signal
from collections.abc import Callable
from contextlib import suppress
from typing import Any


class Signals:
    """Inside this block signals to end the process call a function instead.

    Who presses Ctrl-C once more does not want to wait: that is a ``KeyboardInterrupt``.
    """

    def __init__(self, on_signal: Callable[[], None]) -> None:
        self.on_signal, self.were_received = on_signal, False
        self._is_interrupted = False
        self.before: dict[int, Any] = {}

    def __enter__(self) -> "Signals":
        for number in (signal.SIGINT, signal.SIGTERM):
            with suppress(ValueError):  # not in the main thread: whoever called takes care of them
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
