"""Gains: what exact search adds to its blueprint, by turn, and what it costs.

Games are played as at the table and every decision is recorded: ``tamaya.arena.gains``. The
blueprint plays the same deals, for comparison.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

from tamaya.arena.executor import check_code
from tamaya.arena.gains import (
    Decision,
    Phase,
    mean_and_se,
    phase_of,
    searched_game,
    searcher,
)
from tamaya.arena.match import Match, code_of
from tamaya.arena.protocols.documents import document_of, record_of
from tamaya.arena.protocols.protocol import (
    AgentConfig,
    ProtocolResult,
    RegisteredProtocol,
    Row,
    check_agents,
    config_of,
    rules_arguments,
)
from tamaya.arena.rule_texts import rule_text
from tamaya.arena.runner import NullStore, Runner
from tamaya.arena.tally import without_nan
from tamaya.fingerprint import fingerprint
from tamaya.rules import Rules
from tamaya.workers import cpu_time

TURNS = 10  # of a phase
CHECK = 1000  # deals of a second batch


def columns_of(decisions: Sequence[Decision]) -> dict[str, list[Any]]:
    """Decisions as a document: a list for each field."""
    names = [field.name for field in fields(Decision)]
    return {name: [getattr(each, name) for each in decisions] for name in names}


def decisions_of(columns: Mapping[str, Sequence[Any]]) -> tuple[Decision, ...]:
    """Reads ``columns_of`` back."""
    rows = zip(*columns.values(), strict=True)
    return tuple(record_of(Decision, dict(zip(columns, row, strict=True))) for row in rows)


@dataclass(frozen=True)
class Table:
    """The games and decisions at one table size."""

    rules: Rules
    scores: tuple[int, ...]  # by game
    blueprint_scores: tuple[int, ...]  # of the blueprint on the same deals
    lengths: tuple[int, ...]  # moves by game
    decisions: tuple[Decision, ...]

    @property
    def games(self) -> int:
        """Number of games."""
        return len(self.scores)

    @cached_property
    def phases(self) -> list[Phase]:
        """The decisions by tens of turns."""
        return self.phases_of(TURNS)

    def phases_of(self, turns: int) -> list[Phase]:
        """The decisions by so many turns at a time, where anything was searched."""
        starts = range(1, max(self.lengths, default=0) + 1, turns)
        found = [phase_of(self.decisions, self.lengths, start, start + turns - 1)
                 for start in starts]  # fmt: skip
        return [phase for phase in found if phase.searched]

    @cached_property
    def whole(self) -> Phase:
        """All decisions."""
        return phase_of(self.decisions, self.lengths, 1, max(self.lengths, default=0))

    @property
    def gain(self) -> tuple[float, float]:
        """Points gained per game by the second batches, and the standard error."""
        sums = dict.fromkeys(range(self.games), 0.0)
        for decision in self.decisions:
            sums[decision.game] += decision.gain
        return mean_and_se(list(sums.values()))

    @property
    def score(self) -> tuple[float, float]:
        """Mean score and standard error."""
        return mean_and_se(self.scores)

    @property
    def difference(self) -> tuple[float, float]:
        """Mean difference to the blueprint's score on the same deal, and standard error."""
        pairs = zip(self.scores, self.blueprint_scores, strict=True)
        return mean_and_se([score - other for score, other in pairs])

    def as_dict(self) -> dict[str, Any]:
        """For JSON and the store; times are under ``seconds``, nothing else depends on a clock."""
        gain, se = self.gain
        return {
            "players": self.rules.players, "hand_size": self.rules.hand_size, "games": self.games,
            "gain": gain, "gain_se": se, "phases": [document_of(phase) for phase in self.phases],
            "scores": self.scores, "blueprint_scores": self.blueprint_scores,
            "lengths": self.lengths,
            "decisions": columns_of(self.decisions),
        }  # fmt: skip

    @classmethod
    def from_dict(cls, row: Mapping[str, Any], rules: Mapping[str, Any]) -> "Table":
        """Reads ``as_dict`` back: everything else follows from the decisions."""
        return cls(Rules(players=row["players"], hand_size=row["hand_size"], **rules),
                   tuple(row["scores"]), tuple(row["blueprint_scores"]), tuple(row["lengths"]),
                   decisions_of(row["decisions"]))  # fmt: skip


@dataclass(frozen=True)
class Config(AgentConfig):
    """What the search of one agent gains at some table sizes."""

    agent: str  # as commands accept it
    players: str = "2"  # table sizes, such as 3, 2-5 or 2,4
    games: int = 20  # per table size
    seed: int = 0  # decides deals and play
    rules: str = ""  # what differs from the standard rules
    check: int = CHECK  # deals of a second batch

    @property
    def games_text(self) -> str:
        """Games per table size."""
        return f"{self.games:,} per size"

    def n_games(self) -> int:
        """Games at all tables; the blueprint's games do not count."""
        check_agents([self.agent], self.tables())
        searcher(self.agent)
        return self.games * len(self.tables())

    def arguments(self) -> list[object]:
        """`tamaya gains` with all options that matter."""
        return ["gains", self.agent, "-p", self.players, "-n", self.games, "--seed", self.seed,
                *rules_arguments(self.rules),
                *(["--check", self.check] if self.check != CHECK else ())]  # fmt: skip


@dataclass(frozen=True)
class Result(ProtocolResult):
    """What the search of one agent gained by table size and turn."""

    config: Config
    tables: tuple[Table, ...]
    seconds: float

    def to_document(self) -> dict[str, Any]:
        """For JSON and the store."""
        options = self.tables[0].rules.as_dict()
        return without_nan({
            "agent": self.config.agent,
            "seed": self.config.seed,
            "check": self.config.check,
            "rules": {name: options[name] for name in options
                      if name not in ("players", "hand_size")},
            "results": [table.as_dict() for table in self.tables],
            "seconds": self.seconds,
        })  # fmt: skip

    @classmethod
    def from_document(cls, document: Mapping[str, Any], config: Mapping[str, Any]) -> "Result":
        """Reads ``to_document`` back."""
        tables = tuple(Table.from_dict(row, document["rules"]) for row in document["results"])
        known = config_of(
            Config, config, agent=document["agent"], seed=document["seed"],
            check=document["check"], games=tables[0].games, rules=rule_text(tables[0].rules),
            players=",".join(str(table.rules.players) for table in tables),
        )  # fmt: skip
        return cls(known, tables, document["seconds"])

    def rows(self) -> list[Row]:
        """A row for each table size and phase."""
        rows = []
        for table in self.tables:
            for phase in table.phases:
                row = document_of(phase)
                spreads = {f"{name}_{key}": value for name in ("support", "seconds")
                           for key, value in row.pop(name).items()}  # fmt: skip
                rows.append({"figure": "gains", "row": self.config.agent,
                             "players": table.rules.players, "hand_size": table.rules.hand_size,
                             "games": table.games, "first_turn": row.pop("first"),
                             "last_turn": row.pop("last"), **row, **spreads})  # fmt: skip
        return rows


@dataclass(frozen=True)
class Played:
    """One game, and how it was played."""

    number: int
    score: int
    blueprint_score: int
    length: int
    decisions: tuple[Decision, ...]
    seconds: float

    def to_document(self) -> dict[str, Any]:
        """For the store, which keeps every game that is finished."""
        return {**document_of(self), "decisions": columns_of(self.decisions)}

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> "Played":
        """Reads ``to_document`` back."""
        return record_of(cls, {**document, "decisions": decisions_of(document["decisions"])})


@dataclass(frozen=True)
class GainTask:
    """A game of a match, to be played and recorded."""

    match: Match
    number: int
    check: int
    code: str  # fingerprint of the code that is to play it; another one is refused

    @property
    def agents(self) -> Sequence[str]:
        """The agents of the match."""
        return self.match.agents

    def carry_out(self) -> Played:
        """The game, its decisions, and the blueprint's score on the same deal."""
        check_code(self.agents, self.code, code_of(self.match.agents))
        agent, rules, seed = searcher(self.agents[0]), self.match.rules, self.match.seed
        started = cpu_time()
        game, decisions = searched_game(agent, rules, seed, self.number, self.check)
        seconds = cpu_time() - started
        blueprint = Match((agent.texts["blueprint"],), rules, seed)
        other = blueprint.play(self.number, 1, threads=1).results["score"][0]
        return Played(self.number, game.score, int(other), game.turn, decisions, seconds)


def run(config: Config, runner: Runner) -> Result:
    """Play games of an agent that searches and record what its search gained.

    Finished games are stored one by one, so that a stopped run can resume.
    """
    tables, seconds, store = [], 0.0, runner.store or NullStore()
    kind = f"gains {config.check} {fingerprint(searched_game.__module__)}"
    for rules in config.tables():
        match = Match((config.agent,), rules, config.seed)
        found = [Played.from_document(document)
                 for number, document in store.parts(match, kind).items()
                 if number < config.games]  # fmt: skip
        runner.note_stored(len(found))
        for played in runner.carry_out(_tasks(config, match, {game.number for game in found})):
            store.add_part(match, kind, played.number, played.to_document())
            found.append(played)
            runner.note_played(1, played.seconds)
        found.sort(key=lambda played: played.number)
        seconds += sum(played.seconds for played in found)
        tables.append(Table(
            rules, tuple(played.score for played in found),
            tuple(played.blueprint_score for played in found),
            tuple(played.length for played in found),
            tuple(decision for played in found for decision in played.decisions),
        ))  # fmt: skip
    return Result(config, tuple(tables), seconds)


def _tasks(config: Config, match: Match, stored: Collection[int]) -> Iterator[GainTask]:
    """The games that are not stored."""
    for number in range(config.games):
        if number not in stored:
            yield GainTask(match, number, config.check, code_of(match.agents))


PROTOCOL = RegisteredProtocol("gains", Config, Result, run)
