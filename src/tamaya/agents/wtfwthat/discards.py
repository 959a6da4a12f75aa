"""Discards of cards that may be useful: which one, and how much it costs."""

from tamaya.agents.wtfwthat.public_state import chance, own_copies
from tamaya.cards import BIT, RANK_MASK
from tamaya.compiled import hot
from tamaya.knowledge.board import reachable_rank
from tamaya.knowledge.copies import n_copies
from tamaya.knowledge.sets import lowest_card

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
    """Fill the cost of losing each card: all points from it up, or a share if there are copies."""
    for colour in range(view.colours):
        top = reachable_rank(view, colour)
        for rank in range(view.ranks):
            card = 5 * colour + rank
            bit = BIT[card]
            loss = 0.0
            if not bit & state.dead:
                loss = float(top - rank)
                if bit & state.visible:
                    loss *= options.seen
                elif not bit & state.critical:
                    loss *= options.spare
                if bit & state.playable:
                    loss += options.tempo
            state.loss[card] = loss


@hot
def loss_over(losses, mask, copies):
    """Mean of some losses over a set of cards."""
    total, loss = 0, 0.0
    while mask:
        card = lowest_card(mask)
        mask &= mask - 1
        n = max(1, n_copies(copies, BIT[card]))
        total += n
        loss += n * losses[card]
    return loss / max(1, total)


@hot
def mean_loss(state, slot):
    """Points that the discard of an own card costs on average."""
    return loss_over(state.loss, state.own[slot], own_copies(state))


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
