"""Decisions: play what is sure, gamble a little, then hint or discard."""

from tamaya.agents.hat.board import lawful
from tamaya.agents.rules.facts import lowest_card
from tamaya.agents.wtfwthat.desk import lay_now, lay_own
from tamaya.agents.wtfwthat.discards import cheapest_slot, least_loss, original_slot
from tamaya.agents.wtfwthat.endgame import HINT_IS_BETTER, NOTHING_KNOWN, best_end
from tamaya.agents.wtfwthat.hats import exclude_playable, has_playable, hat_sum, knows_playable
from tamaya.agents.wtfwthat.hints import hint_of, n_messages
from tamaya.agents.wtfwthat.plays import harmless_slot, likely_slot, only_slot, sure_slot
from tamaya.agents.wtfwthat.slots import nth_slot, playable_slots, useless_slots
from tamaya.compiled import hot, popcount
from tamaya.moves import NO_MOVE, discard, play
from tamaya.view import seat_at

# Rules, in ``desk.rule``.
SURE, PLAYED_NUMBER, GUESS, GAMBLE = 1, 2, 3, 4
HINT, WAIT, PASS = 5, 6, 7
DISCARDED_NUMBER, USELESS, RISK = 8, 9, 10


@hot
def is_early(view):
    """Whether a card can be spared: all points can still be made before the last round."""
    n_discarded = view.n_all - view.deck_size - view.points
    for seat in range(view.players):
        n_discarded -= view.n_cards[seat]
    slack = view.n_all - view.colours * view.ranks - view.players * view.hand_size
    return n_discarded <= slack


@hot
def choose_hint(view, desk, options):
    """The hint that announces the sum of hats, or NO_MOVE if there can be none."""
    n = n_messages(view, desk, view.seat, options)
    if n == 0:
        return NO_MOVE
    return hint_of(view, desk, hat_sum(view, desk, n, options), options)


@hot
def choose_play(view, desk, options):
    """A play that is sure or worth a life, or NO_MOVE."""
    slot = sure_slot(view, desk)
    if slot >= 0:
        return choose_sure(view, desk, slot, options)
    if view.lives < 2:
        return NO_MOVE
    is_last_round = options.guess and view.deck_size == 0
    if is_last_round:
        desk.rule = GUESS
        slot = only_slot(view, desk)
    if slot < 0 and (is_last_round or is_early(view)):
        desk.rule = GAMBLE
        slot = likely_slot(view, desk, 0.0 if is_last_round else options.gamble)
    return play(view, slot) if slot >= 0 else NO_MOVE


@hot
def choose_sure(view, desk, slot, options):
    """Which of the surely playable cards to play, given the most urgent one, or a hint instead."""
    end = NOTHING_KNOWN
    if view.deck_size < options.endgame:
        end = best_end(view, desk)
        if end == HINT_IS_BETTER:
            desk.rule = WAIT
            move = choose_hint(view, desk, options)
            if move != NO_MOVE:
                return move
    known = playable_slots(view, desk.sets[view.seat], desk.playable)
    desk.rule = SURE
    if options.plays and popcount(known) >= 2:
        desk.rule = PLAYED_NUMBER
        slot = nth_slot(known, hat_sum(view, desk, popcount(known), options))
    elif end >= 0:
        slot = end
    return play(view, slot)


@hot
def n_able(view, desk):
    """How many other seats hold a playable card, and how many of them know of none."""
    n, n_unaware = 0, 0
    for offset in range(1, view.players):
        seat = seat_at(view, offset)
        if has_playable(view, desk, seat):
            n += 1
            if not knows_playable(view, desk, seat):
                n_unaware += 1
    return n, n_unaware


@hot
def is_hint_due(view, desk, has_useless, options):
    """Whether to hint rather than to discard."""
    if view.tokens == 0:
        return False
    is_old = options.version == 2018
    if view.tokens >= view.max_tokens and not (is_old and view.discard_at_full):
        return True
    n, n_unaware = n_able(view, desk)
    if is_old:
        return n > 0 and not (has_useless and is_early(view))
    if n_unaware > 0:
        return True
    if has_useless and is_early(view):
        return False
    if n > 0:
        return True
    if view.tokens >= (options.limit if is_early(view) else options.late_limit):
        return True
    return view.tokens >= options.risk_tokens and least_loss(view, desk, options) > options.risk


@hot
def choose_discard(view, desk, private, options):
    """A discard: of useless cards the one that announces the sum, else a useless one, else any."""
    if view.tokens > 0 and options.version != 2018:
        exclude_playable(view, desk, view.seat)
    public = useless_slots(view, desk.sets[view.seat], desk.dead)
    if popcount(public) >= 2:
        desk.rule = DISCARDED_NUMBER
        return discard(view, nth_slot(public, hat_sum(view, desk, popcount(public), options)))
    if private:
        desk.rule = USELESS
        return discard(view, lowest_card(private))
    desk.rule = RISK
    slot = cheapest_slot(view, desk, options) if options.losses else original_slot(view, desk)
    return discard(view, slot)


@hot
def decide(view, memory, options, desks):
    """The move of the mover; ``desks[0].rule`` tells which rule decided it."""
    desk = desks[0]
    desk.rule = 0
    lay_now(view, memory, desk, options.deduce)
    lay_own(view, desk, options.deduce)
    move = choose_play(view, desk, options)
    if move != NO_MOVE:
        return move
    private = useless_slots(view, desk.own[:], desk.dead)
    if is_hint_due(view, desk, private != 0, options):
        desk.rule = HINT
        move = choose_hint(view, desk, options)
        if move == NO_MOVE and view.lives > 1:  # a discard would say that nobody needs a hint
            desk.rule = PASS
            move = play(view, harmless_slot(view, desk))
        if move != NO_MOVE:
            return move
    return lawful(view, choose_discard(view, desk, private, options))
