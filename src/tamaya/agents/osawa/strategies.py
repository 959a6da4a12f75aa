"""Osawa's random, internal and outer strategies.

Internal, in order: play a card that is surely playable; discard one that has surely been played;
tell the colour or the rank of a playable card of the partner; tell those of a random card of the
partner; discard at random. Outer never tells what was told before. Both know what hints and all
visible cards imply. Random hints, discards or plays in the proportion 3 : 4 : 3.

``lowest=true`` replaces random choices: the lowest slot, rank before colour. Of the partner's
playable cards the lowest comes first in any case. The agents ``internal`` and ``outer`` are
different: they are versions of a competition framework, for any number of players.
"""

import numpy as np

from tamaya.agent import agent
from tamaya.cards import BIT
from tamaya.compiled import hot, popcount
from tamaya.game_kernels import MOVE_BIT, legal_mask, nth_move
from tamaya.knowledge.board import board_now
from tamaya.knowledge.hands import filled_slots, nth_slot, seat_at
from tamaya.knowledge.literal import idle_hint, lawful, sure_slot
from tamaya.moves import NO_MOVE, discard, hint_colour, hint_rank, play
from tamaya.records import TOLD_COLOUR, TOLD_RANK
from tamaya.rng import random_below

ALL_KINDS = TOLD_COLOUR | TOLD_RANK
FIGURES = {"bomb": "keep", "lives": 5}  # the rules under which the published figures come near


@hot
def kinds_to_tell(view, slot, is_outer):
    """Attributes of a card of the partner that may be told, as bits of ``told``."""
    seat = seat_at(view, 1)
    if view.card[seat, slot] < 0:
        return 0
    return ALL_KINDS & ~view.told[seat, slot] if is_outer else ALL_KINDS


@hot
def tell(view, memory, slot, kinds, lowest):
    """Tell the partner an attribute of one of its cards, a random one if there is a choice."""
    card = view.card[seat_at(view, 1), slot]
    is_rank = kinds == TOLD_RANK
    if kinds == ALL_KINDS:
        is_rank = lowest or random_below(memory, 2) == 0
    return hint_rank(view, 1, card % 5) if is_rank else hint_colour(view, 1, card // 5)


@hot
def useful_hint(view, memory, playable, is_outer, lowest):
    """A hint about the lowest playable card of the partner of which something may be told."""
    for slot in range(view.hand_size):
        kinds = kinds_to_tell(view, slot, is_outer)
        if kinds and BIT[view.card[seat_at(view, 1), slot]] & playable:
            return tell(view, memory, slot, kinds, lowest)
    return NO_MOVE


@hot
def some_hint(view, memory, is_outer, lowest):
    """A hint about a random card of the partner of which something may be told."""
    slots = 0
    for slot in range(view.hand_size):
        if kinds_to_tell(view, slot, is_outer):
            slots |= 1 << slot
    if slots == 0:
        return NO_MOVE
    slot = nth_slot(slots, 0 if lowest else random_below(memory, popcount(slots)))
    return tell(view, memory, slot, kinds_to_tell(view, slot, is_outer), lowest)


@hot
def sure_move(view, board):
    """Play what is surely playable or discard what has surely been played, or NO_MOVE."""
    slot = sure_slot(view, board.playable)
    if slot >= 0:
        return play(view, slot)
    slot = sure_slot(view, board.played) if view.tokens < view.max_tokens else -1
    return discard(view, slot) if slot >= 0 else NO_MOVE


@hot
def informed_move(view, memory, board, is_outer, lowest):
    """The first four steps: a sure move or a hint, or NO_MOVE."""
    move = sure_move(view, board)
    if move == NO_MOVE and view.tokens > 0:
        move = useful_hint(view, memory, board.playable, is_outer, lowest)
        if move == NO_MOVE:
            move = some_hint(view, memory, is_outer, lowest)
    return move


@hot
def some_discard(view, memory, lowest):
    """Discard a random card; a hint that says least where discarding is not legal."""
    if view.tokens == view.max_tokens and view.tokens > 0:
        return lawful(view, idle_hint(view))
    n = np.int64(view.n_cards[view.seat])
    slot = nth_slot(filled_slots(view, view.seat), 0 if lowest else random_below(memory, n))
    return lawful(view, discard(view, slot))


@hot
def outer_or_internal(view, memory, params, is_outer):
    """All five steps of either strategy."""
    move = informed_move(view, memory, board_now(view), is_outer, params.lowest)
    return move if move != NO_MOVE else some_discard(view, memory, params.lowest)


@agent(
    "osawa-2015-internal", params={"lowest": False}, players="2", source="Osawa 2015",
    made_for=FIGURES,
)  # fmt: skip
def internal(view, memory, params):
    """Plays what is certain and tells about playable cards, without regard to what was told."""
    return outer_or_internal(view, memory, params, False)


@agent(
    "osawa-2015-outer", params={"lowest": False}, players="2", source="Osawa 2015",
    made_for=FIGURES,
)  # fmt: skip
def outer(view, memory, params):
    """Plays what is certain and tells what the partner was not yet told about playable cards."""
    return outer_or_internal(view, memory, params, True)


@agent("osawa-2015-random", players="2", source="Osawa 2015", made_for=FIGURES)
def random(view, memory, params):
    """Hints with probability 30%, discards with 40%, plays with 30%, at random within each."""
    legal = legal_mask(view)
    one, size = np.uint64(1), view.hand_size
    discards = legal & (MOVE_BIT[size] - one)
    plays = legal & (MOVE_BIT[2 * size] - one) & ~discards
    hints = legal & ~discards & ~plays
    while True:
        draw = random_below(memory, 10)
        moves = hints if draw < 3 else discards if draw < 7 else plays
        if moves:
            return nth_move(moves, random_below(memory, popcount(moves)))
