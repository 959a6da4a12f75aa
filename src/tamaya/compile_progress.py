"""Telling users that code is being compiled, which may take half a minute.

Code that shows progress adds a listener; without one, a line is written to standard error if that
is a terminal. A pipe or a file gets nothing.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic
from typing import Any

PATIENCE = 0.5  # seconds before anything is shown
_CLEAR_LINE = "\r\x1b[2K"


@dataclass
class CompileProgress:
    """Progress of compiling an entry point: kernels done, of how many."""

    name: str
    total: int
    done: int = 0
    kernel: str = ""

    def __str__(self) -> str:
        return f"compiling {self.name}, once: {self.done} of {self.total} ({self.kernel})"


Listener = Callable[[CompileProgress | None], None]  # None: the entry point is done
listeners: list[Listener] = []
_waiting: dict[
    Any, CompileProgress
] = {}  # functions of the kernels that the current entry point needs
_started = 0.0
n_compiled = 0  # kernels compiled by this process


@contextmanager
def entry_point(function: Callable[..., Any], callees: set[Callable[..., Any]]) -> Iterator[None]:
    """Report the kernels that an entry point needs while it is compiled."""
    global _started, n_compiled
    progress = CompileProgress(_name(function), len(callees) + 1, kernel=_name(function))
    outer = dict(_waiting)
    _waiting.clear()
    _waiting.update(dict.fromkeys(callees, progress))
    _started = monotonic()
    try:
        yield
        n_compiled += 1
    finally:
        _waiting.clear()
        _waiting.update(outer)
        _tell(None)


def finish_kernel(function: Callable[..., Any]) -> None:
    """Count a kernel as done, if an entry point is waiting for it."""
    global n_compiled
    n_compiled += 1
    if progress := _waiting.pop(function, None):
        progress.done = progress.total - 1 - len(_waiting)
        progress.kernel = _name(function)
        if monotonic() - _started > PATIENCE:
            _tell(progress)


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Send reports to a listener instead of the terminal, inside the block."""
    listeners.append(listener)
    try:
        yield
    finally:
        listeners.remove(listener)


def _tell(progress: CompileProgress | None) -> None:
    for listener in listeners or [_show_line]:
        listener(progress)


def _show_line(progress: CompileProgress | None) -> None:
    """Update one line of a terminal."""
    if sys.stderr is not None and sys.stderr.isatty():
        sys.stderr.write(_CLEAR_LINE + (str(progress)[:78] if progress else ""))
        sys.stderr.flush()


def _name(function: Callable[..., Any]) -> str:
    module = function.__module__.rpartition("tamaya.")[2].removeprefix("agents.")
    return f"{module}.{function.__name__}"
