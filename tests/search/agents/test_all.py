"""What all search agents have in common: legal moves, the same by the same seed, time, trust."""

from random import Random
from time import perf_counter

import pytest

from search.positions import hinted_game
from support import affordable, decide, pick_rules, play_randomly, replay, run_python, scaled
from tamaya.compiled import JIT
from tamaya.game import Game
from tamaya.lookup import all_agents
from tamaya.registry import find_agent
from tamaya.rules import Rules
from tamaya.table import play

FAMILIES = ["search", "mcts", "predictor-mcts", "flat-mc", "ris-mcts", "ris-mcts-best", "sparta"]
WITH_BLUEPRINT = ["search", "predictor-mcts", "flat-mc", "ris-mcts"]


@pytest.mark.parametrize("name", FAMILIES)
def test_its_moves_are_legal_under_any_rules(name):
    rng, agent = Random(0), affordable(find_agent(name))
    if name in ("search", "sparta"):
        agent = agent.with_params({"blueprint": "example"})
    for seed in range(scaled(30 if name == "sparta" else 120)):
        game = play_randomly(Game(pick_rules(rng.choice), seed), rng)
        stopped = replay(game, turns=rng.randrange(game.turn))
        assert decide(agent, stopped, stopped.mover) in stopped.legal_moves


@pytest.mark.parametrize("name", FAMILIES)
def test_the_same_seed_gives_the_same_game(name):
    agent = find_agent(f"{name}:samples=20")
    rules = Rules(players=3)
    games = [play(agent, rules, 2, seed=5, threads=threads, record=True) for threads in (1, 1, 2)]
    moves = [[played.game(k).moves for k in range(2)] for played in games]
    assert moves[0] == moves[1] == moves[2]
    other = play(agent, rules, 2, seed=6, threads=1, record=True)
    assert moves[0] != [other.game(k).moves for k in range(2)]


@pytest.mark.parametrize("name", FAMILIES)
def test_time_decides_if_asked_to(name):
    # A race may be decided early unless nothing is dropped.
    options = {"search": "ms=30,errors=0", "sparta": "ms=30,errors=0,seat=0"}.get(name, "ms=30")
    agent, game = find_agent(f"{name}:{options}"), Game(Rules(players=3), seed=1)
    decide(agent, game, 0)  # compiles
    started = perf_counter()
    decide(agent, game, 0)
    assert 0.03 <= perf_counter() - started < 1


def test_the_presets_think_for_forty_milliseconds():
    presets = [player for player in all_agents() if player.name.endswith("-40ms")]
    names = {f"{name}-40ms" for name in FAMILIES if name != "search"}
    assert names <= {player.name for player in presets}
    assert all(player.values["ms"] == 40 for player in presets)


@pytest.mark.parametrize("name", WITH_BLUEPRINT)
def test_trust_makes_a_hint_mean_what_the_blueprint_means_by_it(name):
    # The card was hinted because it is playable, and one bomb ends the game without points.
    game = hinted_game(lives=1)
    options = "blueprint=example,samples=40,rollout=0,recent=1"
    options += {"search": ",errors=0,hints=0", "flat-mc": ""}.get(name, ",depth=0,keep=false")
    without, with_trust = (
        decide(find_agent(f"{name}:{options},trust={trust}"), game, game.mover) for trust in (0, 1)
    )
    assert with_trust == 6
    assert without != 6


@pytest.mark.parametrize("name", ["search", "flat-mc", "ris-mcts"])
def test_the_blueprints_move_stands_unless_another_gains_the_margin(name):
    # Without trust the blueprint's play loses the only point there is in most deals.
    game = hinted_game(lives=1)
    options = "blueprint=example,samples=60,rollout=0"
    options += {"search": ",errors=0,hints=0", "flat-mc": ""}.get(name, ",depth=0")
    agent = find_agent(f"{name}:{options}")
    assert decide(agent.with_params({"margin": 0}), game, game.mover) != 6
    assert decide(agent.with_params({"margin": 1.5}), game, game.mover) == 6


@pytest.mark.skipif(not JIT, reason="compares with the compiler off")
def test_all_move_the_same_with_the_compiler_off():
    code = (
        "from tamaya import Rules, find_agent\n"
        "from tamaya.game import Game\n"
        "from tamaya.seat import Seat\n"
        f"for name in {FAMILIES!r}:\n"
        "    blueprint = ',blueprint=hat-recommendation' if name in ('search', 'sparta') else ''\n"
        "    blueprint += ',seats=each,support=50,draws=4' if name == 'sparta' else ''\n"
        "    agent = find_agent(f'{name}:samples=4,rollout=6{blueprint}')\n"
        "    game = Game(Rules(players=3, empty_hints=True, colours=2, hand_size=3), seed=2)\n"
        "    seats = [Seat(agent, game, seat) for seat in range(3)]\n"
        "    for _ in range(4):\n"
        "        game.apply(seats[game.mover].act())\n"
        "    print(name, *game.moves)\n"
    )
    compiled, interpreted = (run_python(code, NUMBA_DISABLE_JIT=off) for off in ("0", "1"))
    assert interpreted.returncode == 0, interpreted.stderr
    assert compiled.stdout == interpreted.stdout
    assert [len(line.split()) for line in compiled.stdout.splitlines()] == [5] * len(FAMILIES)
