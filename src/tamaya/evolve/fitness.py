"""Fitness: how well rule lists play, all of them on the same deals and seats.

A population is an array of chromosomes, each a row of numbers of genes; a gene is an entry of a
rule set. The games of many individuals are played by one compiled loop without a return to Python:
with 20 games for each, one call per individual took longer than the games.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from tamaya.agent import Agent, AgentError
from tamaya.agents.rules.family import PROGRAM, RuleAgent
from tamaya.agents.rules.language import parse_step
from tamaya.agents.rules.measured import MEASURED
from tamaya.agents.rules.rule import LINE
from tamaya.arena.executor import check_code
from tamaya.arena.match import ONE, Match, code_of
from tamaya.compiled import hot
from tamaya.fingerprint import fingerprint
from tamaya.game_kernels import deal_seeded, score
from tamaya.records import VIEW, new_games
from tamaya.registry import find_agent
from tamaya.rng import seed_of
from tamaya.rules import Rules
from tamaya.seating import Roster, reset_memories
from tamaya.table import FAULT, PLAYED, agent_fault, play_game

LIBRARY = "tamaya.agents.rules.library"  # registers all rules, any of which may be a gene


@hot
def play_individuals(game, view, roster, first, seats, info, memory, totals, squares, fault):
    """Play the same games with every individual; rows of the roster from ``first`` on.

    ``seats[k]`` is the individual's seat in game k, among copies of row 0; -1 stands for all
    seats. Adds scores and their squares to the totals, one entry each.
    """
    seating = np.zeros(game.players, np.int64)
    for who in range(len(totals)):
        for k in range(len(seats)):
            deal_seeded(game, seed_of(info.seed, k))
            reset_memories(game, info, memory)
            seating[:] = first + who if seats[k] < 0 else 0
            if seats[k] >= 0:
                seating[seats[k]] = first + who
            if play_game(game, view, roster, seating, info, memory, fault) != PLAYED:
                fault.game = k
                return
            points = score(game)
            totals[who] += points
            squares[who] += points * points


@cache
def gene_lines(genes: tuple[str, ...], faithful: bool) -> np.ndarray:
    """The lines of a rule set in the interpreter's form; compiles the rules."""
    lines = np.zeros(len(genes), LINE)
    for k, gene in enumerate(genes):
        lines[k] = parse_step(gene).line(faithful)[0]
    return lines


def programs_of(chromosomes: np.ndarray, genes: tuple[str, ...], faithful: bool) -> np.ndarray:
    """Chromosomes as programs."""
    programs = np.zeros(len(chromosomes), PROGRAM)
    length = chromosomes.shape[1]
    if length > programs["lines"].shape[1]:
        raise AgentError(f"a chromosome of {length} genes is too long")
    programs["faithful"] = faithful
    programs["n"] = length
    programs["lines"][:, :length] = gene_lines(genes, faithful)[chromosomes]
    return programs


@dataclass(frozen=True)
class FitnessSums:
    """Sums over the games of each of some programs."""

    totals: np.ndarray  # of scores
    squares: np.ndarray


def play_programs(
    programs: np.ndarray, rules: Rules, partner: str, games: int, seed: int, measured: bool = False
) -> FitnessSums:
    """Play the same games with every program: with copies of itself, or among a partner's.

    A measured game leaves its counts in the programs.
    """
    individual = MEASURED if measured else find_agent("rules")
    other = find_agent(partner) if partner else individual
    if not isinstance(other, Agent):
        raise AgentError(f"partner {partner!r} is not a compiled agent")
    assert isinstance(individual, RuleAgent)
    both = [other, individual]
    seating = np.arange(2)[:, np.newaxis].repeat(rules.players, axis=1)
    roster = Roster(both, seating)
    table = np.repeat(roster.table[1:], len(programs) + 1)
    table[0] = roster.table[0]
    table["params"][1:] = programs.ctypes.data + programs.itemsize * np.arange(len(programs))
    seats = np.full(games, -1)
    if partner:
        seats = Match(("rules", partner), rules, seed, ONE).seats(0, games)
    totals = np.zeros((2, len(programs)), np.int64)
    fault = np.zeros(1, FAULT)
    game, info = new_games(1, rules), roster.info(seed, 0)
    with np.errstate(over="ignore"):
        play_individuals(game[0], np.zeros(1, VIEW)[0], table, 1, seats, info[0],
                         roster.memory(1)[0], totals[0], totals[1], fault[0])  # fmt: skip
    if fault[0].kind != PLAYED:
        raise agent_fault(fault[0], both, seating % 2, rules, seed, 0, game[0])
    return FitnessSums(totals[0], totals[1])


def firing_profile(
    agent: RuleAgent, rules: Rules, games: int, seed: int = 0, partner: str = ""
) -> np.ndarray:
    """Moves that each rule of an agent's list makes, in mirror play or with a partner."""
    programs = agent.compile().params.copy()
    play_programs(programs, rules, partner, games, seed, measured=True)
    first = int(programs["first"][0, rules.players])
    n_rules = int(programs["n"][0, rules.players])
    return programs["lines"]["n_fired"][0, first : first + n_rules].copy()


@cache
def fitness_code(partner: str) -> str:
    """Fingerprint of the code that evaluates individuals, alone or with a partner."""
    agents = ("rules", partner) if partner else ("rules",)
    return f"{code_of(agents)} {fingerprint(__name__, LIBRARY)}"


@dataclass(frozen=True)
class Answer:
    """The result of a task: where it belongs, and the sums of its individuals."""

    cell: int
    first: int
    totals: np.ndarray
    squares: np.ndarray
    measured: np.ndarray  # [individual, 4], zero unless asked for


@dataclass(frozen=True, eq=False)
class FitnessTask:
    """Some individuals of a population in one cell: a number of players, with one partner."""

    genes: tuple[str, ...]
    faithful: bool
    chromosomes: np.ndarray
    rules: Rules
    partner: str  # empty for mirror play
    games: int
    seed: int
    cell: int  # where the result belongs
    first: int
    measured: bool = False
    code: str = ""

    @property
    def agents(self) -> Sequence[str]:
        """The partner."""
        return (self.partner or "rules",)

    def carry_out(self) -> Answer:
        """Play the games."""
        check_code(self.agents, self.code, fitness_code(self.partner))
        programs = programs_of(self.chromosomes, self.genes, self.faithful)
        played = play_programs(programs, self.rules, self.partner, self.games, self.seed,
                               self.measured)  # fmt: skip
        return Answer(self.cell, self.first, played.totals, played.squares,
                      programs["measured"].copy())  # fmt: skip
