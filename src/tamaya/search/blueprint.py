"""Agents that take another agent as a parameter: the blueprint, whose moves they imagine.

    ris-mcts:policy=certainty,iterations=100
    ris-mcts:policy=(certainty:useless=0.3),iterations=100

A policy with commas or colons of its own stands in brackets. The search agent's parameters carry
the policy's addresses; at a decision ``gather`` makes a *team* of them, the policy in every seat
with a memory each, and ``ask`` calls it on the view of a seat. So nobody peeks, not even in
imagination: a policy never gets to see the cards of the seat it moves for.

A policy without ``observe`` is called as it is. For one with ``observe`` the history is played
once more with the imagined cards (``recall``), in each imagined deal, or once per decision if its
memory is common knowledge.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from tamaya.agent import Agent, AgentError, Value
from tamaya.calling import call_act
from tamaya.chance import seed_of
from tamaya.compiled import hot
from tamaya.game import apply_move, deal
from tamaya.records import record
from tamaya.table import CREW, JOB, memory_of, tell_event
from tamaya.view import fill_view

_FIELDS = ("policy_act", "policy_observe", "policy_params", "policy_words", "policy_shared")


class Team(NamedTuple):
    """A policy in all seats, as compiled loops take it."""

    crew: np.ndarray  # one CREW record
    lineup: np.ndarray  # that one, in every seat
    job: np.ndarray  # one JOB record
    minds: np.ndarray  # memory of all seats
    common: np.ndarray  # what everybody knew before the search, if the memory is shared


@hot
def gather(params, players):
    """The team of the policy of a search agent's parameters."""
    crew, job = np.zeros(1, CREW), np.zeros(1, JOB)
    crew[0].act = params.policy_act
    crew[0].observe = params.policy_observe
    crew[0].params = params.policy_params
    job[0].memory_words = params.policy_words
    job[0].any_observes = params.policy_observe != 0
    job[0].shared = params.policy_shared
    n_words = players * params.policy_words
    lineup = np.zeros(players, np.int64)
    return Team(crew, lineup, job, np.zeros(n_words, np.uint64), np.zeros(n_words, np.uint64))


@hot
def wake(team, seed):
    """Let all seats of a team forget everything, with generators fixed by a seed."""
    team.minds[:] = 0
    words = team.job[0].memory_words
    for seat in range(len(team.lineup)):
        team.minds[seat * words] = seed_of(seed, seat)


@hot
def recall(team, seed, game, again, view):
    """Bring the team's memories to where an imagined game stands.

    ``again`` is a game record to play the history in, ``view`` one for the seats' views.
    """
    wake(team, seed)
    job = team.job[0]
    if job.any_observes == 0:
        return
    if job.shared and team.common[0] != 0:
        team.minds[:] = team.common
        return
    again.deck[:] = game.deck
    again.start = game.start
    deal(again)
    for k in range(game.n_moves):
        apply_move(again, game.history[k].move)
        tell_event(again, view, team.crew, team.lineup, job, team.minds)
    if job.shared:
        team.common[:] = team.minds


@hot
def ask(team, game, view):
    """What the policy would do in the seat to move, seeing what that seat sees."""
    seat = np.int64(game.mover)
    fill_view(game, seat, view)
    who = team.crew[0]
    return call_act(who.act, view, memory_of(team.job[0], team.minds, seat), who.params)


@hot
def carry_on(team, game, move, view):
    """Apply a legal move and let the team observe it."""
    apply_move(game, move)
    if team.job[0].any_observes:
        tell_event(game, view, team.crew, team.lineup, team.job[0], team.minds)


class BlueprintAgent(Agent):
    """An agent with the parameter ``policy``, the text of another compiled agent."""

    def __init__(self, name: str, act: Callable[..., Any], *, policy: str, **options: Any) -> None:
        super().__init__(name, act, **options)
        self.default_policy = policy
        self.policy = policy
        self._blueprint: Agent | None = None

    @property
    def blueprint(self) -> Agent:
        """The agent that ``policy`` names."""
        if self._blueprint is None:
            from tamaya.registry import find_agent

            found = find_agent(self.policy)
            if not isinstance(found, Agent):
                raise AgentError(f"agent {self.name!r}: the policy {self.policy!r} decides for "
                                 f"many games at once and cannot be searched")  # fmt: skip
            self._blueprint = found
        return self._blueprint

    @property
    def parameters(self) -> dict[str, Value | str]:
        """Names of the parameters and their defaults."""
        return {**super().parameters, "policy": self.default_policy}

    @property
    def spec(self) -> str:
        """Name and the parameters that differ from their defaults, as commands accept it."""
        return self._text(self.policy, self.policy != self.default_policy)

    @property
    def identity(self) -> str:
        """What distinguishes this agent from others of the same code: always with its policy."""
        return self._text(self.blueprint.identity, True)

    def _text(self, policy: str, with_policy: bool) -> str:
        text = super().spec
        if not with_policy:
            return text
        shown = f"({policy})" if set(policy) & set(",:()") else policy
        return text + (":" if text == self.name else ",") + f"policy={shown}"

    def with_params(self, values: Mapping[str, Value | str]) -> "Agent":
        """The same agent with other parameters, or with another policy."""
        rest = {key: value for key, value in values.items() if key != "policy"}
        other = super().with_params(rest)
        if "policy" in values:
            assert isinstance(other, BlueprintAgent)
            other.policy = _without_brackets(str(values["policy"]).strip())
            other._blueprint = None
            low, high = other.blueprint.players  # also finds out now if there is no such agent
            other.players = max(self.players[0], low), min(self.players[1], high)
        return other

    def with_text(self, text: str) -> "Agent":
        """The same agent with the parameters of a text; values in brackets may have commas."""
        values = {}
        for item in split_outside_brackets(text):
            key, equals, value = item.partition("=")
            if not equals:
                raise AgentError(f"agent {self.name!r}: {item!r} is not key=value")
            values[key.strip()] = value
        return self.with_params(values)

    def _params_record(self) -> np.ndarray:
        own = super()._params_record()
        code = self.blueprint.compile()
        params = np.zeros(1, record([*((name, own.dtype[name]) for name in own.dtype.names or ()),
                                     *((name, np.int64) for name in _FIELDS)]))  # fmt: skip
        for name in own.dtype.names or ():
            params[name] = own[name]
        words = -(-code.memory_size // 8)
        is_shared = self.blueprint.shared and code.observe != 0
        places = code.act, code.observe, code.params.ctypes.data, words, is_shared
        for name, value in zip(_FIELDS, places, strict=True):
            params[name] = value
        return params


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


def blueprint_agent(
    name: str, **options: Any
) -> Callable[[Callable[..., Any]], BlueprintAgent]:
    """Make an agent with a blueprint of an ``act`` function and register it."""
    from tamaya.registry import register

    def decorate(function: Callable[..., Any]) -> BlueprintAgent:
        return register(BlueprintAgent(name, function, **options))

    return decorate
