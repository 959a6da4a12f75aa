"""Views: what a seat sees, what it does not, and the questions agents ask."""

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tamaya.view as view_module
from support import any_game, examples, permuted, play_randomly
from tamaya.game import Game
from tamaya.game_kernels import is_legal, legal_mask
from tamaya.records import COMMON_NAMES, VIEW
from tamaya.rules import Rules
from tamaya.view import fill_view, unseen_mask

pytestmark = [pytest.mark.checked, pytest.mark.interpreted]


@examples(100)
@given(any_game(), st.integers(0, 4))
def test_a_view_shows_what_everybody_knows(game, offset):
    seat = (game.mover + offset) % game.rules.players
    view = game.view(seat)
    assert view.seat == seat
    for name in COMMON_NAMES:
        if name in ("possible", "told") and game.rules.observation == "minimal":
            continue
        if name == "history":
            assert view.history[: game.turn].tobytes() == game.events.tobytes()
        else:
            assert np.array_equal(view[name], game.record[name]), name


@examples(100)
@given(any_game())
def test_a_view_shows_the_hands_of_others(game):
    for seat in range(game.rules.players):
        view = game.view(seat)
        for other in set(range(game.rules.players)) - {seat}:
            assert view.card[other].tolist() == game.record.card[other].tolist()


@examples(100)
@given(any_game())
def test_only_a_seer_sees_its_own_hand(game):
    n = game.rules.hand_size
    for seat in range(game.rules.players):
        own = game.view(seat).card[seat, :n].tolist()
        is_seer = game.rules.observation == "seer"
        assert own == (game.record.card[seat, :n].tolist() if is_seer else [-1] * n)


def test_a_view_has_no_field_for_deck_or_seed():
    assert {"deck", "seed"}.isdisjoint(VIEW.names)


def test_a_minimal_view_has_forgotten_all_hints():
    game = Game(Rules(observation="minimal"))
    game.apply(game.legal_moves[-1])  # with all tokens there, the last move is a hint
    assert game.record.told.any()
    view = game.view()
    assert not view.told.any()
    assert set(view.possible[:2, :5].ravel().tolist()) == {int(view.all_cards)}


@examples(60)
@given(any_game(), st.integers(0, 2**32))
def test_hidden_cards_leave_no_trace_in_a_view(game, seed):
    for seat in range(game.rules.players):
        other = permuted(game, seat, Random(seed))
        assert other.view(seat).tobytes() == game.view(seat).tobytes()


def test_the_permutations_do_change_own_hand_and_deck():
    game, rng = Game(Rules(players=3)), Random(0)
    others = [permuted(game, 1, rng) for _ in range(20)]
    assert len({tuple(other.hands[1]) for other in others}) > 15
    assert len({tuple(other.deck[15:]) for other in others}) == 20
    assert all(other.hands[0] == game.hands[0] for other in others)


def test_a_view_tells_nothing_of_the_seat_that_used_its_memory_before():
    game = Game()
    used = game.view(1)
    unseen_mask(used)
    fill_view(game.record, 0, used)
    assert used.tobytes() == game.view(0).tobytes()


@examples(100)
@given(any_game())
def test_the_view_of_the_mover_answers_what_is_legal(game):
    view = game.view()
    assert legal_mask(view) == legal_mask(game.record)
    for move in range(64):
        assert is_legal(view, move) == is_legal(game.record, move)


def test_the_questions_of_knowledge_can_be_asked_here():
    for name in view_module.__all__:
        assert callable(getattr(view_module, name))


def test_the_view_of_a_finished_game_can_still_be_seen():
    game = play_randomly(Game(), Random(1))
    assert game.view(1).status == game.record.status != 0
