"""What speaks for each hint, as numbers from 0 to about 1."""

import numpy as np

from tamaya.agents.learned.people.traces import FOCUS, FOCUS_AGAIN, UNTOUCHED, chop_of, focus_of
from tamaya.cards import BIT
from tamaya.compiled import hot, popcount
from tamaya.game_kernels import SLOT_BIT
from tamaya.knowledge.copies import n_copies, probability
from tamaya.knowledge.hands import newest_slot, seat_from
from tamaya.knowledge.hints import after_hint, newly_touched, touch_mask, touched_slots
from tamaya.knowledge.sets import is_one, is_subset
from tamaya.moves import HINT_RANK, kind_of, offset_of, value_of

N_COUNTS, N_FOCUS, N_SLOTS, N_EFFECT, N_SETTING = 10, 12, 5, 9, 14
N_OF_HINT = N_COUNTS + N_FOCUS + 2 * N_SLOTS + N_EFFECT + N_SETTING + 5  # numbers for each hint


@hot
def write_counts(view, seat, touched, news, fresh, board, out, at):
    """How many cards of which kind a hint touches."""
    n_new, n_new_playable, n_bad = 0, 0, 0
    for slot in range(view.hand_size):
        if not touched & SLOT_BIT[slot]:
            continue
        bit = BIT[view.card[seat, slot]]
        is_new = (news >> slot) & 1
        out[at] += 0.2
        out[at + 1] += 0.2 * is_new
        out[at + 2] += 0.2 * ((fresh >> slot) & 1)
        out[at + 3] += (bit & board.playable) != 0
        out[at + 4] += (bit & board.dead) != 0
        out[at + 5] += (bit & board.critical) != 0
        n_new += is_new
        n_new_playable += is_new and bit & board.playable != 0
        if fresh & SLOT_BIT[slot] and (bit & board.dead or is_duplicate(view, seat, slot)):
            n_bad += 1
    out[at + 6] = n_new_playable
    out[at + 7] = n_new > 0 and n_new_playable == n_new
    out[at + 8] = n_bad
    out[at + 9] = n_new == 0
    return at + N_COUNTS


@hot
def is_duplicate(view, seat, slot):
    """Whether another visible card is the same and was hinted at, or is in the same hand."""
    card = view.card[seat, slot]
    for other in range(view.players):
        for place in range(view.hand_size):
            if view.card[other, place] == card and (other != seat or place != slot):
                if other == seat or view.told[other, place] != 0:
                    return True
    return False


@hot
def write_focus(view, memory, seat, focus, chop, touched, board, out, at):
    """The card that a hint is probably about."""
    card = np.int64(view.card[seat, focus])
    bit, distance = BIT[card], card % 5 - view.firework[card // 5]
    role = memory.role[view.order[seat, focus]]
    out[at] = (bit & board.playable) != 0
    out[at + 1] = (bit & board.dead) != 0
    out[at + 2] = (bit & board.critical) != 0
    out[at + 3] = 0.25 * max(0, distance)
    out[at + 4] = distance == 1
    out[at + 5] = distance == 1 and is_seen(view, card - 1)
    out[at + 6] = focus == newest_slot(view, seat)
    out[at + 7] = focus == chop
    out[at + 8] = role == UNTOUCHED
    out[at + 9] = role == FOCUS or role == FOCUS_AGAIN
    out[at + 10] = touched == SLOT_BIT[focus]
    out[at + 11] = card % 5 == 4
    return at + N_FOCUS


@hot
def is_seen(view, card):
    """Whether a card lies hinted in a visible hand."""
    for other in range(view.players):
        for slot in range(view.hand_size):
            if view.card[other, slot] == card and view.told[other, slot] != 0:
                return True
    return False


@hot
def write_effect(view, seat, mask, public, board, out, at):
    """What the target will know: sure plays, sure discards, chances of good and bad plays."""
    before_best, after_best, after_wrong = 0.0, 0.0, 0.0
    for slot in range(view.hand_size):
        card = view.card[seat, slot]
        if card < 0:
            continue
        before, after = np.int64(view.possible[seat, slot]), after_hint(view, seat, slot, mask)
        old = probability(public, before, board.playable)
        new = probability(public, after, board.playable)
        out[at] += is_subset(after, board.playable) and not is_subset(before, board.playable)
        out[at + 1] += is_subset(after, board.dead) and not is_subset(before, board.dead)
        out[at + 2] += is_one(after) and not is_one(before)
        if BIT[card] & board.playable:
            before_best = max(before_best, old)
            after_best = max(after_best, new)
            out[at + 3] = max(out[at + 3], new - old)
        else:
            after_wrong = max(after_wrong, new)
        total = n_copies(public, before)
        if total > 0:
            out[at + 7] += 0.2 * (1 - n_copies(public, after) / total)
    out[at + 4] = before_best
    out[at + 5] = after_best
    out[at + 6] = after_wrong
    out[at + 8] = after_best - after_wrong
    return at + N_EFFECT


@hot
def write_setting(view, memory, move, touched, chop, board, out, at):
    """Kind, value and target of a hint, what was said before, the target's chop."""
    seat = np.int64(view.seat)
    kind, offset, value = kind_of(view, move), offset_of(view, move), value_of(view, move)
    target = seat_from(view, seat, offset)
    is_rank = kind == HINT_RANK
    out[at] = is_rank
    out[at + 1] = offset == 1
    out[at + 2] = offset == view.players - 1
    n_colour, n_rank = memory.habit[seat, 3], memory.habit[seat, 4]
    out[at + 3] = ((n_rank if is_rank else n_colour) + 1) / (n_colour + n_rank + 2)
    for back in range(1, min(view.players, view.n_moves) + 1):
        event = view.history[view.n_moves - back]
        if event.target == target and kind_of(view, event.move) == kind:
            if value_of(view, event.move) == value:
                out[at + 4] = 1
        if event.target == target:
            out[at + 5] = 1
    if chop >= 0 and touched & SLOT_BIT[chop]:
        bit = BIT[view.card[target, chop]]
        out[at + 6] = 1
        out[at + 7] = (bit & board.critical) != 0
        out[at + 8] = (bit & board.playable) != 0
        out[at + 9] = (bit & board.dead) != 0
    if chop >= 0:
        bit = BIT[view.card[target, chop]]
        out[at + 10] = (bit & board.critical) != 0
        out[at + 11] = (bit & board.dead) != 0
    n_sure = 0
    for slot in range(view.hand_size):
        n_sure += is_subset(np.int64(view.possible[target, slot]), board.playable)
    out[at + 12] = n_sure > 0
    out[at + 13] = popcount(touched) == view.n_cards[target]
    at += N_SETTING
    if is_rank:
        out[at + value] = 1
    return at + 5


@hot
def write_hint(view, memory, move, public, board, out):
    """All numbers about a hint."""
    out[:] = 0
    kind, offset, value = kind_of(view, move), offset_of(view, move), value_of(view, move)
    seat = seat_from(view, view.seat, offset)
    mask = touch_mask(view, value if kind == HINT_RANK else view.ranks + value)
    touched = touched_slots(view, seat, mask)
    if touched == 0:
        return
    news, fresh, chop = newly_touched(view, seat, mask), 0, chop_of(view, seat)
    for slot in range(view.hand_size):
        if view.told[seat, slot] == 0:
            fresh |= touched & SLOT_BIT[slot]
    focus = focus_of(view, seat, touched, fresh, chop)
    at = write_counts(view, seat, touched, news, fresh, board, out, 0)
    at = write_focus(view, memory, seat, focus, chop, touched, board, out, at)
    for slot in range(min(view.hand_size, N_SLOTS)):
        if touched & SLOT_BIT[slot]:
            out[at + slot] = 1
            out[at + N_SLOTS + slot] = (BIT[view.card[seat, slot]] & board.playable) != 0
    at = write_effect(view, seat, mask, public, board, out, at + 2 * N_SLOTS)
    write_setting(view, memory, move, touched, chop, board, out, at)
