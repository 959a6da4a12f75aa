"""The explanation panel of Eger's program: a row for each step of its thinking, card by card.

Values list the cards from the oldest to the newest. What a hint would make the partner do ends
with the first card of which it would do something unintended, as the program thinks no further.
"""

from collections.abc import Iterable

import numpy as np

from tamaya.agents.eger.discarding import copies_left, discard_score, n_left, term
from tamaya.agents.eger.meaning import (
    COLOUR_ORDER,
    DISCARD,
    KEEP,
    MAY_DISCARD,
    PLAY,
    agrees,
    intention,
    is_informative,
    nth_mask,
    read_in,
    reading,
)
from tamaya.cards import BIT, COLOUR_NAMES, card_name
from tamaya.knowledge.board import Board, board_now

Row = tuple[str, str]

WORDS = {KEEP: "keep", PLAY: "play", DISCARD: "discard", MAY_DISCARD: "can discard"}
CARDS = [5 * colour + rank for colour in COLOUR_ORDER for rank in range(5)]


def explain_intentional(view: np.record, memory: np.record, params: np.record) -> list[Row]:
    """The partner's hand, intentions, what each hint would do, own knowledge, discard scores."""
    board, partner = board_now(view), 1 - int(view.seat)
    held = [slot for slot in range(view.hand_size) if view.card[partner, slot] >= 0]
    cards = [int(view.card[partner, slot]) for slot in held]
    intentions = [WORDS[int(intention(view, card, board))] for card in cards]
    rows = [("your hand", _listed(map(card_name, cards))), ("intentions", _listed(intentions))]
    if view.tokens > 0:
        rows += [(f"if I hint {_name(k)}", _predicted(view, partner, held, k, board))
                 for k in range(10) if nth_mask(view, k)]  # fmt: skip
    for slot in range(view.hand_size):
        if view.order[view.seat, slot] >= 0:
            rows += _own_rows(view, slot)
    return rows


def explain_full(view: np.record, memory: np.record, params: np.record) -> list[Row]:
    """The same, and what the hint that it has just received asks for."""
    rows = explain_intentional(view, memory, params)
    event = view.history[view.n_moves - 1] if view.n_moves > 0 else None
    if event is None or event.target != view.seat:
        return rows
    board = board_now(view)
    asked = [reading(view.possible[view.seat, slot], board) if event.touched >> slot & 1 else KEEP
             for slot in range(view.hand_size) if view.order[view.seat, slot] >= 0]  # fmt: skip
    return [rows[0], ("what you want me to do", _listed(WORDS[int(x)] for x in asked)), *rows[1:]]


def _listed(words: Iterable[str]) -> str:
    return ", ".join(words)


def _name(k: int) -> str:
    return COLOUR_NAMES[COLOUR_ORDER[k]] if k < 5 else f"rank {k - 4}"


def _predicted(view: np.record, partner: int, held: list[int], k: int, board: Board) -> str:
    """What the partner would read into the k-th hint."""
    mask = int(nth_mask(view, k))
    if not any(BIT[view.card[partner, slot]] & mask for slot in held):
        return "invalid"
    if not is_informative(view, partner, mask):
        return "no new information"
    words = []
    for slot in held:
        read = int(read_in(view, partner, slot, mask, board))
        words.append(WORDS[read])
        if not agrees(read, intention(view, int(view.card[partner, slot]), board)):
            return f"{_listed(words)}: not intended"
    return _listed(words)


def _own_rows(view: np.record, slot: int) -> list[Row]:
    """What a card can be by hints, with counts, and its discard score."""
    possible = int(view.possible[view.seat, slot])
    known = [f"{card_name(card)} x{view.copies[card]}" for card in CARDS if possible >> card & 1]
    total, terms = n_left(view, slot), []
    for card in CARDS:
        if copies_left(view, slot, card) > 0:
            part = term(view, slot, card, total)
            terms.append(f"{card_name(card)} ({100 * part.probability:.2f}%) {part.value:.2f}")
    score = f"{discard_score(view, slot):.2f}: {_listed(terms)}"
    return [(f"slot {slot}, my knowledge", _listed(known)), (f"slot {slot}, discard score", score)]
