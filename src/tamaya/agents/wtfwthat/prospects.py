"""Prospects: what the network of ``weighing`` knows about a move, at a table of two.

``fill_situation`` describes the position, and ``fill_play``, ``fill_hint`` and ``fill_discard`` one
move each. All of them know only what the mover knows. An important part is what the partner can do
next: which cards it will know to be playable or useless, and, if there are none, what the card that
it would then discard is really worth; the mover sees that card.
"""

import numpy as np

from tamaya.agents.wtfwthat.discards import fill_losses, mean_over, n_assumed
from tamaya.agents.wtfwthat.plays import urgency_of
from tamaya.agents.wtfwthat.public_state import chance, own_copies, public_copies
from tamaya.agents.wtfwthat.slots import useless_slots
from tamaya.cards import BIT, DECK_SIZE, RANK_MASK
from tamaya.compiled import hot, popcount
from tamaya.knowledge.board import n_discarded
from tamaya.knowledge.copies import n_copies
from tamaya.knowledge.hands import seat_at
from tamaya.knowledge.hints import named_mask
from tamaya.knowledge.sets import is_one, is_subset, lowest_card

N_AFTER = 9  # features at the beginning of those of every move
MOST = 4.0  # points: larger losses count as this
LOG2 = np.log2(np.maximum(1, np.arange(DECK_SIZE + 1)))

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
def fill_partner(view, state, sets, playable, dead, needs_least):
    """Fill what the partner can do next, given sets of its cards and a board.

    ``LEAST`` takes time, so it is filled only if it is needed.
    """
    seat, n_known, n_useless = seat_at(view, 1), 0, 0
    for slot in range(view.hand_size):
        n_known += is_subset(sets[slot], playable)
        n_useless += is_subset(sets[slot], dead)
    state.partner[KNOWN] = n_known
    state.partner[USELESS] = n_useless
    state.partner[DANGER] = 0.0
    state.partner[LEAST] = 0.0
    is_stuck = n_known == 0 and n_useless == 0
    if is_stuck or needs_least:
        cheapest, least = cheapest_of(view, state, sets)
        state.partner[LEAST] = min(MOST, least)
        if is_stuck and cheapest >= 0:
            state.partner[DANGER] = min(MOST, state.worth[view.card[seat, cheapest]])


@hot
def cheapest_of(view, state, sets):
    """The slot that the partner can discard at least cost as far as it knows, and that cost."""
    cheapest, least, copies = -1, 1e9, public_copies(state)
    for slot in range(view.hand_size):
        if sets[slot]:
            loss = state.before_loss[slot]
            if sets[slot] != state.before[slot]:
                loss = mean_over(state.public_worth, sets[slot], copies)
            if loss < least - 1e-9:
                cheapest, least = slot, loss
    return cheapest, least


@hot
def fill_situation(view, state, options):
    """Fill ``state.situation``, and the losses that moves are judged by."""
    fill_losses(view, state, options)
    seat, tokens, public = seat_at(view, 1), view.tokens, public_copies(state)
    for slot in range(view.hand_size):
        mask = state.sets[seat, slot]
        state.before[slot] = mask
        state.before_loss[slot] = mean_over(state.public_worth, mask, public)
    fill_partner(view, state, state.before, state.playable, state.dead, True)
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
        state.p_own[slot] = chance(copies, state.own[slot], state.playable)
        if not is_sure:
            best = max(best, state.p_own[slot])
        state.slot_loss[slot] = mean_over(state.own_loss, state.own[slot], copies)
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
    state.useless = useless_slots(view, state.own[:], state.dead)
    state.useless_for_all = useless_slots(view, state.sets[view.seat], state.dead)
    n = write(state.situation, n, (
        flag(n_sure >= 1), flag(n_sure >= 2), best, n_untold / 5, cheapest,
        flag(state.useless != 0), flag(state.useless_for_all != 0),
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
def sets_after(view, state, budget):
    """What the partner knows of its hand after a message of some values, the last sum of hats."""
    seat = seat_at(view, 1)
    return state.told[seat] if budget >= 2 else state.sets[seat]


@hot
def fill_play(view, state, slot, is_public, budget):
    """Describe the play of an own card that is a message with some values, or none."""
    mask, copies = state.own[slot], own_copies(state)
    p = state.p_own[slot]
    good, bad = mask & state.playable, mask & ~state.playable
    total, ranks, tops, follows, held, urgency = 0, 0.0, 0, 0, 0, 0
    rest = good
    while rest:
        card = lowest_card(rest)
        rest &= rest - 1
        n = max(1, n_copies(copies, BIT[card]))
        total += n
        ranks += n * (card % 5)
        tops += n * (card % 5 == view.ranks - 1)
        is_held = BIT[card] & state.visible != 0
        held += n * is_held
        urgency += n * urgency_of(card, 1 + is_held)
        if card % 5 < view.ranks - 1:
            follows += n * (BIT[card + 1] & state.visible != 0)
    share = p / max(1, total)
    playable, dead, tokens = state.playable, state.dead, view.tokens + (share * tops > 0.5)
    if is_one(good) and bad == 0:
        playable &= ~good
        dead |= good
        if tops == 0:
            playable |= (good << 1) & ~dead
    if budget >= 2 or playable != state.playable:
        is_last = tokens == 0
        fill_partner(view, state, sets_after(view, state, budget), playable, dead, is_last)
    else:
        state.partner[:] = state.partner_now[:]
    fill_after(state, tokens)
    risk = mean_over(state.own_loss, bad, copies) * (1 - p) if bad else 0.0
    spare = min(n_spare(view), 6) / 10
    has_sure = state.situation[HAS_SURE]
    write(state.features[state.n_weighed], N_AFTER, (
        1 - p, (1 - p) * (view.lives == 3), (1 - p) * (view.lives == 2), (1 - p) * (1 - p),
        (1 - p) * spare, risk, (1 - p) * chance(copies, mask, state.dead),
        flag(bad != 0), flag(bad != 0) * has_sure,
        share * ranks / 4, share * tops, share * tops * (view.tokens == view.max_tokens),
        share * tops * (view.tokens <= 1), share * follows, share * held,
        share * held * (state.situation[PARTNER_KNOWS] > 0), flag(is_public), flag(budget >= 2),
        urgency / max(1, total) / 540, flag(is_one(mask)),
    ))  # fmt: skip


@hot
def fill_hint(view, state, move, budget):
    """Describe the hint that announces the number."""
    seat, copies, words, gain = seat_at(view, 1), public_copies(state), named_mask(view, move), 0.0
    sets = sets_after(view, state, budget)
    for slot in range(view.hand_size):
        card, mask = view.card[seat, slot], sets[slot]
        state.hand[slot] = mask
        if card < 0:
            continue
        told = mask & words if BIT[card] & words else mask & ~words
        if told:
            state.hand[slot] = told
        n_before, n_after = n_copies(copies, state.before[slot]), n_copies(copies, state.hand[slot])
        gain += (LOG2[n_before] - LOG2[n_after]) / 5
    tokens = view.tokens - 1
    fill_partner(view, state, state.hand, state.playable, state.dead, True)
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
    live, ranks = mask & ~state.dead, 0.0
    for rank in range(1, view.ranks):
        ranks += rank * n_assumed(copies, live & RANK_MASK[rank])
    following = state.playable << 1 & ~RANK_MASK[0]
    soon = n_assumed(copies, live & (state.playable | following))
    share = (1 - p_dead) / max(1, n_assumed(copies, live))
    is_early = state.situation[IS_EARLY]
    write(state.features[state.n_weighed], N_AFTER, (
        flag(is_message), flag(is_safe), loss, loss * (not is_safe), loss * is_early,
        loss * max(0.0, 0.5 - n_spare(view) / 10), loss * loss / 5,
        p_dead, p_last, p_last * is_early, chance(copies, mask, state.playable),
        chance(copies, mask, state.visible), share * ranks / 4, share * soon,
        slot / 4, flag(slot == 0), flag(view.told[view.seat, slot] != 0),
        LOG2[popcount(mask)] / 4,
    ))  # fmt: skip
