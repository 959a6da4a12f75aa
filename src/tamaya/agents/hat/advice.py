"""Recommendations: which card of a visible hand its owner should play or discard.

A recommendation is a number: h < hand size plays slot h, otherwise it discards slot h - hand size.
It depends only on the hand and on what everybody knows, because everybody but the owner computes
it. Each list assigns every card a value; the card with the highest value is recommended (ties go to
the oldest), for play if its value is that of a playable card.
"""

from tamaya.cards import BIT
from tamaya.compiled import hot
from tamaya.knowledge.board import board_with, critical_cards
from tamaya.knowledge.copies import undiscarded

PLAY_WORTH = 100  # at least, of a playable card
TEXT, PROGRAM, COUNTING = 0, 1, 2


@hot
def text_worth(view, card, playable, dead, critical):
    """Cox's article: a playable 5, the lowest playable, a dead card, the highest not critical."""
    bit, rank = BIT[card], card % 5
    if bit & playable:
        return PLAY_WORTH + (9 if rank == view.ranks - 1 else 5 - rank)
    if bit & dead:
        return 50
    return 0 if bit & critical else 10 + rank


@hot
def program_worth(view, card, slot, playable, dead):
    """Cox's program HanSim: ties by colour, and every card with a copy discarded is kept."""
    bit, key = BIT[card], 5 * (card % 5) + card // 5
    if bit & playable:
        return PLAY_WORTH + (50 + slot if card % 5 == view.ranks - 1 else 25 - key)
    if bit & dead:
        return 60 + key
    if view.discarded[card] == 0 and card % 5 < view.ranks - 1:
        return 20 + key
    return slot


@hot
def counting_worth(view, card, playable, dead, critical):
    """Like the article, but among critical cards the highest is discarded first."""
    worth = text_worth(view, card, playable, dead, critical)
    return worth if worth > 0 else card % 5


@hot
def advice(view, seat, style, facts):
    """The recommendation for a hand; facts as ``advice_facts`` returns them."""
    playable, dead, critical = facts
    best, most = 0, -1
    for slot in range(view.hand_size):
        card = view.card[seat, slot]
        if card < 0:
            continue
        if style == PROGRAM:
            worth = program_worth(view, card, slot, playable, dead)
        elif style == TEXT:
            worth = text_worth(view, card, playable, dead, critical)
        else:
            worth = counting_worth(view, card, playable, dead, critical)
        if worth > most:
            best, most = slot, worth
    return best if most >= PLAY_WORTH else view.hand_size + best


@hot
def advice_facts(view, style):
    """Playable, dead and critical cards; for Cox dead means played."""
    left = undiscarded(view)
    board = board_with(view, left)
    dead = board.dead if style == COUNTING else board.played
    return board.playable, dead, critical_cards(left, dead)
