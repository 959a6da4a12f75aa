"""What can happen to files: cut off, overwritten, bits flipped, entries of wrong types."""

import json
import random
from collections.abc import Iterator
from typing import Any

WRONG = (None, True, -1, 0, 10**9, 0.5, float("nan"), "x", "", [], [[1]], {}, {"a": 1})


def damaged_bytes(data: bytes, n: int, seed: int = 1) -> Iterator[bytes]:
    """Damaged versions of a file's content."""
    yield b""
    yield b"nonsense"
    yield data[: len(data) // 2]
    rng = random.Random(seed)
    for _ in range(n):
        place = rng.randrange(len(data))
        kind = rng.randrange(4)
        if kind == 0:
            yield data[:place]
        elif kind == 1:
            noise = rng.randbytes(min(rng.randrange(1, 200), len(data) - place))
            yield data[:place] + noise + data[place + len(noise) :]
        else:
            flipped = bytearray(data)
            flipped[place] ^= 1 << rng.randrange(8)
            yield bytes(flipped)


def wrong_documents(document: Any) -> Iterator[tuple[str, Any]]:
    """Versions of a document with one entry missing or of a wrong kind, and which one."""
    for path in _paths(document):
        yield f"without {path}", _changed(document, path, None, is_missing=True)
        for value in WRONG:
            yield f"{path} is {value!r}", _changed(document, path, value)


def _paths(document: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Places of entries; of a list the first is enough."""
    entries: Any = ()
    if isinstance(document, dict):
        entries = document.items()
    elif isinstance(document, list):
        entries = list(enumerate(document))[:1]
    for name, value in entries:
        yield (*path, name)
        yield from _paths(value, (*path, name))


def _changed(document: Any, path: tuple[Any, ...], value: Any, is_missing: bool = False) -> Any:
    copied = json.loads(json.dumps(document))
    place = copied
    for name in path[:-1]:
        place = place[name]
    if is_missing:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return copied
