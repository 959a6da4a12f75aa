"""Reading plays and discards: chains are repaired, and some discards and misplays say something.

    deliberate discard    of a card that was to be played: play your copy of it (2-3 players)
    sacrifice             the ordinary discard, with a play in hand and hardly a token: keep yours
    mistaken junk         a card thrown as junk was useful: keep the rest of it
    misplay               of a card first in its group: keep what is older than the group

Every move here is made on the board of the mind first, then read.
"""

import numpy as np

from tamaya.agents.fireflower.beliefs import (
    add,
    attach,
    attach_again,
    attach_one,
    attach_without,
    member,
    new_group,
)
from tamaya.agents.fireflower.board import discard_card, play_card
from tamaya.agents.fireflower.knowledge import refresh
from tamaya.agents.fireflower.mind import (
    COMMON,
    JUNK,
    PLAY,
    SAVE,
    UNKNOWN,
    order_at,
    possible,
)
from tamaya.agents.fireflower.questions import (
    AT_ONCE,
    expected_plays,
    newest_possible,
    next_discard,
)
from tamaya.cards import BIT
from tamaya.compiled import hot
from tamaya.game_kernels import SLOT_BIT

# Bits of ``reading``.
DELIBERATE, SACRIFICE, MISTAKEN_JUNK, MISPLAY = 64, 128, 256, 512
ENOUGH_TOKENS = 3  # to hint something that should not be discarded


@hot
def read_play(mind, ledger, slot):
    """The mover plays a card whose face is known."""
    actor = mind.mover
    order = order_at(mind, actor, slot)
    danger = mind.danger & mind.unseen[COMMON]
    scored = play_card(mind, slot)
    refresh(mind)
    is_meant = mind.kind[order] == PLAY
    group = np.int64(mind.group[order])
    if scored:
        if is_meant:
            attach_without(mind, ledger, group, order)
        discard, _ = next_discard(mind, mind.mover, COMMON)
        note_spared(mind, actor, discard, danger)
    elif is_meant:
        read_misplay(mind, ledger, group, order)


@hot
def read_misplay(mind, ledger, group, order):
    """A card that was to be played was not playable."""
    if BIT[mind.face[order]] & mind.useful != 0:
        attach_again(mind, ledger, SAVE, group)
    if mind.queued[order]:
        return
    oldest = mind.n_old - 1
    for place in range(ledger.n_members[group]):
        for slot in range(oldest):
            if mind.old_hand[slot] == ledger.member[group, place]:
                oldest = slot
                break
    saved = new_group(mind, ledger)
    for slot in range(oldest - 1, -1, -1):
        mind.reading |= MISPLAY
        add(ledger, saved, np.int64(mind.old_hand[slot]))
    attach(mind, ledger, SAVE, saved)


@hot
def read_discard(mind, ledger, slot):
    """The mover discards a card whose face is known."""
    actor = mind.mover
    order = order_at(mind, actor, slot)
    before = expected_plays(mind, actor, COMMON, AT_ONCE)
    could_be = possible(mind, COMMON, order)
    usual, _ = next_discard(mind, actor, COMMON)
    danger = mind.danger & mind.unseen[COMMON]
    discard_card(mind, slot)
    refresh(mind)
    if mind.kind[order] == PLAY:
        repair_chain(mind, ledger, order)
    if before & SLOT_BIT[slot] != 0:
        meant = could_be & mind.playable
        if mind.players <= 3 and mind.promise[order] < 0 and meant != 0:
            read_deliberate(mind, ledger, actor, order, meant)
    elif mind.kind[order] == JUNK and BIT[mind.face[order]] & mind.useful != 0:
        mind.reading |= MISTAKEN_JUNK
        attach_again(mind, ledger, SAVE, np.int64(mind.group[order]))
    seat = mind.mover
    discard, _ = next_discard(mind, seat, COMMON)
    if mind.tokens <= 1 and before != 0 and slot == usual:
        kept = order_at(mind, seat, discard)
        if mind.kind[kept] != SAVE:
            mind.reading |= SACRIFICE
            attach_one(mind, ledger, SAVE, kept)
    if mind.tokens >= ENOUGH_TOKENS:
        for other in range(mind.players):
            if other != actor:
                mind.seen_until[other] = mind.n_all - mind.deck_size
    note_spared(mind, actor, discard, danger)


@hot
def repair_chain(mind, ledger, order):
    """Split off what cannot be played after a discarded card that was to be played."""
    group, place = np.int64(mind.group[order]), np.int64(mind.place[order])
    rest = new_group(mind, ledger)
    is_split = False
    for k in range(ledger.n_members[group]):
        later = member(ledger, group, k)
        mask = possible(mind, COMMON, later) & ~BIT[mind.face[order]]
        if k > place and mask & ~mind.trash == 0:
            attach_one(mind, ledger, JUNK, later)
            is_split = True
        elif k > place and mask & mind.playable == 0:
            attach_one(mind, ledger, SAVE, later)
            is_split = True
        else:
            add(ledger, rest, later)
    if is_split:
        attach(mind, ledger, PLAY, rest)


@hot
def read_deliberate(mind, ledger, actor, order, meant):
    """A card that was to be played was thrown away: somebody else has it."""
    n_holders, holder = 0, UNKNOWN
    for seat in range(mind.players):
        if seat != actor and holds_known(mind, seat, meant):
            n_holders += 1
            holder = seat
    if n_holders > 1:
        return
    for seat in range(mind.players):
        if n_holders == 1:
            is_addressed = seat == holder
        elif actor != mind.seat:
            is_addressed = seat == mind.seat
        else:
            is_addressed = seat != actor
        if is_addressed:
            address(mind, ledger, seat, order, meant)


@hot
def holds_known(mind, seat, cards):
    """Whether this player knows a seat to hold a card of a set."""
    for slot in range(mind.n_cards[seat]):
        card = mind.known[mind.hand[seat, slot]]
        if card >= 0 and BIT[card] & cards != 0:
            return True
    return False


@hot
def address(mind, ledger, seat, order, meant):
    """Let the card of a seat that a deliberate discard means take the place of the discarded."""
    slot = newest_touched(mind, seat, meant)
    if slot < 0:
        slot = newest_possible(mind, seat, COMMON, meant)
    if slot < 0:
        return
    target = order_at(mind, seat, slot)
    if mind.kind[target] == PLAY and mind.place[target] == 0:
        return
    if mind.kind[order] != PLAY:
        # As in the original: the discarded card itself is believed playable, which says nothing.
        attach_one(mind, ledger, PLAY, order)
        return
    mind.reading |= DELIBERATE
    old, place = np.int64(mind.group[order]), np.int64(mind.place[order])
    group = new_group(mind, ledger)
    for k in range(ledger.n_members[old]):
        add(ledger, group, target if k == place else member(ledger, old, k))
    attach(mind, ledger, PLAY, group)


@hot
def newest_touched(mind, seat, cards):
    """The newest slot that a hint has touched and that may hold a card of a set, or -1."""
    for slot in range(mind.n_cards[seat] - 1, -1, -1):
        order = order_at(mind, seat, slot)
        if mind.touched[order] and possible(mind, COMMON, order) & cards != 0:
            return slot
    return -1


@hot
def note_spared(mind, actor, discard, danger):
    """Remember the card that a seat with enough tokens let the next seat discard."""
    if not ENOUGH_TOKENS <= mind.tokens < mind.max_tokens:
        return
    seat = mind.mover
    if expected_plays(mind, seat, COMMON, AT_ONCE) == 0:
        mind.spared[actor] = mind.hand[seat, discard]
    else:
        mind.spared[actor] = UNKNOWN
    mind.spared_danger[actor] = danger
