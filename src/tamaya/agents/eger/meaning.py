"""What Eger's players mean by a hint, and what they read into one.

A hint is read card by card: a card that it touches is to be played if it may be playable, and to be
discarded if it may have been played already. The hinter knows what it wants of each card, its
*intention*, and gives no hint that would be read otherwise.

Both sides reason with what hints left possible; they do not count cards.
"""

from tamaya.cards import BIT, COLOUR_MASK, RANK_MASK
from tamaya.compiled import hot
from tamaya.knowledge.hints import after_hint, is_news
from tamaya.moves import NO_MOVE, hint_colour, hint_rank

KEEP, PLAY, DISCARD, MAY_DISCARD = 0, 1, 2, 3
COLOUR_ORDER = (2, 1, 3, 4, 0)  # green, yellow, white, blue, red: that of the program


@hot
def reading(possible, board):
    """What a hint asks to do with a card that it touched, given what is possible after it."""
    if possible & board.playable:
        return PLAY
    return DISCARD if possible & board.played else KEEP


@hot
def intention(view, card, board):
    """What the partner should do with a card."""
    if BIT[card] & board.playable:
        return PLAY
    if BIT[card] & board.played:
        return DISCARD
    if card % 5 < view.ranks - 1 and view.discarded[card] == 0:
        return MAY_DISCARD
    return KEEP


@hot
def agrees(read, intended):
    """Whether what is read into a hint is harmless."""
    if read == DISCARD:
        return intended in (DISCARD, MAY_DISCARD)
    return read in (KEEP, intended)


@hot
def worth(read, intended):
    """Points for a card that is read as intended."""
    if read == PLAY:
        return 3
    if read == DISCARD:
        return 2 if intended == DISCARD else 1
    return 0


@hot
def is_informative(view, seat, mask):
    """Whether a hint says something new about a card that it touches."""
    for slot in range(view.hand_size):
        card = view.card[seat, slot]
        if card >= 0 and BIT[card] & mask and is_news(view, seat, slot, mask):
            return True
    return False


@hot
def read_in(view, seat, slot, mask, board):
    """What a seat would read into a hint about the card in a slot."""
    if not BIT[view.card[seat, slot]] & mask:
        return KEEP
    return reading(after_hint(view, seat, slot, mask), board)


@hot
def hint_score(view, seat, mask, board):
    """Points of a hint; 0 if it says nothing or would be misread."""
    if not is_informative(view, seat, mask):
        return 0
    score = 0
    for slot in range(view.hand_size):
        card = view.card[seat, slot]
        if card < 0:
            continue
        read, intended = read_in(view, seat, slot, mask, board), intention(view, card, board)
        if not agrees(read, intended):
            return 0
        score += worth(read, intended)
    return score


@hot
def nth_mask(view, k):
    """Cards that the k-th of ten hints names, colours first; none if they are not in the game."""
    if k < 5:
        return COLOUR_MASK[COLOUR_ORDER[k]] & view.all_cards
    return RANK_MASK[k - 5] & view.all_cards


@hot
def nth_hint(view, k):
    """The move that gives the k-th hint to the partner."""
    return hint_colour(view, 1, COLOUR_ORDER[k]) if k < 5 else hint_rank(view, 1, k - 5)


@hot
def best_hint(view, board):
    """The hint with most points, the first of those, or NO_MOVE."""
    best, most = NO_MOVE, 0
    for k in range(10):
        score = hint_score(view, 1 - view.seat, nth_mask(view, k), board)
        if score > most:
            best, most = nth_hint(view, k), score
    return best


@hot
def asked_slot(view, wanted, board):
    """Lowest own slot of which the partner's last move, a hint, is read as wanted; or -1."""
    if view.n_moves == 0:
        return -1
    event = view.history[view.n_moves - 1]
    if event.target != view.seat:
        return -1
    for slot in range(view.hand_size):
        if event.touched >> slot & 1 and reading(view.possible[view.seat, slot], board) == wanted:
            return slot
    return -1
