"""Decisions: play what is sure, gamble a little, then hint or discard."""

from tamaya.agents.hat.board import lawful
from tamaya.agents.rules.facts import n_copies
from tamaya.agents.wtfwthat.desk import chance, lay_now, lay_own, lies_in
from tamaya.agents.wtfwthat.endgame import best_end
from tamaya.agents.wtfwthat.hats import exclude_playable, has_playable, hat_sum, knows_playable
from tamaya.agents.wtfwthat.hints import hint_of, n_messages
from tamaya.agents.wtfwthat.slots import nth_slot, playable_slots, useless_slots
from tamaya.cards import BIT, RANK_MASK
from tamaya.compiled import hot, popcount
from tamaya.game import holds_any
from tamaya.moves import NO_MOVE, discard, play
from tamaya.view import reachable_rank

SURE, GAMBLE, HINT, USELESS_PUBLIC, USELESS_PRIVATE, RISK, FALLBACK, SIGNAL_PLAY, GUESS, PASS, STALL = range(11)


@hot
def n_discarded(view):
    """Cards in the discard pile, lost lives included."""
    n = view.n_all - view.deck_size - view.points
    for seat in range(view.players):
        n -= view.n_cards[seat]
    return n


@hot
def is_early(view, desk, options):
    """Whether all points can still be made before the last round."""
    to_come = view.colours * view.ranks
    if options.reach:
        to_come = view.points + popcount(view.all_cards & ~desk.dead)
    slack = view.n_all - to_come - view.players * view.hand_size
    return n_discarded(view) <= slack + options.margin


@hot
def urgency(view, desk, card):
    """How urgent it is to play a card, in sixtieths: low ones that few others hold."""
    n_holders = 1
    if view.deck_size > 0:
        for seat in range(view.players):
            if seat != view.seat and holds_any(view, seat, BIT[card]):
                n_holders += 1
    return 60 * (9 - card % 5) // n_holders


@hot
def sure_play(view, desk):
    """Own slot of the most urgent card that is surely playable, or -1."""
    best, most = -1, 0.0
    for slot in range(view.hand_size):
        mask = desk.own[slot]
        if not lies_in(mask, desk.playable):
            continue
        total, worth = 0, 0
        for card in range(25):
            if mask & BIT[card]:
                n = max(1, n_copies(desk.own_ones, desk.own_twos, BIT[card]))
                total += n
                worth += n * urgency(view, desk, card)
        if worth / total > most:
            best, most = slot, worth / total
    return best


@hot
def gamble(view, desk, allowed, limit):
    """Own slot likeliest to be playable among those of allowed cards, -1 if too unlikely."""
    best, most = -1, limit
    for slot in range(view.hand_size):
        mask = desk.own[slot]
        if lies_in(mask, allowed):
            p = chance(desk.own_ones, desk.own_twos, mask, desk.playable)
            if p > most:
                best, most = slot, p
    return best


@hot
def guess(view, desk):
    """The only own slot that may be playable, or -1."""
    only = -1
    for slot in range(view.hand_size):
        if desk.own[slot] & desk.playable:
            if only >= 0:
                return -1
            only = slot
    return only


@hot
def somebody_needs_a_hint(view, desk):
    """Whether another seat holds a playable card and knows of none."""
    for seat in range(view.players):
        if seat != view.seat and has_playable(view, desk, seat):
            if not knows_playable(view, desk, seat):
                return True
    return False


@hot
def somebody_can_play(view, desk):
    """Whether another seat holds a playable card."""
    for seat in range(view.players):
        if seat != view.seat and has_playable(view, desk, seat):
            return True
    return False


@hot
def risky_slot(view, desk, options):
    """Own slot to discard when none is useless."""
    best, most = 0, -1.0
    spare = desk.visible | ~desk.critical
    for slot in range(view.hand_size):
        mask = desk.own[slot]
        if mask == 0:
            continue
        ones, twos = desk.own_ones, desk.own_twos
        score = 20 * chance(ones, twos, mask, desk.visible)
        score += 10 * chance(ones, twos, mask, ~desk.critical)
        score += options.safe * chance(ones, twos, mask, spare)
        for rank in range(view.ranks):
            score += (rank + 1) * chance(ones, twos, mask, RANK_MASK[rank])
        if score > most + 1e-9:
            best, most = slot, score
    return best


@hot
def weigh_losses(view, desk, options):
    """Points that the discard of each card costs, about."""
    for colour in range(view.colours):
        top = 5 * colour + reachable_rank(view, colour)
        for rank in range(view.ranks):
            card = 5 * colour + rank
            bit = BIT[card]
            if bit & desk.dead:
                desk.loss[card] = 0.0
                continue
            above = top - card
            if bit & desk.visible:
                desk.loss[card] = options.loss_visible * above
            elif bit & desk.critical:
                desk.loss[card] = above
            else:
                desk.loss[card] = options.loss_spare * above
            if bit & desk.playable:
                desk.loss[card] += options.loss_playable


@hot
def expected_loss(view, desk, slot):
    """Points that the discard of an own card costs, about."""
    mask, total, loss = desk.own[slot], 0, 0.0
    for card in range(25):
        if mask & BIT[card]:
            n = max(1, n_copies(desk.own_ones, desk.own_twos, BIT[card]))
            total += n
            loss += n * desk.loss[card]
    return loss / max(1, total)


@hot
def cheapest_slot(view, desk):
    """Own slot whose discard costs least."""
    best, least = 0, 1e9
    for slot in range(view.hand_size):
        if desk.own[slot]:
            loss = expected_loss(view, desk, slot)
            if loss < least - 1e-9:
                best, least = slot, loss
    return best


@hot
def least_risk(view, desk):
    """How likely the safest own card is the last copy of one that is needed and in no hand."""
    least = 1.0
    for slot in range(view.hand_size):
        mask = desk.own[slot]
        if mask != 0:
            p = chance(desk.own_ones, desk.own_twos, mask, desk.critical & ~desk.visible)
            least = min(least, p)
    return least


@hot
def is_too_risky(view, desk, options):
    """Whether any discard risks so much that a hint is better."""
    if options.losses:
        weigh_losses(view, desk, options)
        return expected_loss(view, desk, cheapest_slot(view, desk)) > options.risk
    return least_risk(view, desk) > options.risk


@hot
def does_hint(view, desk, is_useless, options):
    """Whether to hint rather than to discard."""
    if view.tokens == 0:
        return False
    if view.tokens >= view.max_tokens and not (view.discard_at_full and options.version == 2018):
        return True
    if options.version == 2018:
        return not (is_early(view, desk, options) and is_useless) and somebody_can_play(view, desk)
    if somebody_needs_a_hint(view, desk):
        return True
    if is_early(view, desk, options) and is_useless:
        return False
    if somebody_can_play(view, desk):
        return True
    if view.tokens >= (options.limit if is_early(view, desk, options) else options.late_limit):
        return True
    return view.tokens >= options.risk_tokens and is_too_risky(view, desk, options)


@hot
def harmless_slot(view, desk):
    """Own slot to play when the number cannot be told."""
    best, most = 0, -9.0
    for slot in range(view.hand_size):
        mask = desk.own[slot]
        if mask:
            p = chance(desk.own_ones, desk.own_twos, mask, desk.playable)
            p -= chance(desk.own_ones, desk.own_twos, mask, desk.critical & ~desk.playable)
            if p > most:
                best, most = slot, p
    return best


@hot
def choose_play(view, desk, options):
    """A play that is sure or worth a life, or NO_MOVE."""
    slot = sure_play(view, desk)
    if slot >= 0:
        desk.rule = SURE
        end = -2
        if view.deck_size < options.endgame:
            end = best_end(view, desk)
            if end == -1:
                desk.rule = STALL
                return NO_MOVE
        public = playable_slots(view, desk.sets[view.seat], desk.playable)
        if options.plays and popcount(public) >= 2:
            desk.rule = SIGNAL_PLAY
            slot = nth_slot(public, hat_sum(view, desk, popcount(public), options))
        elif end >= 0:
            slot = end
        return play(view, slot)
    if view.lives < 2:
        return NO_MOVE
    desk.rule = FALLBACK
    is_last_round = options.guess and view.deck_size == 0
    if is_last_round:
        desk.rule = GUESS
        slot = guess(view, desk)
    if slot < 0:
        desk.rule = GAMBLE
        if is_last_round:
            limit = 0.0
        elif not is_early(view, desk, options):
            limit = options.gamble_late
        else:
            limit = options.gamble if view.lives == 2 else options.gamble_full
        slot = gamble(view, desk, desk.playable | desk.dead, limit)
        if slot < 0:
            slot = gamble(view, desk, ~(desk.critical & ~desk.playable), options.bold)
    return play(view, slot) if slot >= 0 else NO_MOVE


@hot
def choose_discard(view, desk, public, private, options):
    """A discard: of useless cards the one that announces the sum, else a useless one, else any."""
    if view.tokens > 0 and options.version != 2018:
        exclude_playable(view, desk, view.seat)
    if popcount(public) >= 2:
        desk.rule = USELESS_PUBLIC
        return discard(view, nth_slot(public, hat_sum(view, desk, popcount(public), options)))
    if private:
        desk.rule = USELESS_PRIVATE
        return discard(view, nth_slot(private, 0))
    desk.rule = RISK
    if options.losses:
        weigh_losses(view, desk, options)
        return discard(view, cheapest_slot(view, desk))
    return discard(view, risky_slot(view, desk, options))


@hot
def decide(view, memory, options, desks):
    """The move of the mover; ``desks[0].rule`` tells which rule decided it."""
    desk = desks[0]
    lay_now(view, memory, desk, options.deduce)
    lay_own(view, desk, options.deduce)
    desk.rule = FALLBACK
    move = choose_play(view, desk, options)
    if move != NO_MOVE:
        return move
    public = useless_slots(view, desk.sets[view.seat], desk.dead)
    private = useless_slots(view, desk.own, desk.dead)
    if desk.rule == STALL or does_hint(view, desk, private != 0, options):
        budget = n_messages(view, desk, view.seat, options)
        if budget > 0:
            desk.rule = HINT
            move = hint_of(view, desk, hat_sum(view, desk, budget, options), options)
            if move == NO_MOVE and view.lives > 1:
                desk.rule = PASS
                move = play(view, harmless_slot(view, desk))
            if move != NO_MOVE:
                return move
    return lawful(view, choose_discard(view, desk, public, private, options))
