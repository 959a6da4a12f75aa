"""Values of an external document, each read with its place in it.

Every reader either returns a value of the expected kind or raises a ReplayError such as
``actions[12].target: expected a whole number, found 'x'``.
"""

import json
from typing import Any, NoReturn


class ReplayError(ValueError):
    """A replay that is not a game; the message names the place and the reason."""

    def __init__(self, reason: str, place: str = "") -> None:
        super().__init__(f"{place}: {reason}" if place else reason)
        self.reason, self.place = reason, place


class Field:
    """A value of a document, and its place there."""

    def __init__(self, value: object, place: str) -> None:
        self.value, self.place = value, place

    def error(self, reason: str) -> ReplayError:
        """An error about this place, to be raised."""
        return ReplayError(reason, self.place or "document")

    def _of_type(self, kind: type, name: str) -> Any:
        if not isinstance(self.value, kind) or (kind is int and isinstance(self.value, bool)):
            raise self.error(f"expected {name}, found {shown(self.value)}")
        return self.value

    def mapping(self) -> dict[str, object]:
        """The value, if it is an object."""
        return self._of_type(dict, "an object")

    def __contains__(self, name: str) -> bool:
        return name in self.mapping()

    def get(self, name: str, usual: object) -> "Field":
        """A field of an object, or its usual value if it is absent."""
        place = f"{self.place}.{name}" if self.place else name
        return Field(self.mapping().get(name, usual), place)

    def __getitem__(self, name: str) -> "Field":
        """A field that an object must have."""
        field = self.get(name, None)
        if name not in self:
            raise field.error("missing")
        return field

    def items(self) -> list["Field"]:
        """The elements of a list."""
        values = self._of_type(list, "a list")
        return [Field(value, f"{self.place}[{k}]") for k, value in enumerate(values)]

    def text(self) -> str:
        """The value, if it is a text."""
        return self._of_type(str, "a text")

    def flag(self) -> bool:
        """The value, if it is true or false."""
        return self._of_type(bool, "true or false")

    def whole(self, what: str, low: int, high: int) -> int:
        """The value, if it is a whole number from low to high."""
        value = self._of_type(int, "a whole number")
        if not low <= value <= high:
            expected = str(low) if low == high else f"{low} to {high}"
            raise self.error(f"{what} {shown(value)} does not exist: expected {expected}")
        return value


def load_json(text: str) -> object:
    """Parse a JSON text as strictly as possible; ReplayError names line and column.

    What other parsers may interpret differently, such as a duplicate name, is refused.
    """
    try:
        return json.loads(text, object_pairs_hook=_without_repeats, parse_constant=_no_constant)
    except ReplayError:
        raise
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise ReplayError(f"not JSON: {error.msg}", place) from None
    except RecursionError:
        raise ReplayError("not JSON: nested too deeply", "document") from None
    except ValueError:
        raise ReplayError("not JSON: a number is too long", "document") from None


def _without_repeats(pairs: list[tuple[str, object]]) -> dict[str, object]:
    values: dict[str, object] = {}
    for name, value in pairs:
        if name in values:
            raise ReplayError(f"{shown(name)} occurs twice", "document")
        values[name] = value
    return values


def _no_constant(name: str) -> NoReturn:
    raise ReplayError(f"{name} is not a JSON number", "document")


def shown(value: object) -> str:
    """A value as text for messages, in a few characters."""
    if isinstance(value, (dict, list)):
        return "an object" if isinstance(value, dict) else "a list"
    if isinstance(value, int) and abs(value) >= 10**12:
        return "a huge number"
    text = repr(value) if isinstance(value, str) else json.dumps(value, default=repr)
    return text if len(text) <= 40 else text[:40] + "…"
