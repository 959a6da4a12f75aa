"""Dataclasses as JSON documents and back; documents of earlier versions may lack newer fields."""

from collections.abc import Mapping
from dataclasses import MISSING, asdict, fields
from typing import Any, TypeVar, get_origin, get_type_hints

from tamaya.arena.tally import without_nan

Record = TypeVar("Record")


def document_of(record: Any) -> dict[str, Any]:
    """A dataclass as a document: tuples become lists, NaN and infinity null."""
    return without_nan(asdict(record))


def record_of(kind: type[Record], document: Mapping[str, Any]) -> Record:
    """The dataclass of a document; raises ``KeyError`` for a missing field without a default.

    Names that the dataclass does not have are ignored, null for a float is NaN.
    """
    hints = get_type_hints(kind)
    values = {}
    for field in fields(kind):  # type: ignore[arg-type]
        if field.name in document:
            values[field.name] = _read(hints[field.name], document[field.name])
        elif field.default is MISSING and field.default_factory is MISSING:
            raise KeyError(field.name)
    return kind(**values)


def _read(hint: Any, value: Any) -> Any:
    if hint is float and value is None:
        return float("nan")
    return _frozen(value) if get_origin(hint) is tuple else value


def _frozen(value: Any) -> Any:
    """A value with tuples in place of all lists."""
    return tuple(map(_frozen, value)) if isinstance(value, list | tuple) else value
