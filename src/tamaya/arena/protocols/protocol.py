"""What a protocol consists of: a configuration, a result, and a function from one to the other.

A module of this package that ends with ``PROTOCOL = RegisteredProtocol(...)`` is a protocol: its
results can be stored, read back, exported and reported without changes elsewhere.
"""

import shlex
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from tamaya.agent import check_players
from tamaya.arena.protocols.documents import document_of, record_of
from tamaya.arena.rule_texts import tables_of
from tamaya.arena.runner import Runner
from tamaya.lookup import find_agent
from tamaya.rules import Rules

Row = dict[str, Any]  # of an export: figures by column


@dataclass(frozen=True)
class ProtocolConfig(ABC):
    """Everything that determines a result; subclasses are frozen dataclasses of plain values."""

    @property
    @abstractmethod
    def title(self) -> str:
        """Name of the result in the store, such as the agent."""

    @property
    @abstractmethod
    def games_text(self) -> str:
        """Number of games and what it counts, such as ``1,000 per cell``."""

    @property
    def rules_text(self) -> str:
        """Rules that differ from the standard ones; empty if none do."""
        return getattr(self, "rules", "")

    @abstractmethod
    def n_games(self) -> int:
        """Maximum number of games to play; raises for agents and rules that do not exist."""

    @abstractmethod
    def arguments(self) -> Sequence[object]:
        """Arguments of the command that repeats it, without ``tamaya``."""

    def to_document(self) -> dict[str, Any]:
        """For the store."""
        return document_of(self)

    def command(self) -> str:
        """The command line that repeats it, ready to paste into a shell."""
        return shlex.join(("tamaya", *map(str, self.arguments())))


class AgentConfig(ProtocolConfig):
    """Base of configurations of one agent at several table sizes."""

    agent: str  # as commands accept it
    players: str  # table sizes, such as 3, 2-5 or 2,4
    rules: str  # what differs from the standard rules

    @property
    def title(self) -> str:
        """The agent."""
        return self.agent

    def tables(self) -> list[Rules]:
        """The rules of every table size."""
        return tables_of(self.players, self.rules)


class ProtocolResult(ABC):
    """The outcome of a configuration; subclasses are frozen dataclasses."""

    config: Any
    seconds: float  # of work, added up over workers

    @abstractmethod
    def to_document(self) -> dict[str, Any]:
        """For JSON and the store."""

    @classmethod
    @abstractmethod
    def from_document(cls, document: Mapping[str, Any], config: Mapping[str, Any]) -> Any:
        """The result of a stored document and the document of its configuration.

        Raises ``KeyError``, ``TypeError`` or ``ValueError`` for a document of another form.
        """

    @abstractmethod
    def rows(self) -> list[Row]:
        """Every figure of the result, for export: one row each, columns by name."""

    def command(self) -> str:
        """The command line that repeats it, ready to paste into a shell."""
        return self.config.command()


ConfigType = TypeVar("ConfigType", bound=ProtocolConfig)
ResultType = TypeVar("ResultType", bound=ProtocolResult)


@dataclass(frozen=True)
class RegisteredProtocol(Generic[ConfigType, ResultType]):
    """A protocol under its name.

    ``run(config, runner)`` may take further keywords, for inputs that only higher floors can read.
    """

    name: str
    config: type[ConfigType]
    result: type[ResultType]
    run: Callable[..., ResultType]
    run_many: Callable[..., list[ResultType]] | None = None  # if it can mix their games

    def run_all(
        self, configs: Sequence[ConfigType], runner: Runner, **inputs: Any
    ) -> Iterator[ResultType]:
        """Run several configurations; yields their results in order."""
        if self.run_many is not None:
            yield from self.run_many(configs, runner, **inputs)
            return
        for config in configs:
            yield self.run(config, runner, **inputs)


def check_agents(agents: Iterable[str], tables: Iterable[Rules]) -> None:
    """Refuse agents that do not exist or do not support one of the numbers of players."""
    sizes = [rules.players for rules in tables]
    for agent in agents:
        player = find_agent(agent)
        for size in sizes:
            check_players(player, size)


def config_of(kind: type[ConfigType], config: Mapping[str, Any], **known: Any) -> ConfigType:
    """The configuration of a stored document, completed with values of the result."""
    return record_of(kind, {**known, **config})


def rules_arguments(text: str) -> list[str]:
    """Rules as an option of a command; empty if they are the standard ones."""
    return ["--rules", text] if text else []
