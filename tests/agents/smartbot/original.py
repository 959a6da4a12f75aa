"""Decks and logs of the original program, for games that match move for move."""

from collections.abc import Iterator
from hashlib import sha256

import numpy as np

from tamaya.agent import Agent
from tamaya.game import Game
from tamaya.game_kernels import deal
from tamaya.moves import DISCARD, HINT_COLOUR, PLAY, describe
from tamaya.records import VIEW, new_games
from tamaya.registry import find_agent
from tamaya.rules import Rules
from tamaya.seating import Roster, reset_memories
from tamaya.table import FAULT, PLAYED, play_game


def decks(seed: int, n: int) -> np.ndarray:
    """The first n decks of the program, top card first."""
    draws = np.random.RandomState(seed).randint(0, 2**32, size=(n, 50), dtype=np.uint32)
    sorted_deck = sorted(Game().deck)
    found = np.zeros((n, 50), np.int8)
    for k in range(n):
        deck = list(sorted_deck)
        for place in range(50):
            other = int(draws[k, place]) % (place + 1)
            deck[place], deck[other] = deck[other], deck[place]
        found[k] = deck[::-1]
    return found


def games_on(decks: np.ndarray, agent: str, players: int) -> Iterator[np.record]:
    """Games of an agent with itself on given decks; each record serves the next game too."""
    player, rules = find_agent(agent), Rules(players=players)
    assert isinstance(player, Agent)
    seating = np.zeros(players, np.int64)
    roster = Roster([player], seating[np.newaxis])
    games, views, faults = new_games(1, rules), np.zeros(1, VIEW), np.zeros(1, FAULT)
    infos, memory = roster.info(0, 0), roster.memory(1)[0]
    for deck in decks:
        games[0].deck[:] = deck
        deal(games[0])
        reset_memories(games[0], infos[0], memory)
        status = play_game(games[0], views[0], roster.table, seating, infos[0], memory, faults[0])
        assert status == PLAYED
        yield games[0]


def log_line(game: np.record) -> str:
    """A game as the program logs it: moves, score without regard to lives, strikes."""
    rules = Rules(players=int(game.players))
    words = []
    for event in game.history[: game.n_moves]:
        kind, place, value = describe(rules, int(event.move))
        if kind in (DISCARD, PLAY):
            words.append(f"{'DP'[kind]}{place}")
        elif kind == HINT_COLOUR:
            words.append(f"C{event.target}{value}")
        else:
            words.append(f"V{event.target}{value + 1}")
    return f"{' '.join(words)} = {game.points} {3 - game.lives}"


def digest(lines: list[str]) -> str:
    """First digits of the hash of a log."""
    return sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()[:16]
