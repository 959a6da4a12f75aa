"""The interface that all kinds of agents have, for tables, protocols, commands and pages.

``Agent`` (compiled, one decision at a time) and ``BatchAgent`` (many games at once) derive from
``Player``, so that callers need not know which of the two they have.
"""

import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import fields
from inspect import unwrap
from pathlib import Path
from typing import Any, TypedDict

from tamaya.dispatch import Compiled
from tamaya.rules import MAX_PLAYERS, Rules, RulesError

Value = int | float | bool


class AgentError(ValueError):
    """An agent that cannot be found, compiled or used as asked."""


class AgentFault(AgentError):
    """An agent that made an illegal move or raised an exception; names where it happened."""


def exception_text(error: BaseException) -> str:
    """The type and text of an exception, such as ``ValueError: no such card``."""
    words = " ".join(str(error).split())
    return f"{type(error).__name__}: {words}" if words else type(error).__name__


class PlayerOptions(TypedDict, total=False):
    """The options that all kinds of agents take."""

    players: str  # table sizes, such as 2 or 2-5
    source: str  # program or paper it follows
    slow: bool  # seconds per game, not games per second; left out of "all agents"
    made_for: Mapping[str, Any]  # rules it is made for, if not the standard ones
    description: str  # one line on how it plays, by default from the docstring of ``act``
    files: Sequence[str | Path]  # that define it, if not the file of ``act``


class Player:
    """An agent of any kind."""

    def __init__(
        self,
        name: str,
        act: Callable[..., Any],
        *,
        players: str = "2-5",
        source: str = "",
        slow: bool = False,
        made_for: Mapping[str, Any] | None = None,
        description: str = "",
        files: Sequence[str | Path] = (),
    ) -> None:
        self.name = name
        self.act_function = act
        self.players = parse_players(players)  # smallest and largest table
        self.narrowed_by = ""  # which parameter excludes other tables, for messages
        self.source = source
        self.is_slow = slow
        self.made_for = _checked_rules(name, self.players[0], made_for or {})
        self._description = description
        self._files = tuple(map(Path, files))

    @property
    def description(self) -> str:
        """One line on how the agent plays."""
        return self._description or _first_line(self.act_function)

    @property
    def files(self) -> tuple[Path, ...]:
        """The files that define the agent, for people who want to read its code."""
        code = getattr(unwrap(self.act_function), "__code__", None)
        return self._files or ((Path(code.co_filename),) if code else ())

    @property
    def settings(self) -> dict[str, Value | str]:
        """Names of the parameters and their values."""
        return {}

    @property
    def spec(self) -> str:
        """The text by which commands accept this agent."""
        return self.name

    @property
    def identity(self) -> str:
        """What distinguishes it from agents with the same code, with the files it was read from."""
        return self.spec

    @property
    def depends_on(self) -> tuple[str, ...]:
        """Texts of the other agents that this one takes as parameters."""
        return ()

    @property
    def named(self) -> tuple[str, ...]:
        """The former name of ``depends_on``."""
        return self.depends_on

    @property
    def modules(self) -> tuple[str, ...]:
        """Modules that define its play; what they import counts too."""
        return type(self).__module__, self.act_function.__module__

    def plays_with(self, players: int) -> bool:
        """Whether the agent was made for tables of this size."""
        low, high = self.players
        return low <= players <= high

    def narrow(self, players: tuple[int, int], why: str) -> None:
        """Exclude tables outside a range; ``why`` says which parameter does."""
        low, high = max(self.players[0], players[0]), min(self.players[1], players[1])
        if low > high:
            reason = f", as its {self.narrowed_by}" if self.narrowed_by else ""
            raise AgentError(f"agent {self.name!r} plays with {sizes_text(self.players)}"
                             f"{reason}, but its {why}")  # fmt: skip
        if (low, high) != self.players:
            self.players, self.narrowed_by = (low, high), why

    def training_turns(self, players: int) -> int:
        """Turns it was trained on for tables of this size; 0 if it was not trained."""
        return 0

    @property
    def has_beliefs(self) -> bool:
        """Whether it defines its own beliefs about its cards; otherwise they come from counting."""
        return False

    @property
    def learns_from_samples(self) -> bool:
        """Whether it makes use of games of future team-mates."""
        return False

    def prepared(
        self, samples: Sequence[Any], partners: Sequence[Collection[int]] = ()
    ) -> "Player":
        """The agent after it has seen sample games; the same object if it ignores them.

        ``partners`` are the seats of each game that its future partners had, by default all.
        """
        return self

    def with_params(self, values: Mapping[str, Value | str]) -> "Player":
        """The same agent with other parameters."""
        if values:
            raise self._takes_none(", ".join(values))
        return self

    def with_text(self, text: str) -> "Player":
        """The same agent with the parameters of a text such as ``key=value,key=value``."""
        if text:
            raise self._takes_none(text)
        return self

    def _takes_none(self, found: str) -> AgentError:
        return AgentError(f"agent {self.name!r} takes no parameters, found {found!r}")

    def compile(self) -> Compiled | None:
        """Compile its functions, once; None if there are none."""
        return None

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.spec}>"


def check_players(player: Player, players: int) -> None:
    """Raise an error if an agent does not support this number of players."""
    low, high = player.players
    if not low <= players <= high:
        why = f": its {player.narrowed_by}" if player.narrowed_by else ""
        raise AgentError(f"agent {player.name!r} plays with {sizes_text(player.players)}, "
                         f"not {players}{why}")  # fmt: skip


def sizes_text(players: tuple[int, int]) -> str:
    """Table sizes in words, such as ``3 to 4 players``."""
    low, high = players
    return f"{low} to {high} players" if low < high else f"{low} players"


def parse_players(text: str) -> tuple[int, int]:
    """Lowest and highest number of players of ``3`` or ``2-5``."""
    low, dash, high = text.partition("-")
    try:
        bounds = int(low), int(high if dash else low)
    except ValueError:
        bounds = 0, 0
    if not 2 <= bounds[0] <= bounds[1] <= MAX_PLAYERS:
        raise AgentError(
            f"{text!r} is not a number of players: expected 2 to 5, or a range like 2-5"
        )
    return bounds


def _checked_rules(name: str, players: int, made_for: Mapping[str, Any]) -> dict[str, Any]:
    """The rules that an agent is made for, after a check that they are valid."""
    known = [field.name for field in fields(Rules) if field.name != "players"]
    for key in made_for:
        if key not in known:
            raise AgentError(f"agent {name!r}: made_for has no rule {key!r}, "
                             f"expected some of {', '.join(known)}")  # fmt: skip
    try:
        Rules(players=players, **made_for)
    except RulesError as error:
        raise AgentError(f"agent {name!r}: made_for: {error}") from None
    return dict(made_for)


def _first_line(function: Callable[..., Any]) -> str:
    """First line of the docstring of a function or else of its module."""
    module = sys.modules.get(function.__module__)
    text = function.__doc__ or getattr(module, "__doc__", None) or ""
    return text.strip().partition("\n")[0]
