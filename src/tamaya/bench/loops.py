"""Loops for both our environments and others', because they share an API.

A ``Loop`` plays a number of games (or calls of a vector environment) and returns how many moves
(or games) were played.
"""

import random
from collections.abc import Callable
from types import ModuleType
from typing import Any, TypeAlias

Loop: TypeAlias = Callable[[int], int]

LANES = 4096  # games per call of the vector environments


def play_pyhanabi(pyhanabi: ModuleType, players: int, n_seats: int, long: bool = False) -> Loop:
    """Games of HLE's states, with the vectors of some seats at each move."""
    game = pyhanabi.HanabiGame({"players": players})
    encoder = pyhanabi.ObservationEncoder(game)
    choose = _peek_pyhanabi(pyhanabi) if long else _choose_pyhanabi
    chance = pyhanabi.CHANCE_PLAYER_ID

    def play(n_games: int) -> int:
        n_moves = 0
        for _ in range(n_games):
            state = game.new_initial_state()
            while not state.is_terminal():
                mover = state.cur_player()
                if mover == chance:
                    state.deal_random_card()
                    continue
                for k in range(n_seats):
                    encoder.encode(state.observation((mover + k) % players))
                state.apply_move(choose(state))
                n_moves += 1
        return n_moves

    return play


def _choose_pyhanabi(state: Any) -> Any:
    return random.choice(state.legal_moves())


def _peek_pyhanabi(pyhanabi: ModuleType) -> Callable[[Any], Any]:
    """The peeking player for HLE's states."""
    move_type, get_play_move = pyhanabi.HanabiMoveType, pyhanabi.HanabiMove.get_play_move
    hints = (move_type.REVEAL_COLOR, move_type.REVEAL_RANK)

    def choose(state: Any) -> Any:
        fireworks = state.fireworks()
        for slot, card in enumerate(state.player_hands()[state.cur_player()]):
            if fireworks[card.color()] == card.rank():
                return get_play_move(slot)
        legal = state.legal_moves()
        wanted = [move for move in legal if move.type() in hints]
        return random.choice(wanted or [m for m in legal if m.type() == move_type.DISCARD])

    return choose


def play_rl_env(rl_env: ModuleType, players: int) -> Loop:
    """Games of HLE's environment with dicts and vectors for all seats, moves given as ids."""
    env = rl_env.make("Hanabi-Full", players)

    def play(n_games: int) -> int:
        n_moves = 0
        for _ in range(n_games):
            seen = env.reset()
            done = False
            while not done:
                mine = seen["player_observations"][seen["current_player"]]
                seen, _, done, _ = env.step(random.choice(mine["legal_moves_as_int"]))
                n_moves += 1
        return n_moves

    return play


def play_pettingzoo(env: Any) -> Loop:
    """Games of an AEC environment by the loop that PettingZoo's documentation shows."""

    def play(n_games: int) -> int:
        n_moves = 0
        for _ in range(n_games):
            env.reset()
            for _ in env.agent_iter():
                seen, _, terminated, truncated, _ = env.last()
                if terminated or truncated:
                    env.step(None)
                    continue
                env.step(random.choice(seen["action_mask"].nonzero()[0]))
                n_moves += 1
        return n_moves

    return play
