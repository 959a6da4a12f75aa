"""Discards of cards that may be useful: which one, and how much it costs."""

from tamaya.agents.wtfwthat.public_state import chance, own_copies, public_copies
from tamaya.cards import BIT, COLOUR_MASK, RANK_MASK
from tamaya.compiled import hot, popcount
from tamaya.knowledge.copies import cards_in, n_copies
from tamaya.knowledge.sets import lowest_card
from tamaya.simd_masks import masked_sum

_SLIGHTLY = 1e-9  # tolerance, so that sums of the same terms in another order are equal


@hot
def original_slot(view, state):
    """Own slot to discard by the original's formula."""
    best, most = 0, -1.0
    copies = own_copies(state)
    for slot in range(view.hand_size):
        mask = state.own[slot]
        if mask == 0:
            continue
        score = 20 * chance(copies, mask, state.visible)
        score += 10 * chance(copies, mask, ~state.critical)
        for rank in range(view.ranks):
            score += (rank + 1) * chance(copies, mask, RANK_MASK[rank])
        if score > most + _SLIGHTLY:
            best, most = slot, score
    return best


@hot
def fill_losses(view, state, options):
    """Fill the cost of losing each card: all points from it up, or a share if there are copies.

    Dead cards cost nothing. Multiplied by copies once, they can be added up for any set of cards.
    """
    own, public = own_copies(state), public_copies(state)
    state.own_loss[:] = 0.0
    state.public_worth[:] = 0.0
    state.worth[:] = 0.0
    for colour in range(view.colours):
        live = COLOUR_MASK[colour] & view.all_cards & ~state.dead
        points = popcount(live)
        while live:
            card = lowest_card(live)
            bit = BIT[card]
            live ^= bit
            worth = points if bit & state.critical else points * options.spare
            loss = points * options.seen if bit & state.visible else worth
            if bit & state.playable:
                worth += options.tempo
                loss += options.tempo
            state.worth[card] = worth
            state.own_loss[card] = n_assumed(own, bit) * loss
            state.public_worth[card] = n_assumed(public, bit) * worth
            points -= 1


@hot
def n_assumed(copies, cards):
    """Copies of all cards of a set together; a card without copies counts as one."""
    return n_copies(copies, cards) + popcount(cards & ~cards_in(copies))


@hot
def mean_over(losses, mask, copies):
    """Mean of some losses, already multiplied by the copies, over a set of cards."""
    return masked_sum(losses, mask) / max(1, n_assumed(copies, mask))


@hot
def mean_loss(state, slot):
    """Points that the discard of an own card costs on average.

    Added up card by card: the mean often equals ``risk`` but for the rounding, which then decides.
    """
    rest, loss = state.own[slot] & ~state.dead, 0.0
    while rest:
        loss += state.own_loss[lowest_card(rest)]
        rest &= rest - 1
    return loss / max(1, n_assumed(own_copies(state), state.own[slot]))


@hot
def cheapest(view, state, options):
    """Own slot whose discard costs least, and how much."""
    fill_losses(view, state, options)
    best, least = 0, 1e9
    for slot in range(view.hand_size):
        if state.own[slot]:
            loss = mean_loss(state, slot)
            if loss < least - _SLIGHTLY:
                best, least = slot, loss
    return best, least


@hot
def cheapest_slot(view, state, options):
    """Own slot whose discard costs least."""
    return cheapest(view, state, options)[0]


@hot
def least_loss(view, state, options):
    """Points that the cheapest discard costs on average."""
    return cheapest(view, state, options)[1]
