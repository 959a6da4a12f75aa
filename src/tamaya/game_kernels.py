"""The game: kernels that deal, list legal moves, apply them and score.

Kernels trust their arguments and never raise; ``tamaya.game.Game`` is the checked class for people.
All of them take one ``GAME`` record; ``legal_mask`` and ``is_legal`` also accept the view of the
seat to move.
"""

import numpy as np

from tamaya.cards import BIT, COLOUR_MASK, COLOUR_OF, NO_CARD, RANK_MASK, RANK_OF
from tamaya.compiled import JIT, hot, popcount
from tamaya.records import (
    COMMON_NAMES,
    COMPLETE,
    DREW,
    EVENT_SIZE,
    GAINED_TOKEN,
    GAVE_UP,
    HISTORY_OFFSET,
    OUT_OF_CARDS,
    OUT_OF_LIVES,
    RUNNING,
    SCORED,
    SEER,
    TOLD_COLOUR,
    TOLD_RANK,
)
from tamaya.rng import GOLDEN, below, scramble

MOVE_BIT = np.uint64(1) << np.arange(64, dtype=np.uint64)  # the legal moves are one 64-bit mask
SLOT_BIT = 1 << np.arange(8)
_ONE = np.uint64(1)


@hot
def shuffle(game, seed):
    """Fill the deck with all cards in an order fixed by the seed, and choose who starts."""
    n = 0
    for card in range(25):
        for _ in range(game.copies[card]):
            game.deck[n] = card
            n += 1
    state = np.uint64(seed)
    for last in range(n - 1, 0, -1):
        state += GOLDEN
        other = below(scramble(state), last + 1)
        game.deck[last], game.deck[other] = game.deck[other], game.deck[last]
    game.seed = seed
    game.start = below(scramble(state + GOLDEN), game.players) if game.random_start else 0


@hot
def clear(game):
    """Set up the board before the deal, with every card in the deck."""
    game.tokens = game.max_tokens
    game.lives = game.max_lives
    game.mover = game.start
    game.deck_size = game.n_all
    game.turns_left = game.players
    game.status = RUNNING
    game.points = 0
    game.n_moves = 0
    game.firework[:] = 0
    game.discarded[:] = 0
    game.n_cards[:] = 0
    for seat in range(game.players):
        for slot in range(game.hand_size):
            empty_slot(game, seat, slot)


@hot
def deal(game):
    """Deal the hands from the top of the deck: all of seat 0, then seat 1, and so on."""
    clear(game)
    for seat in range(game.players):
        for slot in range(game.hand_size):
            draw(game, seat, slot)


@hot
def deal_seeded(game, seed):
    """Shuffle by a seed and deal."""
    shuffle(game, seed)
    deal(game)


if JIT:
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic

    @intrinsic
    def _copy_head(typing_context, target, source, n_bytes):
        """Copy the first bytes of one record over those of another."""

        def generate(context, builder, signature, arguments):
            to, origin, length = arguments
            cgutils.raw_memcpy(builder, to, origin, length, ir.IntType(64)(1))
            return context.get_dummy_value()

        return types.void(target, source, types.int64), generate

    @hot
    def copy_common(target, source):
        """Copy what everybody knows from one game or view into another."""
        _copy_head(target, source, HISTORY_OFFSET + EVENT_SIZE * source.n_moves)

else:

    def copy_common(target, source):
        """Copy what everybody knows from one game or view into another."""
        for name in COMMON_NAMES:
            target[name] = source[name]


@hot
def copy_game(target, source):
    """Copy a game, without the events that have not happened."""
    copy_common(target, source)
    for seat in range(source.players):
        for slot in range(source.hand_size):
            target.card[seat, slot] = source.card[seat, slot]
    for place in range(source.n_all):
        target.deck[place] = source.deck[place]


@hot
def empty_slot(game, seat, slot):
    """Mark a slot as empty."""
    game.card[seat, slot] = NO_CARD
    game.order[seat, slot] = -1
    game.possible[seat, slot] = 0
    game.told[seat, slot] = 0


@hot
def draw(game, seat, slot):
    """Move the top card of the deck into an empty slot."""
    order = game.n_all - game.deck_size
    card = game.deck[order]
    game.deck_size -= 1
    game.n_cards[seat] += 1
    game.card[seat, slot] = card
    game.order[seat, slot] = order
    if game.observation == SEER:
        game.possible[seat, slot] = BIT[card]
        game.told[seat, slot] = TOLD_COLOUR | TOLD_RANK
    else:
        game.possible[seat, slot] = game.all_cards
        game.told[seat, slot] = 0


@hot
def take_card(game, seat, slot):
    """Take a card out of a hand; returns the slot that its replacement goes to."""
    game.n_cards[seat] -= 1
    if game.refills_in_place:
        empty_slot(game, seat, slot)
        return slot
    last = game.n_cards[seat]
    for k in range(slot, last):
        game.card[seat, k] = game.card[seat, k + 1]
        game.order[seat, k] = game.order[seat, k + 1]
        game.possible[seat, k] = game.possible[seat, k + 1]
        game.told[seat, k] = game.told[seat, k + 1]
    empty_slot(game, seat, last)
    return last


@hot
def use_card(game, event, slot, is_play):
    """Play or discard a card; returns the slot to refill."""
    seat = game.mover
    card = game.card[seat, slot]
    effect = 0
    if is_play and game.firework[COLOUR_OF[card]] == RANK_OF[card]:
        game.firework[COLOUR_OF[card]] += 1
        game.points += 1
        effect = SCORED
        earns = RANK_OF[card] + 1 == game.ranks and not game.no_completion_token
        if earns and game.tokens < game.max_tokens:
            game.tokens += 1
            effect |= GAINED_TOKEN
    else:
        game.discarded[card] += 1
        if is_play:
            game.lives -= 1
        elif game.tokens < game.max_tokens:
            game.tokens += 1
            effect = GAINED_TOKEN
    event.card = card
    event.order = game.order[seat, slot]
    event.effect = effect
    return take_card(game, seat, slot)


@hot
def give_hint(game, event, target, mask, attribute):
    """Tell a seat which of its cards lie in a mask of one colour or rank."""
    touched = 0
    newly = 0
    for slot in range(game.hand_size):
        card = game.card[target, slot]
        if card < 0:
            continue
        if BIT[card] & mask:
            game.possible[target, slot] &= mask
            touched |= SLOT_BIT[slot]
            if not game.told[target, slot] & attribute:
                newly |= SLOT_BIT[slot]
                game.told[target, slot] |= attribute
        else:
            game.possible[target, slot] &= ~mask
    game.tokens -= 1
    event.target = target
    event.touched = touched
    event.newly = newly


@hot
def make_move(game, move):
    """Apply a legal move without the refill; returns the slot to refill, -1 after a hint."""
    seat = game.mover
    if game.deck_size == 0:
        game.turns_left -= 1
    event = game.history[game.n_moves]
    event.seat = seat
    event.move = move
    event.target = -1
    event.card = NO_CARD
    event.order = -1
    event.touched = 0
    event.newly = 0
    event.effect = 0
    slot = -1
    hint = move - 2 * game.hand_size
    if hint < 0:
        is_play = move >= game.hand_size
        slot = use_card(game, event, move - game.hand_size if is_play else move, is_play)
    else:
        n_colour_hints = (game.players - 1) * game.colours
        if hint < n_colour_hints:
            target = (seat + 1 + hint // game.colours) % game.players
            give_hint(game, event, target, COLOUR_MASK[hint % game.colours], TOLD_COLOUR)
        else:
            hint -= n_colour_hints
            target = (seat + 1 + hint // game.ranks) % game.players
            give_hint(game, event, target, RANK_MASK[hint % game.ranks], TOLD_RANK)
    game.n_moves += 1
    game.mover = seat + 1 if seat + 1 < game.players else 0
    game.status = end_status(game)
    return slot


@hot
def end_status(game):
    """Why the game is over, or RUNNING."""
    if game.lives <= 0:
        return OUT_OF_LIVES
    if game.points >= game.colours * game.ranks:
        return COMPLETE
    if game.turns_left <= 0:
        return OUT_OF_CARDS
    return RUNNING


@hot
def refill(game, slot):
    """Replace the card that the last mover used, while the deck lasts."""
    if slot >= 0 and game.deck_size > 0:
        event = game.history[game.n_moves - 1]
        draw(game, event.seat, slot)
        event.effect |= DREW


@hot
def apply_move(game, move):
    """Apply a legal move and deal the replacement, as HLE does even after the last move."""
    refill(game, make_move(game, move))


@hot
def give_up(game):
    """End a running game as it stands."""
    game.status = GAVE_UP


@hot
def score(game):
    """Score by the rules of the game, valid at any time."""
    return 0 if game.lives <= 0 and not game.keeps_points else np.int64(game.points)


@hot
def is_legal(game, move):
    """Whether a move id is legal for the seat to move."""
    if game.status != RUNNING or move < 0:
        return False
    if move < game.hand_size:
        may_discard = game.tokens < game.max_tokens or game.discard_at_full
        return may_discard and game.order[game.mover, move] >= 0
    if move < 2 * game.hand_size:
        return game.order[game.mover, move - game.hand_size] >= 0
    if game.tokens <= 0:
        return False
    hint = move - 2 * game.hand_size
    n_colour_hints = (game.players - 1) * game.colours
    if hint < n_colour_hints:
        offset = 1 + hint // game.colours
        mask = COLOUR_MASK[hint % game.colours]
    else:
        hint -= n_colour_hints
        offset = 1 + hint // game.ranks
        if offset >= game.players:
            return False
        mask = RANK_MASK[hint % game.ranks]
    target = (game.mover + offset) % game.players
    return bool(game.empty_hints) or holds_any(game, target, mask)


@hot
def holds_any(game, seat, mask):
    """Whether a seat holds a card of a mask."""
    for slot in range(game.hand_size):
        card = game.card[seat, slot]
        if card >= 0 and BIT[card] & mask:
            return True
    return False


@hot
def legal_mask(game):
    """The legal moves of the seat to move as a 64-bit mask; 0 when the game is over."""
    legal = np.uint64(0)
    if game.status != RUNNING:
        return legal
    hand_size = game.hand_size
    may_discard = game.tokens < game.max_tokens or game.discard_at_full
    for slot in range(hand_size):
        if game.order[game.mover, slot] >= 0:
            legal |= MOVE_BIT[hand_size + slot]
            if may_discard:
                legal |= MOVE_BIT[slot]
    if game.tokens > 0:
        first_colour = 2 * hand_size
        first_rank = first_colour + (game.players - 1) * game.colours
        target = np.int64(game.mover)
        for _ in range(game.players - 1):
            target = target + 1 if target + 1 < game.players else 0
            if game.empty_hints:
                for colour in range(game.colours):
                    legal |= MOVE_BIT[first_colour + colour]
                for rank in range(game.ranks):
                    legal |= MOVE_BIT[first_rank + rank]
            else:
                for slot in range(hand_size):
                    card = game.card[target, slot]
                    if card >= 0:
                        legal |= MOVE_BIT[first_colour + COLOUR_OF[card]]
                        legal |= MOVE_BIT[first_rank + RANK_OF[card]]
            first_colour += game.colours
            first_rank += game.ranks
    return legal


@hot
def write_legal(game, legal):
    """The legal moves of the seat to move as 0 and 1, one entry per move id."""
    mask = legal_mask(game)
    for move in range(len(legal)):
        legal[move] = (mask >> np.uint64(move)) & _ONE


@hot
def nth_move(legal, n):
    """The n-th move (from 0) of a mask of moves, in increasing order."""
    for _ in range(n):
        legal &= legal - _ONE
    return popcount((legal & (~legal + _ONE)) - _ONE)
