"""Our own rules: playing promised cards, saving cards, steering partners.

The first group follows the convention of ``tamaya.agents.rules.promises`` and is for mirror play;
the second is for partners who know no convention.
"""

import numpy as np

from tamaya.agents.rules.facts import candidates, chance, put_back, their_chance
from tamaya.agents.rules.promises import (
    chop_of,
    focus_of,
    may_save,
    promise_in,
    read_promises,
)
from tamaya.agents.rules.rule import DISCARDS, PLAYS, TELLS, rule
from tamaya.cards import BIT
from tamaya.compiled import hot, popcount
from tamaya.game_kernels import SLOT_BIT, holds_any
from tamaya.knowledge.hands import holds, seat_at
from tamaya.knowledge.hints import (
    after_hint,
    give_hint,
    n_hints,
    newly_touched,
    touch_mask,
    touched_slots,
)
from tamaya.knowledge.sets import is_one, is_subset
from tamaya.moves import NO_MOVE, discard, hint_rank, play

OURS = "Tamaya"


@rule("PlayPromised", PLAYS, source=OURS, lives=0, p=0.0)
def play_promised(view, memory, line):
    """Plays the promised card most likely to be playable, if at least p and lives exceed a bound.

    A sure card is played regardless of lives.
    """
    read_promises(view, memory)
    best, best_chance = -1, 0.0
    for slot in range(view.hand_size):
        promised = promise_in(view, memory, view.seat, slot)
        if promised == 0:
            continue
        likely = chance(memory, promised, memory.playable)
        if likely >= best_chance and likely > 0:
            best, best_chance = slot, likely
    if best < 0:
        return NO_MOVE
    is_bold = best_chance >= line.args[1] and view.lives > line.args[0]
    return play(view, best) if best_chance >= 1.0 or is_bold else NO_MOVE


@hot
def will_play(view, memory, seat):
    """Whether a seat has a card that it knows, or was promised, to be playable."""
    for slot in range(view.hand_size):
        if view.order[seat, slot] < 0:
            continue
        if is_subset(view.possible[seat, slot], memory.playable):
            return True
        if promise_in(view, memory, seat, slot) & memory.playable:
            return True
    return False


@hot
def is_spoken_for(view, memory, card):
    """Whether somebody, me included, knows this card to be playable or was promised it."""
    bit = BIT[card]
    for seat in range(view.players):
        for slot in range(view.hand_size):
            if view.order[seat, slot] < 0:
                continue
            promised = promise_in(view, memory, seat, slot)
            if seat == view.seat:
                if promised == bit or view.possible[seat, slot] == bit:
                    return True
            elif view.card[seat, slot] == card:
                if promised & bit or is_subset(view.possible[seat, slot], memory.playable):
                    return True
    return False


@hot
def worth_of_promise(view, memory, seat, mask, focus):
    """Value of a hint whose focus is playable, by what else it touches for the first time."""
    worth = 1.0
    touched = touched_slots(view, seat, mask)
    for slot in range(view.hand_size):
        if slot == focus or not touched & SLOT_BIT[slot]:
            continue
        if memory.was_told[view.order[seat, slot]]:
            worth += 0.02
        elif holds(view, seat, slot, memory.dead):
            worth -= 0.2
        elif holds(view, seat, slot, memory.playable | memory.critical):
            worth += 0.15
        else:
            worth += 0.05
    if is_subset(view.possible[seat, focus] & mask, memory.playable):
        worth += 0.1  # needs no trust
    return worth


@hot
def focus_of_hint(view, memory, seat, mask):
    """Slot that a hint would be about; -1 if it says nothing new or touches nothing."""
    touched, newly = touched_slots(view, seat, mask), newly_touched(view, seat, mask)
    return focus_of(view, memory, seat, touched, newly)


@hot
def saves(view, memory, hint):
    """Whether the hint of a number saves its focus, if that is the chop."""
    return hint < view.ranks and may_save(view, memory, hint)


@rule("TellPromise", TELLS, source=OURS, busy=False)
def tell_promise(view, memory, line):
    """Gives the hint that promises a playable card not promised yet and tells most besides.

    Seats that already have a card to play are considered only with busy.
    """
    read_promises(view, memory)
    best, best_worth = NO_MOVE, 0.0
    for offset in range(1, view.players):
        seat = seat_at(view, offset)
        if line.args[0] == 0 and will_play(view, memory, seat):
            continue
        chop = chop_of(view, memory, seat)
        for hint in range(n_hints(view)):
            mask = touch_mask(view, hint)
            focus = focus_of_hint(view, memory, seat, mask)
            if focus < 0 or not holds(view, seat, focus, memory.playable):
                continue
            if focus == chop and saves(view, memory, hint):
                continue
            if is_spoken_for(view, memory, view.card[seat, focus]):
                continue
            worth = worth_of_promise(view, memory, seat, mask, focus) - 0.03 * offset
            if worth > best_worth:
                best, best_worth = give_hint(view, offset, hint), worth
    return best


@hot
def can_discard_safely(view, memory, seat):
    """Whether a seat knows one of its cards to be useless."""
    for slot in range(view.hand_size):
        if view.order[seat, slot] >= 0 and is_subset(view.possible[seat, slot], memory.dead):
            return True
    return False


@rule("TellSave", TELLS, source=OURS, seats=1, busy=False)
def tell_save(view, memory, line):
    """Saves the chop of one of the next seats by its rank, if it is the last copy.

    Seats that have something better to do than discard are considered only with busy.
    """
    read_promises(view, memory)
    for offset in range(1, min(np.int64(line.args[0]), view.players - 1) + 1):
        seat = seat_at(view, offset)
        chop = chop_of(view, memory, seat)
        if chop < 0 or not holds(view, seat, chop, memory.critical):
            continue
        if line.args[1] == 0:
            if will_play(view, memory, seat) or can_discard_safely(view, memory, seat):
                continue
        rank = view.card[seat, chop] % 5
        if may_save(view, memory, rank) or holds(view, seat, chop, memory.playable):
            return hint_rank(view, offset, rank)
    return NO_MOVE


@rule("TellHarmless", TELLS, source=OURS)
def tell_harmless(view, memory, line):
    """Gives the most informative hint that its receiver will not take for a false promise."""
    read_promises(view, memory)
    best, most = NO_MOVE, -1
    for offset in range(1, view.players):
        seat = seat_at(view, offset)
        chop = chop_of(view, memory, seat)
        for hint in range(n_hints(view)):
            mask = touch_mask(view, hint)
            if not holds_any(view, seat, mask):
                continue
            focus = focus_of_hint(view, memory, seat, mask)
            if focus >= 0 and not holds(view, seat, focus, memory.playable):
                is_save = focus == chop and saves(view, memory, hint)
                if not is_save and view.possible[seat, focus] & mask & memory.playable:
                    continue
            n = popcount(newly_touched(view, seat, mask))
            if n > most:
                best, most = give_hint(view, offset, hint), n
    return best


@rule("DiscardChop", DISCARDS, source=OURS)
def discard_chop(view, memory, line):
    """Discards the oldest card that no hint has touched."""
    read_promises(view, memory)
    chop = chop_of(view, memory, view.seat)
    return discard(view, chop) if chop >= 0 else NO_MOVE


@rule("DiscardSurelyUseless", DISCARDS, source=OURS)
def discard_surely_useless(view, memory, line):
    """Discards a card that is surely useless, counting visible cards."""
    for slot in range(view.hand_size):
        if is_subset(candidates(view, memory, slot), memory.dead):
            return discard(view, slot)
    return NO_MOVE


@rule("DiscardDuplicate", DISCARDS, source=OURS)
def discard_duplicate(view, memory, line):
    """Discards a card known to duplicate one that somebody else holds and was told about."""
    for slot in range(view.hand_size):
        mine = candidates(view, memory, slot)
        if not is_one(mine):
            continue
        for offset in range(1, view.players):
            seat = seat_at(view, offset)
            for other in range(view.hand_size):
                if holds(view, seat, other, mine) and view.told[seat, other]:
                    return discard(view, slot)
    return NO_MOVE


@hot
def next_play(view, memory, seat, mask, bold):
    """What a seat that plays its likeliest card would do after a hint (0 for none).

    1 if it would play a playable card, -1 if another, 0 if no probability is at least ``bold``.
    """
    best, best_chance = -1, -1.0
    for slot in range(view.hand_size):
        if view.card[seat, slot] < 0:
            continue
        possible = view.possible[seat, slot]
        if mask:
            possible = after_hint(view, seat, slot, mask)
        likely = their_chance(memory, possible, memory.playable)
        if likely >= best_chance:
            best, best_chance = slot, likely
    if best < 0 or best_chance < bold:
        return 0
    return 1 if holds(view, seat, best, memory.playable) else -1


@rule("TellSteer", TELLS, source=OURS, p=0.6, seats=1, mend=False)
def tell_steer(view, memory, line):
    """Makes a next seat that plays its likeliest card (from p on) play a playable one, or none.

    With mend it is used only to prevent mistakes.
    """
    for offset in range(1, min(np.int64(line.args[1]), view.players - 1) + 1):
        seat = seat_at(view, offset)
        put_back(view, memory, seat)
        now = next_play(view, memory, seat, 0, line.args[0])
        if now == 1 or (now == 0 and line.args[2] != 0):
            continue
        best, best_result = NO_MOVE, now
        for hint in range(n_hints(view)):
            mask = touch_mask(view, hint)
            if not holds_any(view, seat, mask):
                continue
            result = next_play(view, memory, seat, mask, line.args[0])
            if result > best_result:
                best, best_result = give_hint(view, offset, hint), result
        if best != NO_MOVE:
            return best
    return NO_MOVE


@rule("PlayFirstHinted", PLAYS, source=OURS, lives=1, p=0.2)
def play_first_hinted(view, memory, line):
    """Plays the first card newly named by the last hint to me, if at least p with enough lives.

    Skips cards that cannot be playable, and hints about such cards only. Many agents scan a hand
    from its first slot and tell about the first playable card.
    """
    for k in range(view.n_moves - 1, max(-1, view.n_moves - view.players), -1):
        event = view.history[k]
        if event.target != view.seat or event.newly == 0:
            continue
        for slot in range(view.hand_size):
            if event.newly & SLOT_BIT[slot]:
                likely = chance(memory, view.possible[view.seat, slot], memory.playable)
                if likely > 0 and likely >= line.args[1] and view.lives > line.args[0]:
                    return play(view, slot)
                if likely > 0:
                    return NO_MOVE
    return NO_MOVE


@hot
def possibly_critical(view, memory, slot):
    """Probability that the card in an own slot is the last copy."""
    return chance(memory, view.possible[view.seat, slot], memory.critical)


@rule("DiscardOldestUnlikelyNecessary", DISCARDS, source=OURS, p=0.2)
def discard_oldest_unlikely_necessary(view, memory, line):
    """Discards the oldest card whose probability of being the last copy is below p."""
    oldest = -1
    for slot in range(view.hand_size):
        order = view.order[view.seat, slot]
        if order < 0 or possibly_critical(view, memory, slot) >= line.args[0]:
            continue
        if oldest < 0 or order < view.order[view.seat, oldest]:
            oldest = slot
    return discard(view, oldest) if oldest >= 0 else NO_MOVE
