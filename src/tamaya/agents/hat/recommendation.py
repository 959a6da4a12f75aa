"""Recommendation players: each hint tells every other seat which card to play or to discard.

``hatbot`` is the strategy of Cox and others (2015) for five players: follow a recommended play if
nobody has played since the hint, or one has and a life can be spared; otherwise hint while there
are tokens; otherwise discard as recommended or, without a recommendation, the oldest card
(``program=true``: as their program HanSim, which discards the newest).

``hat-recommendation`` is Bouzy's generalisation (2017) to any number of players and cards, with
empty hints. His text does not say where he differs from Cox; ``plain=true`` is Cox's article for
all sizes. The default, ``counting=true`` of ``hatbot``, says no more per hint but infers more:

- a recommended card is one of the cards that were playable then; it is played if it surely still
  is, by the cards in sight, or at least ``risk`` likely while a life can be spared, and thrown away
  if it no longer can be;
- a hint is given only if it recommends a play to somebody who does not know of it;
- then a recommended discard comes before a hint, and a player who hints keeps the recommendation.
"""

import numpy as np

from tamaya.agent import agent
from tamaya.agents.hat.advice import COUNTING, PROGRAM, TEXT, advice, advice_facts
from tamaya.agents.hat.code import announce, announced, first_card, n_messages, receiver
from tamaya.cards import card_name
from tamaya.compiled import hot
from tamaya.knowledge.board import playable_mask, public_copies
from tamaya.knowledge.copies import cards_in, is_likely, unseen_by
from tamaya.knowledge.hands import seat_at, slot_of_order
from tamaya.knowledge.literal import lawful
from tamaya.moves import NO_MOVE, discard, play
from tamaya.records import SCORED

NOTHING, TO_PLAY, TO_DISCARD = 0, 1, 2

# All of it is common knowledge, so one memory serves all seats.
MEMORY = [
    ("kind", np.int8, 5),      # [seat] -> NOTHING, TO_PLAY or TO_DISCARD
    ("order", np.int8, 5),     # [seat] -> order of the recommended card
    ("playable", np.int32, 5),  # [seat] -> cards that were playable at the hint
    ("n_plays", np.int8),      # since the last hint
]  # fmt: skip


@hot
def n_hats(view):
    """Number of recommendations that a hint can distinguish, which may be fewer than there are."""
    return min(2 * view.hand_size, n_messages(view))


@hot
def hat_of(view, seat, style, facts):
    """The number that stands for a hand."""
    return min(advice(view, seat, style, facts), n_hats(view) - 1)


@hot
def note_hat(view, memory, seat, hat, playable):
    """Record what a seat was told."""
    size = view.hand_size
    slot = hat if hat < size else hat - size
    is_vague = hat == n_hats(view) - 1 and n_hats(view) < 2 * size
    if is_vague or view.order[seat, slot] < 0:
        memory.kind[seat] = NOTHING
        return
    memory.kind[seat] = TO_PLAY if hat < size else TO_DISCARD
    memory.order[seat] = view.order[seat, slot]
    memory.playable[seat] = playable


@hot
def note_move(view, event, memory, style):
    """Update the recommendations after a move."""
    mover = event.seat
    if event.card >= 0:
        if style != COUNTING or event.order == memory.order[mover]:
            memory.kind[mover] = NOTHING
        if event.effect & SCORED:
            memory.n_plays += 1
        return
    memory.n_plays = 0
    facts = advice_facts(view, style)
    rest = announced(view, event.move)
    for seat in range(view.players):
        if seat != mover and seat != view.seat:
            hat = hat_of(view, seat, style, facts)
            note_hat(view, memory, seat, hat, facts[0])
            rest -= hat
    if view.seat != mover:
        note_hat(view, memory, view.seat, rest % n_hats(view), facts[0])
    if style != COUNTING:
        memory.kind[mover] = NOTHING


@hot
def hint_of_sum(view, style, facts):
    """The hint that announces the sum of the other seats' hats."""
    total = 0
    for offset in range(1, view.players):
        total += hat_of(view, seat_at(view, offset), style, facts)
    number = total % n_hats(view)
    named = first_card(view, seat_at(view, receiver(view, number)))
    return lawful(view, announce(view, number, named))


@hot
def cox_move(view, memory, style):
    """The move of Cox's strategy."""
    kind = memory.kind[view.seat]
    slot = slot_of_order(view, view.seat, memory.order[view.seat]) if kind else -1
    if kind == TO_PLAY:
        if memory.n_plays == 0 or (memory.n_plays == 1 and view.lives > 1):
            return play(view, slot)
    if view.tokens > 0:
        return hint_of_sum(view, style, advice_facts(view, style))
    if kind == TO_DISCARD:
        return lawful(view, discard(view, slot))
    return lawful(view, discard(view, view.n_cards[view.seat] - 1 if style == PROGRAM else 0))


@hot
def is_news(view, memory, facts):
    """Whether a hint would recommend a play that its receiver does not know of."""
    for offset in range(1, view.players):
        seat = seat_at(view, offset)
        hat = hat_of(view, seat, COUNTING, facts)
        if hat < view.hand_size:
            if memory.kind[seat] != TO_PLAY or memory.order[seat] != view.order[seat, hat]:
                return True
    return False


@hot
def recommended_play(view, memory, risk):
    """Move that a recommended play leads to: play it, discard it or, if in doubt, NO_MOVE."""
    slot = slot_of_order(view, view.seat, memory.order[view.seat])
    if slot < 0:
        return NO_MOVE
    playable = playable_mask(view)
    unseen = unseen_by(view, view.seat, public_copies(view))
    then = memory.playable[view.seat]
    if is_likely(unseen, then, playable, risk if view.lives > 1 else 1.0):
        return play(view, slot)
    return NO_MOVE if then & playable & cards_in(unseen) else discard(view, slot)


@hot
def counting_move(view, memory, risk):
    """The move of the strategy that counts cards."""
    kind = memory.kind[view.seat]
    own = NO_MOVE
    if kind == TO_PLAY:
        own = recommended_play(view, memory, risk)
        if own >= view.hand_size:
            return own
    elif kind == TO_DISCARD:
        own = discard(view, slot_of_order(view, view.seat, memory.order[view.seat]))
    if view.tokens > 0:
        facts = advice_facts(view, COUNTING)
        if own == NO_MOVE or view.tokens == view.max_tokens or is_news(view, memory, facts):
            return hint_of_sum(view, COUNTING, facts)
    if own == NO_MOVE:
        own = discard(view, view.n_cards[view.seat] - 1)
    return lawful(view, own)


@agent(
    "hatbot",
    memory=MEMORY,
    shared=True,
    players="5",
    params={"program": False, "counting": False, "risk": 0.6},
    source="Cox et al. 2015",
)
def hatbot(view, memory, params):
    """Each hint recommends everybody a card to play or discard, by the sum of their hats."""
    if params.counting:
        return counting_move(view, memory, params.risk)
    return cox_move(view, memory, PROGRAM if params.program else TEXT)


@hatbot.observe
def note_for_hatbot(view, event, memory, params):
    """Decode hints."""
    style = PROGRAM if params.program else TEXT
    note_move(view, event, memory, COUNTING if params.counting else style)


@agent(
    "hat-recommendation",
    memory=MEMORY,
    shared=True,
    params={"plain": False, "risk": 0.6},
    source="Bouzy 2017",
    made_for={"empty_hints": True},  # otherwise two players have 2 messages for 10 pieces of advice
)
def hat_recommendation(view, memory, params):
    """HatBot for any number of players and cards, where hints may be empty."""
    if params.plain:
        return cox_move(view, memory, TEXT)
    return counting_move(view, memory, params.risk)


@hat_recommendation.observe
def note_for_hat_recommendation(view, event, memory, params):
    """Decode hints."""
    note_move(view, event, memory, TEXT if params.plain else COUNTING)


@hatbot.explain
def explain_hatbot(view, memory, params):
    """What everybody was told, and what a hint would tell now."""
    style = PROGRAM if params.program else TEXT
    return advice_rows(view, memory, COUNTING if params.counting else style)


@hat_recommendation.explain
def explain_hat_recommendation(view, memory, params):
    """What everybody was told, and what a hint would tell now."""
    return advice_rows(view, memory, TEXT if params.plain else COUNTING)


def advice_rows(view: np.record, memory: np.record, style: int) -> list[tuple[str, str]]:
    """Rows on what was recommended to each seat and what a hint would recommend."""
    rows = []
    for seat in range(view.players):
        who = "I was" if seat == view.seat else f"seat {seat} was"
        if memory.kind[seat] != NOTHING:
            verb = "play" if memory.kind[seat] == TO_PLAY else "discard"
            slot = slot_of_order(view, seat, memory.order[seat])
            rows.append((f"{who} told to {verb}", _slot_text(view, seat, slot)))
    rows.append(("plays since the last hint", str(memory.n_plays)))
    facts = advice_facts(view, style)
    for offset in range(1, view.players):
        seat = seat_at(view, offset)
        number = advice(view, seat, style, facts)
        verb = "play" if number < view.hand_size else "discard"
        slot = number % view.hand_size
        rows.append((f"a hint would tell seat {seat} to {verb}", _slot_text(view, seat, slot)))
    return rows


def _slot_text(view: np.record, seat: int, slot: int) -> str:
    card = int(view.card[seat, slot])
    return f"slot {slot}" + (f" {card_name(card)}" if card >= 0 else "")
