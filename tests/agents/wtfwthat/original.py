"""Decks of the original program, and games in its notation, for play that matches exactly."""

from itertools import count

import numpy as np

from tamaya.cards import COLOUR_LETTERS, parse_card
from tamaya.moves import DISCARD, HINT_COLOUR, PLAY, describe
from tamaya.position import Game
from tamaya.registry import find_agent
from tamaya.rules import Rules
from tamaya.seat import Seat

_WORD = 2**32 - 1
_QUARTERS = [(0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15),
             (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14)]  # fmt: skip


def chacha_block(seed: int, counter: int) -> list[int]:
    """Sixteen words of ChaCha20, the seed as first word of the key."""
    start = [int.from_bytes(b"expand 32-byte k"[k : k + 4], "little") for k in (0, 4, 8, 12)]
    start += [seed, *[0] * 7, counter, 0, 0, 0]
    words = list(start)
    for _ in range(10):
        for a, b, c, d in _QUARTERS:
            for x, y, z, shift in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
                words[x] = (words[x] + words[y]) & _WORD
                words[z] ^= words[x]
                words[z] = (words[z] << shift | words[z] >> (32 - shift)) & _WORD
    return [(word + first) & _WORD for word, first in zip(words, start, strict=True)]


def deck(seed: int) -> list[int]:
    """The deck of a seed, top card first."""
    names = [f"{colour}{rank}" for colour in "RYGBW" for rank in "1112233445"]
    cards = [parse_card(name) for name in names]
    words = (word for counter in count() for word in chacha_block(seed, counter))

    def below(n: int) -> int:
        while True:
            number = next(words) << 32 | next(words)
            if number < 2**64 - 1 - (2**64 - 1) % n:
                return number % n

    for last in range(49, 0, -1):
        other = below(last + 1)
        cards[last], cards[other] = cards[other], cards[last]
    return cards[::-1]


def decks(n: int) -> np.ndarray:
    """The decks of the first seeds."""
    return np.array([deck(seed) for seed in range(n)], np.int8)


def notation(game: Game) -> str:
    """The moves of a game as the specification writes them: P2, D0, H1g, H03 (seat and value)."""
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


def played(agent: str, rules: Rules, cards: list[int]) -> Game:
    """A game of an agent with itself on a deck."""
    game = Game(rules, deck=cards)
    minds = [Seat(find_agent(agent), game, seat) for seat in range(rules.players)]
    while not game.is_over:
        game.apply(minds[game.mover].act())
        for mind in minds:
            mind.observe()
    return game
