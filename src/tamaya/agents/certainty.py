"""Bouzy's certainty player: hints mean what they say, and only sure cards are played.

In order: play the oldest card that is surely playable; discard the oldest that is surely worthless;
give the hint worth most; discard the oldest card. A hint is worth 1 for each playable card and
``useless`` for each worthless card whose holder learns something about it and was not yet certain.
Ties go to the next seat first, ranks before colours, low values first.

Bouzy's text does not specify the values. ``useless=0.5`` is our choice; it scores higher than his
table for 2 and 3 players and up to half a point lower for 5. ``spare=true`` discards the oldest
card that no hint has touched, and is weaker for no number of players.
"""

from tamaya.agent import agent
from tamaya.cards import COLOUR_NAMES, cards_text
from tamaya.compiled import hot
from tamaya.game_kernels import legal_mask, nth_move
from tamaya.knowledge.board import board_now
from tamaya.knowledge.copies import own_mask
from tamaya.knowledge.hands import seat_at
from tamaya.knowledge.literal import best_hint, idle_hint, sure_slot
from tamaya.knowledge.sets import is_subset
from tamaya.moves import HINT_RANK, NO_MOVE, discard, kind_of, offset_of, play, value_of


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
    board = board_now(view)
    slot = sure_slot(view, board.playable)
    if slot >= 0:
        return play(view, slot)
    slot = sure_slot(view, board.dead)
    if slot >= 0 and view.tokens < view.max_tokens:
        return discard(view, slot)
    if view.tokens > 0:
        move = best_hint(view, board, params.useless)
        if move == NO_MOVE and view.tokens == view.max_tokens:
            move = idle_hint(view)
        if move != NO_MOVE:
            return move
    if params.spare and view.tokens < view.max_tokens:
        return discard(view, oldest_untouched(view))
    # The lowest legal id discards the oldest card; under rules without tokens it plays it.
    return nth_move(legal_mask(view), 0)


@certainty.explain
def explain_certainty(view, memory, params):
    """What each own card can be, and the best hint."""
    board = board_now(view)
    rows = []
    for slot in range(view.hand_size):
        if view.order[view.seat, slot] < 0:
            continue
        mask = int(own_mask(view, slot))
        if is_subset(mask, int(board.playable)):
            verdict = "surely playable"
        elif is_subset(mask, int(board.dead)):
            verdict = "surely worthless"
        else:
            verdict = "uncertain"
        rows.append((f"slot {slot} {verdict}", cards_text(mask)))
    move = best_hint(view, board, float(params.useless))
    if move != NO_MOVE:
        kind = "rank" if kind_of(view, move) == HINT_RANK else "colour"
        value = value_of(view, move)
        shown = value + 1 if kind == "rank" else COLOUR_NAMES[value]
        rows.append(("best hint", f"{kind} {shown} to seat {seat_at(view, offset_of(view, move))}"))
    return rows
