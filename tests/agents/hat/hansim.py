"""Decks and play of HanSim, the program of Cox and others, for figures that match exactly."""

from collections.abc import Iterator

import numpy as np

from tamaya.agent import Agent
from tamaya.game import Game
from tamaya.game_kernels import deal, score
from tamaya.records import VIEW, new_games
from tamaya.registry import find_agent
from tamaya.rules import Rules
from tamaya.seating import Roster, reset_memories
from tamaya.table import FAULT, PLAYED, play_game

HANSIM = Rules(players=5, lives=4, bomb="keep", discard_at_full=True)


def uniform_numbers(seed: int) -> Iterator[float]:
    """The C function drand48."""
    state = seed * 65536 + 0x330E
    while True:
        state = (0x5DEECE66D * state + 11) % 2**48
        yield state / 2**48


def decks(seed: int, n: int) -> np.ndarray:
    """The first n decks of HanSim, top card first."""
    numbers = uniform_numbers(seed)
    sorted_deck = Game(HANSIM).deck
    sorted_deck.sort()
    found = np.zeros((n, 50), np.int8)
    for k in range(n):
        deck = list(sorted_deck)
        for last in range(49, -1, -1):
            other = int(next(numbers) * (last + 1))
            deck[other], deck[last] = deck[last], deck[other]
        found[k] = deck
    return found


def scores_on(decks: np.ndarray, agent: str, rules: Rules = HANSIM) -> list[int]:
    """Scores of an agent on given decks."""
    player = find_agent(agent)
    assert isinstance(player, Agent)
    seating = np.zeros(rules.players, np.int64)
    roster = Roster([player], seating[np.newaxis])
    game, view, fault = new_games(1, rules)[0], np.zeros(1, VIEW)[0], np.zeros(1, FAULT)[0]
    info, memory = roster.info(0, 0)[0], roster.memory(1)[0]
    scores = []
    for deck in decks:
        game.deck[:] = deck
        deal(game)
        reset_memories(game, info, memory)
        assert play_game(game, view, roster.table, seating, info, memory, fault) == PLAYED
        scores.append(int(score(game)))
    return scores
