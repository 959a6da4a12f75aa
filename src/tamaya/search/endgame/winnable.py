"""Open hands: whether a score can still be reached if everybody saw all cards and the deck.

A depth-first search over what matters with open hands: plays, discards, misplays to get at the
next card, and one hint, which stands for all because it only passes. Positions that failed are
remembered by a hash of hands, fireworks, tokens, lives and turns left. A branch ends where turns or
copies no longer suffice. The answer is proved unless the search ran out of positions.
"""

from dataclasses import dataclass

import numpy as np

from tamaya.cards import BIT
from tamaya.compiled import hot
from tamaya.game import Game
from tamaya.game_kernels import apply_move, copy_game, is_legal, legal_mask, score
from tamaya.knowledge.board import board_now, n_to_come
from tamaya.records import GAME, RUNNING
from tamaya.rng import GOLDEN, scramble
from tamaya.rules import MAX_MOVES

YES, NO, UNKNOWN = 1, 0, -1
ANSWERS = {YES: "winnable", NO: "not winnable", UNKNOWN: "unknown"}
MOST = 200_000  # positions that are looked at
_SIZE = 1 << 20  # places for failed positions
_MOVES = 32  # of a position, at most


@dataclass(frozen=True)
class Solution:
    """Whether a score can be reached with open hands, and how."""

    answer: int  # YES, NO or UNKNOWN
    moves: tuple[int, ...]  # that lead to it, if it can
    n_positions: int  # that were looked at

    @property
    def text(self) -> str:
        """The answer in a word."""
        return ANSWERS[self.answer]


@hot
def position_hash(game):
    """64 bits that tell positions of one deal apart."""
    bits = np.uint64(game.tokens) + (np.uint64(game.lives) << np.uint64(8))
    bits += np.uint64(game.turns_left) << np.uint64(16)
    bits += np.uint64(game.mover) << np.uint64(24)
    bits = scramble(bits + GOLDEN)
    for colour in range(game.colours):
        bits = scramble(bits + np.uint64(game.firework[colour]) + GOLDEN)
    held = np.uint64(0)
    for seat in range(game.players):
        for slot in range(game.hand_size):
            order = game.order[seat, slot]
            if order >= 0:  # slots do not matter, only who holds what
                held += scramble(np.uint64(order * 8 + seat) * GOLDEN + np.uint64(1))
    return scramble(bits ^ held) | np.uint64(1)


@hot
def is_hopeless(game, target):
    """Whether turns or copies no longer suffice for a score."""
    board = board_now(game)
    n_turns = np.int64(game.deck_size) + game.turns_left
    return game.points + min(n_to_come(game, board.dead), n_turns) < target


@hot
def list_moves(game, target, moves):
    """Write the moves worth trying, the most promising first; returns how many there are."""
    board, hand_size, seat = board_now(game), np.int64(game.hand_size), np.int64(game.mover)
    is_perfect = target == game.colours * game.ranks
    n, seen = 0, 0
    for slot in range(hand_size):
        card = game.card[seat, slot]
        if card >= 0 and board.playable & BIT[card] and not seen & BIT[card]:
            seen |= BIT[card]
            moves[n] = hand_size + slot
            n += 1
    dead, kept = -1, -1  # a dead card; one that is missed least
    for slot in range(hand_size):
        card = game.card[seat, slot]
        if card >= 0:
            if board.dead & BIT[card]:
                dead = slot
            elif not board.critical & BIT[card]:
                kept = slot
    if dead >= 0 and is_legal(game, dead):
        moves[n] = dead
        n += 1
    hint = first_hint(game)
    if hint >= 0:
        moves[n] = hint
        n += 1
    seen = 0
    for is_misplay in range(2):
        for slot in range(hand_size):
            card = game.card[seat, slot]
            is_other = card >= 0 and not board.dead & BIT[card] and slot != dead
            if not is_other or (is_perfect and board.critical & BIT[card]):
                continue
            if is_misplay:
                if game.lives > 1 and not board.playable & BIT[card]:
                    moves[n] = hand_size + slot
                    n += 1
            elif is_legal(game, slot) and not seen & BIT[card]:
                seen |= BIT[card]
                moves[n] = slot
                n += 1
    if dead >= 0 and game.lives > 1:
        moves[n] = hand_size + dead
        n += 1
    if n == 0:
        moves[0] = hand_size + (kept if kept >= 0 else 0)  # nothing else is legal
        n = 1
    return n


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
def reach(start, target, most, line):
    """Search for a line to a score; returns the answer, its length and the positions looked at."""
    games = np.zeros(MAX_MOVES + 1, GAME)
    return reach_in(start, target, most, line, games, np.zeros(_SIZE, np.uint64),
                    np.zeros((MAX_MOVES + 1, _MOVES), np.int64))  # fmt: skip


@hot
def reach_in(start, target, most, line, games, failed, moves):
    """``reach`` with room for positions, hashes of those that failed, and moves."""
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
            bits = position_hash(game)
            failed[bits % np.uint64(_SIZE)] = bits
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
        bits = position_hash(after)
        if failed[bits % np.uint64(_SIZE)] == bits:
            continue
        depth += 1
        place[depth] = 0
        n_moves[depth] = list_moves(after, target, moves[depth])
    return NO, 0, n_seen


def solve(game: Game, target: int = 0, most: int = MOST) -> Solution:
    """Whether a score, by default the highest, can be reached with open hands."""
    line = np.zeros(MAX_MOVES + 1, np.int64)
    wanted = target or game.rules.max_score
    answer, length, n_positions = reach(game.record, wanted, most, line)
    return Solution(int(answer), tuple(line[:length].tolist()), int(n_positions))
