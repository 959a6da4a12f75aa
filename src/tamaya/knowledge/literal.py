"""Play that needs no convention: cards that are certain, and hints that mean what they say."""

from tamaya.cards import BIT
from tamaya.compiled import hot, popcount
from tamaya.game_kernels import is_legal, legal_mask, nth_move
from tamaya.knowledge.copies import own_mask
from tamaya.knowledge.hands import seat_at
from tamaya.knowledge.hints import give_hint, n_hints, newly_touched, touch_mask
from tamaya.knowledge.sets import is_subset
from tamaya.moves import NO_MOVE


@hot
def lawful(view, move):
    """The move if it is legal, otherwise the lowest legal one: the discard of the oldest card."""
    return move if is_legal(view, move) else nth_move(legal_mask(view), 0)


@hot
def sure_slot(view, wanted):
    """Lowest own slot whose card is surely in a set, or -1."""
    for slot in range(view.hand_size):
        if is_subset(own_mask(view, slot), wanted):
            return slot
    return -1


@hot
def hint_value(view, seat, mask, board, useless):
    """Value of telling a seat which of its cards a hint names.

    1 for each playable card and ``useless`` for each dead one about which the holder learns
    something and was not yet certain.
    """
    value = 0.0
    for slot in range(view.hand_size):
        card = view.card[seat, slot]
        possible = view.possible[seat, slot]
        if card < 0 or not BIT[card] & mask or possible & mask == possible:
            continue
        if BIT[card] & board.playable and not is_subset(possible, board.playable):
            value += 1.0
        elif BIT[card] & board.dead and not is_subset(possible, board.dead):
            value += useless
    return value


@hot
def best_hint(view, board, useless):
    """The hint worth most, or NO_MOVE if none is worth anything: next seat first, ranks first."""
    best, best_value = NO_MOVE, 0.0
    for offset in range(1, view.players):
        seat = seat_at(view, offset)
        for hint in range(n_hints(view)):
            value = hint_value(view, seat, touch_mask(view, hint), board, useless)
            if value > best_value:
                best, best_value = give_hint(view, offset, hint), value
    return best


@hot
def idle_hint(view):
    """The legal hint that touches the fewest new cards, none at all if empty hints are allowed."""
    best, fewest = NO_MOVE, view.hand_size + 1
    for offset in range(1, view.players):
        seat = seat_at(view, offset)
        for hint in range(n_hints(view)):
            n = popcount(newly_touched(view, seat, touch_mask(view, hint)))
            move = give_hint(view, offset, hint)
            if n < fewest and is_legal(view, move):
                best, fewest = move, n
    return best
