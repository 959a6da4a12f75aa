"""Bouzy's certainty player: hints mean what they say, and only sure cards are played.

In order: play the oldest card that is surely playable; discard the oldest that is surely
worthless; give the hint worth most; discard the oldest card. A hint is worth 1 for each playable
card and ``useless`` for each worthless card about which its holder learns something and was not
yet certain. Ties go to the next seat first, ranks before colours, low values first.

Bouzy's text leaves the values open. ``useless=0.5`` is the reading of this project; it is stronger
than his table for 2 and 3 players and up to half a point weaker for 5. ``spare=true`` discards the
oldest card that no hint has touched, and is nowhere weaker.
"""

from tamaya.agent import agent
from tamaya.cards import BIT, COLOUR_MASK, COLOUR_NAMES, RANK_MASK, cards_text
from tamaya.compiled import hot
from tamaya.game_kernels import is_legal, legal_mask, nth_move
from tamaya.moves import (
    HINT_RANK,
    NO_MOVE,
    discard,
    hint_colour,
    hint_rank,
    kind_of,
    offset_of,
    play,
    value_of,
)
from tamaya.view import dead_mask, is_subset, own_mask, playable_mask, seat_at


@hot
def sure_slot(view, wanted):
    """Oldest own slot whose card surely lies in a mask, or -1."""
    for slot in range(view.hand_size):
        if is_subset(own_mask(view, slot), wanted):
            return slot
    return -1


@hot
def hint_value(view, seat, hint, playable, dead, useless):
    """Worth of telling a seat which of its cards lie in the mask of a hint."""
    value = 0.0
    for slot in range(view.hand_size):
        card = view.card[seat, slot]
        possible = view.possible[seat, slot]
        if card < 0 or not BIT[card] & hint or possible & hint == possible:
            continue
        if BIT[card] & playable and not is_subset(possible, playable):
            value += 1.0
        elif BIT[card] & dead and not is_subset(possible, dead):
            value += useless
    return value


@hot
def best_hint(view, playable, dead, useless):
    """The legal hint worth most, or NO_MOVE if none is worth anything."""
    best, best_value = NO_MOVE, 0.0
    for offset in range(1, view.players):
        seat = seat_at(view, offset)
        for rank in range(view.ranks):
            value = hint_value(view, seat, RANK_MASK[rank], playable, dead, useless)
            if value > best_value:
                best, best_value = hint_rank(view, offset, rank), value
        for colour in range(view.colours):
            value = hint_value(view, seat, COLOUR_MASK[colour], playable, dead, useless)
            if value > best_value:
                best, best_value = hint_colour(view, offset, colour), value
    return best


@hot
def n_newly_touched(view, seat, hint):
    """Cards of a seat that a hint touches and says something new about."""
    n = 0
    for slot in range(view.hand_size):
        card = view.card[seat, slot]
        possible = view.possible[seat, slot]
        if card >= 0 and BIT[card] & hint and possible & hint != possible:
            n += 1
    return n


@hot
def idle_hint(view):
    """The legal hint that touches the fewest new cards, none at all if empty hints are allowed."""
    best, fewest = NO_MOVE, view.hand_size + 1
    for offset in range(1, view.players):
        seat = seat_at(view, offset)
        for rank in range(view.ranks):
            n = n_newly_touched(view, seat, RANK_MASK[rank])
            if n < fewest and is_legal(view, hint_rank(view, offset, rank)):
                best, fewest = hint_rank(view, offset, rank), n
        for colour in range(view.colours):
            n = n_newly_touched(view, seat, COLOUR_MASK[colour])
            if n < fewest and is_legal(view, hint_colour(view, offset, colour)):
                best, fewest = hint_colour(view, offset, colour), n
    return best


@hot
def oldest_untouched(view):
    """Oldest own slot that no hint has touched, the oldest of all if there is none."""
    for slot in range(view.hand_size):
        if view.order[view.seat, slot] >= 0 and not view.told[view.seat, slot]:
            return slot
    return 0


@agent("certainty", params={"useless": 0.5, "spare": False}, source="Bouzy 2017")
def certainty(view, memory, params):
    """Plays and discards only what is certain, and hints what others can play or throw away."""
    playable = playable_mask(view)
    dead = dead_mask(view)
    slot = sure_slot(view, playable)
    if slot >= 0:
        return play(view, slot)
    slot = sure_slot(view, dead)
    if slot >= 0 and view.tokens < view.max_tokens:
        return discard(view, slot)
    if view.tokens > 0:
        move = best_hint(view, playable, dead, params.useless)
        if move == NO_MOVE and view.tokens == view.max_tokens:
            move = idle_hint(view)
        if move != NO_MOVE:
            return move
    if params.spare and view.tokens < view.max_tokens:
        return discard(view, oldest_untouched(view))
    # The lowest legal id discards the oldest card; without tokens in the game it plays it.
    return nth_move(legal_mask(view), 0)


@certainty.explain
def explain_certainty(view, memory, params):
    """What the seat holds for possible in each slot, and the best hint."""
    playable, dead = playable_mask(view), dead_mask(view)
    rows = []
    for slot in range(view.hand_size):
        if view.order[view.seat, slot] < 0:
            continue
        mask = int(own_mask(view, slot))
        if is_subset(mask, playable):
            verdict = "surely playable"
        elif is_subset(mask, dead):
            verdict = "surely worthless"
        else:
            verdict = "uncertain"
        rows.append((f"slot {slot} {verdict}", cards_text(mask)))
    move = best_hint(view, playable, dead, float(params.useless))
    if move != NO_MOVE:
        kind = "rank" if kind_of(view, move) == HINT_RANK else "colour"
        value = value_of(view, move)
        shown = value + 1 if kind == "rank" else COLOUR_NAMES[value]
        rows.append(("best hint", f"{kind} {shown} to seat {seat_at(view, offset_of(view, move))}"))
    return rows
