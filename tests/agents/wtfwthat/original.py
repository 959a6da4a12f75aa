"""Decks of the original program, and games in its notation, for play that matches exactly."""

import numpy as np

from tamaya.cards import COLOUR_LETTERS, parse_card
from tamaya.game import Game
from tamaya.moves import DISCARD, HINT_COLOUR, PLAY, describe
from tamaya.registry import find_agent
from tamaya.rules import Rules
from tamaya.seat import Seat

_QUARTERS = [(0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15),
             (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14)]  # fmt: skip


def chacha_block(seeds: np.ndarray, counter: int) -> np.ndarray:
    """Sixteen words of ChaCha20 for each seed, which is the first word of the key."""
    start = np.zeros((16, len(seeds)), np.uint32)
    start[:4] = np.frombuffer(b"expand 32-byte k", np.uint32)[:, np.newaxis]
    start[4] = seeds
    start[12] = counter
    words = start.copy()
    for _ in range(10):
        for a, b, c, d in _QUARTERS:
            for x, y, z, shift in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
                words[x] += words[y]
                words[z] ^= words[x]
                words[z] = words[z] << np.uint32(shift) | words[z] >> np.uint32(32 - shift)
    return words + start


def decks(n: int, first: int = 0) -> np.ndarray:
    """The decks of n seeds from the first one on, top card first.

    A draw takes two words; that one must be drawn again has a chance below 2**-58.
    """
    blocks = [chacha_block(np.arange(first, first + n), counter) for counter in range(7)]
    words = np.concatenate(blocks).astype(np.uint64)
    names = [f"{colour}{rank}" for colour in "RYGBW" for rank in "1112233445"]
    cards = np.tile(np.array([parse_card(name) for name in names], np.int8), (n, 1))
    rows = np.arange(n)
    for k, last in enumerate(range(49, 0, -1)):
        number = words[2 * k] << np.uint64(32) | words[2 * k + 1]
        other = (number % np.uint64(last + 1)).astype(np.int64)
        cards[rows, last], cards[rows, other] = cards[rows, other], cards[rows, last]
    return cards[:, ::-1]


def notation(game: Game) -> str:
    """The moves of a game: P2 and D0 with slots, H1g and H03 with seats and values."""
    moves = []
    for event in game.events:
        kind, place, value = describe(game.rules, int(event.move))
        if kind in (PLAY, DISCARD):
            moves.append(f"{'P' if kind == PLAY else 'D'}{place}")
        else:
            is_colour = kind == HINT_COLOUR
            shown = COLOUR_LETTERS[value].lower() if is_colour else str(value + 1)
            moves.append(f"H{event.target}{shown}")
    return " ".join(moves)


def played(agent: str, rules: Rules, deck: np.ndarray) -> Game:
    """A game of an agent with itself on a deck."""
    game = Game(rules, deck=[int(card) for card in deck])
    seats = [Seat(find_agent(agent), game, seat) for seat in range(rules.players)]
    while not game.is_over:
        game.apply(seats[game.mover].act())
        for seat in seats:
            seat.observe()
    return game
