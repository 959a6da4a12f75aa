"""Agents that take another agent as a parameter: the blueprint, whose moves they imagine.

    ris-mcts:policy=certainty,iterations=100
    ris-mcts:policy=(certainty:useless=0.3),iterations=100

A policy with commas or colons of its own stands in brackets. The search agent's parameters carry
the policy's addresses; at a decision ``gather`` makes a *team* of them, the policy in every seat
with a memory each, and ``ask`` calls it on the view of a seat. So nobody peeks, not even in
imagination: a policy never gets to see the cards of the seat it moves for.

A policy without ``observe`` is called as it is. For one with ``observe`` the history is played
once more with the imagined cards (``recall``), in each imagined deal, or once per decision if its
memory is common knowledge. If that memory has a field ``excluded``, a mask of cards for each place
of the deck, search knows from it what each card cannot be.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Self

import numpy as np

from tamaya.agent import Agent, AgentError, Params, Value
from tamaya.cards import DECK_SIZE
from tamaya.compiled import hot
from tamaya.dispatch import call_act, call_observe
from tamaya.game_kernels import apply_move, deal
from tamaya.records import record
from tamaya.registry import find_agent, register
from tamaya.rng import seed_of
from tamaya.seating import ROSTER, RUN_INFO, memory_of, observe_event
from tamaya.view import fill_view


class Team(NamedTuple):
    """A policy in all seats, as compiled loops take it."""

    roster: np.ndarray  # one ROSTER record
    seating: np.ndarray  # that one, in every seat
    info: np.ndarray  # one RUN_INFO record
    minds: np.ndarray  # memory of all seats
    common: np.ndarray  # what everybody knew before the search, if the memory is shared
    excluded: int  # where in a shared memory the sets ``excluded`` begin, in bytes, or -1


@hot
def gather(params, players):
    """The team of the policy of a search agent's parameters."""
    roster, info = np.zeros(1, ROSTER), np.zeros(1, RUN_INFO)
    roster[0].act = params.policy_act
    roster[0].observe = params.policy_observe
    roster[0].params = params.policy_params
    info[0].memory_words = params.policy_words
    info[0].any_observes = params.policy_observe != 0
    info[0].shared = params.policy_shared
    n_words = players * params.policy_words
    seating = np.zeros(players, np.int64)
    minds, common = np.zeros(n_words, np.uint64), np.zeros(n_words, np.uint64)
    return Team(roster, seating, info, minds, common, params.policy_excluded)


@hot
def wake(team, seed):
    """Let all seats of a team forget everything, with generators fixed by a seed."""
    team.minds[:] = 0
    words = team.info[0].memory_words
    for seat in range(len(team.seating)):
        team.minds[seat * words] = seed_of(seed, seat)


@hot
def tell_team(team, game, seat, view):
    """Let the team observe the last event, a shared memory from the view of a seat.

    Where the own hand is imagined, only its owner's view leads to what everybody really knows.
    """
    info, who = team.info[0], team.roster[0]
    if not info.shared:
        observe_event(game, view, team.roster, team.seating, info, team.minds)
        return
    fill_view(game, seat, view)
    event = game.history[game.n_moves - 1]
    call_observe(who.observe, view, event, memory_of(info, team.minds, 0), who.params)


@hot
def recall(team, seed, game, again, view):
    """Bring the team's memories to where an imagined game of the seat to move stands.

    ``again`` is a game record to play the history in, ``view`` one for the seats' views.
    """
    wake(team, seed)
    info = team.info[0]
    if info.any_observes == 0:
        return
    if info.shared and team.common[0] != 0:
        generator = team.minds[0]
        team.minds[:] = team.common
        team.minds[0] = generator
        return
    again.deck[:] = game.deck
    again.start = game.start
    deal(again)
    for k in range(game.n_moves):
        apply_move(again, game.history[k].move)
        tell_team(team, again, game.mover, view)
    if info.shared:
        team.common[:] = team.minds


@hot
def ask(team, game, view):
    """What the policy would do in the seat to move, seeing what that seat sees."""
    seat = np.int64(game.mover)
    fill_view(game, seat, view)
    who = team.roster[0]
    return call_act(who.act, view, memory_of(team.info[0], team.minds, seat), who.params)


@hot
def carry_on(team, game, move, view):
    """Apply a legal move and let the team observe it."""
    apply_move(game, move)
    if team.info[0].any_observes:
        observe_event(game, view, team.roster, team.seating, team.info[0], team.minds)


def find_policy(text: str) -> Agent:
    """The agent of a text, which must be one that compiled loops can call."""
    found = find_agent(text)
    if not isinstance(found, Agent):
        raise AgentError(f"the policy {text!r} decides for many games at once and cannot be "
                         f"searched")  # fmt: skip
    return found


def policy_fields(text: str, policy: Agent | None) -> dict[str, int]:
    """What ``gather`` needs of a policy."""
    assert policy is not None
    code = policy.compile()
    return {
        "policy_act": code.act,
        "policy_observe": code.observe,
        "policy_params": code.params.ctypes.data,
        "policy_words": -(-code.memory_size // 8),
        "policy_shared": policy.shared and code.observe != 0,
        "policy_excluded": _place_of_excluded(policy),
    }


def _place_of_excluded(policy: Agent) -> int:
    """Where a shared memory says which cards each card cannot be, or -1.

    A field ``excluded`` of masks by order, as the hat players and the confidence player have it.
    """
    fields = policy.memory.fields
    if not policy.shared or fields is None or "excluded" not in fields:
        return -1
    dtype, offset = fields["excluded"][:2]
    return int(offset) if dtype.base == np.int32 and dtype.shape == (DECK_SIZE,) else -1


@dataclass(frozen=True)
class Nested:
    """A parameter whose value is the text of an agent, or a word with a meaning of its own."""

    default: str
    find: Callable[[str], Agent | None]  # the agent of a text, None for a word
    fields: Callable[[str, Agent | None], dict[str, int]]  # numbers that go into the parameters


# A good evolved mirror player, its faults repaired: what search agents imagine unless told.
USUAL_POLICY = "mirror-situational:faithful=false"


def policy_named(text: str = USUAL_POLICY) -> Nested:
    """The parameter ``policy`` with a default."""
    return Nested(text, find_policy, policy_fields)


class NestedParams(Params):
    """Parameters of which some are texts that name other agents, ``policy`` above all."""

    def __init__(self, numbers: Mapping[str, Value], nested: Mapping[str, Nested],
                 **options: Any) -> None:  # fmt: skip
        super().__init__(numbers, **options)
        self.nested = dict(nested)
        self.texts = {key: part.default for key, part in nested.items()}
        self._found: dict[str, Agent | None] = {}

    def agent_of(self, key: str) -> Agent | None:
        """The agent that a parameter names."""
        if key not in self._found:
            self._found[key] = self.nested[key].find(self.texts[key])
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
        """The same for an agent of another name, with other defaults."""
        other = super().preset(owner, values)
        other.nested = {key: replace(part, default=other.texts[key])
                        for key, part in self.nested.items()}  # fmt: skip
        return other

    def record(self) -> np.ndarray:
        """The numbers, and what kernels need of the agents."""
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
    """An agent with parameters that name other agents, ``policy`` above all."""

    params: NestedParams

    def __init__(self, name: str, act: Callable[..., Any], *, nested: Mapping[str, Nested],
                 params: Mapping[str, Value] | None = None,
                 least: Mapping[str, Value] | None = None,
                 aliases: Mapping[str, str] | None = None, **options: Any) -> None:  # fmt: skip
        numbers = NestedParams(params or {}, nested, least=least, aliases=aliases)
        super().__init__(name, act, params=numbers, **options)

    @property
    def texts(self) -> dict[str, str]:
        """Texts of the agents that it names, by parameter."""
        return self.params.texts

    def agent_of(self, key: str) -> Agent | None:
        """The agent that a parameter names."""
        return self.params.agent_of(key)

    def with_params(self, values: Mapping[str, Value | str]) -> Agent:
        """The same agent with other parameters, at the tables that all agents named play at."""
        other = super().with_params(values)
        assert isinstance(other, BlueprintAgent)
        for key, text in other.params.texts.items():
            if text != self.params.texts[key] or key in values:
                found = other.agent_of(key)  # finds out now if there is no such agent
                if found is not None:
                    low, high = found.players
                    other.players = max(other.players[0], low), min(other.players[1], high)
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
    """Make an agent with a blueprint of an ``act`` function and register it."""

    def decorate(function: Callable[..., Any]) -> BlueprintAgent:
        return register(BlueprintAgent(name, function, **options))

    return decorate
