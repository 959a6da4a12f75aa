"""One deal for all: every agent on the same deck and in one seat of a team, and its difficulty.

``tamaya.arena.deal`` defines deals and difficulty. The means of the panel are tallies of ordinary
self-play, so with a store they are computed only once.
"""

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, fields
from typing import Any

from tamaya.agent import AgentError, check_players
from tamaya.arena.deal import (
    PANEL,
    Deal,
    Difficulty,
    Opinion,
    Row,
    difficulty_of,
    opinion_of,
    ranked,
    row_of,
)
from tamaya.arena.match import Match
from tamaya.arena.pools import pool_text, suits
from tamaya.arena.protocols.documents import document_of, record_of
from tamaya.arena.protocols.protocol import (
    ProtocolConfig,
    ProtocolResult,
    RegisteredProtocol,
    check_agents,
    config_of,
    rules_arguments,
)
from tamaya.arena.protocols.protocol import Row as ExportRow
from tamaya.arena.rule_texts import rule_text, rules_for
from tamaya.arena.runner import Runner
from tamaya.cards import card_name, parse_card
from tamaya.game import Game
from tamaya.lookup import find_agent
from tamaya.rules import Rules, RulesError
from tamaya.search.endgame.winnable import solve
from tamaya.workers import cpu_time

USUAL_SEED = 0xDEA1  # of the deals over which the panel's means are taken


@dataclass(frozen=True)
class Config(ProtocolConfig):
    """A deal, by its seed or by its deck, and who plays it."""

    agents: tuple[str, ...]  # each plays it with copies of itself
    players: int = 2
    seed: int = 0  # the deal is a game of this seed,
    game: int = 0  # the one with this number,
    deck: tuple[str, ...] = ()  # unless there is a deck, top card first,
    start: int = 0  # with the seat that begins
    given: tuple[Any, ...] = ()  # who played that deck: name, score, points, status, turns
    source: str = ""  # where the deck is from: a file or link as the command takes it
    team: str = ""  # one agent, or one per other seat separated by spaces: a team in which
    seat: int = 0  # this seat is replaced by each of the agents
    games: int = 500  # deals over which the panel's means are taken; 0 for no panel
    rules: str = ""  # what differs from the standard rules

    @property
    def title(self) -> str:
        """The seed and number, or the source."""
        return self.source or f"{self.seed} game {self.game}"

    @property
    def games_text(self) -> str:
        """One game per agent."""
        return f"1 per agent, {self.games:,} per agent of the panel"

    def table(self) -> Rules:
        """The rules of the deal."""
        return rules_for(self.players, self.rules)

    def deal(self) -> Deal:
        """The deal itself."""
        if not self.deck:
            return Deal.of_seed(self.table(), self.seed, self.game)
        return Deal(self.table(), tuple(map(parse_card, self.deck)), self.start, 0)

    def panel(self) -> tuple[str, ...]:
        """Agents of the panel that suit the table."""
        if not self.games:
            return ()
        return tuple(name for name in PANEL if suits(find_agent(name), self.table()))

    def n_games(self) -> int:
        """Games on this deal, and those of the panel on others."""
        rules = self.table()
        check_agents(self.agents, [rules])
        n_agents = len(set(self.agents) | set(self.panel()))
        if self.team:
            for name in self.team.split():
                check_players(find_agent(name), rules.players)
            if len(self.team.split()) not in (1, rules.players - 1):
                raise AgentError(f"a team has one agent, or {rules.players - 1} for the others")
            if not 0 <= self.seat < rules.players:
                raise RulesError(f"seat {self.seat} is not a seat of {rules.players} players")
            n_agents += len(self.agents) + (len(self.team.split()) == 1)
        return n_agents + self.games * len(self.panel())

    def arguments(self) -> list[object]:
        """`tamaya deal` with all options that matter."""
        what: list[object] = [self.source or self.seed]
        if not self.source:
            what += ["--game", self.game, "-p", self.players, *rules_arguments(self.rules)]
        guests = ["--team", self.team, "--seat", self.seat] if self.team else []
        return ["deal", *what, "--agents", pool_text(self.agents), *guests, "-n", self.games]


@dataclass(frozen=True)
class Result(ProtocolResult):
    """How agents did on the deal."""

    config: Config
    deck: tuple[str, ...]  # top card first
    teams: tuple[Row, ...]  # every agent with copies of itself, and who played it before
    alone: Row | None  # the team without a guest, if it is copies of one agent
    guests: tuple[Row, ...]  # the team with one seat replaced by each agent
    difficulty: Difficulty
    seconds: float
    open_hands: str = ""  # winnable, not winnable or unknown if everybody saw all cards

    def to_document(self) -> dict[str, Any]:
        """For JSON and the store."""
        known = document_of(self.config)
        return {
            "deal": {name: known.pop(name) for name in ("seed", "game", "start", "source")},
            **{name: known[name] for name in ("players", "rules", "games", "team", "seat")},
            "deck": list(self.deck),
            "agents": [document_of(row) for row in self.teams],
            "alone": document_of(self.alone) if self.alone else None,
            "guests": [document_of(row) for row in self.guests],
            "difficulty": document_of(self.difficulty),
            "open_hands": self.open_hands,
            "seconds": self.seconds,
        }

    @classmethod
    def from_document(cls, document: Mapping[str, Any], config: Mapping[str, Any]) -> "Result":
        """Reads ``to_document`` back."""
        rows = tuple(record_of(Row, row) for row in document["agents"])
        given = next((row for row in rows if row.is_given), None)
        known = {**document, **document["deal"],
                 "agents": tuple(row.name for row in rows if not row.is_given),
                 "deck": tuple(document["deck"]) if document["deal"]["source"] else (),
                 "given": _values(given) if given else ()}  # fmt: skip
        panel = tuple(record_of(Opinion, row) for row in document["difficulty"]["panel"])
        figures = record_of(Difficulty, {**document["difficulty"], "panel": ()})
        alone = document["alone"]
        return cls(
            config_of(Config, config, **{field.name: known[field.name] for field in fields(Config)
                                         if field.name in known}),
            tuple(document["deck"]), rows, record_of(Row, alone) if alone else None,
            tuple(record_of(Row, row) for row in document["guests"]),
            Difficulty(figures.points, figures.se, figures.share, panel), document["seconds"],
            document.get("open_hands", ""),
        )  # fmt: skip

    def rows(self) -> list[ExportRow]:
        """A row for each team and guest, and for the difficulty."""
        found = [{"figure": figure, **document_of(row), "row": row.name}
                 for figure, rows in (("deal", self.teams), ("guest", self.guests))
                 for row in rows]  # fmt: skip
        hard = self.difficulty
        found += [{"figure": "panel", **document_of(row), "row": row.agent} for row in hard.panel]
        found.append({"figure": "difficulty", "row": "panel", "mean": hard.points, "se": hard.se,
                      "share": hard.share})  # fmt: skip
        for row in found:
            row.pop("name", None)
        return [{**row, "players": self.config.players} for row in found]


def _values(row: Row) -> tuple[Any, ...]:
    """A row as plain values."""
    return row.name, row.score, row.points, row.status, row.turns


def config_of_game(game: Game, source: str, name: str = "its players") -> Config:
    """The deal of a game; if it has been played to its end, its score is one of the rows."""
    given = _values(row_of(name, game)) if game.is_over else ()
    return Config(
        (),
        game.rules.players,
        deck=tuple(map(card_name, game.deck)),
        start=int(game.record.start),
        given=given,
        source=source,
        rules=rule_text(game.rules),
    )


def given_row(config: Config) -> list[Row]:
    """The row of those who played the deck before, if any."""
    if not config.given:
        return []
    name, score, points, status, turns = config.given
    return [Row(name, score, points, status, turns, is_given=True)]


def run(config: Config, runner: Runner) -> Result:
    """Play the deal with every agent and every guest, and compute its difficulty from the panel."""
    steps = stages(config, runner)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result: Result = end.value
            return result


def stages(config: Config, runner: Runner) -> Generator[str, None, Result]:
    """The same in steps, each of which begins with the name of the agent that plays next."""
    deal, started = config.deal(), cpu_time()
    played: dict[str, Game] = {}
    for name in dict.fromkeys((*config.agents, *config.panel())):
        yield name
        played[name] = _counted(runner, deal.play, [find_agent(name)])
    rows = [row_of(name, played[name]) for name in config.agents]
    alone, guests = None, []
    team = [find_agent(name) for name in config.team.split()]
    for name in config.agents if team else ():
        yield name
        game = _counted(runner, deal.play_with_guest, team, find_agent(name), config.seat)
        guests.append(row_of(name, game))
    if len(team) == 1:
        yield config.team
        alone = row_of(config.team, _counted(runner, deal.play, team))
    seconds = cpu_time() - started
    panel = []
    for name in config.panel():
        yield name
        [usual] = runner.play([Match((name,), deal.rules, USUAL_SEED)], config.games)
        panel.append(opinion_of(name, played[name].score, usual.tally))
        seconds += usual.seconds
    return Result(
        config, tuple(map(card_name, deal.deck)), ranked([*rows, *given_row(config)]), alone,
        ranked(guests), difficulty_of(panel), seconds, solve(deal.game()).text,
    )  # fmt: skip


def _counted(runner: Runner, play: Callable[..., Game], *arguments: Any) -> Game:
    """A game, counted by the runner."""
    started = cpu_time()
    game = play(*arguments)
    runner.note_played(1, cpu_time() - started)
    return game


PROTOCOL = RegisteredProtocol("deal", Config, Result, run)
