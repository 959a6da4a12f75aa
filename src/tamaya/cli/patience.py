"""A word to those who wait: what takes long says on standard error what it is doing.

    with patience("playing the game") as say:
        ...                              # quick: nothing is printed; slow: one line
        say("measuring the next thing")  # what is being done from now on

Terminals show the compiler's progress anyway (``tamaya.compile_progress``); files and pipes get one
line about it, so that nobody takes the first run of an agent for a hang.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event as Flag
from threading import Lock, Thread
from time import monotonic

from tamaya import compile_progress

MOMENT = 3.0  # seconds of silence that need no word
COMPILING = "compiling, only this first time; tamaya warm compiles everything in advance"
_CLEAR_LINE = "\r\x1b[2K"  # of a terminal, where the compiler's progress may stand


class Watcher:
    """What is being done and since when; a thread asks again and again what there is to say."""

    def __init__(self, moment: float) -> None:
        self.moment = moment
        self._n_compiled = compile_progress.n_compiled
        self._compiled_at = -float("inf")
        self._said: set[str] = set()
        self._lock = Lock()

    def begin(self, doing: str) -> None:
        """Note that this is being done from now on."""
        with self._lock:
            self._doing, self._since = doing, monotonic()
            self._said.discard(doing)

    def due(self) -> str | None:
        """What to say now, each thing once; None while nobody can have become impatient."""
        with self._lock:
            now = monotonic()
            if self._n_compiled != compile_progress.n_compiled:
                self._n_compiled, self._compiled_at = compile_progress.n_compiled, now
            if now - self._compiled_at < self.moment:
                text, since = COMPILING, self._since
            else:
                text, since = self._doing, max(self._since, self._compiled_at)
            if text in self._said or now - since < self.moment:
                return None
            self._said.add(text)
            return text


@contextmanager
def patience(
    doing: str, moment: float = MOMENT, beside_bar: bool = False
) -> Iterator[Callable[[str], None]]:
    """Say what is being done if it takes longer than a moment; yields a function to change it.

    Beside a progress bar, which terminals have, only files and pipes are told.
    """
    watcher, is_over = Watcher(moment), Flag()
    watcher.begin(doing)
    is_terminal = sys.stderr.isatty()

    def watch() -> None:
        while not is_over.wait(moment / 8):
            text = watcher.due()
            if text and not (is_terminal and (beside_bar or text == COMPILING)):
                sys.stderr.write(f"{_CLEAR_LINE if is_terminal else ''}{text} …\n")

    thread = Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield watcher.begin
    finally:
        is_over.set()
        thread.join()
