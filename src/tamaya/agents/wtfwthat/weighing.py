"""Weighing: at a table of two, a small network chooses between plays, the hint and discards.

What a move tells everybody does not depend on why it was made, so a player is free to choose the
kind of move by anything that it sees. The network estimates, up to a constant, the final score
after each sensible move, from its ``prospects``; it was trained on the outcomes of games that were
played on after each of them (``benchmarks/information_network.py``). It has one layer of hidden
units for each kind of move, and the part of it that depends on the position alone is computed once.
"""

import numpy as np

from tamaya.agents.wtfwthat.hats import exclude_playable, hat_sum
from tamaya.agents.wtfwthat.hints import hint_of, n_messages
from tamaya.agents.wtfwthat.layer import add_inputs, add_outputs
from tamaya.agents.wtfwthat.prospects import (
    PARTNER_KNOWS,
    PARTNER_UNAWARE,
    fill_discard,
    fill_hint,
    fill_partner,
    fill_play,
    fill_situation,
    sets_after,
)
from tamaya.agents.wtfwthat.rule_names import (
    DISCARDED_NUMBER,
    HINT,
    LIKELY,
    PLAYED_NUMBER,
    RISK,
    SURE,
    USELESS,
)
from tamaya.agents.wtfwthat.slots import nth_slot, playable_slots
from tamaya.compiled import hot, popcount
from tamaya.game_kernels import SLOT_BIT
from tamaya.knowledge.sets import is_subset, lowest_card
from tamaya.moves import NO_MOVE, discard, play

PLAYS, HINTS, DISCARDS = 0, 1, 2
LEAST_CHANCE = 0.3  # of being playable, for a card that is worth weighing
N_RISKS = 3  # discards that are weighed if none is known to be useless


@hot
def message_slot(view, state, slots, options):
    """The one of several equally good slots that announces the sum; -1 if there are fewer."""
    n = popcount(slots)
    return nth_slot(slots, hat_sum(view, state, n, options)) if n >= 2 else -1


@hot
def can_play(view, state, slot, public, message):
    """Whether a play is worth weighing; among publicly playable cards only the message is."""
    if state.own[slot] == 0 or (message >= 0 and public & SLOT_BIT[slot] and slot != message):
        return False
    p = state.p_own[slot]
    return p >= LEAST_CHANCE and (p >= 1 or view.lives > 1)


@hot
def cheap_slots(view, state):
    """The slots whose discard costs least."""
    found = 0
    for _ in range(N_RISKS):
        best, least = -1, 1e9
        for slot in range(view.hand_size):
            if state.own[slot] and not found & SLOT_BIT[slot]:
                loss = state.slot_loss[slot]
                if loss < least - 1e-9:
                    best, least = slot, loss
        if best >= 0:
            found |= SLOT_BIT[best]
    return found


@hot
def keep(state, move, rule):
    """Note a move whose features are filled, and which rule it follows."""
    n = state.n_weighed
    state.weighed[n] = move
    state.rules[n] = rule
    state.n_weighed = n + 1


@hot
def weigh_plays(view, state, options):
    """Note the plays worth weighing."""
    public = playable_slots(view, state.sets[view.seat], state.playable)
    message = message_slot(view, state, public, options)
    for slot in range(view.hand_size):
        if can_play(view, state, slot, public, message):
            budget = popcount(public) if slot == message else 0
            fill_play(view, state, slot, public & SLOT_BIT[slot] != 0, budget)
            rule = SURE if is_subset(state.own[slot], state.playable) else LIKELY
            rule = PLAYED_NUMBER if slot == message else rule
            keep(state, play(view, slot), rule)


@hot
def weigh_hint(view, state, options):
    """Note the hint that announces the sum, if there is one."""
    budget = n_messages(view, state, view.seat, options) if view.tokens > 0 else 0
    if budget == 0:
        return
    move = hint_of(view, state, hat_sum(view, state, budget, options), options)
    if move != NO_MOVE:
        fill_hint(view, state, move, budget)
        keep(state, move, HINT)


@hot
def may_discard(view, state):
    """Whether a discard is legal and does not say wrongly that the partner knows its plays."""
    if view.tokens >= view.max_tokens and not view.discard_at_full:
        return False
    return view.tokens == 0 or state.situation[PARTNER_UNAWARE] == 0


@hot
def weigh_discards(view, state, options):
    """Note the discards worth weighing: of useless cards the message, or else the cheapest."""
    if view.tokens > 0:
        exclude_playable(view, state, view.seat)
    public, private = state.useless_for_all, state.useless
    message, budget = message_slot(view, state, public, options), 0
    if message >= 0:
        slots, rule, budget = SLOT_BIT[message], DISCARDED_NUMBER, popcount(public)
    elif private:
        slots, rule = SLOT_BIT[lowest_card(private)], USELESS
    else:
        slots, rule = cheap_slots(view, state), RISK
    if budget == 0 and (view.tokens == 0 or state.situation[PARTNER_KNOWS] > 0):
        state.partner[:] = state.partner_now[:]  # a discard tells nothing
    else:
        sets = sets_after(view, state, budget)
        fill_partner(view, state, sets, state.playable, state.dead, False)
    for slot in range(view.hand_size):
        if slots & SLOT_BIT[slot]:
            fill_discard(view, state, slot, rule != RISK, message >= 0)
            keep(state, discard(view, slot), rule)


@hot
def kind_of_rule(rule):
    """The kind of the moves that follow a rule."""
    if rule == HINT:
        return HINTS
    return DISCARDS if rule in (DISCARDED_NUMBER, USELESS, RISK) else PLAYS


@hot
def fill_values(state, network):
    """Fill what the network says of each move; moves of a kind are next to each other.

    All at the end: each value is a long chain of additions, and the processor computes several
    such chains at a time if nothing else lies between them.
    """
    last, bypass = -1, np.float32(0.0)
    for n in range(state.n_weighed):
        kind = kind_of_rule(state.rules[n])
        if kind != last:
            last = kind
            bypass = add_inputs(
                state.units_before, network.bias[kind], network.by_situation[kind],
                network.direct_situation[kind], state.situation, np.float32(0.0),
            )  # fmt: skip
        value = add_inputs(
            state.units, state.units_before, network.by_move[kind], network.direct_move[kind],
            state.features[n], bypass,
        )  # fmt: skip
        state.values[n] = add_outputs(state.units, network.out[kind], value)


@hot
def weigh(view, state, network, options):
    """The move that the network prefers, or NO_MOVE if there is none to weigh."""
    fill_situation(view, state, options)
    weigh_plays(view, state, options)
    weigh_hint(view, state, options)
    if may_discard(view, state):
        weigh_discards(view, state, options)
    fill_values(state, network)
    best = -1
    for k in range(state.n_weighed):
        if best < 0 or state.values[k] > state.values[best]:
            best = k
    if best < 0:
        return NO_MOVE
    state.rule = state.rules[best]
    return np.int64(state.weighed[best])
