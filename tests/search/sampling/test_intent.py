"""The filter of intent: which hands explain what the others did."""

import numpy as np
import pytest

from search.positions import NOTING, hinted_game, params_of, view_of
from support import GENERATOR, replay, scaled
from tamaya.cards import parse_card
from tamaya.compiled import hot
from tamaya.game import Game
from tamaya.rules import Rules
from tamaya.search.sampling.intent import forgiven_strikes, n_explained, recent_moves
from tamaya.search.team import make_team
from tamaya.search.workspace import draw_deal, new_workspace
from tamaya.table import play

pytestmark = pytest.mark.interpreted


@hot
def explained(view, params, n_recent, deck, n_forgiven):
    """How many recent moves of others there are, and how many of them a deck explains."""
    workspace, team = new_workspace(view, 1, 0.0), make_team(params, view.players)
    recent = recent_moves(workspace, team, n_recent, draw_deal(workspace, np.uint64(1)))
    return recent.n[0], n_explained(workspace, team, recent, deck, n_forgiven)


def decks_of(game: Game, *names: str) -> list[np.ndarray]:
    """The deck of the game with other cards in the slot that was hinted."""
    order, decks = int(game.record.order[1, 1]), []
    for name in names:
        deck = game.record.deck.copy()
        other = list(deck).index(parse_card(name), 10)
        deck[order], deck[other] = deck[other], deck[order]
        decks.append(deck)
    return decks


def test_a_hand_is_struck_for_each_move_that_the_blueprint_would_not_have_made():
    game, params = hinted_game(), params_of("flat-mc:blueprint=example")
    true = game.record.deck
    (wrong,) = decks_of(game, "G2")
    view = view_of(game)
    assert tuple(explained(view, params, 1, true, 0)) == (1, 1)
    assert tuple(explained(view, params, 1, wrong, 0)) == (1, 0)
    assert tuple(explained(view, params, 1, wrong, 1)) == (1, 1)


def test_moves_of_others_are_noted_as_far_back_as_asked():
    game, params = hinted_game(), params_of("flat-mc:blueprint=example")
    counts = [int(explained(view_of(game), params, n, game.record.deck, 9)[0]) for n in range(5)]
    assert counts == [0, 1, 1, 2, 2]


@pytest.mark.parametrize("blueprint", ["example", "confidence", "hat-information"])
def test_the_true_hand_explains_all_moves_of_the_blueprint(blueprint):
    params = params_of(f"flat-mc:blueprint={blueprint}")
    rules = Rules(players=3, empty_hints=True)
    played = play(blueprint, rules, 2, seed=3, record=True)
    for k in range(2):
        for turns in range(1, played.game(k).turn, 1 + 60 // scaled(60)):
            game = replay(played.game(k), turns=turns)
            n, passed = explained(view_of(game), params, 6, game.record.deck, 0)
            assert n == passed == sum(event.seat != game.mover for event in game.events[-6:])


@pytest.mark.parametrize(
    ("blueprint", "observation"), [(NOTING[0].name, "card_knowledge"), ("example", "minimal")]
)
def test_a_past_that_cannot_be_known_says_nothing(blueprint, observation):
    rules = Rules(players=2, observation=observation)
    game = replay(play("example", rules, 1, seed=3, record=True).game(0), turns=4)
    params = params_of(f"flat-mc:blueprint={blueprint}")
    assert tuple(explained(view_of(game), params, 4, game.record.deck, 0)) == (0, 0)


@hot
def forgiven(trust, most, memory, counts):
    for _ in range(2000):
        counts[forgiven_strikes(trust, most, memory)] += 1


@pytest.mark.parametrize("trust", [0.0, 0.5, 0.75, 1.0])
def test_each_further_strike_is_forgiven_with_the_same_probability(trust):
    memory, counts, most = np.zeros(1, GENERATOR)[0], np.zeros(4, np.int64), 3
    forgiven(trust, most, memory, counts)
    at_least = counts[::-1].cumsum()[::-1] / 2000
    for n in range(most + 1):
        expected = (1 - trust) ** n
        assert abs(at_least[n] - expected) <= 4 * (expected * (1 - expected) / 2000) ** 0.5
