"""Players as blueprints of search: games played to the end from turn 25, per second and core.

The rest of the deck is shuffled before every rollout, so that no two are the same game.

Run `python benchmarks/rollouts.py [AGENT ...]`; all times are CPU time of one core.
"""

import sys
from time import process_time

import numpy as np

from tamaya.agent import Agent
from tamaya.compiled import hot
from tamaya.dispatch import call_act
from tamaya.game_kernels import apply_move, deal_seeded
from tamaya.lookup import find_agent
from tamaya.records import RUNNING, VIEW, new_games
from tamaya.rng import GOLDEN, below, scramble
from tamaya.rules import Rules
from tamaya.seating import Roster, memory_of, observe_event, reset_memories
from tamaya.table import FAULT, play_game
from tamaya.view import fill_view

AGENTS = ("certainty", "confidence", "hat-recommendation", "hat-information")
TURN = 25
N_POSITIONS, N_ROLLOUTS = 20, 1000


@hot
def advance(game, view, roster, seating, info, memory, n_moves):
    """Play the first moves of a dealt game."""
    for _ in range(n_moves):
        if game.status != RUNNING:
            return
        who = roster[0]
        fill_view(game, game.mover, view)
        place = memory_of(info, memory, np.int64(game.mover))
        apply_move(game, call_act(who.act, view, place, who.params))
        if info.any_observes:
            observe_event(game, view, roster, seating, info, memory)


@hot
def shuffle_rest(game, memory):
    """Shuffle the cards that are not dealt; the first word of a memory is its generator."""
    for last in range(game.n_all - 1, game.n_all - game.deck_size, -1):
        memory[0] += GOLDEN
        other = last - below(scramble(memory[0]), last - (game.n_all - game.deck_size) + 1)
        game.deck[last], game.deck[other] = game.deck[other], game.deck[last]


@hot
def roll_out(games, view, roster, seating, info, memories, fault, n):
    """Play games[0] to the end n times, in games[1]; returns the number of moves."""
    n_moves = 0
    for _ in range(n):
        games[1] = games[0]
        shuffle_rest(games[1], memories[0])
        memories[1] = memories[0]
        play_game(games[1], view, roster, seating, info, memories[1], fault)
        n_moves += games[1].n_moves - games[0].n_moves
    return n_moves


def measure(name: str, players: int) -> tuple[float, float]:
    """Rollouts per second, and their mean length."""
    rules = Rules(players=players, bomb="keep", empty_hints=True)
    player = find_agent(name)
    assert isinstance(player, Agent)
    seating = np.zeros(players, np.int64)
    roster = Roster([player], seating[np.newaxis])
    info, fault, view = roster.info(0, 0)[0], np.zeros(1, FAULT)[0], np.zeros(1, VIEW)[0]
    seconds, n_moves = 0.0, 0
    for seed in range(N_POSITIONS):
        games, memories = new_games(2, rules), roster.memory(2)
        deal_seeded(games[0], np.uint64(seed))
        reset_memories(games[0], info, memories[0])
        advance(games[0], view, roster.table, seating, info, memories[0], TURN)
        arguments = games, view, roster.table, seating, info, memories, fault
        roll_out(*arguments, 1)
        started = process_time()
        n_moves += roll_out(*arguments, N_ROLLOUTS)
        seconds += process_time() - started
    n = N_POSITIONS * N_ROLLOUTS
    return n / seconds, n_moves / n


def main() -> None:
    """Print the table."""
    print("agent                 players   rollouts/s   moves   ns/move")
    for name in sys.argv[1:] or AGENTS:
        for players in (2, 3, 4, 5):
            rate, length = measure(name, players)
            cost = 1e9 / rate / length
            print(f"{name:22}{players:7}{rate:13,.0f}{length:8.1f}{cost:10.0f}")


if __name__ == "__main__":
    main()
