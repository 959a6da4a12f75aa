"""The same loops for the other implementations of Hanabi, each as fast as its API allows.

Every function prepares a ``Loop`` and imports its peer only when called.
"""

import os
import random
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tamaya.bench.loops import LANES, Loop, play_pettingzoo, play_pyhanabi, play_rl_env
from tamaya.cards import copies_of_rank

_DECK = [5 * colour + rank for colour in range(5) for rank in range(5)
         for _ in range(copies_of_rank(rank))]  # fmt: skip
_CHANCE, _OVER = -1, -4  # OpenSpiel's player number when nobody is to move


def hle_games(players: int, n_seats: int, long: bool = False) -> Loop:
    """Games of HLE's ``pyhanabi``."""
    from hanabi_learning_environment import pyhanabi

    return play_pyhanabi(pyhanabi, players, n_seats, long)


def hle_rl_env_games(players: int) -> Loop:
    """Games of HLE's ``rl_env``."""
    from hanabi_learning_environment import rl_env

    return play_rl_env(rl_env, players)


def openspiel_games(players: int, n_seats: int) -> Loop:
    """Games of OpenSpiel's states; cards come from a shuffled deck, twice as fast as sampling."""
    import pyspiel

    game = pyspiel.load_game("hanabi", {"players": players})

    def play(n_games: int) -> int:
        n_moves = 0
        for _ in range(n_games):
            state = game.new_initial_state()
            deck = _DECK.copy()
            random.shuffle(deck)
            while (mover := state.current_player()) != _OVER:
                if mover == _CHANCE:
                    state.apply_action(deck.pop())
                    continue
                for k in range(n_seats):
                    state.observation_tensor((mover + k) % players)
                state.apply_action(random.choice(state.legal_actions()))
                n_moves += 1
        return n_moves

    return play


def openspiel_long_games(players: int) -> Loop:
    """Long games of OpenSpiel's states with the mover's vector; the loop tracks the hands."""
    import pyspiel

    game = pyspiel.load_game("hanabi", {"players": players})
    hand_size = 5 if players <= 3 else 4

    def choose(state: Any, hand: list[int], fireworks: list[int]) -> int:
        for slot, card in enumerate(hand):
            if fireworks[card // 5] == card % 5:
                fireworks[card // 5] += 1
                return hand_size + slot
        legal = state.legal_actions()
        hints = [move for move in legal if move >= 2 * hand_size]
        return random.choice(hints or [move for move in legal if move < hand_size])

    def play(n_games: int) -> int:
        n_moves = 0
        for _ in range(n_games):
            state = game.new_initial_state()
            deck = _DECK.copy()
            random.shuffle(deck)
            hands: list[list[int]] = [[] for _ in range(players)]
            fireworks = [0] * 5
            short = 0  # the seat that the next card goes to
            while (mover := state.current_player()) != _OVER:
                if mover == _CHANCE:
                    while len(hands[short]) == hand_size:
                        short = (short + 1) % players
                    hands[short].append(deck.pop())
                    state.apply_action(hands[short][-1])
                    continue
                state.observation_tensor(mover)
                move = choose(state, hands[mover], fireworks)
                if move < 2 * hand_size:
                    hands[mover].pop(move % hand_size)
                    short = mover
                state.apply_action(move)
                n_moves += 1
        return n_moves

    return play


def openspiel_rl_games(players: int) -> Loop:
    """Games of OpenSpiel's ``rl_environment``, which returns the vectors of all seats."""
    import pyspiel
    from open_spiel.python import rl_environment

    env = rl_environment.Environment(pyspiel.load_game("hanabi", {"players": players}))

    def play(n_games: int) -> int:
        n_moves = 0
        for _ in range(n_games):
            step = env.reset()
            while not step.last():
                seen = step.observations
                step = env.step([random.choice(seen["legal_actions"][seen["current_player"]])])
                n_moves += 1
        return n_moves

    return play


def pettingzoo_games(players: int) -> Loop:
    """Games of PettingZoo's ``hanabi_v5``."""
    from pettingzoo.classic import hanabi_v5

    return play_pettingzoo(hanabi_v5.env(players=players, hand_size=5 if players <= 3 else 4))


@contextmanager
def _silence() -> Iterator[None]:
    """Keep standard output clean: JaxMARL prints a greeting there, bypassing ``sys.stdout``."""
    sys.stdout.flush()
    kept = os.dup(1)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    try:
        yield
    finally:
        sys.stdout.flush()
        os.dup2(kept, 1)
        os.close(nowhere)
        os.close(kept)


def jaxmarl_steps(players: int) -> Loop:
    """Jitted steps of a batch of JaxMARL's games on the CPU, vectors of all seats returned.

    Its step resets finished games. It is compiled twice, because reset and step return states of
    different types, so a few steps are made before anything is timed.
    """
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    with _silence():
        import jax
        import jaxmarl

        env: Any = jaxmarl.make("hanabi", num_agents=players)

    @jax.jit
    def step(key: Any, state: Any) -> Any:
        key, key_move, key_step = jax.random.split(key, 3)
        legal = jax.vmap(env.get_legal_moves)(state)
        moves = {
            name: jax.random.categorical(jax.random.fold_in(key_move, k), (mask - 1) * 1e9)
            for k, (name, mask) in enumerate(legal.items())
        }
        return key, jax.vmap(env.step)(jax.random.split(key_step, LANES), state, moves)

    key = jax.random.PRNGKey(0)
    _, state = jax.jit(jax.vmap(env.reset))(jax.random.split(key, LANES))

    def play(n_steps: int) -> int:
        nonlocal key, state
        for _ in range(n_steps):
            key, result = step(key, state)
            state = jax.block_until_ready(result)[1]
        return n_steps * LANES

    play(4)
    return play
