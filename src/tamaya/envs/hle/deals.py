"""HLE's random deals: a 32-bit Mersenne Twister and the samplers of GNU's C++ library, seed-exact.

HLE shuffles no deck; it draws each card when it is dealt, weighted by the copies left. All states
of one game share one stream, which therefore continues across games and copies of a state.
Kernels take one-element arrays of records where Python calls them, records where kernels do.
"""

import numpy as np

from tamaya.cards import N_CARDS
from tamaya.compiled import hot
from tamaya.game_kernels import clear, draw, refill
from tamaya.records import record

_WORDS = 624
_SHIFT = 397
_LOW_32 = 0xFFFFFFFF

STREAM = record([
    ("word", np.uint32, _WORDS),    # state of the twister
    ("place", np.int64),            # next word to return, _WORDS when all are used up
    ("left", np.int8, N_CARDS),     # scratch: copies of each card in the deck
])  # fmt: skip


@hot
def seed_stream(streams, seed):
    """Start a stream from a 32-bit seed."""
    stream = streams[0]
    value = np.int64(seed) & _LOW_32
    stream.word[0] = value
    for k in range(1, _WORDS):
        value = (1812433253 * (value ^ (value >> 30)) + k) & _LOW_32
        stream.word[k] = value
    stream.place = _WORDS


@hot
def _twist(stream):
    """Generate the next block of words."""
    for k in range(_WORDS):
        joined = np.int64(stream.word[k]) & 0x80000000
        joined |= np.int64(stream.word[(k + 1) % _WORDS]) & 0x7FFFFFFF
        value = np.int64(stream.word[(k + _SHIFT) % _WORDS]) ^ (joined >> 1)
        if joined & 1:
            value ^= 0x9908B0DF
        stream.word[k] = value
    stream.place = 0


@hot
def next_word(stream):
    """The next 32 random bits."""
    if stream.place >= _WORDS:
        _twist(stream)
    bits = np.int64(stream.word[stream.place])
    stream.place += 1
    bits ^= bits >> 11
    bits ^= (bits << 7) & 0x9D2C5680
    bits ^= (bits << 15) & 0xEFC60000
    return bits ^ (bits >> 18)


@hot
def next_unit(stream):
    """A random float in [0, 1) made of two words, the low one first."""
    unit = (np.float64(next_word(stream)) + np.float64(next_word(stream)) * 2.0**32) / 2.0**64
    return unit if unit < 1.0 else 1.0 - 2.0**-53


@hot
def next_below(stream, n):
    """A random number 0..n-1, by multiplication and rejection."""
    product = next_word(stream) * n
    threshold = (_LOW_32 + 1 - n) % n
    while (product & _LOW_32) < threshold:
        product = next_word(stream) * n
    return product >> 32


@hot
def count_left(game, stream):
    """Count what is left in the deck of a game; returns the number of kinds."""
    stream.left[:] = game.copies
    for order in range(game.n_all - game.deck_size):
        stream.left[game.deck[order]] -= 1
    n_kinds = 0
    for card in range(N_CARDS):
        if stream.left[card] > 0:
            n_kinds += 1
    return n_kinds


@hot
def sample_card(game, stream):
    """Draw a card weighted by the copies left; the last remaining kind uses no random bits."""
    n_kinds = count_left(game, stream)
    total = 0.0
    for card in range(N_CARDS):
        if stream.left[card] > 0:
            total += stream.left[card] / np.float64(game.deck_size)
    unit = next_unit(stream) if n_kinds > 1 else 0.0
    reached = 0.0
    for card in range(N_CARDS):
        if stream.left[card] > 0:
            n_kinds -= 1
            reached += stream.left[card] / np.float64(game.deck_size) / total
            if n_kinds == 0 or reached >= unit:
                return card
    return -1


@hot
def seat_to_deal(game):
    """Seat that waits for a card from the deck, -1 when it is a player's turn."""
    if game.deck_size > 0:
        for seat in range(game.players):
            if game.n_cards[seat] < game.hand_size:
                return seat
    return -1


@hot
def _deal(game, card):
    """Deal a card to the seat that waits for one."""
    seat = seat_to_deal(game)
    game.deck[game.n_all - game.deck_size] = card
    if game.n_moves == 0:
        draw(game, seat, game.n_cards[seat])
    else:
        refill(game, np.int64(game.n_cards[seat]))


@hot
def begin(games, streams):
    """Set up a game before the deal and choose who starts."""
    game = games[0]
    game.start = next_below(streams[0], np.int64(game.players)) if game.random_start else 0
    clear(game)


@hot
def deal_one(games, streams):
    """Deal a random card; False if no seat waits for one."""
    if seat_to_deal(games[0]) < 0:
        return False
    _deal(games[0], sample_card(games[0], streams[0]))
    return True


@hot
def deal_all(games, streams):
    """Deal random cards until it is a player's turn."""
    while seat_to_deal(games[0]) >= 0:
        _deal(games[0], sample_card(games[0], streams[0]))


@hot
def can_deal(games, streams, card):
    """Whether a seat waits for a card and the deck still has this one."""
    count_left(games[0], streams[0])
    return seat_to_deal(games[0]) >= 0 and streams[0].left[card] > 0


@hot
def deal_chosen(games, streams, card):
    """Deal a given card; False if that is not possible now."""
    if not can_deal(games, streams, card):
        return False
    _deal(games[0], card)
    return True


def new_stream(seed: int) -> np.ndarray:
    """A one-element array with the stream of a seed."""
    streams = np.zeros(1, STREAM)
    seed_stream(streams, seed)
    return streams
