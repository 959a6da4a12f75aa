"""Decisions: play what is sure, gamble a little, then hint or discard."""

from tamaya.agents.wtfwthat.discards import cheapest_slot, least_loss, original_slot
from tamaya.agents.wtfwthat.endgame import HINT_IS_BETTER, NOTHING_KNOWN, best_end, fill_held
from tamaya.agents.wtfwthat.hats import exclude_playable, has_playable, hat_sum, knows_playable
from tamaya.agents.wtfwthat.hints import hint_of, n_messages
from tamaya.agents.wtfwthat.plays import harmless_slot, likely_slot, only_slot, sure_slot
from tamaya.agents.wtfwthat.public_state import fill_now, fill_own
from tamaya.agents.wtfwthat.rule_names import (
    DISCARDED_NUMBER,
    GAMBLE,
    GUESS,
    HINT,
    PASS,
    PLAYED_NUMBER,
    RISK,
    SURE,
    USELESS,
    WAIT,
)
from tamaya.agents.wtfwthat.slots import nth_slot, playable_slots, useless_slots
from tamaya.agents.wtfwthat.weighing import weigh
from tamaya.cards import COLOUR_MASK, RANK_MASK
from tamaya.compiled import hot, popcount
from tamaya.knowledge.board import n_discarded
from tamaya.knowledge.hands import seat_at
from tamaya.knowledge.literal import lawful
from tamaya.knowledge.sets import lowest_card
from tamaya.moves import NO_MOVE, discard, play


@hot
def is_early(view):
    """Whether a card can be spared: all points can still be scored before the last round."""
    slack = view.n_all - view.colours * view.ranks - view.players * view.hand_size
    return n_discarded(view) <= slack


@hot
def choose_hint(view, state, options):
    """The hint that announces the sum of hats, or NO_MOVE if none is possible."""
    n = n_messages(view, state, view.seat, options)
    if n == 0:
        return NO_MOVE
    return hint_of(view, state, hat_sum(view, state, n, options), options)


@hot
def choose_play(view, state, options):
    """A play that is sure or worth risking a life, or NO_MOVE."""
    slot = sure_slot(view, state)
    if slot >= 0:
        return choose_sure(view, state, slot, options)
    if view.lives < 2:
        return NO_MOVE
    is_last_round = options.guess and view.deck_size == 0
    if is_last_round:
        state.rule = GUESS
        slot = only_slot(view, state)
    if slot < 0 and (is_last_round or is_early(view)):
        state.rule = GAMBLE
        slot = likely_slot(view, state, 0.0 if is_last_round else options.gamble)
    return play(view, slot) if slot >= 0 else NO_MOVE


@hot
def choose_sure(view, state, slot, options):
    """Which of the surely playable cards to play, given the most urgent one, or a hint instead."""
    end = NOTHING_KNOWN
    if view.deck_size < options.endgame:
        end = best_end(view, state)
        if end == HINT_IS_BETTER:
            state.rule = WAIT
            move = choose_hint(view, state, options)
            if move != NO_MOVE:
                return move
    known = playable_slots(view, state.sets[view.seat], state.playable)
    state.rule = SURE
    if options.plays and popcount(known) >= 2:
        state.rule = PLAYED_NUMBER
        slot = nth_slot(known, hat_sum(view, state, popcount(known), options))
    elif end >= 0:
        slot = end
    return play(view, slot)


@hot
def n_able(view, state):
    """How many other seats hold a playable card, and how many of them know of none."""
    n, n_unaware = 0, 0
    for offset in range(1, view.players):
        seat = seat_at(view, offset)
        if has_playable(view, state, seat):
            n += 1
            if not knows_playable(view, state, seat):
                n_unaware += 1
    return n, n_unaware


@hot
def n_waiting(view, state):
    """Points that wait for cards that the mover neither sees nor recognises."""
    fill_held(view, state)
    seen = 0
    for seat in range(view.players):
        seen |= state.held[seat]
    tops = state.playable & ~state.dead  # of each colour the first card beyond those seen
    while tops & seen:
        tops = (tops & ~seen) | ((tops & seen) << 1 & ~RANK_MASK[0] & ~state.dead)
    n = 0
    for colour in range(view.colours):
        top = tops & COLOUR_MASK[colour]
        if top:
            n += popcount(COLOUR_MASK[colour] & view.all_cards & ~state.dead & ~(top - 1))
    return n


@hot
def should_dig(view, state, options):
    """Whether to get at the cards in the deck, with turns to spare and many points behind them."""
    n_spare = view.points + view.deck_size + view.turns_left - view.colours * view.ranks
    if view.deck_size == 0 or n_spare < options.dig:
        return False
    return n_waiting(view, state) >= options.waiting


@hot
def is_hint_due(view, state, has_useless, options):
    """Whether to hint rather than discard."""
    if view.tokens == 0:
        return False
    is_old = options.version == 2018
    if view.tokens >= view.max_tokens and not (is_old and view.discard_at_full):
        return True
    n, n_unaware = n_able(view, state)
    if is_old:
        return n > 0 and not (has_useless and is_early(view))
    if n_unaware > 0:
        return True
    if has_useless and (is_early(view) or should_dig(view, state, options)):
        return False
    if n > 0:
        return True
    if view.tokens >= (options.limit if is_early(view) else options.late_limit):
        return True
    return view.tokens >= options.risk_tokens and least_loss(view, state, options) > options.risk


@hot
def choose_discard(view, state, private, options):
    """A discard: of useless cards the one that announces the sum, else a useless one, else any."""
    if view.tokens > 0 and options.version != 2018:
        exclude_playable(view, state, view.seat)
    public = useless_slots(view, state.sets[view.seat], state.dead)
    if popcount(public) >= 2:
        state.rule = DISCARDED_NUMBER
        return discard(view, nth_slot(public, hat_sum(view, state, popcount(public), options)))
    if private:
        state.rule = USELESS
        return discard(view, lowest_card(private))
    state.rule = RISK
    slot = cheapest_slot(view, state, options) if options.losses else original_slot(view, state)
    return discard(view, slot)


@hot
def decide(view, memory, params, state):
    """The move of the mover; ``state.rule`` tells which rule decided it."""
    options = params.options[view.players]
    state.rule = 0
    state.n_weighed = 0
    fill_now(view, memory, state, options.deduce)
    fill_own(view, state, options.deduce)
    if options.weigh and view.players == 2 and view.deck_size > 0:
        move = weigh(view, state, params.network, options)
        if move != NO_MOVE:
            return lawful(view, move)
    move = choose_play(view, state, options)
    if move != NO_MOVE:
        return move
    private = useless_slots(view, state.own[:], state.dead)
    if is_hint_due(view, state, private != 0, options):
        state.rule = HINT
        move = choose_hint(view, state, options)
        if move == NO_MOVE and view.lives > 1:  # a discard would imply that nobody needs a hint
            state.rule = PASS
            move = play(view, harmless_slot(view, state))
        if move != NO_MOVE:
            return move
    return lawful(view, choose_discard(view, state, private, options))
