"""Episodes: each seat's turns, with the rewards of the team until its next one."""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs torch, the extra `learn`")

from support import play_randomly
from tamaya.game import Game
from tamaya.learn.episodes import Episodes
from tamaya.learn.replay_buffer import Replay
from tamaya.rules import Rules


def packed(vectors):
    return np.packbits(vectors, axis=1)


def test_a_game_of_two_seats_by_hand():
    """Five turns: seat 0 moves first, third and fifth, seat 1 in between; a bomb-out at the end."""
    rules = Rules(players=2)
    episodes, replay = Episodes(rules, 1, 8), Replay(100, 8, rules.n_moves)
    rewards = [1, 0, 1, 1, -3]
    for turn, reward in enumerate(rewards):
        vector, legal = np.full((1, 8), turn % 2, np.uint8), np.zeros((1, rules.n_moves), np.int8)
        vector[0, turn] = 1 - turn % 2
        legal[0, turn] = 1
        episodes.note(packed(vector), legal, np.array([10 + turn]), np.array([reward], np.float32))
    episodes.hand_over(np.array([0]), replay)
    assert len(replay) == 5
    assert replay.moves[:5].tolist() == [10, 12, 14, 11, 13]
    assert replay.rewards[:5].tolist() == [1 + 0, 1 + 1, -3, 0 + 1, 1 - 3]
    assert replay.ends[:5].tolist() == [False, False, True, False, True]
    assert replay.legal[:5].argmax(1).tolist() == [0, 2, 4, 1, 3]
    assert replay.vectors[:5].ravel().tolist() == [0b10000000, 0b00100000, 0b00001000, 0b10111111,
                                                   0b11101111]  # fmt: skip
    assert episodes.n_turns.tolist() == [0]


def test_games_end_apart_and_begin_anew():
    rules = Rules(players=2)
    episodes, replay = Episodes(rules, 2, 8), Replay(100, 8, rules.n_moves)

    def note(*moves):
        n = len(moves)
        episodes.note(np.zeros((n, 1), np.uint8), np.ones((n, rules.n_moves), np.int8),
                      np.array(moves), np.zeros(n, np.float32))  # fmt: skip

    note(1, 2)
    episodes.hand_over(np.array([1]), replay)  # one turn only: the other seat has no episode
    note(3, 4)
    note(5, 6)
    episodes.hand_over(np.array([0]), replay)
    note(7, 8)
    episodes.hand_over(np.array([0, 1]), replay)
    assert replay.moves[: len(replay)].tolist() == [2, 1, 5, 3, 7, 4, 8, 6]
    assert replay.ends[: len(replay)].tolist() == [True, False, True, True, True, False, True, True]


@pytest.mark.parametrize("players", [2, 3, 5])
def test_the_rewards_of_the_seats_of_a_whole_game_add_up(players):
    from random import Random

    rules = Rules(players=players)
    game = play_randomly(Game(rules, 4), Random(1))
    length = len(game.vector(0, "hle"))
    episodes, replay = Episodes(rules, 1, length), Replay(200, length, rules.n_moves)
    again, seats, gains = Game(rules, deck=game.deck), [], []
    for move in game.moves:
        vector, before = again.vector(again.mover, "hle"), again.score
        legal = np.isin(np.arange(rules.n_moves), again.legal_moves)
        seats.append(again.mover)
        again.apply(move)
        gains.append(again.score - before)
        episodes.note(packed(vector[None]), legal[None], np.array([move]), np.array(gains[-1:]))
    episodes.hand_over(np.array([0]), replay)
    row = 0
    for seat in range(players):
        own = [turn for turn, mover in enumerate(seats) if mover == seat]
        for turn, following in zip(own, [*own[1:], len(seats)], strict=True):
            assert replay.moves[row] == game.moves[turn]
            assert replay.rewards[row] == sum(gains[turn:following])
            assert replay.ends[row] == (following == len(seats))
            row += 1
    assert row == len(replay) == len(seats)


def test_restored_episodes_are_handed_over_alike():
    rules = Rules(players=3)
    rng = np.random.default_rng(1)
    one, other = (Episodes(rules, 4, 20) for _ in range(2))
    for _ in range(7):
        one.note(packed(rng.integers(0, 2, (4, 20))), rng.integers(0, 2, (4, rules.n_moves)),
                 rng.integers(0, 9, 4), rng.integers(-2, 2, 4))  # fmt: skip
    other.restore({name: part.clone() for name, part in one.state().items()})
    replays = [Replay(100, 20, rules.n_moves) for _ in range(2)]
    for episodes, replay in zip((one, other), replays, strict=True):
        episodes.hand_over(np.array([2, 0]), replay)
    for name in ("vectors", "legal", "moves", "rewards", "ends"):
        assert (getattr(replays[0], name) == getattr(replays[1], name)).all(), name
