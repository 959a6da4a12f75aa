"""Timed parts of this package: compiled loops, and the environments through their Python API.

Every function that takes a number of players prepares a ``Loop``: a function that plays a number
of games, or makes a number of steps of a vector environment, and returns how many moves they had.
"""

from collections.abc import Callable

import numpy as np

from tamaya.bench.loops import LANES, Loop, play_pettingzoo, play_pyhanabi, play_rl_env
from tamaya.compiled import hot, popcount
from tamaya.encoding import encode_hle, hle_length, observation_spec
from tamaya.game_kernels import MOVE_BIT, apply_move, deal_seeded, legal_mask, nth_move
from tamaya.records import RUNNING, new_games
from tamaya.rng import GOLDEN, below, scramble, seed_of
from tamaya.rules import Rules
from tamaya.view import is_playable


@hot
def random_move(legal, state):
    """A uniformly random move of a mask, from a state of the generator."""
    return nth_move(legal, below(scramble(state), popcount(legal)))


@hot
def peeking_move(game, state):
    """A play of an own playable card, seen by peeking; otherwise a hint or a discard."""
    hand_size = np.int64(game.hand_size)
    for slot in range(hand_size):
        card = game.card[game.mover, slot]
        if card >= 0 and is_playable(game, card):
            return hand_size + slot
    legal = legal_mask(game)
    cards_only = MOVE_BIT[2 * hand_size] - np.uint64(1)
    hints = legal & ~cards_only
    if hints:
        return random_move(hints, state)
    return random_move(legal & (MOVE_BIT[hand_size] - np.uint64(1)), state)


@hot
def encode_from_mover(game, n_seats, out):
    """Write the vectors of some seats, beginning with the seat to move."""
    seat = np.int64(game.mover)
    for k in range(n_seats):
        encode_hle(game, seat, out[k])
        seat = seat + 1 if seat + 1 < game.players else 0


@hot
def play_random_games(games, n_games, n_seats, out):
    """Play whole games at random, encoding some seats each move; returns the number of moves."""
    game = games[0]
    state = np.uint64(0)
    n_moves = 0
    for k in range(n_games):
        deal_seeded(game, seed_of(state, k))
        while game.status == RUNNING:
            encode_from_mover(game, n_seats, out)
            state += GOLDEN
            apply_move(game, random_move(legal_mask(game), state))
        n_moves += game.n_moves
    return n_moves


@hot
def play_long_games(games, n_games, n_seats, out):
    """Play whole games by peeking, encoding some seats each move; returns the number of moves."""
    game = games[0]
    state = np.uint64(0)
    n_moves = 0
    for k in range(n_games):
        deal_seeded(game, seed_of(state, k))
        while game.status == RUNNING:
            encode_from_mover(game, n_seats, out)
            state += GOLDEN
            apply_move(game, peeking_move(game, state))
        n_moves += game.n_moves
    return n_moves


@hot
def pick_moves(masks, state, moves):
    """Write a random legal move for every lane; returns the next state of the generator."""
    for lane in range(len(masks)):
        n_legal = 0
        for move in range(masks.shape[1]):
            n_legal += masks[lane, move]
        state += GOLDEN
        left = below(scramble(state), n_legal)
        move = 0
        while left > 0 or not masks[lane, move]:
            left -= masks[lane, move]
            move += 1
        moves[lane] = move
    return state


def compiled_games(players: int, n_seats: int) -> Loop:
    """Random games in one compiled loop, with the vectors of some seats at each move."""
    return _compiled(play_random_games, players, n_seats)


def compiled_long_games(players: int, n_seats: int) -> Loop:
    """Long games in one compiled loop, with the vectors of some seats at each move."""
    return _compiled(play_long_games, players, n_seats)


def _compiled(kernel: Callable[..., int], players: int, n_seats: int) -> Loop:
    rules = Rules(players=players)
    games = new_games(1, rules)
    out = np.zeros((players, hle_length(rules)), np.uint8)
    return lambda n_games: int(kernel(games, n_games, n_seats, out))


def vector_environment(players: int, seats: str) -> Loop:
    """Steps of ``HanabiVectorEnv`` with a compiled random player."""
    from tamaya.envs.vector import HanabiVectorEnv

    env = HanabiVectorEnv(LANES, Rules(players=players), seats=seats)
    moves = np.zeros(LANES, np.int64)
    state = np.uint64(0)
    _, info = env.reset(seed=0)

    def play(n_steps: int) -> int:
        nonlocal state, info
        for _ in range(n_steps):
            state = np.uint64(pick_moves(info["action_mask"], state, moves))
            _, _, _, _, info = env.step(moves)
        return n_steps * LANES

    return play


def pettingzoo_games(players: int) -> Loop:
    """Games of our PettingZoo environment."""
    from tamaya.envs.pettingzoo import env

    return play_pettingzoo(env(players=players))


def rl_env_games(players: int) -> Loop:
    """Games through our version of HLE's ``rl_env``."""
    from tamaya.envs.hle import rl_env

    return play_rl_env(rl_env, players)


def pyhanabi_games(players: int, n_seats: int) -> Loop:
    """Games through our version of HLE's ``pyhanabi``."""
    from tamaya.envs.hle import pyhanabi

    return play_pyhanabi(pyhanabi, players, n_seats)


def table_games(agent: str, players: int, threads: int) -> Loop:
    """Self-play of a compiled agent on some threads; counts games, not moves."""
    from tamaya.lookup import find_agent
    from tamaya.table import play

    rules = Rules(players=players)
    player = find_agent(agent)

    def run(n_games: int) -> int:
        return len(play(player, rules, n_games, threads=threads).results)

    return run


def training(algorithm: str, players: int) -> Loop:
    """Steps of a learner, playing and learning; counts turns."""
    from tamaya.learn.run import Plan
    from tamaya.learn.threads import set_up_torch

    set_up_torch()
    learner = Plan(algorithm, f"players={players}", seed=0, turns=10**9).learner()

    def run(n_batches: int) -> int:
        before = learner.turns
        for _ in range(n_batches):
            learner.step()
        return learner.turns - before

    return run


def training_games(players: int) -> Loop:
    """PPO's environment alone: games and their vectors, for moves that cost nothing."""
    from tamaya.envs.vector import HanabiVectorEnv

    env = HanabiVectorEnv(1024, Rules(players=players), encoder="derived")
    moves = np.zeros(1024, np.int64)
    state = np.uint64(0)
    _, info = env.reset(seed=0)

    def run(n_steps: int) -> int:
        nonlocal state, info
        for _ in range(n_steps):
            state = np.uint64(pick_moves(info["action_mask"], state, moves))
            *_, info = env.step(moves)
        return n_steps * 1024

    return run


def network_decisions(players: int) -> Loop:
    """Self-play of a network of the flagship's size, in one compiled loop."""
    from tamaya.agents.learned.family import LearnedAgent
    from tamaya.agents.learned.files import make_network
    from tamaya.agents.learned.network import layout
    from tamaya.encoding import vector_length
    from tamaya.table import play

    rules = Rules(players=players)
    metadata = {"kind": "mlp", "rules": rules.to_text(), "encoder": "derived", "width": 256,
                "observation": observation_spec(rules, "derived")}  # fmt: skip
    rng = np.random.default_rng(0)
    shapes = layout(vector_length(rules, "derived"), 256, rules.n_moves)
    weights = {name: rng.normal(0, 0.1, shape).astype(np.float32)
               for name, shape in shapes.items()}  # fmt: skip
    agent = LearnedAgent("network", [make_network(metadata, weights)])
    return lambda n: int(play(agent, rules, 10 * n, threads=1).results["n_moves"].sum())
