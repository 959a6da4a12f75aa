"""Arrays of a safetensors file: a JSON header with names, kinds and places, then raw numbers.

    8 bytes     length of the header, little-endian
    header      {"name": {"dtype": "I32", "shape": [40, 50], "data_offsets": [0, 8000]}, ...}
    the rest    the arrays, row by row, little-endian

Records of games contain only whole numbers; other types are refused.
"""

import json
from math import prod
from pathlib import Path

import numpy as np

from tamaya.replays.fields import Field, ReplayError

KINDS = {"I8": "<i1", "U8": "<u1", "I16": "<i2", "U16": "<u2",
         "I32": "<i4", "U32": "<u4", "I64": "<i8"}  # fmt: skip
LONGEST_HEADER = 1 << 20  # bytes
LARGEST_FILE = 1 << 28
_LENGTH = 8  # bytes of the header's length


def read_arrays(path: Path) -> dict[str, np.ndarray]:
    """All arrays of a file by their names; ReplayError names the place of a problem."""
    if path.stat().st_size > LARGEST_FILE:
        raise ReplayError(f"larger than {LARGEST_FILE >> 20} MB")
    content = path.read_bytes()
    length = int.from_bytes(content[:_LENGTH], "little")
    if len(content) < _LENGTH or length > min(LONGEST_HEADER, len(content) - _LENGTH):
        raise ReplayError("not a safetensors file: the header is longer than the file")
    try:
        header = Field(json.loads(content[_LENGTH : _LENGTH + length]), "header")
    except (ValueError, RecursionError) as error:
        raise ReplayError(f"not JSON: {error}", "header") from None
    data = memoryview(content)[_LENGTH + length :]
    return {name: _array(header[name], data) for name in header.mapping() if name != "__metadata__"}


def _array(entry: Field, data: memoryview) -> np.ndarray:
    kind = entry["dtype"].text()
    if kind not in KINDS:
        raise entry["dtype"].error(f"{kind[:20]!r} is not an integer type")
    shape = [size.whole("size", 0, LARGEST_FILE) for size in entry["shape"].items()]
    places = entry["data_offsets"].items()
    if len(places) != 2:
        raise entry["data_offsets"].error(f"{len(places)} numbers, expected begin and end")
    first, last = (place.whole("place", 0, len(data)) for place in places)
    dtype = np.dtype(KINDS[kind])
    if last - first != prod(shape) * dtype.itemsize:
        raise entry["data_offsets"].error(f"{last - first} bytes, not those of shape {shape}")
    return np.frombuffer(data[first:last], dtype).reshape(shape)
