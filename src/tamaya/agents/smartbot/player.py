"""SmartBot: the C++ program by Arthur O'Dwyer that the Hanabi Challenge uses as a baseline.

``tamaya.agents.smartbot.listening`` has its conventions, ``deciding`` its order of preference. In
self-play it makes exactly the moves of the original.

``risk`` is the largest table at which it gambles with lives when the deck runs out: 2 as in the
Hanabi Challenge, 5 as on the program's page, 0 for never. ``refined`` keeps the conventions but
uses them better: it never gambles with the last life, does not hint a card that somebody is going
to play anyway, and does not finesse.
"""

import numpy as np

from tamaya.agent import agent
from tamaya.agents.smartbot.believing import believe
from tamaya.agents.smartbot.deciding import (
    FINESSE,
    GAMBLE,
    HINT,
    PASS,
    PLAY_SURE,
    THROW_CHOP,
    THROW_DEAD,
    THROW_LEAST,
    WARN,
    decide,
    private_set,
    survey,
)
from tamaya.agents.smartbot.listening import (
    FINESSED,
    PASSED,
    POINTED,
    SHOWN,
    WARNED,
    note_move,
)
from tamaya.agents.smartbot.public import MEMORY, chop
from tamaya.cards import CardSet, cards_text
from tamaya.knowledge.board import Board
from tamaya.knowledge.hands import seat_at, slot_of_order
from tamaya.knowledge.literal import lawful
from tamaya.knowledge.tables import public_set
from tamaya.records import RUNNING
from tamaya.registry import register

MEANINGS = {
    POINTED: "pointed at a playable card",
    SHOWN: "showed a card to be playable",
    WARNED: "warned of discarding a critical card",
    PASSED: "was a pass at full tokens",
    FINESSED: "left a playable card to somebody's newest",
}
STEPS = {
    WARN: "the next seat would discard a critical card",
    FINESSE: "just one other seat holds the same playable card as its newest",
    PLAY_SURE: "a card is surely playable",
    HINT: "the hint that tells most",
    GAMBLE: "the deck runs out: the card most likely to be playable",
    PASS: "nothing to say at full tokens: a pass",
    THROW_DEAD: "a card is surely dead",
    THROW_CHOP: "nothing better to do: the chop",
    THROW_LEAST: "every card seems to be of use: the least loss",
}


@agent(
    "smartbot",
    memory=MEMORY,
    shared=True,
    params={"risk": 2, "refined": False},
    source="O'Dwyer 2019",
)
def smartbot(view, memory, params):
    """Hints point at a play or warn of a discard, and not hinting means something too."""
    return lawful(view, decide(view, memory, params)[1])


@smartbot.observe
def note_for_smartbot(view, event, memory, params):
    """Update the public table by a move."""
    note_move(view, event, memory)


@smartbot.explain
def explain_smartbot(view, memory, params):
    """What the last move meant, what its own cards can be, and the step that decided."""
    board, unseen = survey(view, memory)
    rows = meaning_rows(view, memory)
    for slot in range(view.hand_size):
        if view.order[view.seat, slot] >= 0:
            public = int(public_set(view, memory, view.seat, slot))
            private = int(private_set(view, memory, slot, unseen))
            rows.append((f"slot {slot}", belief_text(private, public, board)))
    for offset in range(2):
        slot = int(chop(view, memory, seat_at(view, offset), board))
        whose = "my" if offset == 0 else "the next seat's"
        rows.append((f"{whose} chop", f"slot {slot}" if slot >= 0 else "none"))
    if view.status == RUNNING and view.mover == view.seat:
        rows.append(("step", STEPS[int(decide(view, memory, params)[0])]))
    return rows


smartbot.believe(believe)


def meaning_rows(view: np.record, memory: np.record) -> list[tuple[str, str]]:
    """Rows on what the last move said."""
    rows = []
    if memory.meaning in MEANINGS:
        meaning = MEANINGS[int(memory.meaning)]
        place = f": {card_place(view, memory.about)}" if memory.about >= 0 else ""
        rows.append(("the last move", meaning + place))
    if view.n_moves > 0 and memory.cleared >= 0:
        place = card_place(view, memory.cleared)
        rows.append(("the last mover was silent", f"{place} is not critical"))
    return rows


def card_place(view: np.record, order: int) -> str:
    """The holder of the card with an order."""
    for seat in range(view.players):
        slot = int(slot_of_order(view, seat, order))
        if slot >= 0:
            return f"my slot {slot}" if seat == view.seat else f"slot {slot} of seat {seat}"
    return "a card that is gone"


def belief_text(private: int, public: int, board: Board) -> str:
    """What a card can be, for its holder and for everybody, and its use."""
    aside = f" (publicly {cards_text(public)})" if public != private else ""
    parts = [cards_text(private) + aside]
    for name in ("playable", "dead", "critical"):
        wanted = int(getattr(board, name))
        n = len(CardSet(private & wanted))
        if n > 0:
            parts.append(name if private & ~wanted == 0 else f"{n} {name}")
    return ", ".join(parts)


register(smartbot.preset("smartbot-refined", risk=5, refined=True))
