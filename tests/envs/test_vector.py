"""The vector environment: the same games as ``Game``, auto-reset, masks, no copies."""

import gymnasium
import numpy as np
import pytest

from tamaya.encoding import encode_hle
from tamaya.envs.vector import HanabiVectorEnv
from tamaya.game import Game
from tamaya.rules import Rules

pytestmark = pytest.mark.checked


def pick(mask: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    return (mask * rng.random(mask.shape)).argmax(axis=1)


def observed(game: Game, seat: int) -> np.ndarray:
    out = np.zeros(HanabiVectorEnv(1, game.rules).single_observation_space.shape[0], np.uint8)
    encode_hle(game.record, seat, out)
    return out


@pytest.mark.parametrize("players", range(2, 6))
@pytest.mark.parametrize("seats", ["mover", "all"])
def test_lanes_play_the_games_of_the_seed(players, seats):
    rules, n = Rules(players=players), 7
    env = HanabiVectorEnv(n, rules, seats=seats)
    observations, info = env.reset(seed=11)
    games = [Game(rules, 11, lane) for lane in range(n)]
    numbers = list(range(n))
    rng = np.random.default_rng(players)
    for _ in range(60):
        for lane, game in enumerate(games):
            assert info["seat"][lane] == game.mover
            assert np.flatnonzero(info["action_mask"][lane]).tolist() == game.legal_moves
            if seats == "mover":
                assert (observations[lane] == observed(game, game.mover)).all()
            else:
                for seat in range(players):
                    assert (observations[lane, seat] == observed(game, seat)).all()
        moves = pick(info["action_mask"], rng)
        before = [game.score for game in games]
        for game, move in zip(games, moves, strict=True):
            game.apply(int(move))
        observations, rewards, terminated, truncated, info = env.step(moves)
        assert rewards.tolist() == [g.score - b for g, b in zip(games, before, strict=True)]
        assert terminated.tolist() == [game.is_over for game in games]
        assert not truncated.any()
        for lane in np.flatnonzero(terminated):
            game = games[lane]
            final = info["final_obs"][lane]
            last = final if seats == "mover" else final[game.mover]
            assert (last == observed(game, game.mover)).all()
            assert info["final_score"][lane] == game.score
            numbers[lane] += n
            games[lane] = Game(rules, 11, numbers[lane])


def test_threads_change_nothing():
    def run(threads: int) -> list[bytes]:
        env = HanabiVectorEnv(50, Rules(players=3), threads=threads, dtype=np.float32)
        observations, info = env.reset(seed=2)
        rng = np.random.default_rng(0)
        seen = []
        for _ in range(40):
            observations, rewards, *_, info = env.step(pick(info["action_mask"], rng))
            seen.append(observations.tobytes() + rewards.tobytes())
        env.close()
        return seen

    assert run(1) == run(3)


def test_arrays_are_reused():
    env = HanabiVectorEnv(4)
    first, info = env.reset(seed=0)
    second, *_, later = env.step(info["action_mask"].argmax(axis=1))
    assert np.shares_memory(first, second)
    assert later["action_mask"] is info["action_mask"]


def test_it_is_a_gymnasium_vector_environment():
    env = HanabiVectorEnv(3, encoder="obl", dtype=np.float32)
    assert isinstance(env, gymnasium.vector.VectorEnv)
    observations, _ = env.reset(seed=1)
    assert env.observation_space.contains(observations)
    assert env.single_action_space.n == 20


def test_reset_without_a_seed_deals_new_games():
    env = HanabiVectorEnv(5)
    first, _ = env.reset(seed=3)
    first = first.copy()
    again, _ = env.reset()
    assert (first != again).any()
    repeated, _ = env.reset(seed=3)
    assert (first == repeated).all()


def test_a_restored_environment_goes_on_alike():
    one, other = HanabiVectorEnv(9, Rules(players=3)), HanabiVectorEnv(9, Rules(players=3))
    rng = np.random.default_rng(1)
    _, info = one.reset(seed=4)
    other.reset(seed=5)
    for _ in range(30):
        *_, info = one.step(pick(info["action_mask"], rng))
    _, info = other.restore(one.state())
    for _ in range(30):
        moves = pick(info["action_mask"], rng)
        first = [part.copy() for part in one.step(moves)[:3]]
        *second, _, info = other.step(moves)
        assert all((a == b).all() for a, b in zip(first, second, strict=True))
    assert one.state()["games"].tobytes() == other.state()["games"].tobytes()


def test_greedy_moves_are_encoded_and_default_to_the_moves():
    env = HanabiVectorEnv(6, encoder="sad-greedy", dtype=np.float32)
    _, info = env.reset(seed=5)
    moves = info["action_mask"].argmax(axis=1)
    plays = np.full(6, 9)
    observations, *_ = env.step(moves, greedy=plays)
    env.reset(seed=5)
    with_greedy = observations[:, -55:].copy()
    without, *_ = env.step(moves)
    assert (with_greedy != without[:, -55:]).any()
    actual = observations[:, 125:][:, 253:308]
    assert (without[:, -55:] == actual).all()


def test_an_illegal_move_steps_nothing_and_is_named():
    env = HanabiVectorEnv(3)
    _, info = env.reset(seed=0)
    moves = info["action_mask"].argmax(axis=1)
    before = env.games.tobytes()
    moves[1] = 0  # discarding at full tokens
    with pytest.raises(ValueError, match=r"game 1: move 0 \(discard slot 0\) is not legal"):
        env.step(moves)
    assert env.games.tobytes() == before


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"num_envs": 0}, "num_envs must be at least 1"),
        ({"num_envs": 1, "seats": "some"}, "seats must be 'mover' or 'all'"),
        ({"num_envs": 1, "encoder": "x"}, "unknown encoder 'x'"),
    ],
)
def test_bad_options_are_named(options, message):
    with pytest.raises(ValueError, match=message):
        HanabiVectorEnv(**options)


def test_stepping_before_reset_is_an_error():
    with pytest.raises(ValueError, match="call reset before step"):
        HanabiVectorEnv(2).step(np.zeros(2, np.int64))


@pytest.mark.parametrize(
    ("arguments", "options", "error", "message"),
    [
        ((4, 3), {}, TypeError, "rules must be Rules, .* not 3"),
        (("4",), {}, TypeError, "num_envs must be a whole number, not '4'"),
        ((4,), {"seed": "a"}, TypeError, "seed must be a whole number, not 'a'"),
        ((4,), {"threads": 1.5}, TypeError, "threads must be a whole number, not 1.5"),
        ((4,), {"threads": -1}, ValueError, "threads must be at least 1, not -1"),
        ((4,), {"threads": 0}, ValueError, "threads must be at least 1, not 0"),
    ],
)
def test_wrong_arguments_are_named(arguments, options, error, message):
    with pytest.raises(error, match=message):
        HanabiVectorEnv(*arguments, **options)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_closed_environment_is_not_stepped(threads):
    env = HanabiVectorEnv(4, Rules(players=2), threads=threads)
    env.reset(seed=0)
    assert repr(env) == "<HanabiVectorEnv 4 games, players=2 hand_size=5>"
    env.close()
    for call in (env.reset, lambda: env.step(np.full(4, 5))):
        with pytest.raises(ValueError, match="the environment is closed"):
            call()
