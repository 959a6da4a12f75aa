"""Explanations: the rule that decides, what its own cards can be, and what the message says."""

import numpy as np

from tamaya.agents.wtfwthat.decisions import decide
from tamaya.agents.wtfwthat.fixed import conclude, list_questions, put_question
from tamaya.agents.wtfwthat.hats import hat_of, hat_sum, take_hand
from tamaya.agents.wtfwthat.hints import n_messages
from tamaya.agents.wtfwthat.public_state import PUBLIC_STATE
from tamaya.agents.wtfwthat.questions import IDENTITY, LIST, answer_of, ask, class_members, narrow
from tamaya.agents.wtfwthat.rule_names import (
    DISCARDED_NUMBER,
    HINT,
    PASS,
    PLAYED_NUMBER,
    RULES,
    WAIT,
)
from tamaya.agents.wtfwthat.slots import playable_slots, useless_slots
from tamaya.cards import cards_text
from tamaya.moves import move_phrase
from tamaya.rules import MAX_HAND, Rules

Row = tuple[str, str]


def explain(view: np.record, memory: np.record, params: np.record) -> list[Row]:
    """The rule that decides, what its own cards can be, questions, hats and their sum."""
    states, options = np.zeros(1, PUBLIC_STATE), params.options[view.players]
    state = states[0]
    decide(view, memory, params, state)
    rows = [("rule", RULES[int(state.rule)]), *_weighed_rows(view, state)]
    for slot in range(view.hand_size):
        if view.order[view.seat, slot] >= 0:
            public, own = int(state.sets[view.seat, slot]), int(state.own[slot])
            rows.append((f"slot {slot} can be", cards_text(own)))
            if public != own:
                rows.append((f"slot {slot} can be for everybody", cards_text(public)))
    n = _n_values(view, state, options)
    if n < 2:
        return rows
    total = int(hat_sum(view, state, n, options))  # fills the boards too
    for seat in range(view.players):
        if seat != view.seat:
            rows += _seat_rows(view, state, seat, n, options)
    return [*rows, ("sum of the hats", f"{total} of 0 to {n - 1}")]


def _weighed_rows(view: np.record, state: np.record) -> list[Row]:
    """What the network expects of each move, compared with the best."""
    n = int(state.n_weighed)
    rules = Rules(players=int(view.players), colours=int(view.colours), ranks=int(view.ranks),
                  hand_size=int(view.hand_size))  # fmt: skip
    values = state["values"][:n]
    return [(f"weighed: {move_phrase(rules, int(state.weighed[k]))}",
             f"{values[k] - values.max():+.2f} points")
            for k in np.argsort(-values, kind="stable")]  # fmt: skip


def _n_values(view: np.record, state: np.record, options: np.record) -> int:
    """How many numbers the move can announce; 0 if it announces none."""
    rule = int(state.rule)
    if rule in (HINT, WAIT, PASS):
        return int(n_messages(view, state, view.seat, options))
    if rule == PLAYED_NUMBER:
        return int(playable_slots(view, state.sets[view.seat], state.playable)).bit_count()
    if rule == DISCARDED_NUMBER:
        return int(useless_slots(view, state.sets[view.seat], state.dead)).bit_count()
    return 0


def _seat_rows(
    view: np.record, state: np.record, seat: int, n: int, options: np.record
) -> list[Row]:
    """The questions put to a seat, its answers and its hat."""
    take_hand(view, state, seat)
    hat = int(hat_of(view, state, seat, n, options))
    take_hand(view, state, seat)
    steps = _fixed_steps if options.version == 2018 else _steps
    rows = [
        (f"seat {seat}: {question}", answer) for question, answer in steps(view, state, seat, n)
    ]
    return [*rows, (f"hat of seat {seat}", str(hat))]


def _steps(view: np.record, state: np.record, seat: int, room: int) -> list[Row]:
    """Questions, each after the answers before it, and answers."""
    rows = []
    while room > 1:
        n = int(ask(view, state, room))
        if n == 0:
            break
        answer = int(answer_of(view, state, seat))
        rows.append((_question(state), _answer(state, answer)))
        narrow(state, answer)
        room = (room - answer - 1) // n + 1
    return rows


def _fixed_steps(view: np.record, state: np.record, seat: int, budget: int) -> list[Row]:
    """Questions fixed in advance, and answers."""
    rows = []
    list_questions(view, state, budget)
    for k in range(state.n_items):
        put_question(state, k)
        state.hand[state.slot] = state.before[state.slot]
        answer = int(answer_of(view, state, seat))
        rows.append((_question(state), _answer(state, answer)))
        conclude(state, answer)
    return rows


def _question(state: np.record) -> str:
    if state.kind == LIST:
        return f"which is the first that holds: {', '.join(map(_item, _items(state)))}"
    if state.kind == IDENTITY:
        return f"what is slot {state.slot}"
    return f"is slot {state.slot} playable"


def _answer(state: np.record, answer: int) -> str:
    if state.kind == LIST:
        return _item(_items(state)[answer - 1]) if answer else "none"
    if state.kind == IDENTITY:
        mask = state.hand[state.slot]
        return cards_text(int(class_members(answer, mask, state.asked_dead, state.room)))
    return "yes" if answer else "no"


def _items(state: np.record) -> list[int]:
    return [int(item) for item in state.items[: state.n_items]]


def _item(item: int) -> str:
    return f"slot {item % MAX_HAND} is {'playable' if item < MAX_HAND else 'dead'}"
