"""The search agents: legal everywhere, the same by the same seed, as strong as they should be."""

from random import Random
from time import perf_counter

import numpy as np
import pytest

from support import affordable, decide, pick_rules, play_randomly, replay, run_python, scaled
from tamaya.compiled import JIT
from tamaya.game import Game
from tamaya.registry import all_agents, find_agent
from tamaya.rules import Rules
from tamaya.table import play

FAMILIES = ["mcts", "predictor-mcts", "flat-mc", "ris-mcts", "ris-mcts-best"]
CIG = "bomb=keep refill=in_place"


@pytest.mark.parametrize("name", FAMILIES)
def test_its_moves_are_legal_under_any_rules(name):
    rng, agent = Random(0), affordable(find_agent(name))
    for seed in range(scaled(120)):
        game = play_randomly(Game(pick_rules(rng.choice), seed), rng)
        stopped = replay(game, turns=rng.randrange(game.turn))
        assert decide(agent, stopped, stopped.mover) in stopped.legal_moves


@pytest.mark.parametrize("name", FAMILIES)
def test_the_same_seed_gives_the_same_game(name):
    agent = find_agent(f"{name}:iterations=20")
    rules = Rules(players=3)
    games = [play(agent, rules, 4, seed=5, threads=threads, record=True) for threads in (1, 1, 2)]
    moves = [[played.game(k).moves for k in range(4)] for played in games]
    assert moves[0] == moves[1] == moves[2]


@pytest.mark.parametrize("name", FAMILIES)
def test_time_decides_if_asked_to(name):
    agent, game = find_agent(f"{name}:ms=30"), Game(Rules(players=3), seed=1)
    decide(agent, game, 0)  # compiles
    started = perf_counter()
    decide(agent, game, 0)
    assert 0.03 <= perf_counter() - started < 1


def test_the_presets_think_for_forty_milliseconds():
    presets = [player for player in all_agents() if player.name.endswith("-40ms")]
    assert {f"{name}-40ms" for name in FAMILIES} <= {player.name for player in presets}
    assert all(player.values["ms"] == 40 for player in presets)


def mean_and_variance(agent: str, players: int, n: int) -> tuple[float, float]:
    """Mean score, and the variance of that mean, of games under the competition's rules."""
    scores = play(agent, Rules.parse(f"players={players} {CIG}"), n, seed=1001).results["score"]
    return scores.mean(), scores.var() / n


@pytest.mark.parametrize("players", [2, 5])
def test_search_by_what_each_seat_knows_beats_plain_search_and_chance(players):
    ris = mean_and_variance("ris-mcts:iterations=60", players, 8)
    for other in ("mcts:iterations=60", "random"):
        weaker = mean_and_variance(other, players, 8)
        assert ris[0] - weaker[0] > 4 * (ris[1] + weaker[1]) ** 0.5


@pytest.mark.parametrize("name", ["flat-mc:moves=good,", "ris-mcts:"])
def test_search_improves_its_policy(name):
    searching = mean_and_variance(f"{name}policy=iggi,iterations=300,margin=0.2", 3, 12)
    policy = mean_and_variance("iggi", 3, 2000)
    assert searching[0] - policy[0] > 4 * (searching[1] + policy[1]) ** 0.5


@pytest.mark.skipif(not JIT, reason="compares with the compiler off")
@pytest.mark.parametrize("name", FAMILIES)
def test_it_moves_the_same_with_the_compiler_off(name):
    code = (
        "from tamaya import Rules, find_agent\n"
        "from tamaya.game import Game\n"
        "from tamaya.seat import Seat\n"
        f"agent = find_agent('{name}:iterations=4,rollout=6')\n"
        "game = Game(Rules(players=3), seed=2)\n"
        "seats = [Seat(agent, game, seat) for seat in range(3)]\n"
        "for _ in range(4):\n"
        "    game.apply(seats[game.mover].act())\n"
        "print(game.moves)\n"
    )
    answers = [run_python(code, NUMBA_DISABLE_JIT=off) for off in ("0", "1")]
    assert answers[1].returncode == 0, answers[1].stderr
    assert answers[0].stdout == answers[1].stdout
    assert len(np.fromstring(answers[0].stdout.strip("[]\n"), sep=",")) == 4
