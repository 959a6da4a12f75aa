"""Agents that take another agent as a parameter: the blueprint, which moves in imagined games.

    ris-mcts:blueprint=certainty,samples=100
    ris-mcts:blueprint=(certainty:useless=0.3),samples=100

A blueprint text with commas or colons is put in brackets. The search agent's parameters contain the
blueprint's addresses, from which ``tamaya.search.team`` makes a team.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from tamaya.agent import Agent, AgentError, BatchAgent, Params, Player, Value
from tamaya.cards import DECK_SIZE
from tamaya.player import sizes_text
from tamaya.records import record
from tamaya.registry import find_agent, register

MOST_IMAGINED = 100  # samples of a blueprint that searches itself


def find_blueprint(text: str) -> Agent:
    """The agent of a text, which must be callable from compiled loops."""
    found = find_agent(text)
    if not isinstance(found, Agent):
        raise AgentError(f"the blueprint {text!r} decides for many games at once and cannot "
                         f"be searched")  # fmt: skip
    return found


def find_searched_blueprint(text: str) -> Agent:
    """The same for a search agent.

    A blueprint that searches itself does so for every move of every imagined game, so it needs a
    small budget; with the usual ones a single move of the outer search would seem to hang.
    """
    found = find_blueprint(text)
    if found.is_slow and (budget := _large_budget(found)):
        raise AgentError(f"{text!r} searches itself, for every move of every "
                         f"imagined game: {budget}")  # fmt: skip
    return found


def _large_budget(found: Agent) -> str:
    """What is too large in the budget of a blueprint that searches, empty if nothing is."""
    if found.values.get("ms", 0) > 0:
        return f"limit it by samples={MOST_IMAGINED} or fewer and ms=0, not by time"
    for key in ("samples", "rollouts"):
        if found.values.get(key, 0) > MOST_IMAGINED:
            return f"its {key} must be at most {MOST_IMAGINED}, not {found.values[key]}"
    return ""


def find_quick_blueprint(text: str) -> Player:
    """The agent of a text, which must answer at once for each of very many hands."""
    found = find_agent(text)
    if isinstance(found, Agent) and found.is_slow:
        raise AgentError(f"{text!r} is too slow: it takes seconds per game, and exact beliefs ask "
                         f"the blueprint what it would do with each hand that may be held, often "
                         f"thousands per move")  # fmt: skip
    return found


def blueprint_fields(text: str, blueprint: Player | None) -> dict[str, int]:
    """The fields of a blueprint that ``make_team`` reads."""
    assert isinstance(blueprint, Agent)
    code = blueprint.compile()
    return {
        "blueprint_act": code.act,
        "blueprint_observe": code.observe,
        "blueprint_params": code.params.ctypes.data,
        "blueprint_words": -(-code.memory_size // 8),
        "blueprint_shared": blueprint.shared and code.observe != 0,
        "blueprint_excluded": place_of_excluded(blueprint),
    }


_batch_agents: dict[int, BatchAgent] = {}  # by numbers that stand for them in parameters


def any_blueprint_fields(text: str, blueprint: Player | None) -> dict[str, int]:
    """The fields of a compiled blueprint, or of a batch agent, which has no code."""
    if not isinstance(blueprint, BatchAgent):
        return {**blueprint_fields(text, blueprint), "blueprint_batch": 0}
    _batch_agents[id(blueprint)] = blueprint
    return {
        "blueprint_act": 0, "blueprint_observe": 0, "blueprint_params": 0, "blueprint_words": 1,
        "blueprint_shared": 0, "blueprint_excluded": -1, "blueprint_batch": id(blueprint),
    }  # fmt: skip


def batch_agent_at(number: int) -> BatchAgent:
    """The batch agent that a field ``blueprint_batch`` stands for."""
    return _batch_agents[number]


def place_of_excluded(blueprint: Agent) -> int:
    """Offset of the masks ``excluded`` in a shared memory, or -1.

    A field ``excluded`` of masks by order, as the hat players and the confidence player have it.
    """
    fields = blueprint.memory.fields
    if not blueprint.shared or fields is None or "excluded" not in fields:
        return -1
    dtype, offset = fields["excluded"][:2]
    return int(offset) if dtype.base == np.int32 and dtype.shape == (DECK_SIZE,) else -1


@dataclass(frozen=True)
class Nested:
    """A parameter whose value is the text of an agent, or a keyword."""

    default: str
    find: Callable[[str], Player | None]  # the agent of a text, None for a keyword
    fields: Callable[[str, Player | None], dict[str, int]]  # numbers that go into the parameters


# A good evolved mirror player with its bugs fixed: the default blueprint of search agents.
USUAL_BLUEPRINT = "mirror-situational:faithful=false"


def blueprint_named(text: str = USUAL_BLUEPRINT) -> Nested:
    """The parameter ``blueprint`` with a default."""
    return Nested(text, find_searched_blueprint, blueprint_fields)


policy_named = blueprint_named  # its earlier name


def any_blueprint_named(text: str = USUAL_BLUEPRINT) -> Nested:
    """The same for search agents that can also ask batch agents."""
    return Nested(text, find_quick_blueprint, any_blueprint_fields)


class NestedParams(Params):
    """Parameters, some of which are texts that name other agents, such as ``blueprint``."""

    def __init__(self, numbers: Mapping[str, Value], nested: Mapping[str, Nested],
                 **options: Any) -> None:  # fmt: skip
        super().__init__(numbers, **options)
        self.nested = dict(nested)
        self.texts = {key: part.default for key, part in nested.items()}
        self._found: dict[str, Player | None] = {}

    def agent_of(self, key: str) -> Player | None:
        """The agent that a parameter names."""
        if key not in self._found:
            try:
                self._found[key] = self.nested[key].find(self.texts[key])
            except AgentError as error:
                if str(error).startswith("agent '"):  # it already says whose parameter is wrong
                    raise
                raise self._error(f"parameter {key!r}: {error}") from None
        return self._found[key]

    @property
    def settings(self) -> dict[str, Value | str]:
        """Names of the parameters and their values."""
        return {**super().settings, **self.texts}

    @property
    def text(self) -> str:
        """The parameters that differ from their defaults."""
        return self._joined({key: text for key, text in self.texts.items()
                             if text != self.nested[key].default})  # fmt: skip

    @property
    def identity(self) -> str:
        """The same with the identity of all agents that they name."""
        found = {key: self.agent_of(key) for key in self.nested}
        return self._joined({key: other.identity if other else self.texts[key]
                             for key, other in found.items()})  # fmt: skip

    @property
    def depends_on(self) -> tuple[str, ...]:
        """Texts of the agents that they name."""
        return tuple(text for key, text in self.texts.items() if self.agent_of(key))

    def _joined(self, texts: Mapping[str, str]) -> str:
        own = [super().text] if super().text else []
        return ",".join([*own, *(f"{key}={_in_brackets(text)}" for key, text in texts.items())])

    def changed(self, values: Mapping[str, Value | str]) -> Self:
        """The same with other values, of numbers or of texts."""
        values = self._by_name(values)
        other = super().changed({k: v for k, v in values.items() if k not in self.nested})
        texts = {
            k: _without_brackets(str(v).strip()) for k, v in values.items() if k in self.nested
        }
        other.texts = {**self.texts, **texts}
        other._found = {key: found for key, found in self._found.items() if key not in texts}
        return other

    def preset(self, owner: str, values: Mapping[str, Value | str]) -> Self:
        """The same parameters for an agent with another name and other defaults."""
        other = super().preset(owner, values)
        other.nested = {key: replace(part, default=other.texts[key])
                        for key, part in self.nested.items()}  # fmt: skip
        return other

    def record(self) -> np.ndarray:
        """The numbers, and the records of the agents for kernels."""
        own = super().record()
        fields: dict[str, int] = {}
        for key, part in self.nested.items():
            fields |= part.fields(self.texts[key], self.agent_of(key))
        names = own.dtype.names or ()
        params = np.zeros(1, record([*((name, own.dtype[name]) for name in names),
                                     *((name, np.int64) for name in fields)]))  # fmt: skip
        for name in names:
            params[name] = own[name]
        for name, number in fields.items():
            params[name] = number
        return params


class BlueprintAgent(Agent):
    """An agent with parameters that name other agents, such as ``blueprint``."""

    params: NestedParams

    def __init__(self, name: str, act: Callable[..., Any], *, nested: Mapping[str, Nested],
                 params: Mapping[str, Value] | None = None,
                 least: Mapping[str, Value] | None = None,
                 most: Mapping[str, Value] | None = None,
                 aliases: Mapping[str, str] | None = None, **options: Any) -> None:  # fmt: skip
        numbers = NestedParams(params or {}, nested, least=least, most=most, aliases=aliases)
        super().__init__(name, act, params=numbers, **options)
        self.family_players = self.players  # before parameters exclude any

    @property
    def texts(self) -> dict[str, str]:
        """Texts of the agents that it names, by parameter."""
        return self.params.texts

    def agent_of(self, key: str) -> Player | None:
        """The agent that a parameter names."""
        return self.params.agent_of(key)

    def with_params(self, values: Mapping[str, Value | str]) -> Agent:
        """The same agent with other parameters, for table sizes that all its agents support."""
        other = super().with_params(values)
        assert isinstance(other, BlueprintAgent)
        other.players, other.narrowed_by = self.family_players, ""
        given = {self.params.aliases.get(key, key) for key in values}
        for key, part in other.params.nested.items():
            if key in given or other.texts[key] != part.default:
                found = other.agent_of(key)  # raises if there is no such agent
                if found is not None:
                    sizes = sizes_text(found.players)
                    other.narrow(found.players, f"parameter {key!r} is {other.texts[key]!r}, "
                                                f"which plays with {sizes}")  # fmt: skip
        return other


def _in_brackets(text: str) -> str:
    """A text in brackets if it has commas or colons."""
    return f"({text})" if set(text) & set(",:()") else text


def _without_brackets(text: str) -> str:
    """A text without the brackets around it, if one pair encloses all of it."""
    if not (text.startswith("(") and text.endswith(")")):
        return text
    depth = 0
    for k, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if depth == 0 and k < len(text) - 1:
            return text
    return text[1:-1]


def blueprint_agent(name: str, **options: Any) -> Callable[[Callable[..., Any]], BlueprintAgent]:
    """Turn an ``act`` function into an agent with a blueprint and register it."""

    def decorate(function: Callable[..., Any]) -> BlueprintAgent:
        return register(BlueprintAgent(name, function, **options))

    return decorate
