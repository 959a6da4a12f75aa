"""Players who speak a code are noticed by their blind plays."""

import pytest

from tamaya.adapt.codes import blind_plays, speaks_code
from tamaya.game import Game
from tamaya.rules import Rules
from tamaya.table import play


def games_of(name: str, players: int, n: int = 10) -> list[Game]:
    """Self-play games of an agent."""
    played = play(name, Rules(players=players), n, seed=21, record=True, threads=1)
    return [played.game(k) for k in range(n)]


@pytest.mark.parametrize("players", [2, 4])
def test_code_players_are_noticed_and_others_are_not(players):
    for name in ("wtfwthat", "information"):
        assert speaks_code(games_of(name, players))
    for name in ("ppo", "smartbot", "fireflower-careful", "confidence", "random", "first-legal"):
        assert not speaks_code(games_of(name, players))


def test_a_code_of_few_words_is_noticed():
    assert speaks_code(games_of("hat-information", 2))


def test_plays_are_counted():
    game = Game(Rules(players=2), seed=1)
    rank = game.hands[1][4] % 5
    for move in ("p0", f"h1{rank + 1}" if game.mover else "p1"):
        game.apply(move)
    n_plays, n_blind, n_scored = blind_plays(game)
    assert (n_plays, n_blind) in ((1, 1), (2, 2))
    assert n_scored == game.points
