"""What an agent is: a function from what a seat has seen to a move.

    @agent("careful", memory=[("n_hints", np.int64)], params={"greed": 0.5})
    def careful(view, memory, params):
        return play(view, 0)

    @careful.observe                       # optional: called for every seat after every move
    def note(view, event, memory, params): ...

    @careful.explain                       # optional: plain Python, rows of (reason, value)
    def why(view, memory, params): ...

    @careful.believe                       # optional: plain Python, [slot, card] -> probability
    def think(view, memory, params): ...

    @careful.prepare                       # optional: learns from sample games of team-mates
    def study(samples): ...                # returns parameters to change

``memory`` is a record of the agent's own fields, zeroed at the deal, with the generator ``rng``
in front; ``params`` is a read-only record. ``shared=True`` declares that the memory is common
knowledge: every seat of a team of this agent computes the same, so one copy serves all.
"""

import inspect
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from copy import copy
from types import CodeType
from typing import Any, Unpack

import numpy as np

from tamaya.dispatch import NO_FUNCTION, Compiled, compile_act, compile_observe
from tamaya.encoding import vector_dtype
from tamaya.params import Params, parse_items, split_outside_brackets
from tamaya.player import (
    AgentError,
    AgentFault,
    Player,
    PlayerOptions,
    Value,
    check_players,
    exception_text,
    parse_players,
)
from tamaya.records import record
from tamaya.registry import register

__all__ = [
    "VIEWS", "Agent", "AgentError", "AgentFault", "BatchAgent", "Compiled", "Params", "Player",
    "Value", "agent", "batch_agent", "check_players", "exception_text", "parse_players",
    "split_outside_brackets",
]  # fmt: skip

VIEWS = "views"  # name of the encoder that passes view records


class Agent(Player):
    """An agent with its parameters; ``with_params`` returns another one of the family."""

    def __init__(
        self,
        name: str,
        act: Callable[..., Any],
        *,
        memory: Sequence[tuple[Any, ...]] = (),
        params: Params | Mapping[str, Value] | None = None,
        shared: bool = False,
        least: Mapping[str, Value] | None = None,
        most: Mapping[str, Value] | None = None,
        aliases: Mapping[str, str] | None = None,
        **options: Unpack[PlayerOptions],
    ) -> None:
        super().__init__(name, act, **options)
        self.observe_function: Callable[..., Any] | None = None
        self.explain_function: Callable[..., Any] | None = None
        self.believe_function: Callable[..., Any] | None = None
        self.prepare_function: Callable[..., Any] | None = None
        self.memory = record([("rng", np.uint64), *memory])
        if not isinstance(params, Params):
            params = Params(params, least=least, most=most, aliases=aliases)
        self.params = params.owned_by(name)
        self.shared = shared
        self.preset_of = ""  # what its name stands for, if it is a preset
        self._compiled: Compiled | None = None
        self._addresses: dict[Any, tuple[int, int]] = {}

    @property
    def defaults(self) -> dict[str, Value]:
        """Numbers among the parameters, as they are unless changed."""
        return self.params.defaults

    @property
    def values(self) -> dict[str, Value]:
        """Numbers among the parameters, as they are."""
        return self.params.values

    @property
    def settings(self) -> dict[str, Value | str]:
        """Names of the parameters and their values."""
        return self.params.settings

    @property
    def spec(self) -> str:
        """Name and the parameters that differ from their defaults, as commands accept it."""
        return self._with_params_text(self.params.text)

    @property
    def identity(self) -> str:
        """What distinguishes it from agents with the same code, and all its parameters name."""
        return self._with_params_text(self.params.identity)

    @property
    def depends_on(self) -> tuple[str, ...]:
        """Texts of the other agents that this one takes as parameters."""
        return self.params.depends_on

    def _with_params_text(self, text: str) -> str:
        return f"{self.name}:{text}" if text else self.name

    @property
    def modules(self) -> tuple[str, ...]:
        """Modules that define its play; what they import counts too."""
        functions = self.act_function, self.observe_function, self.prepare_function
        return type(self).__module__, *(f.__module__ for f in functions if f is not None)

    def observe(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Decorator for ``observe(view, event, memory, params)``."""
        self.observe_function = function
        return function

    def explain(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Decorator for ``explain(view, memory, params)``, which returns (reason, value) rows."""
        self.explain_function = function
        return function

    def believe(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Decorator for ``believe(view, memory, params)``, which returns an array [slot, card].

        Each row has the probabilities of the 25 cards for one of its own slots, none for an empty
        one. ``tamaya.knowledge.hand_beliefs`` computes such arrays from sets or weights.
        """
        self.believe_function = function
        return function

    @property
    def has_beliefs(self) -> bool:
        """Whether it defines its own beliefs."""
        return self.believe_function is not None

    def prepare(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Decorator for ``prepare(samples)``, which learns from games of future team-mates.

        It gets a list of finished ``Game`` objects, copies that it may change, and returns
        parameters to change, by name.
        """
        self.prepare_function = function
        return function

    @property
    def learns_from_samples(self) -> bool:
        """Whether it has a ``prepare`` function."""
        return self.prepare_function is not None

    def prepared(self, samples: Sequence[Any], partners: Sequence[Collection[int]] = ()) -> "Agent":
        """The agent after it has seen sample games; the same object if it ignores them."""
        if self.prepare_function is None:
            return self
        try:
            values = self.prepare_function([copy(game) for game in samples])
        except Exception as error:
            raise AgentFault(f"agent {self.spec!r}: its prepare function raised "
                             f"{exception_text(error)}") from error  # fmt: skip
        return self.with_params(values)

    def with_params(self, values: Mapping[str, Value | str]) -> "Agent":
        """The same agent with other parameters; texts are read as the type of the default."""
        return self._variant(params=self.params.changed(values))

    def with_text(self, text: str) -> "Agent":
        """The same agent with the parameters of a text such as ``key=value,key=value``.

        Values in brackets may have commas. Families with their own language, such as rule
        lists, read theirs here.
        """
        try:
            values = parse_items(text)
        except AgentError as error:
            raise AgentError(f"agent {self.name!r}: {error}") from None
        return self.with_params(values)

    def preset(self, name: str, **values: Any) -> "Agent":
        """The same agent under another name, with other defaults."""
        same = self._with_params_text(self.params.changed(values).text)
        return self._variant(name=name, params=self.params.preset(name, values), preset_of=same)

    def _variant(self, **changes: Any) -> "Agent":
        other = type(self).__new__(type(self))
        other.__dict__.update(self.__dict__, _compiled=None, **changes)
        return other

    def compile(self) -> Compiled:
        """Compile the agent's functions, once."""
        if self._compiled is None:
            params = self.params.record()
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


def _compile_message(agent: Agent, error: Exception) -> str:
    """One line on why an agent does not compile: its name, the place and the reason."""
    code = agent.act_function.__code__
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    if isinstance(error, KeyError):  # Numba's message about a field that a record does not have
        reason = f"there is no field {text}"
        line = _line_with(agent, "." + text.strip("'"))
    elif undefined := re.search(r"(?:name|global name) '(\w+)'", text):
        reason = f"the name {undefined[1]!r} is not defined or not compiled"
        line = _line_with(agent, undefined[1])
    elif returned := re.search(r"No conversion from (\S+) to move", text):
        kind = "nothing on some path" if returned[1] == "none" else returned[1]
        reason = f"it returns {kind}, but a move is a whole number"
        line = _named_line(text, code)
    else:
        skip = ("Failed in nopython mode", "During:", "File ", "def ", "<source elided>", "^")
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        reason = next((line for line in lines if not line.startswith(skip)), type(error).__name__)
        line = _named_line(text, code)
    return f"agent {agent.name!r} does not compile ({code.co_filename}, line {line}): {reason}"


def _named_line(text: str, code: CodeType) -> int:
    """The line that a message of Numba names first, which has the cause."""
    places = re.findall(r'File "[^"]*", line (\d+)', text)
    return int(places[0]) if places else code.co_firstlineno


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
    """Turn an ``act`` function into an agent and register it; options as for ``Agent``."""

    def decorate(function: Callable[..., Any]) -> Agent:
        return register(Agent(name, function, **options))

    return decorate


def batch_agent(name: str, **options: Any) -> Callable[[Callable[..., Any]], BatchAgent]:
    """Turn a function into a batch agent and register it; options as for ``BatchAgent``."""

    def decorate(function: Callable[..., Any]) -> BatchAgent:
        return register(BatchAgent(name, function, **options))

    return decorate
