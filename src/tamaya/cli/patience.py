"""A word to those who wait: what takes long says on standard error what it is doing.

    with patience("playing the game") as say:
        ...                              # quick: nothing is printed; slow: one line
        say("measuring the next thing")  # what is being done from now on

Whether code is being compiled is known from Numba's own events, so that nobody takes the first
run of an agent for a hang.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event as Flag
from threading import Lock, Thread
from time import monotonic
from typing import Any

MOMENT = 3.0  # seconds of silence that need no word
COMPILING = "compiling, only this first time; tamaya warm compiles everything in advance"


class Watcher:
    """What is being done and since when; a thread asks again and again what there is to say."""

    def __init__(self, moment: float) -> None:
        self.moment = moment
        self._n_compiling = 0
        self._said: set[str] = set()
        self._lock = Lock()

    def begin(self, doing: str) -> None:
        """Note that this is being done from now on."""
        with self._lock:
            self._doing = doing
            self._since = self._since_compiled = monotonic()
            self._said.discard(doing)

    def compile_begins(self) -> None:
        """Note that the compiler starts, perhaps inside another compilation."""
        with self._lock:
            self._n_compiling += 1

    def compile_ends(self) -> None:
        """Note that the compiler is done: only now does the real work begin."""
        with self._lock:
            self._n_compiling -= 1
            self._since_compiled = monotonic()

    def due(self) -> str | None:
        """What to say now, each thing once; None as long as nobody can have become impatient."""
        with self._lock:
            text = COMPILING if self._n_compiling else self._doing
            since = self._since if self._n_compiling else self._since_compiled
            if text in self._said or monotonic() - since < self.moment:
                return None
            self._said.add(text)
            return text


@contextmanager
def patience(doing: str, moment: float = MOMENT) -> Iterator[Callable[[str], None]]:
    """Say what is being done if it takes longer than a moment; yields a function to change it."""
    watcher, is_over = Watcher(moment), Flag()
    watcher.begin(doing)

    def watch() -> None:
        while not is_over.wait(moment / 8):
            if text := watcher.due():
                sys.stderr.write(f"{text} …\n")

    thread = Thread(target=watch, daemon=True)
    with _listening(watcher):
        thread.start()
        try:
            yield watcher.begin
        finally:
            is_over.set()
            thread.join()


@contextmanager
def _listening(watcher: Watcher) -> Iterator[None]:
    """Let a watcher know when Numba compiles."""
    from numba.core.event import Listener, install_listener

    class Ear(Listener):
        def on_start(self, event: Any) -> None:
            watcher.compile_begins()

        def on_end(self, event: Any) -> None:
            watcher.compile_ends()

    with install_listener("numba:compile", Ear()):
        yield
