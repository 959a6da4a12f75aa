"""Ctrl-C ends a command within two seconds, whatever its threads are doing.

Python raises ``KeyboardInterrupt`` only when its main thread returns to the interpreter, which may
never happen while compiled code runs. A watching thread learns of the signal at once and ends the
process if the command has not ended in time. Nothing is lost by that: every part of a run is
written atomically as soon as it is finished.
"""

import os
import signal
import sys
import threading
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from socket import socket, socketpair
from time import monotonic, sleep

CODE = 130  # exit code of a process ended by Ctrl-C
MESSAGE = "stopped; finished work is kept"
GRACE = 1.5  # seconds for a command to end by itself
LAST_GRACE = 1.0  # seconds that its threads have after that
_SHOW_CURSOR = "\x1b[?25h"  # progress bars hide it


@contextmanager
def ending_on_interrupt() -> Iterator[None]:
    """Inside this block Ctrl-C ends the process, unless the command handles the signal itself."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    reader, writer = socketpair()
    writer.setblocking(False)
    ended = threading.Event()
    threading.Thread(target=_watch, args=(reader, ended), daemon=True).start()
    before = signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)
    try:
        yield
    finally:
        ended.set()
        signal.set_wakeup_fd(before)
        writer.close()


def _watch(reader: socket, ended: threading.Event) -> None:
    """Wait for Ctrl-C, and end the process if the command does not."""
    with reader:
        while received := reader.recv(64):
            is_ours = signal.getsignal(signal.SIGINT) is signal.default_int_handler
            if signal.SIGINT in received and is_ours:
                if not ended.wait(GRACE):
                    end_process(f"tamaya: {MESSAGE}\n")
                return


def end_threads(known: Collection[threading.Thread]) -> None:
    """End the process if threads other than the known ones do not end by themselves."""
    until = monotonic() + LAST_GRACE
    others = [thread for thread in threading.enumerate() if thread not in known]
    while any(map(_is_busy, others)):
        if monotonic() > until:
            end_process()
        sleep(0.02)


def _is_busy(thread: threading.Thread) -> bool:
    """Whether a thread is working; ``tamaya.workers`` keeps idle threads and marks them."""
    return thread.is_alive() and not getattr(thread, "is_idle", False)


def end_process(message: str = "") -> None:
    """Exit at once, with all output flushed and the cursor visible."""
    sys.stderr.write((_SHOW_CURSOR if sys.stderr.isatty() else "") + message)
    sys.stderr.flush()
    sys.stdout.flush()
    os._exit(CODE)
