"""Hints chosen by how their receiver will understand them: the tell rules of Canaan et al."""

from tamaya.agents.rules.facts import put_back, rank_first, their_chance
from tamaya.agents.rules.rule import TELLS, rule
from tamaya.compiled import hot, popcount
from tamaya.game_kernels import SLOT_BIT, holds_any
from tamaya.knowledge.hands import has_gap, holds, seat_at
from tamaya.knowledge.hints import (
    after_hint,
    give_hint,
    is_news,
    n_hints,
    naming_hint,
    newly_touched,
    touch_mask,
    touched_slots,
)
from tamaya.moves import GIVE_UP, NO_MOVE

SURE = 0.99  # probability from which a card counts as known to be useless


@hot
def side_effects(view, memory, seat, slot, mask):
    """Other cards that a hint would name for the first time: playable ones, and others."""
    beside = newly_touched(view, seat, mask) & ~SLOT_BIT[slot]
    n_playable = popcount(beside & touched_slots(view, seat, memory.playable))
    return n_playable, popcount(beside) - n_playable


@hot
def clearest_hint(view, memory, offset, w_playable, w_others):
    """The hint of a playable card with the best weighted side effects, the first of equals."""
    seat = seat_at(view, offset)
    best, best_value = NO_MOVE, 0.0
    for slot in range(view.hand_size):
        if not holds(view, seat, slot, memory.playable):
            continue
        for kind in range(2):
            hint = naming_hint(view, view.card[seat, slot], kind)
            mask = touch_mask(view, hint)
            if not is_news(view, seat, slot, mask):
                continue
            n_playable, n_others = side_effects(view, memory, seat, slot, mask)
            value = w_playable * n_playable + w_others * n_others
            if best == NO_MOVE or value > best_value:
                best, best_value = give_hint(view, offset, hint), value
    return best


@hot
def unless_gap(view, offset, move, faithful):
    """The move, or GIVE_UP where the original crashes: the hand has an empty slot."""
    return GIVE_UP if faithful and has_gap(view, seat_at(view, offset)) else move


@rule("TellUnambiguous", TELLS, source="genes 67, 68", most=True)
def tell_unambiguous(view, memory, line):
    """Tells a playable card by the hint with most playable (or fewest other) cards besides it.

    Original: crashes when the hand has an empty slot, which ends the game.
    """
    # At most seven other cards are touched, so a weight of ten makes the other count a tie-break.
    w_playable, w_others = (10.0, -1.0) if line.args[0] != 0 else (1.0, -10.0)
    for offset in range(1, view.players):
        move = clearest_hint(view, memory, offset, w_playable, w_others)
        if move != NO_MOVE:
            return unless_gap(view, offset, move, line.faithful)
    return NO_MOVE


@hot
def last_option(view, memory, offset):
    """The hint of the highest playable card that is not fully known: colour, else rank."""
    seat = seat_at(view, offset)
    for slot in range(view.hand_size - 1, -1, -1):
        if holds(view, seat, slot, memory.playable):
            for kind in range(1, -1, -1):
                hint = naming_hint(view, view.card[seat, slot], kind)
                if is_news(view, seat, slot, touch_mask(view, hint)):
                    return give_hint(view, offset, hint)
    return NO_MOVE


@rule("TellUnambiguous3", TELLS, source="genes 72-77", playable=1.0, others=0.0)
def tell_unambiguous_3(view, memory, line):
    """Tells a playable card by the hint with the best weighted count of the other cards.

    Original: forgets the best and gives the last hint it considered; crashes like
    TellUnambiguous.
    """
    for offset in range(1, view.players):
        if line.faithful:
            move = last_option(view, memory, offset)
        else:
            move = clearest_hint(view, memory, offset, line.args[0], line.args[1])
        if move != NO_MOVE:
            return unless_gap(view, offset, move, line.faithful)
    return NO_MOVE


@hot
def hint_worth(view, memory, seat, mask, w_playable, w_others):
    """Weighted sum of how playable each card of a seat looks to it after a hint."""
    worth = 0.0
    for slot in range(view.hand_size):
        if view.card[seat, slot] >= 0:
            likely = their_chance(memory, after_hint(view, seat, slot, mask), memory.playable)
            is_playable = holds(view, seat, slot, memory.playable)
            worth += likely * (w_playable if is_playable else w_others)
    return worth


@rule("TellUnambiguous2", TELLS, source="genes 69-71", playable=1.0, others=0.0)
def tell_unambiguous_2(view, memory, line):
    """Gives the hint after which playable cards look most playable to their holder, others least.

    Original: crashes when the hand has an empty slot or hands have four cards, which ends the game.
    """
    for offset in range(1, view.players):
        seat = seat_at(view, offset)
        if not holds_any(view, seat, memory.playable):
            continue
        if line.faithful and (view.hand_size < 5 or has_gap(view, seat)):
            return GIVE_UP
        put_back(view, memory, seat)
        best, best_worth = NO_MOVE, -100.0
        for hint in range(n_hints(view)):
            mask = touch_mask(view, hint)
            if holds_any(view, seat, mask):
                worth = hint_worth(view, memory, seat, mask, line.args[0], line.args[1])
                if worth > best_worth:
                    best, best_worth = give_hint(view, offset, hint), worth
        return best
    return NO_MOVE


@hot
def n_surely_useless(view, memory, seat, mask):
    """Cards that a seat knows to be useless after a hint (0 for no hint)."""
    n = 0
    for slot in range(view.hand_size):
        if view.card[seat, slot] >= 0:
            possible = view.possible[seat, slot]
            if mask:
                possible = after_hint(view, seat, slot, mask)
            if their_chance(memory, possible, memory.dead) > SURE:
                n += 1
    return n


@rule("TellAtLeastNUseless", TELLS, source="genes 78-82", n=1)
def tell_at_least_n_useless(view, memory, line):
    """Gives a seat that knows no useless card the hint that shows most of them, at least n.

    Original: gives the last hint that shows n, colours after ranks, and crashes when none does,
    which ends the game.
    """
    for offset in range(1, view.players):
        seat = seat_at(view, offset)
        if not holds_any(view, seat, memory.dead):
            continue
        put_back(view, memory, seat)
        if n_surely_useless(view, memory, seat, 0) > 0:
            continue
        best, most = NO_MOVE, 0
        for hint in range(n_hints(view)):
            mask = touch_mask(view, hint)
            if holds_any(view, seat, mask):
                n = n_surely_useless(view, memory, seat, mask)
                if n >= line.args[0] and (line.faithful or n > most):
                    best, most = give_hint(view, offset, hint), n
        if best != NO_MOVE:
            return best
        if line.faithful:
            return GIVE_UP
    return NO_MOVE


@rule("TellHighProbabilityMistake", TELLS, source="genes 83-104", playable=True, p=0.5)
def tell_high_probability_mistake(view, memory, line):
    """Tells about a card that looks playable with probability p but is not, or the other way round.

    Original: crashes with hands of four cards, and when it finds such a card from a seat other than
    0, which ends the game (sometimes it hints to a wrong seat instead; not reproduced).
    """
    for offset in range(1, view.players):
        seat = seat_at(view, offset)
        put_back(view, memory, seat)
        for slot in range(view.hand_size):
            if view.card[seat, slot] < 0:
                continue
            if line.faithful and view.hand_size < 5:
                return GIVE_UP
            looks = their_chance(memory, view.possible[seat, slot], memory.playable)
            is_playable = holds(view, seat, slot, memory.playable)
            if line.args[0] != 0:
                is_mistaken = not is_playable and looks >= line.args[1]
            else:
                is_mistaken = is_playable and looks <= line.args[1]
            move = rank_first(view, offset, seat, slot) if is_mistaken else NO_MOVE
            if move != NO_MOVE:
                return GIVE_UP if line.faithful and view.seat != 0 else move
    return NO_MOVE
