"""Files that are replaced atomically: readers find the old content or the new, never a mixture.

The new content goes into a temporary file in the same folder, is forced to disk and then renamed.
A failure before that leaves the old file unchanged. A process that is killed in between leaves
its temporary file behind, hidden and harmless; ``remove_leftovers`` clears a folder of them.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import get_ident
from typing import BinaryIO

SUFFIX = ".partial"


def write_atomically(path: Path, data: str | bytes) -> None:
    """Replace a file by a text, in UTF-8 without translated line ends, or by bytes."""
    with replacing(path) as file:
        file.write(data.encode() if isinstance(data, str) else data)


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """Open a file for writing that replaces ``path`` if the block ends without an error.

    An ``OSError`` names ``path``, not the temporary file.
    """
    target = Path(os.path.realpath(path))  # replaces the target of a link, not the link
    temporary = target.with_name(f".{target.name}.{os.getpid()}.{get_ident()}{SUFFIX}")
    try:
        try:
            with open(temporary, "wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, target)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        if error.filename not in (None, str(temporary)):
            raise
        raise type(error)(error.errno, error.strerror or str(error), str(path)) from error


def remove_leftovers(folder: Path) -> None:
    """Delete the temporary files of killed processes; nobody else may be writing there."""
    for path in folder.glob(f".*{SUFFIX}"):
        path.unlink(missing_ok=True)
