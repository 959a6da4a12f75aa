"""What SmartBot does on its turn.

In order: warn the next seat if it is about to discard a critical card; finesse, that is discard a
playable card that is somebody's newest; play a card that is surely playable; give the hint that
tells most; gamble at the end; at full tokens pass by a hint to the right, otherwise discard. With
an empty deck sure plays and gambles come first. ``tamaya.agents.smartbot.listening`` has the
conventions.

The seat to move knows more about its own hand than the others do, because it sees theirs. These
private sets are used for plays and discards but are never stored.
"""

from typing import NamedTuple

from tamaya.agents.smartbot.hinting import helpful_hint, unclaimed, warning
from tamaya.agents.smartbot.public import chop, is_sure
from tamaya.compiled import hot, popcount
from tamaya.knowledge.board import board_with
from tamaya.knowledge.copies import cards_in, take, take_present, undiscarded, unseen_by
from tamaya.knowledge.hands import last_slot, seat_at
from tamaya.knowledge.sets import is_one, known_rank, lowest_card
from tamaya.knowledge.tables import public_set
from tamaya.moves import NO_MOVE, discard, hint_rank, play

# Steps of the decision.
WARN, FINESSE, PLAY_SURE, HINT, GAMBLE, PASS, THROW_DEAD, THROW_CHOP, THROW_LEAST = range(9)


class Unseen(NamedTuple):
    """What the viewer's own cards can be by the cards in sight, as masks."""

    cards: int  # not all of whose copies are on the board or in other hands
    unplaced: int  # or publicly recognised in its own hand


@hot
def survey(view, memory):
    """The board, and what the viewer does not see."""
    left = undiscarded(view)
    board = board_with(view, left)
    copies = unseen_by(view, view.seat, take(left, board.played))
    cards = cards_in(copies)
    for slot in range(view.hand_size):
        own = public_set(view, memory, view.seat, slot)
        if is_one(own):
            copies = take_present(copies, own)
    return board, Unseen(cards, cards_in(copies))


@hot
def private_set(view, memory, slot, unseen):
    """What an own card can be, as the viewer knows; 0 for an empty slot.

    A set that is visibly wrong is replaced by what the literal content of hints leaves.
    """
    cards = public_set(view, memory, view.seat, slot)
    if not is_one(cards):
        cards &= unseen.unplaced
    if not cards & unseen.cards:
        return view.possible[view.seat, slot] & unseen.cards
    return cards


@hot
def sure_play(view, memory, board, unseen):
    """Own slot that is surely playable, or -1: those that others do not know of come first.

    Then those of unknown rank, then the lowest rank; ties go to the oldest.
    """
    best, most = -1, -1
    for slot in range(view.hand_size):
        cards = private_set(view, memory, slot, unseen)
        if cards == 0 or not is_sure(cards, board.playable):
            continue
        rank = known_rank(cards)
        fitness = 7 if rank < 0 else 5 - rank
        if not is_sure(public_set(view, memory, view.seat, slot), board.playable):
            fitness += 100
        if fitness > most:
            best, most = slot, fitness
    return best


@hot
def gamble(view, memory, board, unseen, refined):
    """Own slot most likely to be playable (ties: newest) if a life may be risked; otherwise -1."""
    if view.deck_size > (3 if view.lives >= 3 else 1):
        return -1
    if refined and view.lives == 1 and not view.keeps_points:
        return -1
    best, best_good, best_size = -1, 0, 1
    for slot in range(view.hand_size - 1, -1, -1):
        cards = private_set(view, memory, slot, unseen)
        good, size = popcount(cards & board.playable), popcount(cards)
        if good * best_size > best_good * size:
            best, best_good, best_size = slot, good, size
    return best


@hot
def finesse(view, memory, board, unseen):
    """Own slot whose card, playable and publicly known, is the newest of one other seat; or -1."""
    for slot in range(view.hand_size):
        cards = public_set(view, memory, view.seat, slot)
        if not is_one(cards) or not cards & board.playable & ~board.critical & unseen.cards:
            continue
        n_holders = 0
        for offset in range(1, view.players):
            seat = seat_at(view, offset)
            newest = last_slot(view, seat)
            if newest >= 0 and view.card[seat, newest] == lowest_card(cards):
                n_holders += 1
        if n_holders == 1:
            return slot
    return -1


@hot
def dead_slot(view, memory, board, unseen):
    """Own slot that is surely dead and that others least expect to be, or -1."""
    best, best_dead, best_size = -1, 2, 1
    for slot in range(view.hand_size):
        cards = private_set(view, memory, slot, unseen)
        if cards == 0 or not is_sure(cards, board.dead):
            continue
        known = public_set(view, memory, view.seat, slot)
        n_dead, size = popcount(known & board.dead), popcount(known)
        if n_dead * best_size < best_dead * size:
            best, best_dead, best_size = slot, n_dead, size
    return best


@hot
def least_slot(view, memory, board, unseen):
    """Own slot to discard when everybody expects none: not surely critical, or the highest rank."""
    best, most = 0, -9
    for slot in range(view.hand_size - 1, -1, -1):
        cards = private_set(view, memory, slot, unseen)
        if cards == 0:
            continue
        worth = known_rank(public_set(view, memory, view.seat, slot))
        if not is_sure(cards, board.critical) and not is_sure(cards, board.playable):
            worth += 100
        if worth >= most:
            best, most = slot, worth
    return best


@hot
def pass_by_hint(view):
    """Tell the seat on the right the rank of its oldest card, which is a pass."""
    card = view.card[seat_at(view, view.players - 1), 0]
    return hint_rank(view, view.players - 1, card % 5) if card >= 0 else NO_MOVE


@hot
def end_of_deck(view, memory, board, unseen, params):
    """Step and move on the last turn: a sure play or a gamble, or NO_MOVE."""
    slot = sure_play(view, memory, board, unseen)
    if slot >= 0:
        return PLAY_SURE, play(view, slot)
    if view.players <= params.risk:
        slot = gamble(view, memory, board, unseen, params.refined)
        if slot >= 0:
            return GAMBLE, play(view, slot)
    return GAMBLE, NO_MOVE


@hot
def discard_step(view, memory, board, unseen):
    """Step and move if only a discard is left."""
    slot = dead_slot(view, memory, board, unseen)
    if slot >= 0:
        return THROW_DEAD, discard(view, slot)
    slot = chop(view, memory, view.seat, board)
    if slot >= 0:
        return THROW_CHOP, discard(view, slot)
    return THROW_LEAST, discard(view, least_slot(view, memory, board, unseen))


@hot
def decide(view, memory, params):
    """The step that leads to a move, and the move."""
    board, unseen = survey(view, memory)
    if view.deck_size == 0:
        step, move = end_of_deck(view, memory, board, unseen, params)
        if move != NO_MOVE:
            return step, move
    wanted = unclaimed(view, memory, board.playable) if params.refined else board.playable
    if view.tokens > 0:
        move = warning(view, memory, board, wanted)
        if move != NO_MOVE:
            return WARN, move
    if view.tokens < view.max_tokens and not params.refined:
        slot = finesse(view, memory, board, unseen)
        if slot >= 0:
            return FINESSE, discard(view, slot)
    slot = sure_play(view, memory, board, unseen)
    if slot >= 0:
        return PLAY_SURE, play(view, slot)
    if view.tokens > 0:
        move = helpful_hint(view, memory, board, wanted)
        if move != NO_MOVE:
            return HINT, move
    if view.players <= params.risk:
        slot = gamble(view, memory, board, unseen, params.refined)
        if slot >= 0:
            return GAMBLE, play(view, slot)
    if view.tokens == view.max_tokens:
        return PASS, pass_by_hint(view)
    return discard_step(view, memory, board, unseen)
