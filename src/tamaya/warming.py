"""What there is to compile: small jobs that make every kernel be compiled and cached."""

from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context


def _table() -> None:
    from tamaya.table import play

    play("first-legal", games=1, threads=1)


def _game() -> None:
    from tamaya.game import Game

    game = Game()
    game.apply(game.legal_moves[0])
    game.view()


def _batch() -> None:
    import numpy as np

    from tamaya.agent import BatchAgent
    from tamaya.table import play

    def lowest(observations: np.ndarray, legal: np.ndarray, state: np.ndarray) -> np.ndarray:
        return legal.argmax(axis=1)

    for encoder, dtype in (("hle", np.float32), ("hle", np.uint8), ("views", np.uint8)):
        play([BatchAgent("lowest", lowest, encoder=encoder, dtype=dtype), "first-legal"], games=1)


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


def _agents(are_slow: bool) -> None:
    from tamaya.agent import Agent
    from tamaya.agents.rules.family import RuleAgent
    from tamaya.registry import all_agents

    for player in all_agents():
        if isinstance(player, Agent) and not isinstance(player, RuleAgent):
            if player.is_slow == are_slow:
                player.compile()


def _plain_agents() -> None:
    _agents(False)


def _search() -> None:
    _agents(True)


def _rules() -> None:
    import numpy as np

    from tamaya.evolve.fitness import play_programs, programs_of
    from tamaya.evolve.rule_sets import rule_set
    from tamaya.rules import Rules

    genes = tuple(dict.fromkeys((*rule_set("tamaya"), *rule_set("elites"))))
    for is_measured in (False, True):
        programs = programs_of(np.arange(len(genes))[np.newaxis], genes, True)
        play_programs(programs, Rules(), "", 1, 0, is_measured)


warm_up: dict[str, Callable[[], None]] = {
    "table": _table,
    "game": _game,
    "batch": _batch,
    "vector environment": _vector,
    "learning": _learning,
    "PettingZoo": _pettingzoo,
    "HLE": _hle,
    "arena": _arena,
    "search": _search,
    "rules": _rules,
    "agents": _plain_agents,
}
# Everything else needs what these compile.
FIRST = ("table", "game")


def warm_part(name: str) -> str:
    """Do one of the jobs; gives its name."""
    warm_up[name]()
    return name


def warm_parts(processes: int) -> Iterator[str]:
    """Do all jobs, in several processes, because the compiler uses one core of each.

    Names come as they are done.
    """
    for name in FIRST:
        yield warm_part(name)
    rest = sorted(set(warm_up) - set(FIRST), key=list(warm_up).index, reverse=True)
    if processes == 1:
        yield from map(warm_part, rest)
        return
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        for done in as_completed([pool.submit(warm_part, name) for name in rest]):
            yield done.result()
