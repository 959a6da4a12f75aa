"""Discretion: how to play with a team that speaks a code.

To such a team every hint is a message, and a wrong message costs lives. A move is worth what it
scores and risks itself, what the partner will do after it according to the messages that everybody
heard, and what the partner's cards will then be known to be. At larger tables a hint tells several
seats something that cannot be foreseen: there it gives none, and plays its likeliest card rather.
"""

import numpy as np

from tamaya.adapt.messages import HAND, PUBLIC, hear, look, survey, weight_of
from tamaya.cards import BIT, N_CARDS
from tamaya.compiled import hot
from tamaya.game_kernels import MOVE_BIT, apply_move, copy_game, deal, legal_mask
from tamaya.knowledge.copies import count_unseen
from tamaya.knowledge.hints import named_mask, touched_slots
from tamaya.moves import DISCARD, PLAY, kind_of
from tamaya.records import GAME
from tamaya.search.workspace import draw_deal, new_workspace

# In points.
LIFE = np.array([0.0, 200.0, 20.0, 2.0])  # what a wrong play costs, by lives left
LAST_LIFE = 0.3  # the same once the deck is empty, if it is not the last life
DOUBT = 0.03  # chance that a hint which seems harmless is not
TOKEN, SPARE_TOKEN = 0.9, 0.45  # the latter if there are many
MANY_TOKENS = 4
CRITICAL, NEEDED, PLAYABLE = 0.4, 0.3, 0.45  # cards that are discarded
PER_RANK = 0.25  # of the cost of a critical card, for each rank above it
OLDER = 0.02  # by which the discard of an older card is better
AWARE = 1.0  # that the partner knows a playable card
PER_NAT = 0.1  # of knowledge about the partner's useful cards
UNKNOWN = 0.002  # least share of a true card
# A card is played surely if everybody gives it HESITANT + RANGE to be playable.
HESITANT, RANGE = 0.3, 0.4


@hot
def respond_to_code(view, code, seed):
    """The best move among players of a code, as far as it is known."""
    workspace = new_workspace(view, 1, 0.0)
    records = np.zeros(2, PUBLIC), np.zeros(1, HAND), np.zeros(1, GAME)
    public, hand = records[0][0], records[1][0]
    game = draw_deal(workspace, seed)
    listen(game, workspace.again[0], public, hand, code)
    count_unseen(view)
    survey(view, public)
    other = (np.int64(view.seat) + 1) % view.players
    look(view, public, code, other, hand)
    outlook, known = prospects(view, view, public, hand, other)
    if view.players > 2:
        outlook = 0.0
    legal, best, most = legal_mask(view), -1, 0.0
    for move in range(2 * view.hand_size + (view.players - 1) * (view.colours + view.ranks)):
        if not legal & MOVE_BIT[move]:
            continue
        kind = kind_of(view, move)
        if kind == PLAY:
            worth = worth_of_play(view, public, move - view.hand_size) + outlook
        elif kind == DISCARD:
            worth = worth_of_discard(view, public, move)
        else:
            worth = -price_of_token(view) - DOUBT * LIFE[min(view.lives, 3)]
        if view.players > 2:
            if kind > PLAY and best >= 0:  # hints come last
                continue
        elif kind != PLAY:
            outlook_then, known_then = after(view, records, code, game, move)
            worth += outlook_then
            if view.deck_size > 0:
                worth += known_then - known
        if best < 0 or worth > most:
            best, most = move, worth
    return np.int64(best)


@hot
def listen(game, again, public, hand, code):
    """Hear all messages of a game so far."""
    copy_game(again, game)
    deal(again)
    public.weight[:] = 1.0
    if game.players > 2:
        return
    for k in range(game.n_moves):
        event, seat = game.history[k], 1 - np.int64(again.mover)
        survey(again, public)
        look(again, public, code, seat, hand)
        hear(again, public, hand, code, seat, np.int64(event.move), np.int64(event.touched))
        apply_move(again, np.int64(event.move))


@hot
def own_chances(view, code, seed, chances):
    """Write the chances of all own cards to be playable, by messages and cards in sight."""
    workspace = new_workspace(view, 1, 0.0)
    publics, hands = np.zeros(1, PUBLIC), np.zeros(1, HAND)
    listen(draw_deal(workspace, seed), workspace.again[0], publics[0], hands[0], code)
    count_unseen(view)
    survey(view, publics[0])
    for slot in range(view.hand_size):
        if view.order[view.seat, slot] >= 0:
            chances[slot] = own_chance(view, publics[0], slot, publics[0].playable)


@hot
def after(view, records, code, game, move):
    """The prospects after a hint or discard, with the partner's real cards."""
    public, hand, later = records[0][1], records[1][0], records[2][0]
    other, touched = 1 - np.int64(view.seat), np.int64(0)
    public.weight[:] = records[0][0].weight
    survey(view, public)
    look(view, public, code, other, hand)
    copy_game(later, game)
    if kind_of(view, move) > PLAY:
        touched = touched_slots(view, other, named_mask(view, move))
        apply_move(later, move)
    hear(view, public, hand, code, other, np.int64(move), np.int64(touched))
    look(later, public, code, other, hand)
    return prospects(later, view, public, hand, other)


@hot
def prospects(now, view, public, hand, seat):
    """What a hand that was looked at will do next, and what it knows, in points."""
    good, bad, aware, known = 0.0, 0.0, 0.0, 0.0
    for slot in range(view.hand_size):
        card = np.int64(view.card[seat, slot])
        if hand.cards[slot] == 0 or card < 0:
            continue
        chance = hand.chance[slot]
        plays = min(max((chance - HESITANT) / RANGE, 0.0), 1.0)
        if BIT[card] & public.playable:
            good, aware = max(good, plays), max(aware, chance)
        else:
            bad = max(bad, plays)
        if not BIT[card] & public.dead:
            share = share_of(now, public, seat, slot, card)
            known += np.log(max(share, UNKNOWN))
    return good - LIFE[min(view.lives, 3)] * bad, AWARE * aware + PER_NAT * known


@hot
def share_of(view, public, seat, slot, card):
    """How likely everybody takes a card in a hand to be what it is."""
    order, possible, total = view.order[seat, slot], np.int64(view.possible[seat, slot]), 0.0
    for other in range(N_CARDS):
        if BIT[other] & possible:
            total += weight_of(public, order, other)
    return weight_of(public, order, card) / total if total > 0 else 0.0


@hot
def own_chance(view, public, slot, wanted):
    """Probability that the own card in a slot is one of a set, by messages and cards in sight."""
    order, total, good = view.order[view.seat, slot], 0.0, 0.0
    for card in range(N_CARDS):
        if BIT[card] & np.int64(view.possible[view.seat, slot]):
            weight = public.weight[order, card] * view.unseen[card]
            total += weight
            if BIT[card] & wanted:
                good += weight
    return good / total if total > 0 else 0.0


@hot
def worth_of_play(view, public, slot):
    """What a play scores and risks."""
    chance = own_chance(view, public, slot, public.playable)
    is_end = view.deck_size == 0 and view.lives > 1
    return chance - (1.0 - chance) * (LAST_LIFE if is_end else LIFE[min(view.lives, 3)])


@hot
def worth_of_discard(view, public, slot):
    """A token, less what is lost on average."""
    order, total, loss = view.order[view.seat, slot], 0.0, 0.0
    for card in range(N_CARDS):
        if BIT[card] & np.int64(view.possible[view.seat, slot]):
            weight = public.weight[order, card] * view.unseen[card]
            total += weight
            loss += weight * loss_of(view, public, card)
    return price_of_token(view) - (loss / total if total > 0 else 0.0) - OLDER * slot


@hot
def loss_of(view, public, card):
    """What the discard of a card costs."""
    if BIT[card] & public.dead:
        return 0.0
    if BIT[card] & public.critical:
        return CRITICAL * (1.0 + PER_RANK * (view.ranks - 1 - card % 5))
    return PLAYABLE if BIT[card] & public.playable else NEEDED


@hot
def price_of_token(view):
    """What a token is worth."""
    return TOKEN if view.tokens < MANY_TOKENS else SPARE_TOKEN
