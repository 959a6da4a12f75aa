"""What is remembered of hints: by hand, and against a slow account of whole games."""

import numpy as np

from support import scaled
from tamaya.adapt.hints import (
    AGAIN,
    ALONE,
    COLOUR,
    HINTS,
    NEWEST,
    NO_HINT,
    OLDEST,
    ON_CHOP,
    RANK,
    TOLD,
    note,
)
from tamaya.game import Game
from tamaya.rules import Rules
from tamaya.table import play


def noted(game: Game) -> np.record:
    """The record after a game."""
    hints = np.zeros(1, HINTS)[0]
    now = game.at(0)
    for move in game.moves:
        now.apply(move)
        note(now.record, now.events[-1], hints)
    return hints


def test_a_hint_marks_the_cards_that_it_touches():
    game = Game(Rules(players=2), seed=1)
    hand = [card % 5 for card in game.hands[1]]
    rank = max(set(hand), key=hand.count)
    slots = [slot for slot, other in enumerate(hand) if other == rank]
    game.apply(f"h1{rank + 1}")
    hints = noted(game)
    marks = hints.marks[game.record.order[1, :5]]
    assert [slot for slot in range(5) if marks[slot] & TOLD] == slots
    assert marks[slots[-1]] & NEWEST and marks[slots[0]] & OLDEST
    assert bool(marks[slots[0]] & ALONE) == (len(slots) == 1)
    assert bool(marks[0] & ON_CHOP) == (0 in slots) == bool(hints.on_chop[1])
    assert (hints.kind[1], hints.value[1]) == (RANK, rank)
    assert hints.touched[1] == hints.newly[1] == sum(1 << slot for slot in slots)


def test_the_record_agrees_with_a_slow_account():
    played = play("piers", Rules(players=3), scaled(60), seed=2, record=True)
    for k in range(len(played.results)):
        game = played.game(k)
        touched, again, last = set(), set(), dict.fromkeys(range(3), NO_HINT)
        now = game.at(0)
        for move in game.moves:
            mover, before = now.mover, now.record.order.copy()
            now.apply(move)
            event, last[mover] = now.events[-1], NO_HINT
            if event.target >= 0:
                orders = {int(before[event.target, slot]) for slot in range(5)
                          if event.touched >> slot & 1}  # fmt: skip
                again |= orders & touched
                touched |= orders
                is_colour = move < 10 + 2 * 5
                last[int(event.target)] = COLOUR if is_colour else RANK
        hints = noted(game)
        assert {int(n) for n in np.flatnonzero(hints.marks & TOLD)} == touched
        assert {int(n) for n in np.flatnonzero(hints.marks & AGAIN)} == again
        assert hints.kind[:3].tolist() == list(last.values())
