"""Bouzy's confidence player: cards that a hint touches can be played, unless they prove useless.

A hint promises that every card it touches can be played now, unless the hint itself shows it to be
worthless. In order: play the oldest card that is surely playable; play the oldest promised card
that may still be playable; discard a card that is surely worthless; give the hint worth most;
discard. A hint is worth 1 for each card that it newly promises, ``useless`` for each that it shows
to be worthless, and ``idle`` more if the receiver has no promised card to play. Ties go to the next
seat first, ranks before colours, low values first. No card is promised that the hinter sees
promised elsewhere.

Bouzy's text does not specify the values. Without tokens he discards the oldest card; here it is the
one least likely to be critical among those not promised, with ties going to the oldest.
``plain=true`` discards the oldest of them and does not count visible cards.

Everything uses masks, because search plays rollouts with this agent: ``python
benchmarks/rollouts.py`` times it.
"""

import numpy as np

from tamaya.agent import agent
from tamaya.cards import BIT, DECK_SIZE, cards_text
from tamaya.compiled import hot, popcount
from tamaya.game_kernels import SLOT_BIT
from tamaya.knowledge.board import board_now, board_with
from tamaya.knowledge.copies import cards_in, n_copies, take, undiscarded, unseen_by
from tamaya.knowledge.hands import seat_at
from tamaya.knowledge.hints import give_hint, n_hints, named_mask, touch_mask, touched_slots
from tamaya.knowledge.literal import lawful
from tamaya.knowledge.tables import TABLE, set_of
from tamaya.moves import NO_MOVE, discard, play

# Common knowledge, so one memory serves all seats. Hints and promises exclude cards.
MEMORY = [
    TABLE,
    ("promised", np.int8, DECK_SIZE),  # [order] -> whether the card was promised to be playable
]


@hot
def promised_cards(view, memory):
    """Cards that the viewer sees promised in other hands."""
    mask = 0
    for seat in range(view.players):
        for slot in range(view.hand_size):
            card = view.card[seat, slot]
            if card >= 0 and memory.promised[view.order[seat, slot]]:
                mask |= BIT[card]
    return mask


@hot
def sort_hand(view, memory, seat, facts):
    """Cards of a hand that a hint must not touch, that it may promise, and that are worthless.

    The last value says whether the seat has a promised card to play.
    """
    playable, dead, promised = facts
    forbidden, fresh, useless, is_busy = 0, 0, 0, False
    for slot in range(view.hand_size):
        card = view.card[seat, slot]
        if card < 0:
            continue
        bit = BIT[card]
        if bit & dead:
            useless |= bit
        elif not bit & playable or bit & fresh:  # the second copy of a card cannot be played
            forbidden |= bit
        elif memory.promised[view.order[seat, slot]]:
            is_busy = True
        elif bit & promised:
            forbidden |= bit
        else:
            fresh |= bit
    return forbidden, fresh, useless, is_busy


@hot
def hint_worth(view, memory, seat, mask, facts, useless):
    """Value of a hint that touches only playable and worthless cards; below 0 if it misleads."""
    playable, dead, _ = facts
    worth = 0.0
    for slot in range(view.hand_size):
        card = view.card[seat, slot]
        if card < 0:
            continue
        order = view.order[seat, slot]
        before = set_of(view, memory, order)
        if BIT[card] & mask:
            if BIT[card] & playable:
                if not memory.promised[order] and before & ~playable:
                    worth += 1.0
            elif before & mask & playable:  # the holder would play it
                return -1.0
            elif before & ~dead:
                worth += useless
        elif BIT[card] & playable and before & ~playable and not before & ~mask & ~playable:
            worth += 1.0
    return worth


@hot
def best_hint(view, memory, playable, dead, params):
    """The hint worth most, or NO_MOVE if none is worth anything.

    Most hints touch a forbidden card, which a single AND detects.
    """
    best, most = NO_MOVE, 0.0
    facts = playable, dead, promised_cards(view, memory)
    for offset in range(1, view.players):
        seat = seat_at(view, offset)
        forbidden, fresh, useless, is_busy = sort_hand(view, memory, seat, facts)
        bonus = 0.0 if is_busy else params.idle
        for hint in range(n_hints(view)):
            mask = touch_mask(view, hint)
            if mask & forbidden or not mask & (fresh | useless):
                continue
            worth = hint_worth(view, memory, seat, mask, facts, params.useless)
            if worth > 0.0 and worth + bonus > most:
                best, most = give_hint(view, offset, hint), worth + bonus
    return best


@hot
def least_hint(view):
    """The legal hint that touches the fewest cards, because it promises them."""
    best, fewest = NO_MOVE, view.hand_size + 1
    for offset in range(1, view.players):
        seat = seat_at(view, offset)
        for hint in range(n_hints(view)):
            n = popcount(touched_slots(view, seat, touch_mask(view, hint)))
            if n < fewest and (n > 0 or view.empty_hints):
                best, fewest = give_hint(view, offset, hint), n
    return best


@hot
def own_choices(view, memory, playable, dead, may_hold):
    """Own slots that are surely playable, promised and maybe playable, worthless; -1 for none."""
    sure, bold, useless = -1, -1, -1
    for slot in range(view.hand_size - 1, -1, -1):
        order = view.order[view.seat, slot]
        if order < 0:
            continue
        mask = set_of(view, memory, order) & may_hold
        if mask == 0:  # hints by somebody with other conventions
            continue
        if not mask & ~playable:
            sure = slot
        elif not mask & ~dead:
            useless = slot
        elif memory.promised[order] and mask & playable:
            bold = slot
    return sure, bold, useless


@hot
def spared_slot(view, memory, unseen, critical):
    """Own slot to discard: not promised and least likely to be critical; ties go to the oldest."""
    best, lowest = 0, 2.0
    for slot in range(view.hand_size):
        order = view.order[view.seat, slot]
        if order >= 0 and not memory.promised[order]:
            mask = set_of(view, memory, order)
            total = n_copies(unseen, mask)
            chance = n_copies(unseen, mask & critical) / total if total > 0 else 1.0
            if chance < lowest:
                best, lowest = slot, chance
    return best


@agent(
    "confidence",
    memory=MEMORY,
    shared=True,
    params={"useless": 0.3, "idle": 0.2, "plain": False},
    source="Bouzy 2017",
)
def confidence(view, memory, params):
    """Plays what others point at, and points at what others can play or throw away."""
    left = undiscarded(view)
    board = board_with(view, left)
    playable, dead = board.playable & ~board.dead, board.dead  # the next card may be dead
    critical = 0 if params.plain else board.critical
    unseen = unseen_by(view, view.seat, take(left, board.played))
    may_hold = view.all_cards if params.plain else cards_in(unseen)
    sure, bold, useless = own_choices(view, memory, playable, dead, may_hold)
    if sure >= 0 or bold >= 0:
        return play(view, sure if sure >= 0 else bold)
    if useless >= 0 and view.tokens < view.max_tokens:
        return discard(view, useless)
    if view.tokens > 0:
        move = best_hint(view, memory, playable, dead, params)
        if move == NO_MOVE and view.tokens == view.max_tokens:
            move = least_hint(view)
        if move != NO_MOVE:
            return move
    return lawful(view, discard(view, spared_slot(view, memory, unseen, critical)))


@confidence.observe
def note_promises(view, event, memory, params):
    """Record what a hint says and promises."""
    if event.card >= 0:
        return
    board = board_now(view)
    playable = board.playable & ~board.dead
    mask = named_mask(view, event.move)
    for slot in range(view.hand_size):
        order = view.order[event.target, slot]
        if order < 0:
            continue
        if not event.touched & SLOT_BIT[slot]:
            memory.excluded[order] |= mask
            continue
        memory.excluded[order] |= ~mask
        if set_of(view, memory, order) & playable:
            memory.excluded[order] |= ~playable
            memory.promised[order] = 1
        else:
            memory.excluded[order] |= ~board.dead


@confidence.explain
def explain_confidence(view, memory, params):
    """What each own card can be, and what was promised."""
    board = board_now(view)
    rows = []
    for slot in range(view.hand_size):
        order = view.order[view.seat, slot]
        if order < 0:
            continue
        mask = int(set_of(view, memory, order))
        promise = "promised" if memory.promised[order] else "not promised"
        rows.append((f"slot {slot} {promise}", cards_text(mask)))
    rows.append(("playable", cards_text(int(board.playable & ~board.dead))))
    return rows
