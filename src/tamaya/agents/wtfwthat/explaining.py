"""Explanations: the rule that decides, what the own cards can be, and what the message says."""

import numpy as np

from tamaya.agents.wtfwthat.decisions import (
    DISCARDED_NUMBER,
    GAMBLE,
    GUESS,
    HINT,
    PASS,
    PLAYED_NUMBER,
    RISK,
    SURE,
    USELESS,
    WAIT,
    decide,
)
from tamaya.agents.wtfwthat.desk import DESK
from tamaya.agents.wtfwthat.fixed import conclude, list_questions, put_question
from tamaya.agents.wtfwthat.hats import hat_of, hat_sum, take_hand
from tamaya.agents.wtfwthat.hints import n_messages
from tamaya.agents.wtfwthat.questions import IDENTITY, LIST, answer_of, ask, class_members, narrow
from tamaya.agents.wtfwthat.slots import playable_slots, useless_slots
from tamaya.cards import cards_text
from tamaya.rules import MAX_HAND

Row = tuple[str, str]

RULES = {
    SURE: "play the most urgent card that is surely playable",
    PLAYED_NUMBER: "play the one of several playable cards that announces the sum",
    GUESS: "last round: play the only card that may be playable",
    GAMBLE: "play a card that is playable or dead, probably playable",
    HINT: "hint",
    WAIT: "last turns: hint and let others play first",
    PASS: "no hint announces the sum: play what does least harm",
    DISCARDED_NUMBER: "discard the one of several useless cards that announces the sum",
    USELESS: "discard a useless card",
    RISK: "discard the card that costs least",
    0: "nothing else is legal",
}


def explain(view: np.record, memory: np.record, params: np.record) -> list[Row]:
    """The rule that decides, what the own cards can be, questions, hats and their sum."""
    desks, options = np.zeros(1, DESK), params.options[view.players]
    decide(view, memory, options, desks)
    desk = desks[0]
    rows = [("rule", RULES[int(desk.rule)])]
    for slot in range(view.hand_size):
        if view.order[view.seat, slot] >= 0:
            public, own = int(desk.sets[view.seat, slot]), int(desk.own[slot])
            rows.append((f"slot {slot} can be", cards_text(own)))
            if public != own:
                rows.append((f"slot {slot} can be for everybody", cards_text(public)))
    n = _n_values(view, desk, options)
    if n < 2:
        return rows
    total = int(hat_sum(view, desk, n, options))  # lays down the boards too
    for seat in range(view.players):
        if seat != view.seat:
            rows += _seat_rows(view, desk, seat, n, options)
    return [*rows, ("sum of the hats", f"{total} of 0 to {n - 1}")]


def _n_values(view: np.record, desk: np.record, options: np.record) -> int:
    """How many numbers the move can announce; 0 if it announces none."""
    rule = int(desk.rule)
    if rule in (HINT, WAIT, PASS):
        return int(n_messages(view, desk, view.seat, options))
    if rule == PLAYED_NUMBER:
        return int(playable_slots(view, desk.sets[view.seat], desk.playable)).bit_count()
    if rule == DISCARDED_NUMBER:
        return int(useless_slots(view, desk.sets[view.seat], desk.dead)).bit_count()
    return 0


def _seat_rows(
    view: np.record, desk: np.record, seat: int, n: int, options: np.record
) -> list[Row]:
    """The questions put to a seat, its answers and its hat."""
    take_hand(view, desk, seat)
    hat = int(hat_of(view, desk, seat, n, options))
    take_hand(view, desk, seat)
    steps = _fixed_steps if options.version == 2018 else _steps
    rows = [(f"seat {seat}: {question}", answer) for question, answer in steps(view, desk, seat, n)]
    return [*rows, (f"hat of seat {seat}", str(hat))]


def _steps(view: np.record, desk: np.record, seat: int, room: int) -> list[Row]:
    """Questions, each after the answers before it, and answers."""
    rows = []
    while room > 1:
        n = int(ask(view, desk, room))
        if n == 0:
            break
        answer = int(answer_of(view, desk, seat))
        rows.append((_question(desk), _answer(desk, answer)))
        narrow(desk, answer)
        room = (room - answer - 1) // n + 1
    return rows


def _fixed_steps(view: np.record, desk: np.record, seat: int, budget: int) -> list[Row]:
    """Questions fixed in advance, and answers."""
    rows = []
    list_questions(view, desk, budget)
    for k in range(desk.n_items):
        put_question(desk, k)
        desk.hand[desk.slot] = desk.before[desk.slot]
        answer = int(answer_of(view, desk, seat))
        rows.append((_question(desk), _answer(desk, answer)))
        conclude(desk, answer)
    return rows


def _question(desk: np.record) -> str:
    if desk.kind == LIST:
        return f"which is the first that holds: {', '.join(map(_item, _items(desk)))}"
    if desk.kind == IDENTITY:
        return f"what is slot {desk.slot}"
    return f"is slot {desk.slot} playable"


def _answer(desk: np.record, answer: int) -> str:
    if desk.kind == LIST:
        return _item(_items(desk)[answer - 1]) if answer else "none"
    if desk.kind == IDENTITY:
        mask = desk.hand[desk.slot]
        return cards_text(int(class_members(answer, mask, desk.asked_dead, desk.room)))
    return "yes" if answer else "no"


def _items(desk: np.record) -> list[int]:
    return [int(item) for item in desk.items[: desk.n_items]]


def _item(item: int) -> str:
    return f"slot {item % MAX_HAND} is {'playable' if item < MAX_HAND else 'dead'}"
