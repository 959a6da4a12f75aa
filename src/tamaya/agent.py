"""What an agent is: a function from what a seat has seen to a move.

    @agent("careful", memory=[("n_hints", np.int64)], params={"greed": 0.5})
    def careful(view, memory, params):
        return play(view, 0)

    @careful.observe                       # optional: called for every seat after every move
    def note(view, event, memory, params): ...

    @careful.explain                       # optional: plain Python, rows of (reason, value)
    def why(view, memory, params): ...

    @careful.prepare                       # optional: learns from sample games of team-mates
    def study(samples): ...                # returns parameters to change

``memory`` is a record of the agent's own fields, zeroed at the deal, with the generator ``rng``
in front; ``params`` is a read-only record. ``shared=True`` declares that the memory is common
knowledge: every seat of a team of this agent computes the same, so one copy serves all.
"""

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Unpack

import numpy as np

from tamaya.dispatch import NO_FUNCTION, Compiled, compile_act, compile_observe
from tamaya.encoding import vector_dtype
from tamaya.player import (
    AgentError,
    Player,
    PlayerOptions,
    Value,
    check_players,
    parse_players,
)
from tamaya.records import record

__all__ = [
    "VIEWS", "Agent", "AgentError", "BatchAgent", "Compiled", "Player", "Value", "agent",
    "batch_agent", "check_players", "parse_players", "split_outside_brackets",
]  # fmt: skip

VIEWS = "views"  # name of the encoder that hands out view records


class Agent(Player):
    """An agent with its parameters; ``with_params`` returns another one of the family."""

    def __init__(
        self,
        name: str,
        act: Callable[..., Any],
        *,
        memory: Sequence[tuple[Any, ...]] = (),
        params: Mapping[str, Value] | None = None,
        shared: bool = False,
        least: Mapping[str, Value] | None = None,
        **options: Unpack[PlayerOptions],
    ) -> None:
        super().__init__(name, act, **options)
        self.observe_function: Callable[..., Any] | None = None
        self.explain_function: Callable[..., Any] | None = None
        self.prepare_function: Callable[..., Any] | None = None
        self.memory = record([("rng", np.uint64), *memory])
        self.defaults: dict[str, Value] = dict(params or {})
        for key, value in self.defaults.items():
            if type(value) not in (bool, int, float):
                raise AgentError(f"agent {name!r}: parameter {key!r} must be a number or a truth "
                                 f"value, not {value!r}")  # fmt: skip
        self.values: dict[str, Value] = dict(self.defaults)
        self.least: dict[str, Value] = dict(least or {})  # lowest values of parameters
        self.shared = shared
        self._compiled: Compiled | None = None
        self._addresses: dict[Any, tuple[int, int]] = {}

    @property
    def settings(self) -> dict[str, Value | str]:
        """Names of the parameters and their values."""
        return dict(self.values)

    @property
    def spec(self) -> str:
        """Name and the parameters that differ from their defaults, as commands accept it."""
        changed = [f"{key}={value}" for key, value in self.values.items()
                   if value != self.defaults[key]]  # fmt: skip
        return self.name + (":" + ",".join(changed) if changed else "")

    def observe(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Decorator for ``observe(view, event, memory, params)``."""
        self.observe_function = function
        return function

    def explain(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Decorator for ``explain(view, memory, params)``, which returns (reason, value) rows."""
        self.explain_function = function
        return function

    def prepare(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Decorator for ``prepare(samples)``, which learns from games of future team-mates.

        It gets a list of finished ``Game`` objects and returns parameters to change, by name.
        """
        self.prepare_function = function
        return function

    def prepared(self, samples: Sequence[Any]) -> "Agent":
        """The agent after it has seen sample games, itself if it makes no use of them."""
        if self.prepare_function is None:
            return self
        return self.with_params(self.prepare_function(samples))

    def with_params(self, values: Mapping[str, Value | str]) -> "Agent":
        """The same agent with other parameters; texts are read as the type of the default."""
        changed = dict(self.values)
        for key, value in values.items():
            if key not in self.defaults:
                known = ", ".join(self.settings) or "none"
                raise AgentError(f"agent {self.name!r} has no parameter {key!r}: it has {known}")
            changed[key] = _read_value(self.name, key, self.defaults[key], value)
            if key in self.least and not changed[key] >= self.least[key]:
                raise AgentError(f"agent {self.name!r}: parameter {key!r} must be at least "
                                 f"{self.least[key]}, not {changed[key]}")  # fmt: skip
        return self._variant(values=changed)

    def with_text(self, text: str) -> "Agent":
        """The same agent with the parameters of a text such as ``key=value,key=value``.

        Values in brackets may have commas. Families with a language of their own, such as rule
        lists, read theirs here.
        """
        values = {}
        for item in split_outside_brackets(text):
            key, equals, value = item.partition("=")
            if not equals:
                raise AgentError(f"agent {self.name!r}: {item!r} is not key=value")
            values[key.strip()] = value
        return self.with_params(values)

    def preset(self, name: str, **values: Value) -> "Agent":
        """The same agent under a name of its own, with other defaults."""
        defaults = {**self.defaults, **values}
        return self._variant(name=name, defaults=defaults, values=dict(defaults))

    def _variant(self, **changes: Any) -> "Agent":
        other = type(self).__new__(type(self))
        other.__dict__.update(self.__dict__, _compiled=None, **changes)
        return other

    def compile(self) -> Compiled:
        """Compile the agent's functions, once."""
        if self._compiled is None:
            params = self._params_record()
            arguments = self.memory, params.dtype
            key = self.act_function, self.observe_function
            if key not in self._addresses:  # shared by all variants of a family
                try:
                    act = compile_act(self.act_function, *arguments)
                    observe = NO_FUNCTION
                    if self.observe_function is not None:
                        observe = compile_observe(self.observe_function, *arguments)
                except Exception as error:
                    raise AgentError(_compile_message(self, error)) from error
                self._addresses[key] = act, observe
            self._compiled = Compiled(*self._addresses[key], self.memory.itemsize, params)
        return self._compiled

    def _params_record(self) -> np.ndarray:
        kinds = {bool: np.int64, int: np.int64, float: np.float64}
        fields = [(key, kinds[type(value)]) for key, value in self.defaults.items()]
        params = np.zeros(1, record(fields or [("unused", np.int64)]))
        for key, value in self.values.items():
            params[key] = value
        return params

    def new_memory(self, seed: int = 0) -> np.record:
        """A fresh memory record, for calling the functions by hand."""
        memory = np.zeros(1, self.memory)
        memory["rng"] = seed % 2**64
        return memory[0]


class BatchAgent(Player):
    """An agent that decides for many games at once, such as a network.

    ``act(observations, legal, state)`` gets one row per seat to move: the encoded observation
    (or the ``VIEW`` records, with encoder "views"), the legal moves as booleans, and the seat's
    recurrent state, float32, zero at the deal and changed in place. It returns the move ids.
    """

    def __init__(
        self,
        name: str,
        act: Callable[..., Any],
        *,
        encoder: str = "hle",
        dtype: Any = np.float32,
        state_size: int = 0,
        **options: Unpack[PlayerOptions],
    ) -> None:
        super().__init__(name, act, **options)
        self.encoder = encoder
        try:
            self.dtype = np.dtype(np.uint8) if encoder == VIEWS else vector_dtype(encoder, dtype)
        except ValueError as error:
            raise AgentError(f"agent {name!r}: {error}") from None
        self.state_size = state_size


def split_outside_brackets(text: str) -> list[str]:
    """Parts of a text between commas that stand in no brackets."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    if depth != 0:
        raise AgentError(f"{text!r} has brackets that do not match")
    return parts


def _read_value(agent: str, key: str, default: Value, value: Value | str) -> Value:
    """A parameter as the type of its default."""
    kind = type(default)
    text = str(value).strip()
    if kind is bool:
        if text.lower() in ("true", "false", "1", "0"):
            return text.lower() in ("true", "1")
    else:
        try:
            return kind(text)
        except ValueError:
            pass
    name = {bool: "true or false", int: "a whole number", float: "a number"}[kind]
    raise AgentError(f"agent {agent!r}: parameter {key!r} must be {name}, not {text!r}")


def _compile_message(agent: Agent, error: Exception) -> str:
    """One line on why an agent does not compile: its name, the place and the reason."""
    code = agent.act_function.__code__
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    if isinstance(error, KeyError):  # Numba's answer to a field that a record does not have
        reason = f"there is no field {text}"
        line = _line_with(agent, "." + text.strip("'"))
    elif undefined := re.search(r"(?:name|global name) '(\w+)'", text):
        reason = f"the name {undefined[1]!r} is not defined or not compiled"
        line = _line_with(agent, undefined[1])
    else:
        skip = ("Failed in nopython mode", "During:", "File ", "def ", "<source elided>", "^")
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        reason = next((line for line in lines if not line.startswith(skip)), type(error).__name__)
        places = re.findall(r'File "[^"]*", line (\d+)', text)
        line = int(places[0]) if places else code.co_firstlineno
    return f"agent {agent.name!r} does not compile ({code.co_filename}, line {line}): {reason}"


def _line_with(agent: Agent, text: str) -> int:
    """First line of the functions of an agent that contains a text."""
    for function in (agent.act_function, agent.observe_function):
        if function is not None:
            lines, first = inspect.getsourcelines(function)
            for number, line in enumerate(lines, first):
                if text in line:
                    return number
    return agent.act_function.__code__.co_firstlineno


def agent(name: str, **options: Any) -> Callable[[Callable[..., Any]], Agent]:
    """Make an agent of an ``act`` function and register it; options as for ``Agent``."""
    from tamaya.registry import register

    def decorate(function: Callable[..., Any]) -> Agent:
        return register(Agent(name, function, **options))

    return decorate


def batch_agent(name: str, **options: Any) -> Callable[[Callable[..., Any]], BatchAgent]:
    """Make a batch agent of a function and register it; options as for ``BatchAgent``."""
    from tamaya.registry import register

    def decorate(function: Callable[..., Any]) -> BatchAgent:
        return register(BatchAgent(name, function, **options))

    return decorate
