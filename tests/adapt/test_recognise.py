"""Recognising agents by their games: the replay against seats in Python, and what it finds."""

import numpy as np
import pytest

from support import scaled
from tamaya.adapt.families import family_of, library
from tamaya.adapt.recognise import NOISE, Evidence, evidence, is_explained
from tamaya.game import Game
from tamaya.registry import find_agent
from tamaya.rules import Rules
from tamaya.seat import Seat
from tamaya.table import play

NAMES = ("iggi", "certainty", "confidence", "smartbot", "tamaya-mixed", "piers", "wtfwthat")


def games_of(name: str, players: int, n: int, seed: int = 3) -> list[Game]:
    """Self-play games of an agent."""
    played = play(name, Rules(players=players), n, seed=seed, record=True, threads=1)
    return [played.game(k) for k in range(n)]


def slow_agreements(game: Game, name: str) -> list[bool]:
    """Whether an agent would make each move of a game, asked seat by seat."""
    now = Game(game.rules, deck=game.deck, start=int(game.record.start))
    seats = [Seat(find_agent(name), now, seat) for seat in range(game.rules.players)]
    agreed = []
    for move in game.moves:
        agreed.append(seats[now.mover].act() == move)
        now.apply(move)
        for seat in seats:
            seat.observe()
    return agreed


@pytest.mark.parametrize("name", ["smartbot", "confidence", "fireflower", "certainty"])
@pytest.mark.parametrize("players", [2, 3])
def test_the_replay_agrees_with_seats_in_python(name, players):
    games = games_of(name, players, 1) + games_of("example", players, scaled(3))
    found = evidence(games, [name])
    for k, game in enumerate(games):
        agreed = slow_agreements(game, name)
        assert found.agreements[0, k] == pytest.approx(np.mean(agreed))
    assert found.agreements[0, 0] == 1
    assert found.log_likelihoods[0, 0] > games[0].turn * np.log(1 - NOISE)


def test_likelihoods_are_those_of_agreements_with_noise():
    game = games_of("example", 2, 1)[0]
    found = evidence([game], ["certainty"])
    expected = 0.0
    for turn, agreed in enumerate(slow_agreements(game, "certainty")):
        n_legal = len(game.at(turn).legal_moves)
        expected += np.log((1 - NOISE) * agreed + NOISE / n_legal)
    assert found.log_likelihoods[0, 0] == pytest.approx(expected)


@pytest.mark.parametrize("players", [2, 4])
def test_one_game_identifies_an_agent(players):
    for name in NAMES:
        found = evidence(games_of(name, players, 1), NAMES)
        assert found.best() == name
        assert found.posterior()[name] > 0.99


def test_known_agents_are_explained_and_strangers_are_not():
    rules = Rules(players=2)
    for name in ("piers", "smartbot", "cautious"):
        games = games_of(name, 2, 5)
        assert is_explained(evidence(games, [name]), name, rules)
        others = [other for other in NAMES if family_of(other) != family_of(name)]
        found = evidence(games, others)
        assert not is_explained(found, found.best(), rules)
    found = evidence(games_of("piers", 2, 5), ["random"])
    assert not is_explained(found, "random", rules)


def test_a_tempered_posterior_is_less_certain():
    found = Evidence(("a", "b"), np.array([[-10.0], [-40.0]]), np.ones((2, 1)), 30)
    assert found.posterior()["a"] > 0.999999
    assert found.posterior(30)["a"] == pytest.approx(1 / (1 + np.exp(-1)))


def test_the_library_plays_the_same_twice():
    games = games_of("cautious", 2, 2)
    first, second = (evidence(games, library(2)[:12]) for _ in range(2))
    assert np.array_equal(first.log_likelihoods, second.log_likelihoods)
