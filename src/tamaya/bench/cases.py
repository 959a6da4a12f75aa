"""What is measured: the cases, and in each of them the systems that are compared.

A system is this package (``tamaya``), its modules with HLE's API where they compete with compiled
loops (``tamaya-pyhanabi``), its training (``tamaya-learn``), or a peer. Preparing a contender
imports it and returns its ``Loop``.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from importlib.util import find_spec
from typing import Any

from tamaya.bench import adapt, own, peers, search
from tamaya.bench.loops import LANES, Loop
from tamaya.bench.startup import IMPORTS, seconds_of, seconds_of_first_game

CPU, WALL = "cpu", "wall"

# Modules that a peer needs.
PEERS = {
    "hle": ("hanabi_learning_environment",),
    "openspiel": ("pyspiel", "open_spiel"),
    "pettingzoo": ("pettingzoo", "shimmy", "pyspiel"),
    "jaxmarl": ("jaxmarl", "jax"),
}
# What our systems need beyond the package itself.
EXTRAS = {"tamaya-learn": ("torch",)}
SYSTEMS = ("tamaya", "tamaya-pyhanabi", *EXTRAS, *PEERS)


@dataclass(frozen=True)
class Contender:
    """A system in a case: how its loop is prepared, and what is reported about it."""

    system: str
    prepare: Callable[[int], Callable[[int], float]]  # the loop for a number of players
    details: dict[str, Any] = field(default_factory=dict)
    players: tuple[int, ...] = ()  # numbers of players that it supports; () means all


@dataclass(frozen=True)
class Case:
    """One task that several systems do; ``players`` fixes the number of players if given."""

    name: str
    title: str
    contenders: tuple[Contender, ...]
    unit: str = "moves"
    clock: str = CPU
    players: tuple[int | None, ...] = ()


def _single_game_case(name: str, title: str, observation: str) -> Case:
    """Random games one after another, encoding no seat, the mover or all seats."""

    def with_seats(loop: Callable[..., Loop]) -> Callable[[int], Loop]:
        def prepare(players: int) -> Loop:
            return loop(players, {"none": 0, "mover": 1, "all": players}[observation])

        return prepare

    def contender(system: str, loop: Callable[..., Loop], kind: str) -> Contender:
        details = {"observation": observation, "dtype": None if observation == "none" else kind}
        return Contender(system, with_seats(loop), details)

    contenders = (
        contender("tamaya", own.compiled_games, "uint8"),
        contender("tamaya-pyhanabi", own.pyhanabi_games, "list of int"),
        contender("hle", peers.hle_games, "list of int"),
        contender("openspiel", peers.openspiel_games, "list of float"),
    )
    return Case(name, title, contenders)


def _long_case() -> Case:
    mover = {"observation": "mover"}
    contenders = (
        Contender("tamaya", partial(own.compiled_long_games, n_seats=1), mover),
        Contender("hle", partial(peers.hle_games, n_seats=1, long=True), mover),
        Contender("openspiel", peers.openspiel_long_games, mover),
    )
    return Case("long", "long games, a player that peeks, the mover's vector", contenders)


def _rl_env_case() -> Case:
    contenders = (
        Contender("tamaya", own.rl_env_games, {"observation": "all, with dicts"}),
        Contender("hle", peers.hle_rl_env_games, {"observation": "all, with dicts"}),
        Contender("openspiel", peers.openspiel_rl_games, {"observation": "all"}),
    )
    return Case("rl_env", "through the Python API of rl_env", contenders)


def _pettingzoo_case() -> Case:
    contenders = (
        Contender("tamaya", own.pettingzoo_games, {"observation": "mover"}),
        Contender("pettingzoo", peers.pettingzoo_games, {"observation": "all"}),
    )
    return Case("pettingzoo", "through the Python API of PettingZoo", contenders)


def _vector_cases() -> tuple[Case, Case]:
    many = {"batch": LANES, "dtype": "uint8"}
    jax_details = {"batch": LANES, "dtype": "float32", "observation": "all"}
    mover = (
        Contender("tamaya", partial(own.vector_environment, seats="mover"),
                  {**many, "observation": "mover"}),
        Contender("jaxmarl", peers.jaxmarl_steps, jax_details),
    )  # fmt: skip
    every = (
        Contender("tamaya", partial(own.vector_environment, seats="all"),
                  {**many, "observation": "all"}),
        Contender("openspiel", lambda players: peers.openspiel_games(players, players),
                  {"batch": 1, "dtype": "list of float", "observation": "all"}),
    )  # fmt: skip
    return (
        Case("vector", f"{LANES:,} games per call from Python", mover),
        Case("vector-all", f"{LANES:,} games per call, vectors of all seats", every),
    )


def _table_case() -> Case:
    contenders = tuple(
        Contender("tamaya", partial(_table_games, agent, threads),
                  {"agent": agent, "threads": threads})
        for agent in ("random", "example", "certainty", "iggi", "piers")
        for threads in (1, 2)
    )  # fmt: skip
    title = "whole games of compiled agents"
    return Case("table", title, contenders, unit="games", clock=WALL, players=(2,))


def _strong_case() -> Case:
    contenders = tuple(
        Contender("tamaya", partial(_table_games, agent, 1), {"agent": agent, "threads": 1})
        for agent in ("smartbot", "wtfwthat", "information", "fireflower")
    )
    title = "whole games of the strongest agents"
    return Case("strong", title, contenders, unit="games", players=(2, 3, 4))


def _table_games(agent: str, threads: int, players: int) -> Loop:
    return own.table_games(agent, players, threads)


def _search_case() -> Case:
    """Parts of search over the two blueprints that it is measured with, on one core."""
    parts: tuple[tuple[str, Callable[[str, int], Loop]], ...] = (
        ("hands filtered", search.filtered_hands),
        ("rollouts from mid-game", search.rollouts),
        ("decisions after one hint, 10,000 rollouts", search.decisions),
    )
    contenders = tuple(
        Contender("tamaya", partial(loop, agent), {"what": what, "agent": agent})
        for what, loop in parts
        for agent in ("smartbot", "information")
    )
    return Case("search", "search on exact beliefs", contenders, unit="steps", players=(2,))


def _adaptive_case() -> Case:
    """The agent that learns its partner, on one core: its moves, and what it does before."""
    moves: tuple[tuple[str, str, str, bool], ...] = (
        ("moves, no samples", "certainty", "", False),
        ("moves, known partner", "certainty", "", True),
        ("moves, model of a stranger", "piers", "iggi", True),
        ("moves, code of a stranger", "information", "information", True),
    )
    contenders = [
        Contender("tamaya", partial(adapt.decisions, partner, without, is_prepared),
                  {"what": what, "agent": partner})
        for what, partner, without, is_prepared in moves
    ] + [
        Contender("tamaya", partial(adapt.preparations, partner, without),
                  {"what": f"prepared by ten games of {whom}", "agent": partner})
        for whom, partner, without in (("a known partner", "certainty", ""),
                                       ("a stranger", "piers", "iggi"),
                                       ("a stranger with a code", "information", "information"))
    ]  # fmt: skip
    title = "an agent that learns its partner"
    return Case("adaptive", title, tuple(contenders), unit="steps")


def _training_case() -> Case:
    """Learning as a whole, and those of its parts that can be measured separately."""
    learners = {"ppo": "PPO", "acha": "ACHA", "rainbow": "Rainbow", "bad": "BAD"}
    contenders = (
        *(Contender("tamaya-learn", partial(own.training, name),
                    {"what": f"{title}, everything included"},
                    players=(2,) if name == "bad" else ())
          for name, title in learners.items()),
        Contender("tamaya", own.training_games, {"what": "games and vectors alone"}),
        Contender("tamaya", own.network_decisions, {"what": "games of a trained player"}),
    )  # fmt: skip
    return Case("training", "learning, and playing what was learned", contenders, unit="turns")


def _startup_case() -> Case:
    """Start-up, whose loops return seconds instead of counts."""
    first_games = [
        Contender("tamaya", partial(_first_game, is_cold),
                  {"what": f"first game, {'cold' if is_cold else 'warm'} cache"})
        for is_cold in (False, True)
    ]  # fmt: skip
    imports = [
        Contender(system, partial(_import, code), {"what": code})
        for system, code in IMPORTS.items()
    ]
    contenders = (*first_games, *imports)
    return Case("startup", "start-up", contenders, "seconds", WALL, (None,))


def _import(code: str, players: int) -> Callable[[int], float]:
    return lambda n: seconds_of(code)


def _first_game(is_cold: bool, players: int) -> Callable[[int], float]:
    if not is_cold:
        seconds_of_first_game(is_cold)  # fills the cache
    return lambda n: seconds_of_first_game(is_cold)


_ALL_CASES = (
    _single_game_case("rules", "rules only", "none"),
    _single_game_case("mover", "the mover's vector at each move", "mover"),
    _single_game_case("all", "the vectors of all seats at each move", "all"),
    _long_case(),
    _rl_env_case(),
    _pettingzoo_case(),
    *_vector_cases(),
    _table_case(),
    _strong_case(),
    _search_case(),
    _adaptive_case(),
    _training_case(),
    _startup_case(),
)
CASES = {case.name: case for case in _ALL_CASES}


def missing_modules(system: str) -> list[str]:
    """Modules that a system needs and that are not installed."""
    return [name for name in {**EXTRAS, **PEERS}.get(system, ()) if find_spec(name) is None]
