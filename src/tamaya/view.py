"""The view: what one seat sees of a game, and functions that agents use to query it.

A view contains no deck, no seed and none of the seat's own cards (except in a seer's view; in a
minimal view what hints left possible is blank, though the events are still listed). Functions
about sets of cards return masks. The common ones can be imported from here; all of them are defined
in ``tamaya.knowledge``, where one pass over the board computes several at once.
"""

from tamaya.cards import NO_CARD
from tamaya.compiled import hot
from tamaya.game_kernels import copy_common
from tamaya.knowledge.board import (
    critical_mask,
    dead_mask,
    is_playable,
    playable_mask,
    reachable_rank,
)
from tamaya.knowledge.copies import count_unseen, n_unseen, own_mask, unseen_mask
from tamaya.knowledge.hands import seat_at
from tamaya.knowledge.hints import touches_only
from tamaya.knowledge.sets import is_subset
from tamaya.records import MINIMAL, SEER

__all__ = [
    "copy_common",
    "count_unseen",
    "critical_mask",
    "dead_mask",
    "fill_view",
    "forget_event",
    "forget_hints",
    "is_playable",
    "is_subset",
    "n_unseen",
    "own_mask",
    "playable_mask",
    "reachable_rank",
    "seat_at",
    "touches_only",
    "unseen_mask",
]


@hot
def fill_view(game, seat, view):
    """Write what a seat sees of a game."""
    n_before = view.n_moves
    copy_common(view, game)
    for k in range(view.n_moves, n_before):  # the record was used for a longer game before
        forget_event(view.history[k])
    view.seat = seat
    view.is_counted = 0
    view.unseen[:] = 0
    view.unseen_cards = 0
    for other in range(game.players):
        for slot in range(game.hand_size):
            view.card[other, slot] = game.card[other, slot]
    if game.observation != SEER:
        for slot in range(game.hand_size):
            view.card[seat, slot] = NO_CARD
    if game.observation == MINIMAL:
        forget_hints(view)


@hot
def forget_event(event):
    """Blank an event, like those that have not happened."""
    event.seat = 0
    event.move = 0
    event.target = 0
    event.card = 0
    event.order = 0
    event.touched = 0
    event.newly = 0
    event.effect = 0


@hot
def forget_hints(view):
    """Blank everything that hints told."""
    for seat in range(view.players):
        for slot in range(view.hand_size):
            view.told[seat, slot] = 0
            if view.order[seat, slot] >= 0:
                view.possible[seat, slot] = view.all_cards
