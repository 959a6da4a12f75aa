"""Discards of cards that may be useful: which one, and how much it costs."""

from tamaya.agents.rules.facts import lowest_card, n_copies
from tamaya.agents.wtfwthat.desk import chance
from tamaya.cards import BIT, RANK_MASK
from tamaya.compiled import hot
from tamaya.view import reachable_rank

_SLIGHTLY = 1e-9  # sums of the same terms in another order are equal


@hot
def original_slot(view, desk):
    """Own slot to discard by the original's formula."""
    best, most = 0, -1.0
    ones, twos = desk.own_ones, desk.own_twos
    for slot in range(view.hand_size):
        mask = desk.own[slot]
        if mask == 0:
            continue
        score = 20 * chance(ones, twos, mask, desk.visible)
        score += 10 * chance(ones, twos, mask, ~desk.critical)
        for rank in range(view.ranks):
            score += (rank + 1) * chance(ones, twos, mask, RANK_MASK[rank])
        if score > most + _SLIGHTLY:
            best, most = slot, score
    return best


@hot
def lay_losses(view, desk, options):
    """Fill what the loss of each card costs: the points above it, or some if there are copies."""
    for colour in range(view.colours):
        top = reachable_rank(view, colour)
        for rank in range(view.ranks):
            card = 5 * colour + rank
            bit = BIT[card]
            loss = 0.0
            if not bit & desk.dead:
                loss = float(top - rank)
                if bit & desk.visible:
                    loss *= options.seen
                elif not bit & desk.critical:
                    loss *= options.spare
                if bit & desk.playable:
                    loss += options.tempo
            desk.loss[card] = loss


@hot
def mean_loss(desk, slot):
    """Points that the discard of an own card costs on average."""
    mask, total, loss = desk.own[slot], 0, 0.0
    while mask:
        card = lowest_card(mask)
        mask &= mask - 1
        n = max(1, n_copies(desk.own_ones, desk.own_twos, BIT[card]))
        total += n
        loss += n * desk.loss[card]
    return loss / max(1, total)


@hot
def cheapest(view, desk, options):
    """Own slot whose discard costs least, and how much."""
    lay_losses(view, desk, options)
    best, least = 0, 1e9
    for slot in range(view.hand_size):
        if desk.own[slot]:
            loss = mean_loss(desk, slot)
            if loss < least - _SLIGHTLY:
                best, least = slot, loss
    return best, least


@hot
def cheapest_slot(view, desk, options):
    """Own slot whose discard costs least."""
    return cheapest(view, desk, options)[0]


@hot
def least_loss(view, desk, options):
    """Points that the cheapest discard costs on average."""
    return cheapest(view, desk, options)[1]
