"""Prospects: what the network of ``weighing`` knows about a move, at a table of two.

``fill_situation`` describes the position, and ``fill_play``, ``fill_hint`` and ``fill_discard`` one
move each. All of them know only what the mover knows. An important part is what the partner can do
next: which cards it will know to be playable or useless, and, if there are none, what the card that
it would then discard is really worth; the mover sees that card.
"""

import numpy as np

from tamaya.agents.wtfwthat.discards import fill_losses, loss_over, mean_loss
from tamaya.agents.wtfwthat.hats import hat_of, take_hand
from tamaya.agents.wtfwthat.plays import mean_urgency
from tamaya.agents.wtfwthat.public_state import chance, own_copies, public_copies
from tamaya.agents.wtfwthat.slots import playable_slots, useless_slots
from tamaya.cards import BIT
from tamaya.compiled import hot, popcount
from tamaya.knowledge.board import n_discarded
from tamaya.knowledge.copies import n_copies
from tamaya.knowledge.hands import seat_at
from tamaya.knowledge.hints import named_mask
from tamaya.knowledge.sets import is_one, is_subset, lowest_card

N_AFTER = 9  # features at the beginning of those of every move
MOST = 4.0  # points: larger losses count as this

# Places in ``state.situation``.
IS_EARLY, HAS_SURE, PARTNER_KNOWS, PARTNER_UNAWARE, PARTNER_DANGER = 11, 16, 23, 26, 28
# What the partner can do with what it knows: places in ``state.partner``.
KNOWN, USELESS, DANGER, LEAST = 0, 1, 2, 3


@hot
def flag(is_true):
    """1.0 or 0.0."""
    return 1.0 if is_true else 0.0


@hot
def write(target, first, values):
    """Write some values into an array from a place on; returns the next place."""
    for k in range(len(values)):
        target[first + k] = values[k]
    return first + len(values)


@hot
def fill_partner(view, state, sets, playable, dead):
    """Fill what the partner can do next, given sets of its cards and a board."""
    seat, copies = seat_at(view, 1), public_copies(state)
    n_known, n_useless, cheapest, least = 0, 0, -1, 1e9
    for slot in range(view.hand_size):
        if state.order[seat, slot] < 0:
            continue
        n_known += is_subset(sets[slot], playable)
        n_useless += is_subset(sets[slot], dead)
        loss = loss_over(state.worth, sets[slot], copies)
        if loss < least - 1e-9:
            cheapest, least = slot, loss
    state.partner[KNOWN] = n_known
    state.partner[USELESS] = n_useless
    is_stuck = n_known == 0 and n_useless == 0 and cheapest >= 0
    state.partner[DANGER] = min(MOST, state.worth[view.card[seat, cheapest]]) if is_stuck else 0.0
    state.partner[LEAST] = min(MOST, least)


@hot
def fill_situation(view, state, options):
    """Fill ``state.situation``, and the losses that moves are judged by."""
    visible = state.visible
    state.visible = 0  # what a card is worth to its owner, who does not see it
    fill_losses(view, state, options)
    state.worth[:] = state.loss[:]
    state.visible = visible
    fill_losses(view, state, options)
    seat, tokens = seat_at(view, 1), view.tokens
    for slot in range(view.hand_size):
        state.before[slot] = state.sets[seat, slot]
    fill_partner(view, state, state.before, state.playable, state.dead)
    state.partner_now[:] = state.partner[:]
    known, useless = state.partner[KNOWN], state.partner[USELESS]
    danger, least = state.partner[DANGER], state.partner[LEAST]
    n_sure, n_untold, best, cheapest = 0, 0, 0.0, MOST
    copies = own_copies(state)
    for slot in range(view.hand_size):
        if state.own[slot] == 0:
            continue
        is_sure = is_subset(state.own[slot], state.playable)
        n_sure += is_sure
        n_untold += view.told[view.seat, slot] == 0
        if not is_sure:
            best = max(best, chance(copies, state.own[slot], state.playable))
        state.slot_loss[slot] = mean_loss(state, slot)
        cheapest = min(cheapest, state.slot_loss[slot])
    n_playable = 0
    for slot in range(view.hand_size):
        card = view.card[seat, slot]
        n_playable += card >= 0 and BIT[card] & state.playable != 0
    slack = view.n_all - view.colours * view.ranks - view.players * view.hand_size
    spare = n_spare(view)
    is_early = flag(n_discarded(view) <= slack)
    n = write(state.situation, 0, (
        1.0, tokens / 8, flag(tokens == 0), flag(tokens == 1), flag(tokens == 2),
        flag(tokens >= 7), flag(tokens == view.max_tokens),
    ))  # fmt: skip
    n = write(state.situation, n, (
        view.deck_size / 40, flag(view.deck_size <= 3), min(spare, 12) / 10, flag(spare <= 1),
        is_early, n_discarded(view) / 20, view.points / 25,
        flag(view.lives == 3), flag(view.lives == 1),
    ))  # fmt: skip
    n = write(state.situation, n, (
        flag(n_sure >= 1), flag(n_sure >= 2), best, n_untold / 5, cheapest,
        flag(useless_slots(view, state.own[:], state.dead) != 0),
        flag(useless_slots(view, state.sets[view.seat], state.dead) != 0),
    ))  # fmt: skip
    write(state.situation, n, (
        flag(known >= 1), flag(known >= 2), flag(useless >= 1),
        flag(n_playable > 0 and known == 0), n_playable / 3,
        danger, danger * (tokens == 0), danger * (tokens == 1), danger * (spare <= 3),
        least, least * (tokens <= 1),
    ))  # fmt: skip


@hot
def n_spare(view):
    """Turns that can be spared if all points are still to be scored."""
    return view.points + view.deck_size + view.turns_left - view.colours * view.ranks


@hot
def fill_after(state, tokens):
    """Begin the features of a move with what the partner can do after it."""
    known, useless = state.partner[KNOWN], state.partner[USELESS]
    danger, least = state.partner[DANGER], state.partner[LEAST]
    features = state.features[state.n_weighed]
    features[:] = 0
    write(features, 0, (
        flag(known >= 1), flag(known >= 2), known / 3, flag(useless >= 1),
        danger, danger * (tokens == 0), danger * (tokens == 1),
        least * (tokens == 0), flag(known + useless == 0) * (tokens == 0),
    ))  # fmt: skip


@hot
def read_message(view, state, budget, options):
    """Fill ``state.hand``: what the partner knows of its hand after a message of some values."""
    seat = seat_at(view, 1)
    take_hand(view, state, seat)
    if budget >= 2:
        hat_of(view, state, seat, budget, options)


@hot
def fill_play(view, state, slot, budget, options):
    """Describe the play of an own card that is a message with some values, or none."""
    mask, copies = state.own[slot], own_copies(state)
    p = chance(copies, mask, state.playable)
    good, bad = mask & state.playable, mask & ~state.playable
    total, ranks, tops, follows, held = 0, 0.0, 0, 0, 0
    rest = good
    while rest:
        card = lowest_card(rest)
        rest &= rest - 1
        n = max(1, n_copies(copies, BIT[card]))
        total += n
        ranks += n * (card % 5)
        tops += n * (card % 5 == view.ranks - 1)
        held += n * (BIT[card] & state.visible != 0)
        if card % 5 < view.ranks - 1:
            follows += n * (BIT[card + 1] & state.visible != 0)
    share = p / max(1, total)
    playable, dead = state.playable, state.dead
    if is_one(good) and bad == 0:
        playable &= ~good
        dead |= good
        if tops == 0:
            playable |= (good << 1) & ~dead
    if budget >= 2 or playable != state.playable:
        read_message(view, state, budget, options)
        fill_partner(view, state, state.hand, playable, dead)
    else:
        state.partner[:] = state.partner_now[:]
    fill_after(state, view.tokens + (share * tops > 0.5))
    risk = loss_over(state.loss, bad, copies) * (1 - p) if bad else 0.0
    is_public = playable_slots(view, state.sets[view.seat], state.playable) >> slot & 1
    spare = min(n_spare(view), 6) / 10
    has_sure = state.situation[HAS_SURE]
    write(state.features[state.n_weighed], N_AFTER, (
        1 - p, (1 - p) * (view.lives == 3), (1 - p) * (view.lives == 2), (1 - p) * (1 - p),
        (1 - p) * spare, risk, (1 - p) * chance(copies, mask, state.dead),
        flag(bad != 0), flag(bad != 0) * has_sure,
        share * ranks / 4, share * tops, share * tops * (view.tokens == view.max_tokens),
        share * tops * (view.tokens <= 1), share * follows, share * held,
        share * held * (state.situation[PARTNER_KNOWS] > 0), flag(is_public), flag(budget >= 2),
        mean_urgency(view, state, good) / 540, flag(is_one(mask)),
    ))  # fmt: skip


@hot
def fill_hint(view, state, move, budget, options):
    """Describe the hint that announces the number."""
    seat, copies, words, gain = seat_at(view, 1), public_copies(state), named_mask(view, move), 0.0
    read_message(view, state, budget, options)
    for slot in range(view.hand_size):
        card, mask = view.card[seat, slot], state.hand[slot]
        if card < 0:
            continue
        told = mask & words if BIT[card] & words else mask & ~words
        if told:
            state.hand[slot] = told
        n_before, n_after = n_copies(copies, state.before[slot]), n_copies(copies, state.hand[slot])
        gain += np.log2(max(1, n_before) / max(1, n_after)) / 5
    tokens = view.tokens - 1
    fill_partner(view, state, state.hand, state.playable, state.dead)
    fill_after(state, tokens)
    was_known, is_few = state.situation[PARTNER_KNOWS] > 0, tokens <= 1
    is_news = flag(state.partner[KNOWN] >= 1 and not was_known)
    averted = state.situation[PARTNER_DANGER] - state.partner[DANGER]
    write(state.features[state.n_weighed], N_AFTER, (
        flag(budget >= 4), flag(budget <= 2), gain, gain * is_few, is_news, is_news * is_few,
        is_news * state.situation[HAS_SURE], averted, averted * is_few, state.partner[LEAST],
    ))  # fmt: skip


@hot
def fill_discard(view, state, slot, is_safe, is_message):
    """Describe the discard of an own card; ``state.partner`` says what the partner will know."""
    mask, copies = state.own[slot], own_copies(state)
    fill_after(state, view.tokens + 1)
    loss = min(state.slot_loss[slot], MOST)
    p_dead, p_last = chance(copies, mask, state.dead), chance(copies, mask, state.critical)
    total, ranks, soon = 0, 0.0, 0
    rest = mask & ~state.dead
    while rest:
        card = lowest_card(rest)
        rest &= rest - 1
        n = max(1, n_copies(copies, BIT[card]))
        total += n
        ranks += n * (card % 5)
        soon += n * (card % 5 <= view.firework[card // 5] + 1)
    share = (1 - p_dead) / max(1, total)
    is_early = state.situation[IS_EARLY]
    write(state.features[state.n_weighed], N_AFTER, (
        flag(is_message), flag(is_safe), loss, loss * (not is_safe), loss * is_early,
        loss * max(0.0, 0.5 - n_spare(view) / 10), loss * loss / 5,
        p_dead, p_last, p_last * is_early, chance(copies, mask, state.playable),
        chance(copies, mask, state.visible), share * ranks / 4, share * soon,
        slot / 4, flag(slot == 0), flag(view.told[view.seat, slot] != 0),
        np.log2(max(1, popcount(mask))) / 4,
    ))  # fmt: skip
