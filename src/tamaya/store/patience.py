"""Waiting for a database that another process has locked, and telling the user about it."""

import sys
from collections.abc import Callable
from time import monotonic, sleep
from typing import TypeVar

from sqlalchemy.exc import OperationalError

BUSY_SECONDS = 1.0  # that SQLite itself waits: shorter locks are normal
PAUSE_SECONDS = 0.1  # before another try, for locks on which SQLite does not wait
SAY_SECONDS = 5.0  # between two messages
GIVE_UP_SECONDS = 60.0

Value = TypeVar("Value")


class StillLocked(Exception):
    """A database that stayed locked for too long."""


def patiently(action: Callable[[], Value], name: str) -> Value:
    """Run an action on a database; while it is locked, say so and retry for a minute.

    ``action`` must be one that can be repeated, such as a transaction that was not committed.
    """
    started = monotonic()
    said = -SAY_SECONDS
    while True:
        try:
            return action()
        except OperationalError as error:
            reason = str(error.orig)
            if "locked" not in reason:
                raise
            waited = monotonic() - started
            if waited >= GIVE_UP_SECONDS:
                raise StillLocked(f"{reason} by another process, gave up after {waited:.0f} "
                                  "seconds") from None  # fmt: skip
            if waited - said >= SAY_SECONDS:
                said = waited
                _say(f"{name} is locked by another process; waiting, {waited:.0f} of "
                     f"{GIVE_UP_SECONDS:.0f} seconds")  # fmt: skip
            sleep(PAUSE_SECONDS)


def _say(message: str) -> None:
    sys.stderr.write(f"tamaya: {message}\n")
    sys.stderr.flush()
