"""A word to those who wait: what takes long says in the terminal what it is doing.

    with patience("playing the game") as say:
        ...                              # quick: nothing is printed; slow: one line
        say("measuring the next thing")  # what is being done from now on

Where standard error is no terminal nobody waits, and nothing is said. While something compiles,
``tamaya.compile_progress`` has the floor.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event as Flag
from threading import Lock, Thread
from time import monotonic

from tamaya import compile_progress

MOMENT = 3.0  # seconds of silence that need no word
_CLEAR_LINE = "\r\x1b[2K"  # where the progress of the compiler may have been


class Watcher:
    """What is being done and since when; a thread asks again and again what there is to say."""

    def __init__(self, doing: str, moment: float) -> None:
        self.moment = moment
        self._n_compiled = compile_progress.n_compiled
        self._lock = Lock()
        self.begin(doing)

    def begin(self, doing: str) -> None:
        """Note that this is being done from now on."""
        with self._lock:
            self._doing, self._since, self._is_said = doing, monotonic(), False

    def due(self) -> str | None:
        """What to say now, once; None while nobody can have become impatient."""
        with self._lock:
            if self._n_compiled != compile_progress.n_compiled:  # the real work begins only now
                self._n_compiled, self._since = compile_progress.n_compiled, monotonic()
            if self._is_said or monotonic() - self._since < self.moment:
                return None
            self._is_said = True
            return self._doing


@contextmanager
def patience(doing: str, moment: float = MOMENT) -> Iterator[Callable[[str], None]]:
    """Say what is being done if it takes longer than a moment; yields a function to change it."""
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
