"""The parameters of an agent: names, defaults, bounds, former names, and their record.

    params = Params({"greed": 0.5, "depth": 3}, least={"depth": 1}, most={"greed": 1.0},
                    aliases={"layers": "depth"})
    params.changed({"layers": "5"}).values      # {"greed": 0.5, "depth": 5}

Kernels get ``record()``. A family whose kernels take something else (weights, a rule list, the
addresses of another agent) supplies a subclass with its own ``record``.
"""

from collections.abc import Mapping
from copy import copy
from math import isfinite
from typing import Self

import numpy as np

from tamaya.player import AgentError, Value
from tamaya.records import record

_KINDS = {bool: np.int64, int: np.int64, float: np.float64}
_WORDS = {bool: "true or false", int: "a whole number", float: "a number"}
_WHOLE = np.iinfo(np.int64)  # what records hold
_SHOWN = 60  # characters of a text in a message


class Params:
    """Parameters with their values; never changed in place, ``changed`` returns others."""

    def __init__(
        self,
        defaults: Mapping[str, Value] | None = None,
        *,
        least: Mapping[str, Value] | None = None,
        most: Mapping[str, Value] | None = None,
        aliases: Mapping[str, str] | None = None,
    ) -> None:
        self.owner = ""  # name of the agent, for messages
        self.defaults: dict[str, Value] = dict(defaults or {})
        self.values: dict[str, Value] = dict(self.defaults)
        self.least: dict[str, Value] = dict(least or {})
        self.most: dict[str, Value] = dict(most or {})
        self.aliases: dict[str, str] = dict(aliases or {})  # former name -> name

    def owned_by(self, owner: str) -> Self:
        """The same parameters assigned to an agent, after a check that they are valid."""
        other = copy(self)
        other.owner = owner
        for key, value in self.defaults.items():
            if type(value) not in _KINDS:
                raise other._error(f"parameter {key!r} must be a number or a truth value, "
                                   f"not {value!r}")  # fmt: skip
        for alias, name in self.aliases.items():
            if name not in self.settings or alias in self.settings:
                raise other._error(f"{alias!r} cannot stand for {name!r}: an alias must not be a "
                                   f"parameter itself, and must stand for one")  # fmt: skip
        return other

    @property
    def settings(self) -> dict[str, Value | str]:
        """Names of all parameters and their values."""
        return dict(self.values)

    @property
    def text(self) -> str:
        """The parameters that differ from their defaults, such as ``greed=0.2,depth=5``."""
        return ",".join(f"{key}={value}" for key, value in self.values.items()
                        if value != self.defaults[key])  # fmt: skip

    @property
    def identity(self) -> str:
        """What distinguishes these parameters from others: the text, with all agents it names."""
        return self.text

    @property
    def depends_on(self) -> tuple[str, ...]:
        """Texts of the agents among the parameters."""
        return ()

    def changed(self, values: Mapping[str, Value | str]) -> Self:
        """The same with other values; texts are read as the type of the default."""
        other = copy(self)
        other.values = dict(self.values)
        for key, value in self._by_name(values).items():
            other.values[key] = self._read(key, value)
        return other

    def preset(self, owner: str, values: Mapping[str, Value | str]) -> Self:
        """The same parameters for an agent with another name and other defaults."""
        other = self.changed(values)
        other.owner, other.defaults = owner, dict(other.values)
        return other

    def record(self) -> np.ndarray:
        """The values as kernels take them: one record with a field for each."""
        fields = [(key, _KINDS[type(value)]) for key, value in self.defaults.items()]
        params = np.zeros(1, record(fields or [("unused", np.int64)]))
        for key, value in self.values.items():
            params[key] = value
        return params

    def _by_name(self, values: Mapping[str, Value | str]) -> dict[str, Value | str]:
        """Values by the current names of their parameters."""
        found: dict[str, Value | str] = {}
        for key, value in values.items():
            name = self.aliases.get(key, key)
            if name not in self.settings:
                known = ", ".join(self.settings) or "none"
                raise self._error(f"has no parameter {key!r}: it has {known}", colon="")
            if name in found:
                old = next(other for other in values if self.aliases.get(other) == name)
                raise self._error(f"{old!r} is another name of the parameter {name!r}, "
                                  f"which is also given")  # fmt: skip
            found[name] = value
        return found

    def _read(self, key: str, value: Value | str) -> Value:
        """A value converted to the type of its default, checked to be finite and within bounds."""
        kind, text = type(self.defaults[key]), str(value).strip()
        try:
            read = _truth(text) if kind is bool else kind(text)
        except ValueError:
            raise self._error(f"parameter {key!r} must be {_WORDS[kind]}, "
                              f"not {shortened(text)!r}") from None  # fmt: skip
        if kind is float and not isfinite(read):
            raise self._error(f"parameter {key!r} must be a finite number, not {shortened(text)}")
        if key in self.least and read < self.least[key]:
            raise self._error(f"parameter {key!r} must be at least {self.least[key]}, "
                              f"not {shortened(str(read))}")  # fmt: skip
        if key in self.most and read > self.most[key]:
            raise self._error(f"parameter {key!r} must be at most {self.most[key]}, "
                              f"not {shortened(str(read))}")  # fmt: skip
        if kind is int and not _WHOLE.min <= read <= _WHOLE.max:
            raise self._error(f"parameter {key!r} must be a number of 64 bits, "
                              f"not {shortened(str(read))}")  # fmt: skip
        return read

    def _error(self, message: str, colon: str = ":") -> AgentError:
        return AgentError(f"agent {self.owner!r}{colon} {message}" if self.owner else message)


def shortened(text: str) -> str:
    """The beginning of a text, for messages that must not grow with it."""
    return text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."


def _truth(text: str) -> bool:
    """The truth value of a text."""
    if text.lower() not in ("true", "false", "1", "0"):
        raise ValueError(text)
    return text.lower() in ("true", "1")


def parse_items(text: str) -> dict[str, str]:
    """The values of a text such as ``key=value,key=(value,value)``."""
    values = {}
    for item in split_outside_brackets(text):
        key, equals, value = item.partition("=")
        if not equals:
            raise AgentError(f"{item!r} is not key=value")
        values[key.strip()] = value
    return values


def split_outside_brackets(text: str) -> list[str]:
    """Parts of a text between commas that are outside brackets."""
    parts, depth, start = [], 0, 0
    for place, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            parts.append(text[start:place])
            start = place + 1
    if depth != 0:
        raise AgentError(f"{text!r} has unbalanced brackets")
    return [*parts, text[start:]]
