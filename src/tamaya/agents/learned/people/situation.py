"""One turn as a person might see it, in the form that the network takes."""

from collections.abc import Sequence
from hashlib import sha256
from typing import NamedTuple

import numpy as np

from tamaya.agents.learned.people.advisers import (
    ADVICE,
    MAX_ADVISERS,
    N_OF_ADVISER,
    ask_advisers,
    show_advisers,
    wake,
    write_votes,
)
from tamaya.agents.learned.people.cards import (
    N_OF_CARD,
    N_PROBABILITIES,
    awaited_cards,
    look_at_board,
    write_card,
    write_chances,
)
from tamaya.agents.learned.people.context import context_length, write_context
from tamaya.agents.learned.people.hints import N_OF_HINT, write_hint
from tamaya.agents.learned.people.traces import TRACE, note_event
from tamaya.compiled import hot
from tamaya.game_kernels import MOVE_BIT, legal_mask
from tamaya.records import RUNNING
from tamaya.rules import Rules

SITUATION = "situation"  # the name under which networks declare that they take one
VERSION = 1  # of the numbers; weights are only valid for the version they were trained on
EXPERIENCE = ("new", "dabbling", "intermediate", "expert")


class Situation(NamedTuple):
    """One turn; illegal moves and empty slots are zeros."""

    context: np.ndarray  # what is the same for all moves
    cards: np.ndarray  # [slot] for plays and discards
    hints: np.ndarray  # [hint] in the order of the moves
    votes: np.ndarray  # [move] of the advisers


class Sizes(NamedTuple):
    """How many numbers each part of a situation has."""

    context: int
    card: int
    hint: int
    vote: int
    slots: int
    hints: int


def sizes_of(rules: Rules, n_advisers: int) -> Sizes:
    """The sizes under some rules with some number of advisers."""
    context = context_length(rules.players) + len(EXPERIENCE) + N_OF_ADVISER * n_advisers
    n_hints = rules.n_moves - 2 * rules.hand_size
    return Sizes(context, N_OF_CARD, N_OF_HINT, 2 * n_advisers + 1, rules.hand_size, n_hints)


def situation_spec(rules: Rules, advisers: Sequence[str]) -> str:
    """A text that changes whenever the meaning of a situation does; stored with weights."""
    parts = f"{tuple(sizes_of(rules, len(advisers)))} {list(advisers)} {EXPERIENCE}"
    digest = sha256(parts.encode()).hexdigest()
    return f"{SITUATION}/{VERSION} {rules.players} players {digest[:16]}"


def new_situation(sizes: Sizes) -> Situation:
    """An empty situation."""
    return Situation(
        np.zeros(sizes.context, np.float32),
        np.zeros((sizes.slots, sizes.card), np.float32),
        np.zeros((sizes.hints, sizes.hint), np.float32),
        np.zeros((2 * sizes.slots + sizes.hints, sizes.vote), np.float32),
    )


def memory_fields(n_words: int) -> list[tuple]:
    """The memory of a seat, with so many words for the memories of the advisers."""
    return [*TRACE, *ADVICE, ("minds", np.uint64, max(1, n_words))]


@hot
def take_note(view, event, memory, params):
    """Remember the last move, and ask the advisers if the seat is to move next."""
    note_event(view, event, memory)
    show_advisers(view, event, params, memory)
    if view.mover == view.seat and view.status == RUNNING:
        memory.asked = view.n_moves + 1
        ask_advisers(view, params, memory.minds, memory.failed, memory.advice)


@hot
def write_situation(view, memory, params, experience, situation):
    """Write what the seat to move sees; the memory does not change."""
    context, cards, hints, votes = situation
    unseen, public, board = look_at_board(view)
    chances = np.zeros((view.hand_size, N_PROBABILITIES), np.float32)
    awaited = awaited_cards(view, view.seat, board)
    write_chances(view, unseen, board, awaited, chances)
    for slot in range(len(cards)):
        write_card(view, memory, slot, chances, cards[slot])
    legal, n_own = legal_mask(view), 2 * len(cards)
    for hint in range(len(hints)):
        if legal & MOVE_BIT[n_own + hint]:
            write_hint(view, memory, n_own + hint, public, board, hints[hint])
        else:
            hints[hint, :] = 0
    n_votes = N_OF_ADVISER * params.n_advisers
    n_first = len(context) - n_votes - len(EXPERIENCE)
    write_context(view, memory, chances, public, board, context[:n_first])
    context[n_first : n_first + len(EXPERIENCE)] = 0
    if experience >= 0:
        context[n_first + experience] = 1
    advice = memory.advice.copy()
    if memory.asked != view.n_moves + 1:  # the first move of a game, before any event
        minds, failed = memory.minds.copy(), np.zeros(MAX_ADVISERS, np.int8)
        wake(view, params, minds)
        ask_advisers(view, params, minds, failed, advice)
    write_votes(view, params, memory, advice, context[len(context) - n_votes :], votes)
