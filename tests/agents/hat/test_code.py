"""The hat code: every number has a legal hint, and every seat finds its own number."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support import any_rules, examples
from tamaya.agents.hat.code import announce, announced, n_messages, receiver
from tamaya.game import Game
from tamaya.game_kernels import is_legal
from tamaya.rules import Rules

pytestmark = [pytest.mark.checked, pytest.mark.interpreted]


def hint_for(view, number: int) -> int:
    """The hint of a number, naming the receiver's oldest card where that is free."""
    seat = (view.seat + receiver(view, number)) % view.players
    return int(announce(view, number, view.card[seat, 0]))


@pytest.mark.parametrize(
    ("players", "is_empty_legal", "expected"),
    [(2, False, 2), (3, False, 4), (5, False, 8), (2, True, 10), (3, True, 20), (5, True, 40)],
)
def test_number_of_messages(players, is_empty_legal, expected):
    game = Game(Rules(players=players, empty_hints=is_empty_legal))
    assert n_messages(game.view()) == expected


@examples(100)
@given(any_rules(), st.integers(0, 2**32), st.data())
def test_every_seat_finds_its_own_hat(rules, seed, data):
    game = Game(rules, seed)
    view = game.view()
    n = int(n_messages(view))
    hats = [data.draw(st.integers(0, n - 1)) for _ in range(rules.players)]
    total = sum(hat for seat, hat in enumerate(hats) if seat != view.seat) % n
    move = hint_for(view, total)
    if rules.tokens:
        assert is_legal(view, move)
    for seat in range(rules.players):
        if seat != view.seat:
            seen = sum(hats) - hats[view.seat] - hats[seat]
            assert (int(announced(view, move)) - seen) % n == hats[seat]


def test_cox_announces_by_receiver_and_kind():
    game = Game(Rules(players=5), seed=1)
    view = game.view()
    for number in range(8):
        move = hint_for(view, number)
        game_after = Game(Rules(players=5), seed=1)
        game_after.apply(move)
        event = game_after.events[-1]
        assert event.target == 1 + number % 4
        assert (move >= 2 * 4 + 4 * 5) == (number < 4)  # ranks come last among the ids
