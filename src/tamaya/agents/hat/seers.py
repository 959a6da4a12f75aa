"""Bouzy's seer players: they see their own cards but not the deck, and hints still cost tokens.

A hint tells a seer nothing: it is a pass that costs a token. ``seer-recommendation`` follows the
list of the recommendation strategy for its own hand: play a 5, else the lowest playable card; else
discard a dead card, else the highest that is not critical. ``seer-information`` decides like the
information strategy with all cards known: it also discards cards that are held twice, and prefers
playable cards whose successor is in a hand.

Bouzy does not say when they pass. Here a seer discards a dead or duplicate card while the deck
has as many cards as there are points to come, and otherwise passes. It discards a card that may
still be needed only if nobody who moves before the tokens run out has a play or a cheaper discard.

``plain=true`` is the simplest interpretation: ``seer-recommendation`` discards dead cards below
four tokens and others without tokens; ``seer-information`` discards dead cards while fewer than ten
cards are discarded, then passes, and without tokens discards in the order of that strategy.
"""

import numpy as np

from tamaya.agent import agent
from tamaya.agents.hat.advice import TEXT, advice, advice_facts
from tamaya.cards import BIT, card_name
from tamaya.compiled import hot, popcount
from tamaya.game_kernels import legal_mask, nth_move
from tamaya.knowledge.board import board_now, n_discarded, n_to_come
from tamaya.knowledge.hands import seat_at
from tamaya.knowledge.literal import lawful
from tamaya.moves import NO_MOVE, discard, play

NEEDED = 2  # larger losses are of cards that may still be needed


@hot
def seen_cards(view):
    """Cards visible in some hand, and those visible twice."""
    once, twice = 0, 0
    for seat in range(view.players):
        for slot in range(view.hand_size):
            card = view.card[seat, slot]
            if card >= 0:
                twice |= once & BIT[card]
                once |= BIT[card]
    return once, twice


@hot
def loss(card, facts):
    """The cost of losing a card: dead, seen twice, not critical and high, critical."""
    _, dead, critical, _, twice = facts
    bit, rank = BIT[card], card % 5
    if bit & dead:
        return 0
    if bit & twice:
        return 1
    return (20 if bit & critical else 10) - rank


@hot
def seer_facts(view, sees_doubles):
    """Playable, dead and critical cards, those held, those held twice."""
    board = board_now(view)
    once, twice = seen_cards(view)
    return board.playable, board.dead, board.critical, once, twice if sees_doubles else 0


@hot
def least_loss(view, seat, facts):
    """Slot of a hand whose card costs least to lose (ties go to the oldest), and the cost."""
    best, least = 0, 99
    for slot in range(view.hand_size):
        card = view.card[seat, slot]
        if card >= 0 and loss(card, facts) < least:
            best, least = slot, loss(card, facts)
    return best, least


@hot
def seer_play(view, facts, looks_ahead):
    """Play of a 5, else of the lowest card, or NO_MOVE; cards with a successor in a hand first."""
    playable, _, _, once, _ = facts
    best, most = NO_MOVE, -1
    for slot in range(view.hand_size):
        card = view.card[view.seat, slot]
        if card >= 0 and BIT[card] & playable:
            is_last = card % 5 == view.ranks - 1
            worth = 9 if is_last else 5 - card % 5
            if looks_ahead and not is_last and BIT[card + 1] & once:
                worth += 10
            if worth > most:
                best, most = play(view, slot), worth
    return best


@hot
def others_have_better(view, least, facts):
    """Whether somebody who moves while tokens last can play or has less to lose."""
    playable = facts[0]
    n_passes = min(view.tokens, view.players - 1)
    for offset in range(1, n_passes + 1):
        seat = seat_at(view, offset)
        for slot in range(view.hand_size):
            card = view.card[seat, slot]
            if card >= 0 and (BIT[card] & playable or loss(card, facts) < least):
                return True
    return False


@hot
def seer_pass(view):
    """The hint with the highest id: it tells nobody anything new."""
    legal = legal_mask(view)
    return nth_move(legal, popcount(legal) - 1)


@hot
def seer_move(view, is_information):
    """Play, discard or pass."""
    facts = seer_facts(view, is_information)
    move = seer_play(view, facts, is_information)
    if move != NO_MOVE:
        return move
    slot, least = least_loss(view, view.seat, facts)
    if view.tokens > 0:
        if least < NEEDED:
            is_slow = view.deck_size < n_to_come(view, facts[1])
        else:
            is_slow = others_have_better(view, least, facts)
        if is_slow or view.tokens == view.max_tokens:
            return seer_pass(view)
    return lawful(view, discard(view, slot))


@hot
def plain_recommendation(view):
    """The recommendation for its own hand, passing rather than losing a card."""
    facts = advice_facts(view, TEXT)
    advised = advice(view, view.seat, TEXT, facts)
    if advised < view.hand_size:
        return play(view, advised)
    slot = advised - view.hand_size
    is_dead = view.card[view.seat, slot] >= 0 and BIT[view.card[view.seat, slot]] & facts[1]
    if view.tokens >= 4 or (view.tokens > 0 and not is_dead):
        return seer_pass(view)
    return lawful(view, discard(view, slot))


@hot
def plain_information(view):
    """The list of the information strategy with all cards known."""
    playable, dead, critical, _, twice = seer_facts(view, True)
    slot = oldest_of(view, playable)
    if slot >= 0:
        return play(view, slot)
    slot = oldest_of(view, dead)
    is_early = n_discarded(view) < 10 and view.tokens < view.max_tokens
    if view.tokens > 0 and (slot < 0 or not is_early):
        return seer_pass(view)
    if slot < 0:
        slot = oldest_of(view, twice)
    if slot < 0:
        slot = oldest_of(view, ~critical)
    return lawful(view, discard(view, max(slot, 0)))


@hot
def oldest_of(view, wanted):
    """Oldest own slot with a card of a set, or -1."""
    for slot in range(view.hand_size):
        card = view.card[view.seat, slot]
        if card >= 0 and BIT[card] & wanted:
            return slot
    return -1


@agent(
    "seer-recommendation",
    params={"plain": False},
    source="Bouzy 2017",
    made_for={"observation": "seer"},
)
def seer_recommendation(view, memory, params):
    """Sees its own cards and takes its own advice."""
    return plain_recommendation(view) if params.plain else seer_move(view, False)


@agent(
    "seer-information",
    params={"plain": False},
    source="Bouzy 2017",
    made_for={"observation": "seer"},
)
def seer_information(view, memory, params):
    """Sees its own cards and decides as the information strategy does."""
    return plain_information(view) if params.plain else seer_move(view, True)


@seer_recommendation.explain
def explain_recommendation(view, memory, params):
    """What losing each own card would cost."""
    return loss_rows(view, False)


@seer_information.explain
def explain_information(view, memory, params):
    """What losing each own card would cost."""
    return loss_rows(view, True)


def loss_rows(view: np.record, is_information: bool) -> list[tuple[str, str]]:
    """A row for each own card, and the numbers behind discarding or passing."""
    facts = seer_facts(view, is_information)
    playable, dead, _, _, twice = facts
    rows = []
    for slot in range(view.hand_size):
        card = int(view.card[view.seat, slot])
        if card < 0:
            continue
        if BIT[card] & playable:
            verdict = "can be played"
        elif BIT[card] & dead:
            verdict = "dead"
        elif BIT[card] & twice:
            verdict = "held twice"
        else:
            verdict = "critical" if BIT[card] & facts[2] else "may be needed"
        rows.append((f"slot {slot} {card_name(card)}", verdict))
    rows.append(("points to come, cards in the deck", f"{n_to_come(view, dead)}, {view.deck_size}"))
    return rows
