"""Play without conventions: sure cards, the worth of hints, lawful moves."""

import pytest

from agents.stacking import facing
from knowledge import naive
from support import scaled
from tamaya.cards import CardSet
from tamaya.game import Game
from tamaya.knowledge.board import board_now
from tamaya.knowledge.copies import own_mask
from tamaya.knowledge.hints import give_hint, n_hints
from tamaya.knowledge.literal import best_hint, hint_value, idle_hint, lawful, sure_slot
from tamaya.moves import NO_MOVE
from tamaya.rules import Rules

pytestmark = [pytest.mark.checked, pytest.mark.interpreted]

SEEDS = range(scaled(20))
USELESS = 0.4


def naive_value(game: Game, seat: int, hint: tuple[str, int]) -> float:
    """Worth of a hint by its definition."""
    value = 0.0
    for slot, card in enumerate(naive.hand(game, seat)):
        possible = set(CardSet(int(game.view().possible[seat, slot])))
        is_new = not all(naive.names(hint, other) for other in possible)
        if card < 0 or not naive.names(hint, card) or not is_new:
            continue
        if card in naive.playable(game):
            value += not possible <= set(naive.playable(game))
        elif card in naive.dead(game):
            value += USELESS * (not possible <= set(naive.dead(game)))
    return value


@pytest.mark.parametrize("seed", SEEDS)
def test_the_hint_worth_most(seed):
    for game in naive.positions(seed, 5):
        view, board = game.view(), board_now(game.record)
        values = {}
        for offset in range(1, game.rules.players):
            seat = (game.mover + offset) % game.rules.players
            for hint, named in enumerate(naive.hints(game)):
                mask = naive.mask_of(card for card in range(25) if naive.names(named, card))
                value = hint_value(view, seat, mask, board, USELESS)
                assert value == pytest.approx(naive_value(game, seat, named))
                values[int(give_hint(view, offset, hint))] = value
        most = max(values.values(), default=0.0)
        first = next((move for move, value in values.items() if value == most > 0), NO_MOVE)
        assert best_hint(view, board, USELESS) == first


@pytest.mark.parametrize("seed", SEEDS)
def test_the_hint_that_tells_least(seed):
    for game in naive.positions(seed, 5):
        view = game.view()
        n_new = {}
        for offset in range(1, game.rules.players):
            seat = (game.mover + offset) % game.rules.players
            for hint, named in enumerate(naive.hints(game)):
                news = 0
                for slot, card in enumerate(naive.hand(game, seat)):
                    possible = CardSet(int(view.possible[seat, slot]))
                    is_new = not all(naive.names(named, other) for other in possible)
                    news += card >= 0 and naive.names(named, card) and is_new
                move = int(give_hint(view, offset, hint))
                if move in game.legal_moves:
                    n_new[move] = news
        expected = min(n_new, key=n_new.__getitem__, default=NO_MOVE)
        assert idle_hint(view) == expected
        assert not n_new or len(n_new) <= n_hints(view) * (game.rules.players - 1)


@pytest.mark.parametrize("seed", SEEDS)
def test_sure_slots_and_lawful_moves(seed):
    for game in naive.positions(seed, 5):
        view = game.view()
        for cards in (naive.playable(game), naive.dead(game), naive.all_cards(game)):
            sure = [slot for slot in range(game.rules.hand_size)
                    if len(CardSet(int(own_mask(view, slot)))) > 0
                    and set(CardSet(int(own_mask(view, slot)))) <= set(cards)]  # fmt: skip
            assert sure_slot(view, naive.mask_of(cards)) == min(sure, default=-1)
        for move in range(-1, game.rules.n_moves) if game.legal_moves else ():
            expected = move if move in game.legal_moves else game.legal_moves[0]
            assert lawful(view, move) == expected


def test_a_known_card_is_worth_no_hint():
    view = facing("R1 R1 Y2 G3 W4")
    view.possible[1, 0] = view.possible[1, 1] = 1
    assert best_hint(view, board_now(view), 0.5) == NO_MOVE
    view.possible[1, 0] = 3
    assert best_hint(view, board_now(view), 0.5) == give_hint(view, 1, 0)


def test_at_full_tokens_somebody_is_told_something():
    game = Game(Rules(players=3), 1)
    assert idle_hint(game.view()) in game.legal_moves
