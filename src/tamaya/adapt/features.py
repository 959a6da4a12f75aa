"""Features of moves, from which a model of a partner computes how much it likes each.

Plays, discards and hints have ``BLOCK`` places each for features with a meaning; then come tables
of slot codes, one place for each pair such as (value of the last hint, own slot), for partners
whose conventions no feature names. A move has the features of one block, and a few table entries.
"""

import numpy as np

from tamaya.adapt.hints import AGAIN, ALONE, NEWEST, NO_HINT, OLDEST, ON_CHOP, RANK, TOLD
from tamaya.adapt.position import SURE
from tamaya.cards import BIT, COLOUR_MASK, RANK_MASK
from tamaya.compiled import hot
from tamaya.knowledge.copies import Copies, probability
from tamaya.knowledge.hands import seat_at
from tamaya.moves import DISCARD, HINT_RANK, PLAY, kind_of, offset_of, slot_of, value_of
from tamaya.records import record
from tamaya.rules import MAX_HAND

BLOCK = 72
PLAYS, DISCARDS, HINTS_GIVEN = 0, BLOCK, 2 * BLOCK  # where the weights of a block begin
TABLES = 3 * BLOCK  # and those of the tables
N_POSITIONS = 5  # slots counted from the newest; older ones count as the last
N_WORDS = 10  # values of a hint: five colours, five ranks
# Receiver: (word, own slot), (what was touched, own slot), (last use of a card, own slot).
HEARD_PLAY = TABLES
HEARD_DISCARD = HEARD_PLAY + N_WORDS * N_POSITIONS
SHAPE_PLAY = HEARD_DISCARD + N_WORDS * N_POSITIONS
SHAPE_DISCARD = SHAPE_PLAY + 8 * N_POSITIONS
USED_PLAY = SHAPE_DISCARD + 8 * N_POSITIONS
USED_DISCARD = USED_PLAY + N_WORDS * N_POSITIONS
# Giver: (word, slot of a playable card), (what is touched, it), the same for dead cards, and for
# moves of cards that say something (own slot used, slot of a playable card of the next seat).
SAID_PLAYABLE = USED_DISCARD + N_WORDS * N_POSITIONS
SAID_DEAD = SAID_PLAYABLE + N_WORDS * N_POSITIONS
SHOWN_PLAYABLE = SAID_DEAD + N_WORDS * N_POSITIONS
SHOWN_DEAD = SHOWN_PLAYABLE + 8 * N_POSITIONS
MOVED_PLAYABLE = SHOWN_DEAD + 8 * N_POSITIONS
N_WEIGHTS = MOVED_PLAYABLE + N_WORDS * N_POSITIONS

ROW = record([
    ("at", np.int64),                     # where the weights of its block begin
    ("block", np.float64, BLOCK),         # features with a meaning
    ("n", np.int64),                      # table entries
    ("entry", np.int64, 4 + 2 * MAX_HAND),
])  # fmt: skip


@hot
def put(row, place):
    """Add an entry of the tables."""
    row.entry[row.n] = place
    row.n += 1


@hot
def describe(view, hints, facts, move, row):
    """Write the features of a move of the seat whose view it is."""
    row.n = 0
    row.block[:] = 0
    kind = kind_of(view, move)
    row.at = PLAYS if kind == PLAY else (DISCARDS if kind == DISCARD else HINTS_GIVEN)
    if kind == PLAY:
        describe_play(view, hints, facts, slot_of(view, move), row)
    elif kind == DISCARD:
        describe_discard(view, hints, facts, slot_of(view, move), row)
    else:
        describe_hint(view, hints, facts, move, row)
    if kind == PLAY or kind == DISCARD:
        code_of_card(view, hints, facts, move, row)


@hot
def describe_play(view, hints, facts, slot, row):
    """The features of a play: how likely it is to score, and what hints said about the card."""
    me, f = np.int64(view.seat), row.block
    marks = hints.marks[view.order[me, slot]]
    play = facts.play[slot]
    kind = hints.kind[me]
    touched = np.int64(hints.touched[me]) if kind != NO_HINT else 0
    newly = np.int64(hints.newly[me]) if kind != NO_HINT else 0
    is_unsure = play <= SURE
    f[0] = 1.0
    f[1] = play
    f[2] = not is_unsure
    f[3] = play < 0.001
    f[4] = play >= 0.2
    f[5] = play >= 0.4
    f[6] = play >= 0.6
    f[7] = play >= 0.8
    if touched >> slot & 1:
        is_newest, is_oldest = touched >> (slot + 1) == 0, touched & ((1 << slot) - 1) == 0
        is_new = newly >> slot & 1
        is_first = is_new and newly >> (slot + 1) == 0
        f[8] = 1.0
        f[9] = is_new
        f[10] = touched == 1 << slot
        f[11] = newly == 1 << slot
        f[12] = is_newest
        f[13] = is_oldest
        f[14] = is_first
        f[15] = is_new and newly & ((1 << slot) - 1) == 0
        f[16] = kind == RANK
        f[17] = kind == RANK and hints.value[me] == 0
        f[18] = kind == RANK and hints.value[me] == 4
        f[19] = hints.on_chop[me] and marks & ON_CHOP != 0
        f[20] = hints.on_chop[me] and is_first
        f[21] = play > 0
        f[22] = is_first and play > 0.3
        f[23] = is_first and kind != RANK
        f[24] = slot == facts.hinted
        f[25] = is_newest and newly == 0
        f[26] = touched == 1 << slot and play > 0
        f[27] = is_first and play > 0 and not hints.on_chop[me]
        f[28] = hints.on_chop[me] and marks & ON_CHOP != 0 and play > 0
    elif play > 0:
        f[29] = marks & TOLD != 0
        f[30] = marks & NEWEST != 0
        f[31] = marks & OLDEST != 0
        f[32] = marks & ALONE != 0
        f[33] = marks & AGAIN != 0
        f[34] = marks & ON_CHOP != 0
        f[35] = marks & NEWEST != 0 and play >= 0.3
        f[36] = marks & NEWEST != 0 and not marks & ON_CHOP
    if slot == facts.newest and kind != NO_HINT:
        f[37] = not touched >> slot & 1
        f[38 + hints.value[me] if kind == RANK else 43] = 1.0
    f[44] = is_unsure and view.lives == 1
    f[45] = is_unsure and view.lives == view.max_lives
    f[46] = is_unsure and view.deck_size == 0
    f[47] = view.tokens == 0
    f[48] = view.tokens == view.max_tokens
    f[49] = slot == facts.likeliest
    f[50] = facts.needs_hint
    f[51] = facts.in_danger
    f[52] = is_unsure and not marks & TOLD
    f[53] = not marks & TOLD and kind == NO_HINT and slot == facts.newest
    f[54] = is_unsure and facts.has_sure
    f[55] = is_unsure and facts.has_hinted and not touched >> slot & 1
    f[56] = not is_unsure and slot == facts.likeliest


@hot
def describe_discard(view, hints, facts, slot, row):
    """The features of a discard: what is lost, which slot it is, and what else there is to do."""
    me, f = np.int64(view.seat), row.block
    marks = hints.marks[view.order[me, slot]]
    waste, loss = facts.waste[slot], facts.loss[slot]
    f[0] = 1.0
    f[1] = waste
    f[2] = waste > SURE
    f[3] = waste >= 0.5
    f[4] = loss
    f[5] = loss < 0.001
    f[6] = slot == facts.chop
    f[7] = slot == facts.oldest
    f[8] = slot == facts.newest
    f[9] = slot == facts.deadest
    f[10] = slot == facts.deadest and waste >= 0.3
    f[11] = slot == facts.safest
    f[12] = marks & TOLD != 0
    f[13] = marks & TOLD and waste > SURE
    f[14] = marks & AGAIN != 0
    f[15] = marks & ON_CHOP != 0
    f[16] = marks & NEWEST != 0 and facts.play[slot] > 0
    f[17] = hints.kind[me] != NO_HINT
    f[18] = hints.kind[me] != NO_HINT and hints.touched[me] >> slot & 1
    f[19] = view.tokens == 0
    f[20] = view.tokens == 1
    f[21] = view.tokens == 2
    f[22] = view.tokens == 3 or view.tokens == 4
    f[23] = view.tokens >= 6
    f[24] = facts.has_sure
    f[25] = facts.has_hinted
    f[26] = view.deck_size == 0
    f[27] = facts.play[slot]
    f[28] = facts.play[slot] < 0.001
    f[29] = facts.needs_hint and view.tokens > 0
    f[30] = facts.in_danger and view.tokens > 0
    f[31] = slot == facts.chop and view.tokens == 0
    f[32] = slot == facts.chop and loss < 0.15
    f[33] = view.tokens == 0 and facts.has_sure
    f[34] = facts.chop < 0
    f[35] = view.lives == 1
    f[40 + min(slot, 7)] = 1.0


@hot
def describe_hint(view, hints, facts, move, row):
    """The features of a hint: what it touches, what its receiver learns and may do."""
    f, offset = row.block, offset_of(view, move)
    seat, value, is_rank = seat_at(view, offset), value_of(view, move), False
    mask = np.int64(COLOUR_MASK[value])
    if kind_of(view, move) == HINT_RANK:
        is_rank, mask = True, np.int64(RANK_MASK[value])
    copies = Copies(facts.ones[offset], facts.twos[offset])
    touched, newly, n_touched, n_new, n_play, n_dead, n_critical = 0, 0, 0, 0, 0, 0, 0
    n_sure, n_waste, is_news, completes, n_bad_new = 0, 0, False, False, 0
    best, danger, informed = 0.0, 0.0, -1
    for slot in range(view.hand_size):
        order = view.order[seat, slot]
        if order < 0:
            continue
        bit, possible = BIT[view.card[seat, slot]], np.int64(view.possible[seat, slot])
        is_touched, is_playable = bit & mask != 0, bit & facts.playable != 0
        after = possible & mask if is_touched else possible & ~mask
        learns = after != possible
        is_news = is_news or learns
        if is_touched or learns:
            play = probability(copies, after, facts.playable)
            if is_playable and play > SURE and facts.knows[offset, slot] <= SURE:
                n_sure += 1
            if bit & facts.dead and after & ~facts.dead == 0 and possible & ~facts.dead != 0:
                n_waste += 1
            if is_touched and is_playable:
                best = max(best, play)
            elif is_touched:
                danger = max(danger, play)
        if not is_touched:
            continue
        touched |= 1 << slot
        n_touched += 1
        n_play += is_playable
        n_dead += bit & facts.dead != 0
        n_critical += bit & facts.critical != 0
        if learns:
            informed = slot
        if not hints.marks[order] & TOLD:
            newly |= 1 << slot
            n_new += 1
            n_bad_new += not is_playable
        elif is_playable and learns:
            completes = True
    newest, oldest = last_of(touched), first_of(touched)
    newest_new, oldest_new = last_of(newly), first_of(newly)
    chop = facts.their_chop[offset]
    on_chop = chop >= 0 and touched >> chop & 1
    focus = chop if on_chop else (newest_new if newest_new >= 0 else informed)
    new_plays = is_of(view, seat, newest_new, facts.playable)
    focus_plays = is_of(view, seat, focus, facts.playable)
    f[0] = 1.0
    f[1] = is_rank
    if is_rank:
        f[2 + value] = 1.0
    f[7] = n_touched / 5
    f[8] = n_new == 0
    f[9] = n_new == 1
    f[10] = n_new >= 3
    f[11] = n_touched == 1
    f[12] = n_play > 0
    f[13] = n_play == n_touched
    f[14] = n_new > 0 and n_bad_new == 0
    f[15] = new_plays
    f[16] = is_of(view, seat, oldest_new, facts.playable)
    f[17] = is_of(view, seat, newest, facts.playable)
    f[18] = is_of(view, seat, oldest, facts.playable)
    f[19] = focus_plays
    f[20] = focus >= 0 and not focus_plays
    f[21] = on_chop
    if on_chop:
        f[22] = is_of(view, seat, chop, facts.critical)
        f[23] = is_rank and is_of(view, seat, chop, facts.critical)
        f[24] = is_of(view, seat, chop, facts.playable)
        f[25] = is_of(view, seat, chop, facts.dead)
    top_plays = is_of(view, seat, facts.their_newest[offset], facts.playable)
    f[26] = top_plays
    if is_rank:
        f[27 + value] = top_plays
        f[32] = not top_plays and value < 2
        f[33] = value == 4 and n_new > 0
        f[34] = value == 0 and n_play < n_touched
        f[35] = new_plays
        f[36] = focus_plays
    else:
        f[37] = top_plays
        f[38] = new_plays
    f[39] = n_sure > 0
    f[40] = best
    f[41] = best > 0.5
    f[42] = danger
    f[43] = danger > 0.5
    f[44] = n_waste > 0
    f[45] = not is_news
    f[46] = n_dead / 5
    f[47] = n_critical / 5
    f[48] = n_play / 5
    f[49] = view.tokens == 1
    f[50] = view.tokens == 2 or view.tokens == 3
    f[51] = view.tokens == view.max_tokens
    f[52] = facts.has_sure
    f[53] = facts.has_hinted
    f[54] = facts.is_busy[offset]
    f[55] = facts.is_promised[offset]
    f[56] = offset == 1
    f[57] = offset == 2
    f[58] = offset == 3
    f[59] = n_bad_new > 0 and n_dead > 0
    f[60] = completes
    f[61] = n_touched == 1 and n_play == 1
    f[62] = view.deck_size == 0
    f[63] = n_new > 0 and not new_plays and not on_chop
    f[64] = n_sure > 0 and not facts.is_busy[offset]
    f[65] = offset == 1 and on_chop and is_of(view, seat, chop, facts.critical)
    f[66] = offset == 1 and n_sure > 0
    word = np.int64(value) + (5 if is_rank else 0)
    shape = shape_of(touched, is_rank, facts.their_newest[offset], facts.their_oldest[offset])
    code_of_hint(view, facts, offset, word, shape, row)


@hot
def first_of(slots):
    """The lowest slot of a set, or -1."""
    for slot in range(8):
        if slots >> slot & 1:
            return slot
    return -1


@hot
def last_of(slots):
    """The highest slot of a set, or -1."""
    for slot in range(7, -1, -1):
        if slots >> slot & 1:
            return slot
    return -1


@hot
def is_of(view, seat, slot, cards):
    """Whether a visible slot, if it is one, holds a card of a set."""
    return slot >= 0 and BIT[view.card[seat, slot]] & cards != 0


# Slot codes.


@hot
def position_of(newest, slot):
    """A slot counted from the newest card."""
    return min(max(newest - slot, 0), N_POSITIONS - 1)


@hot
def shape_of(touched, is_rank, newest, oldest):
    """What a hint touches, in a number below 8: its attribute, the newest card, the oldest."""
    return 4 * is_rank + 2 * (touched >> max(newest, 0) & 1) + (touched >> max(oldest, 0) & 1)


@hot
def code_of_card(view, hints, facts, move, row):
    """Table entries of a play or discard: the hint it may answer, and what it may say."""
    me, slot = np.int64(view.seat), np.int64(slot_of(view, move))
    is_play = move >= view.hand_size
    position = position_of(facts.newest, slot)
    if hints.kind[me] != NO_HINT:
        is_rank = hints.kind[me] == RANK
        word = np.int64(hints.value[me]) + (5 if is_rank else 0)
        put(row, (HEARD_PLAY if is_play else HEARD_DISCARD) + N_POSITIONS * word + position)
        shape = shape_of(np.int64(hints.touched[me]), is_rank, facts.newest, facts.oldest)
        put(row, (SHAPE_PLAY if is_play else SHAPE_DISCARD) + N_POSITIONS * shape + position)
    elif view.n_moves > 0 and view.history[view.n_moves - 1].card >= 0:
        last = np.int64(view.history[view.n_moves - 1].move)
        word = min(last, 4) if last < view.hand_size else 5 + min(last - view.hand_size, 4)
        put(row, (USED_PLAY if is_play else USED_DISCARD) + N_POSITIONS * word + position)
    seat, word = seat_at(view, 1), min(slot, 4) + (5 if is_play else 0)
    for other in range(view.hand_size):
        if view.order[seat, other] >= 0 and is_of(view, seat, other, facts.playable):
            place = position_of(facts.their_newest[1], other)
            put(row, MOVED_PLAYABLE + N_POSITIONS * word + place)


@hot
def code_of_hint(view, facts, offset, word, shape, row):
    """Table entries of a hint: where its receiver's playable and dead cards are."""
    seat = seat_at(view, offset)
    for slot in range(view.hand_size):
        if view.order[seat, slot] < 0:
            continue
        position = position_of(facts.their_newest[offset], slot)
        if is_of(view, seat, slot, facts.playable):
            put(row, SAID_PLAYABLE + N_POSITIONS * word + position)
            put(row, SHOWN_PLAYABLE + N_POSITIONS * shape + position)
        elif is_of(view, seat, slot, facts.dead):
            put(row, SAID_DEAD + N_POSITIONS * word + position)
            put(row, SHOWN_DEAD + N_POSITIONS * shape + position)
