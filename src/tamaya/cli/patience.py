"""Messages while the user waits: a slow command says in the terminal what it is doing.

    with patience("playing the game") as say:
        ...                              # quick: nothing is printed; slow: one line
        say("measuring the next thing")  # the message from now on

Nothing is printed if standard error is not a terminal. While code is compiled,
``tamaya.compile_progress`` prints instead.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event as Flag
from threading import Lock, Thread
from time import monotonic

from tamaya import compile_progress

MOMENT = 3.0  # seconds before a message is printed
_CLEAR_LINE = "\r\x1b[2K"  # removes the compiler's progress, if any


class Watcher:
    """What is being done and since when; a thread polls it for the message to print."""

    def __init__(self, doing: str, moment: float) -> None:
        self.moment = moment
        self._n_compiled = compile_progress.n_compiled
        self._lock = Lock()
        self.begin(doing)

    def begin(self, doing: str) -> None:
        """Set what is being done from now on."""
        with self._lock:
            self._doing, self._since, self._is_said = doing, monotonic(), False

    def due(self) -> str | None:
        """The message to print now, returned once; None before it is due."""
        with self._lock:
            if self._n_compiled != compile_progress.n_compiled:  # the actual work begins only now
                self._n_compiled, self._since = compile_progress.n_compiled, monotonic()
            if self._is_said or monotonic() - self._since < self.moment:
                return None
            self._is_said = True
            return self._doing


@contextmanager
def patience(doing: str, moment: float = MOMENT) -> Iterator[Callable[[str], None]]:
    """Print what is being done if it takes longer than ``moment``; yields a setter for it."""
    watcher, is_over = Watcher(doing, moment), Flag()
    if not sys.stderr.isatty():
        yield watcher.begin
        return

    def watch() -> None:
        while not is_over.wait(moment / 8):
            if text := watcher.due():
                sys.stderr.write(f"{_CLEAR_LINE}{text} …\n")

    thread = Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield watcher.begin
    finally:
        is_over.set()
        thread.join()
