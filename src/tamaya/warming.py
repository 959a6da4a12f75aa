"""Compiling ahead of time: small jobs that together compile and cache every entry point.

Every process that needs a kernel compiles it again, so each job covers what shares code: an
environment, a family of agents, a kind of search.
"""

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from functools import partial
from multiprocessing import get_context, parent_process
from queue import Empty
from typing import Any

from tamaya import compile_progress
from tamaya.compile_progress import CompileProgress, listening

Report = Callable[[str], None]


def _table() -> None:
    from tamaya.table import play

    play("first-legal", games=1, threads=1)


def _game() -> None:
    from tamaya.game import Game

    game = Game()
    game.apply(game.legal_moves[0])
    game.view()


def _seat() -> None:
    from tamaya.game import Game
    from tamaya.lookup import find_agent
    from tamaya.seat import Seat

    game = Game()
    seats = [Seat(find_agent("smartbot"), game, seat) for seat in range(2)]
    game.apply(seats[0].act())
    for seat in seats:
        seat.observe()
    game.at(0)


def _batch() -> None:
    import numpy as np

    from tamaya.agent import BatchAgent
    from tamaya.table import play

    def lowest(observations: np.ndarray, legal: np.ndarray, state: np.ndarray) -> np.ndarray:
        return legal.argmax(axis=1)

    for encoder, dtype in (("hle", np.float32), ("hle", np.uint8), ("views", np.uint8)):
        play([BatchAgent("lowest", lowest, encoder=encoder, dtype=dtype), "first-legal"], games=1)


def _batch_blueprints() -> None:
    import numpy as np

    from tamaya.agent import BatchAgent
    from tamaya.search.agents.sparta import rehearse_with
    from tamaya.search.belief.lanes import BatchBlueprint

    def lowest(observations: np.ndarray, legal: np.ndarray, state: np.ndarray) -> np.ndarray:
        return legal.argmax(axis=1)

    for encoder in ("hle", "views"):
        rehearse_with(BatchBlueprint(BatchAgent("lowest", lowest, encoder=encoder, state_size=1)))


def _vector() -> None:
    import numpy as np

    from tamaya.envs.vector import HanabiVectorEnv

    for dtype in (np.uint8, np.float32):
        env = HanabiVectorEnv(1, dtype=dtype)
        _, info = env.reset(seed=0)
        env.step(info["action_mask"].argmax(axis=1))


def _learning() -> None:
    from tamaya.agent import Agent
    from tamaya.agents.learned import bad, c51, recurrent
    from tamaya.agents.learned.family import PARAMS, act
    from tamaya.dispatch import compile_act, compile_observe
    from tamaya.envs.vector import HanabiVectorEnv
    from tamaya.learn.other_play import Recolouring

    for memoryless in (act, c51.act):
        compile_act(memoryless, Agent("network", memoryless).memory, PARAMS)
    for kind, params in ((recurrent, PARAMS), (bad, bad.PARAMS)):
        memory = Agent("network", kind.act, memory=kind.MEMORY).memory
        compile_act(kind.act, memory, params)
        compile_observe(kind.observe, memory, params)
    env = HanabiVectorEnv(1, encoder="derived")
    env.reset(seed=0)
    recolouring = Recolouring(env, "derived")
    _, legal = recolouring.look()
    recolouring.true_moves(legal.argmax(axis=1))
    env.restore(env.state())


def _pettingzoo() -> None:
    import numpy as np

    from tamaya.envs.pettingzoo import env

    for dtype in (np.uint8, np.float32):
        table = env(dtype=dtype)
        table.reset(seed=0)
        table.observe(table.agent_selection)


def _hle() -> None:
    from tamaya.envs.hle import rl_env

    table = rl_env.make("Hanabi-Full", 2)
    observation = table.reset()
    table.step(observation["player_observations"][0]["legal_moves"][0])


def _arena() -> None:
    from tamaya.arena.behaviour import behaviour_of
    from tamaya.arena.match import ONE, Match
    from tamaya.rules import Rules

    rules = Rules()
    played = Match(("first-legal", "random"), rules, 0, ONE).play(0, 1, record=True, threads=1)
    if played.records is not None:
        behaviour_of(played.records, rules)


def _rules() -> None:
    import numpy as np

    from tamaya.evolve.fitness import play_programs, programs_of
    from tamaya.evolve.rule_sets import rule_set
    from tamaya.rules import Rules

    genes = tuple(dict.fromkeys((*rule_set("tamaya"), *rule_set("elites"))))
    for is_measured in (False, True):
        programs = programs_of(np.arange(len(genes))[np.newaxis], genes, True)
        play_programs(programs, Rules(), "", 1, 0, is_measured)


def _open_hands() -> None:
    from tamaya.arena.losses import loss_of
    from tamaya.game import Game

    game = Game()
    while not game.is_over:
        game.apply(game.legal_moves[0])
    loss_of(game)


_SEARCHES = ("search", "adapt")  # rooms whose agents imagine games


def _families() -> dict[str, list[Any]]:
    """The agents grouped by shared code: a family, or a kind of search."""
    from tamaya.lookup import all_agents

    families: dict[str, list[Any]] = {}
    for player in all_agents():
        package, room, *rest = (*player.act_function.__module__.split("."), "", "")
        if package != "tamaya":
            continue  # registered by the user
        rest = [part for part in rest if part]
        name = rest[-1] if room in _SEARCHES else rest[0]
        families.setdefault(f"{room} {name}", []).append(player)
    return families


def _family(name: str) -> None:
    for player in _families()[name]:
        player.compile()


_ENVIRONMENTS: dict[str, Callable[[], None]] = {
    "game": _game,
    "seat": _seat,
    "batch": _batch,
    "vector environment": _vector,
    "learning": _learning,
    "PettingZoo": _pettingzoo,
    "HLE": _hle,
}


def warm_up() -> dict[str, dict[str, Callable[[], None]]]:
    """The jobs by the names that users give: agents, search, environments."""
    families = {name: partial(_family, name) for name in _families()}
    agents: dict[str, Callable[[], None]] = {
        name: job for name, job in families.items() if name.startswith("agents")
    }
    agents["agents rules"] = _rules  # evolution compiles everything the family does, and more
    return {
        "agents": {"table": _table, "arena": _arena, **agents},
        "search": {
            **{name: job for name, job in families.items() if name.startswith(_SEARCHES)},
            "batch blueprints": _batch_blueprints,
            "open hands": _open_hands,
        },
        "environments": _ENVIRONMENTS,
    }


def chosen_jobs(kinds: Sequence[str]) -> dict[str, Callable[[], None]]:
    """The jobs of some kinds, by default of all; ValueError names an unknown kind."""
    known = warm_up()
    for kind in kinds:
        if kind not in known:
            raise ValueError(f"unknown part {kind!r} to compile: expected "
                             f"{', '.join(known)}")  # fmt: skip
    jobs: dict[str, Callable[[], None]] = {}
    for kind in kinds or known:
        jobs |= known[kind]
    return jobs


def run_jobs(jobs: dict[str, Callable[[], None]], processes: int, report: Report) -> Iterator[str]:
    """Run jobs in several processes, because the compiler uses only one core per process.

    Yields their names as they are done; ``report`` gets lines on what is being compiled.
    """
    if processes == 1:
        with listening(_told_to(report)):
            for name, job in jobs.items():
                job()
                yield name
        return
    context = get_context("spawn")
    lines = context.Queue()
    with ProcessPoolExecutor(processes, context, _report_to, (lines,)) as pool:
        running = {pool.submit(job): name for name, job in _longest_first(jobs)}
        while running:
            done, _ = wait(running, timeout=0.2, return_when=FIRST_COMPLETED)
            for line in _received(lines):
                report(line)
            for future in done:
                future.result()
                yield running.pop(future)


def _longest_first(
    jobs: dict[str, Callable[[], None]],
) -> list[tuple[str, Callable[[], None]]]:
    """Jobs with the large families first, so that no core idles at the end."""
    large = ("agents rules", "agents wtfwthat", "agents fireflower", "search ris", "agents hat")
    ranks = {name: rank for rank, name in enumerate(large)}
    return sorted(jobs.items(), key=lambda item: ranks.get(item[0], len(ranks)))


def _received(lines: Any) -> Iterator[str]:
    while True:
        try:
            yield lines.get_nowait()
        except Empty:
            return


def _report_to(lines: Any) -> None:
    """Make a worker report what it compiles to its parent, and end with it."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    compile_progress.listeners.append(_told_to(lines.put))


def _end_with_parent() -> None:
    """Exit as soon as the parent is gone, because the result would not be used."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _told_to(report: Report) -> Callable[[CompileProgress | None], None]:
    def listener(progress: CompileProgress | None) -> None:
        if progress is not None:
            report(str(progress))

    return listener
