"""Open hands: whether a score can still be reached if everybody saw all cards and the deck.

A depth-first search over what matters with open hands: plays, throwing cards away to get at the
next one, and one hint, which stands for all because it only passes. Positions that failed are
remembered by a hash of hands, fireworks, tokens, lives and turns left. A branch ends where turns or
copies no longer suffice, or where a card that is needed lies too deep in the deck. The answer is
proved unless the search ran out of positions.
"""

from dataclasses import dataclass

import numpy as np

from tamaya.cards import BIT, RANK_MASK
from tamaya.compiled import hot, popcount
from tamaya.game import Game
from tamaya.game_kernels import MOVE_BIT, apply_move, copy_game, is_legal, legal_mask, score
from tamaya.knowledge.board import board_now, n_to_come
from tamaya.records import GAME, RUNNING
from tamaya.rng import GOLDEN, scramble
from tamaya.rules import MAX_MOVES, Rules

YES, NO, UNKNOWN = 1, 0, -1
ANSWERS = {YES: "winnable", NO: "not winnable", UNKNOWN: "unknown"}
MOST = 200_000  # positions to search
_SIZE = 1 << 20  # slots of the hash table of failed positions
_MOVES = 32  # of a position, at most
_TOKEN_BITS = 10  # positions that differ by fewer tokens share a place, with a bit for each number


@dataclass(frozen=True)
class Solution:
    """Whether a score can be reached with open hands, and how."""

    answer: int  # YES, NO or UNKNOWN
    moves: tuple[int, ...]  # that lead to it, if it can
    n_positions: int  # that were searched

    @property
    def text(self) -> str:
        """The answer in a word."""
        return ANSWERS[self.answer]


class Solver:
    """Answers for the positions of one deal: what failed once need not be tried again."""

    def __init__(self) -> None:
        self._failed = np.zeros(_SIZE, np.uint64)
        self._games = np.zeros(MAX_MOVES + 1, GAME)
        self._moves = np.zeros((MAX_MOVES + 1, _MOVES), np.int64)
        self._line = np.zeros(MAX_MOVES + 1, np.int64)
        self._solved: tuple[Rules, list[int], int] | None = None  # what failures belong to

    def solve(self, game: Game, target: int = 0, most: int = MOST) -> Solution:
        """Whether a score, by default the highest, can be reached with open hands."""
        wanted = target or game.rules.max_score
        if self._solved != (game.rules, game.deck, wanted):
            self._solved = game.rules, game.deck, wanted
            self._failed[:] = 0
        answer, length, n_positions = reach(game.record, wanted, most, self._line, self._games,
                                            self._failed, self._moves)  # fmt: skip
        return Solution(int(answer), tuple(self._line[:length].tolist()), int(n_positions))


def solve(game: Game, target: int = 0, most: int = MOST) -> Solution:
    """Whether a score, by default the highest, can be reached with open hands."""
    return Solver().solve(game, target, most)


@hot
def position_hash(game):
    """Bits that tell positions of one deal apart, the lowest left free for their tokens."""
    bits = np.uint64(game.lives) + (np.uint64(game.turns_left) << np.uint64(8))
    bits += np.uint64(game.mover) << np.uint64(16)
    bits += np.uint64(game.tokens // _TOKEN_BITS) << np.uint64(24)
    bits = scramble(bits + GOLDEN)
    for colour in range(game.colours):
        bits = scramble(bits + np.uint64(game.firework[colour]) + GOLDEN)
    held = np.uint64(0)
    for seat in range(game.players):
        for slot in range(game.hand_size):
            order = game.order[seat, slot]
            if order >= 0:  # slots do not matter, only who holds what
                held += scramble(np.uint64(order * 8 + seat) * GOLDEN + np.uint64(1))
    return scramble(bits ^ held) << np.uint64(_TOKEN_BITS)


@hot
def place_of(bits):
    """Where a position is remembered."""
    return (bits >> np.uint64(_TOKEN_BITS)) % np.uint64(_SIZE)


@hot
def remember_failure(failed, game):
    """Note that a position cannot be won."""
    bits = position_hash(game)
    known = failed[place_of(bits)]
    if not is_same(known, bits):
        known = bits
    failed[place_of(bits)] = known | MOVE_BIT[game.tokens % _TOKEN_BITS]


@hot
def is_same(known, bits):
    """Whether two positions differ at most by their tokens."""
    return known >> np.uint64(_TOKEN_BITS) == bits >> np.uint64(_TOKEN_BITS)


@hot
def has_failed(failed, game, target):
    """Whether a position is known to fail, with its tokens or with more of them.

    More tokens are no worse unless they can become full, for then nothing can be discarded.
    """
    bits = position_hash(game)
    known = failed[place_of(bits)]
    if not is_same(known, bits):
        return False
    n_gained = n_spare_turns(game, target) + n_earning(game)
    most = game.max_tokens - (0 if game.discard_at_full else n_gained)
    lowest = game.tokens % _TOKEN_BITS
    highest = max(lowest, min(lowest + most - game.tokens, _TOKEN_BITS - 1))
    tokens = MOVE_BIT[highest + 1] - MOVE_BIT[lowest]  # a bit for each number that would do
    return bool(known & tokens)


@hot
def n_spare_turns(game, target):
    """Turns on which nothing need be scored, and so the most cards that may be thrown away."""
    return np.int64(game.points) + game.deck_size + game.turns_left - target


@hot
def n_earning(game):
    """Fireworks whose completion may still bring a token."""
    n = np.int64(0)
    if game.no_completion_token:
        return n
    for colour in range(game.colours):
        n += game.firework[colour] < game.ranks
    return n


@hot
def is_hopeless(game, target):
    """Whether turns or copies no longer suffice for a score, or cards come too late for it."""
    board = board_now(game)
    n_spare, n_to_score = n_spare_turns(game, target), n_to_come(game, board.dead)
    n_missable = game.points + n_to_score - target
    if n_spare < 0 or n_missable < 0:
        return True
    n_hints = min(game.tokens + n_spare + n_earning(game), np.int64(game.players) - 1)
    ready = held_cards(game) & ~board.dead
    tops = board.playable & ~board.dead  # of each colour the first card beyond those that are ready
    n_late = n_to_score  # points that wait for a card in the deck
    for left in range(np.int64(game.deck_size) - 1, -1, -1):
        while tops & ready:
            n_late -= popcount(tops & ready)
            tops = (tops & ~ready) | ((tops & ready) << 1 & ~RANK_MASK[0] & ~board.dead)
        # Who draws the next card moves again after everybody else, and each of them draws one of
        # those left or hints; who draws the last card moves last.
        if n_late - n_missable > 1 + (left + n_hints if left else 0):
            return True
        ready |= BIT[game.deck[game.n_all - 1 - left]] & ~board.dead
    return False


@hot
def held_cards(game):
    """Cards that anybody holds."""
    cards = 0
    for seat in range(game.players):
        for slot in range(game.hand_size):
            card = game.card[seat, slot]
            if card >= 0:
                cards |= BIT[card]
    return cards


@hot
def list_moves(game, target, moves):
    """Write the moves worth trying, the most promising first; returns how many there are.

    A card is thrown away by a discard, and by a misplay only if tokens are full: one token and one
    life more do no harm. Who holds a useless card, dead or a second copy, throws away no other.
    """
    board, hand_size, seat = board_now(game), np.int64(game.hand_size), np.int64(game.mover)
    is_perfect = target == game.colours * game.ranks
    n, seen, useless = 0, 0, -1
    for slot in range(hand_size):
        card = game.card[seat, slot]
        if card < 0:
            continue
        if not (board.dead | seen) & BIT[card]:
            if board.playable & BIT[card]:
                moves[n] = hand_size + slot
                n += 1
        elif can_throw(game, board, slot):
            useless = slot
        seen |= BIT[card]
    if useless >= 0:
        moves[n] = throw(game, useless)
        n += 1
    hint = first_hint(game)
    if hint >= 0:
        moves[n] = hint
        n += 1
    if useless >= 0:
        return n
    for slot in range(hand_size):
        card = game.card[seat, slot]
        if card < 0 or (is_perfect and board.critical & BIT[card]):
            continue
        if can_throw(game, board, slot):
            moves[n] = throw(game, slot)
            n += 1
    return n


@hot
def can_throw(game, board, slot):
    """Whether the seat to move can get rid of a card without scoring, and goes on."""
    if is_legal(game, slot):
        return True
    return game.lives > 1 and not board.playable & BIT[game.card[game.mover, slot]]


@hot
def throw(game, slot):
    """The move that gets rid of a card."""
    return slot if is_legal(game, slot) else game.hand_size + slot


@hot
def first_hint(game):
    """Any legal hint, or -1."""
    legal = legal_mask(game) >> np.uint64(2 * game.hand_size)
    if not legal:
        return -1
    move = 2 * np.int64(game.hand_size)
    while not legal & np.uint64(1):
        legal >>= np.uint64(1)
        move += 1
    return move


@hot
def reach(start, target, most, line, games, failed, moves):
    """Search for a line to a score; returns the answer, its length and the positions looked at.

    The last three arguments are room for positions, for what failed, and for moves.
    """
    n_moves, place = np.zeros(MAX_MOVES + 1, np.int64), np.zeros(MAX_MOVES + 1, np.int64)
    copy_game(games[0], start)
    depth, n_seen = 0, 1
    if score(games[0]) >= target:
        return YES, 0, n_seen
    if games[0].status != RUNNING or is_hopeless(games[0], target):
        return NO, 0, n_seen
    n_moves[0] = list_moves(games[0], target, moves[0])
    while depth >= 0:
        game = games[depth]
        if place[depth] == n_moves[depth]:
            remember_failure(failed, game)
            depth -= 1
            continue
        move = moves[depth, place[depth]]
        place[depth] += 1
        line[depth] = move
        after = games[depth + 1]
        copy_game(after, game)
        apply_move(after, move)
        n_seen += 1
        if score(after) >= target:
            return YES, depth + 1, n_seen
        if n_seen >= most:
            return UNKNOWN, 0, n_seen
        if after.status != RUNNING or is_hopeless(after, target):
            continue
        if has_failed(failed, after, target):
            continue
        depth += 1
        place[depth] = 0
        n_moves[depth] = list_moves(after, target, moves[depth])
    return NO, 0, n_seen
