"""Reading files that may be damaged: every error is one line that names the file and the problem.

A run's files can be copied partly, edited by hand or cut off by a full disk. So everything that is
read is checked before it is used; callers need to expect nothing but ``FileError``.
"""

import json
import math
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile

import numpy as np

Arrays = dict[str, np.ndarray]

_KINDS = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "a text",
    list: "a list",
    dict: "an object",
}


class FileError(ValueError):
    """A file cannot be used."""


@contextmanager
def blaming(path: Path, place: str = "", remedy: str = "") -> Iterator[None]:
    """Turn errors in checking a file's content into one that names the file and the place in it."""
    where, end = f"{path}, {place}" if place else str(path), f"; {remedy}" if remedy else ""
    try:
        yield
    except KeyError as error:
        raise FileError(f"{where} lacks {error}{end}") from None
    except OSError as error:
        raise FileError(f"{where}: {error.strerror or error}") from None
    except ValueError as error:
        raise FileError(f"{where}: {error}{end}") from None


def read_json(path: Path, kind: type = dict) -> Any:
    """The JSON object, or list, of a file."""
    with blaming(path):
        return _parsed(path.read_text(encoding="utf-8"), kind)


def read_json_lines(path: Path, remedy: str = "") -> list[dict[str, Any]]:
    """The JSON objects of a file's lines; a last line that was cut off by a kill is skipped.

    An error about a line ends with the remedy, if one is given.
    """
    with blaming(path):
        *lines, last = path.read_text(encoding="utf-8").split("\n")
    rows = []
    for number, line in enumerate(lines, 1):
        with blaming(path, f"line {number}", remedy):
            rows.append(_parsed(line, dict))
    with suppress(ValueError):
        rows.append(_parsed(last, dict))
    return rows


def _parsed(text: str, kind: type) -> Any:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"not JSON: {error}") from None
    return checked(found, kind, "the content")


def read_arrays(path: Path, most_bytes: int | None = None) -> Arrays:
    """The arrays of an .npz file; with a bound, of one that does not unpack to more."""
    if most_bytes is not None:
        check_unpacked(path, most_bytes)
    try:
        with np.load(path) as arrays:
            return dict(arrays)
    except OSError as error:
        raise FileError(f"{path}: {error.strerror or error}") from None
    except Exception as error:  # damaged bytes can fail anywhere in zipfile, zlib and NumPy
        raise FileError(
            f"{path} is not a file of arrays, or damaged: {short(str(error))}"
        ) from None


def check_unpacked(path: Path, most_bytes: int) -> None:
    """Refuse a file of a few kilobytes that would fill the memory; others are for ``np.load``."""
    with suppress(OSError, BadZipFile), ZipFile(path) as archive:
        size = sum(part.file_size for part in archive.infolist())
        if size > most_bytes:
            raise FileError(f"{path} unpacks to {size >> 20} MB, at most {most_bytes >> 20} "
                            "are read")  # fmt: skip


def checked(value: Any, kind: type, name: str) -> Any:
    """A value, checked to be of a kind; whole numbers are numbers too, true and false are not."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if kind is float:
        fits = is_number and math.isfinite(value)
    elif kind is int:
        fits = isinstance(value, int) and is_number
    else:
        fits = isinstance(value, kind)
    if not fits:
        raise ValueError(f"{name} should be {_KINDS[kind]}, not {short(value)}")
    return value


def entry(document: dict[str, Any], name: str, kind: type, least: float | None = None) -> Any:
    """An entry of a document, which must exist, be of a kind and not be below a bound."""
    value = checked(document[name], kind, repr(name))
    if least is not None and value < least:
        raise ValueError(f"{name!r} should be at least {least}, not {short(value)}")
    return value


def check_array(arrays: Arrays, name: str, kinds: str, shape: tuple[int | None, ...]) -> np.ndarray:
    """An array of one of some kinds of dtype (``iuf``) and of a shape; None fits any length."""
    array = arrays[name]
    if array.dtype.kind not in kinds:
        raise ValueError(f"{name!r} cannot have entries of type {array.dtype}")
    if len(array.shape) != len(shape) or any(
        wanted not in (None, found) for wanted, found in zip(shape, array.shape, strict=True)
    ):
        lengths = str(shape).replace("None", "any")
        raise ValueError(f"{name!r} should be {lengths}, found {array.shape}")
    return array


def check_finite(arrays: Arrays) -> None:
    """Refuse infinities and NaN, and what is too large for single precision."""
    for name, array in arrays.items():
        with np.errstate(over="ignore"):
            is_finite = array.dtype.kind != "f" or np.isfinite(array.astype(np.float32)).all()
        if not is_finite:
            raise ValueError(f"{name!r} has numbers that are not finite")


def short(value: Any) -> str:
    """A value as text for a message, truncated if long."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
