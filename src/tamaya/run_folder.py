"""Folders in which runs live: only one process works in one, and old runs are never overwritten.

The lock is one of the operating system's on the file ``.lock``, which names the process: it ends
with the process, however that ends. A process may open its own folder again.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from errno import EACCES, EAGAIN, EDEADLK
from pathlib import Path
from threading import RLock
from time import monotonic, sleep
from typing import IO, Any
from weakref import finalize

from tamaya.atomic import remove_leftovers

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]
try:
    import msvcrt
except ImportError:
    msvcrt = None  # type: ignore[assignment]

LOCK = ".lock"
ASIDE = "before"  # folders of what was moved aside: before-1, before-2, ...

_TAKEN = {EACCES, EAGAIN, EDEADLK}  # what systems say of a lock that another process has
_held: dict[Path, "_Held"] = {}
_guard = RLock()  # collecting an owner may release a lock in the middle of taking one


class RunError(ValueError):
    """A folder's run cannot go on, or another one cannot begin there."""


class _Held:
    """The lock of a folder and the number of those who have it, all in this process."""

    def __init__(self, file: IO[bytes]) -> None:
        self.file, self.n_holders = file, 1


def make_folder(folder: Path) -> None:
    """Make the folder of a run if it is not there."""
    if folder.exists() and not folder.is_dir():
        raise RunError(f"{folder} is a file, not a folder for a run")
    folder.mkdir(parents=True, exist_ok=True)


def hold_folder(folder: Path, owner: Any, patience: float = 0) -> Callable[[], Any]:
    """Keep other processes out of a folder until the result is called, or the owner is gone.

    A folder that another process works in is refused, after some seconds of patience if given.
    """
    return finalize(owner, _release, _take(folder, patience))


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keep other processes out of a folder inside the block."""
    path = _take(folder, 0)
    try:
        yield
    finally:
        _release(path)


def _take(folder: Path, patience: float) -> Path:
    """Lock a folder, or count one more holder of its lock; returns its key."""
    make_folder(folder)
    path = Path(os.path.realpath(folder))
    with _guard:
        held = _held.get(path)
        if held is not None:
            held.n_holders += 1
        if held is None or held.file.closed:  # a collected owner may have released it just now
            _held[path] = _Held(_locked_file(folder, path, patience))
            remove_leftovers(path)
    return path


def _release(path: Path) -> None:
    with _guard:
        held = _held.get(path)
        if held is None:
            return
        held.n_holders -= 1
        if held.n_holders == 0:
            del _held[path]
            with suppress(OSError):  # where open files cannot be removed it stays, which is no harm
                (path / LOCK).unlink()
            held.file.close()


def _locked_file(folder: Path, path: Path, patience: float) -> IO[bytes]:
    """The lock file, opened and locked."""
    deadline = monotonic() + patience
    while True:
        file = open(path / LOCK, "a+b", buffering=0)  # noqa: SIM115  (closed when released)
        if _try_lock(file):
            if _is_current(file, path / LOCK):
                file.truncate(0)
                file.write(str(os.getpid()).encode())
                return file
        elif monotonic() > deadline:
            file.seek(0)
            who = file.read(20).decode("ascii", "replace").strip()
            file.close()
            raise RunError(f"{folder} is in use by another process" + (f" ({who})" if who else ""))
        else:
            sleep(0.2)
        file.close()  # and try again


def _try_lock(file: IO[bytes]) -> bool:
    """Lock a file unless another process has it; systems that know no locks let everybody in."""
    try:
        if fcntl is not None:
            fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        elif msvcrt is not None:
            file.seek(1 << 30)  # far behind the text, which others may then read
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    except OSError as error:
        return error.errno not in _TAKEN
    return True


def _is_current(file: IO[bytes], path: Path) -> bool:
    """Whether a file that was locked is still the one at its path: its last holder removes it."""
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False


def move_aside(folder: Path, names: Iterable[str]) -> Path | None:
    """Move some files and folders, by patterns, into a new numbered folder; returns it, if any."""
    found = sorted({path for name in names for path in folder.glob(name)})
    if not found:
        return None
    number = 1
    while (folder / f"{ASIDE}-{number}").exists():
        number += 1
    aside = folder / f"{ASIDE}-{number}"
    aside.mkdir()
    for path in found:
        path.rename(aside / path.name)
    return aside
