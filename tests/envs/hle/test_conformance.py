"""Fixed points of HLE 0.0.4: games of two scripted policies and the hash of all their vectors."""

import hashlib
from typing import Any

import pytest

from tamaya.envs.hle import pyhanabi, rl_env

pytestmark = pytest.mark.checked

SMALL = {"colors": 2, "hand_size": 2, "max_information_tokens": 3, "max_life_tokens": 1}
ODD = {
    "colors": 4, "ranks": 3, "hand_size": 3, "max_information_tokens": 5, "max_life_tokens": 30,
}  # fmt: skip

# policy, options, moves, end, score, hash
FIXED = [
    ("A", {"players": 2, "seed": 42}, 6, 1, 0, "df5d44b7497e8cf8"),
    ("A", {"players": 3, "seed": 42}, 19, 1, 0, "c7df83358db1625e"),
    ("A", {"players": 4, "seed": 42}, 15, 1, 0, "c65dc9fda19ed6ad"),
    ("A", {"players": 5, "seed": 42}, 18, 1, 0, "17beb9c1a05ca8df"),
    ("A", {"players": 2, "seed": 42, "max_life_tokens": 60}, 69, 2, 8, "41d6d03dfe3267f6"),
    ("A", {"players": 5, "seed": 42, "max_life_tokens": 60}, 54, 2, 5, "30ccaf00a50c7a5f"),
    ("A", {"players": 3, "seed": 7, "random_start_player": True}, 8, 1, 0, "b449f72481c0e627"),
    ("A", {"players": 4, "seed": 8, "random_start_player": True}, 15, 1, 0, "40b57a48435d3f48"),
    ("A", {"players": 2, "seed": 42, "observation_type": 0}, 6, 1, 0, "a9824096618c82f6"),
    (
        "A", {"players": 2, "seed": 42, "observation_type": 2, "max_life_tokens": 60},
        69, 2, 8, "36b9a3bebdb2cf7c",
    ),
    ("A", {"players": 2, "seed": 42, **SMALL}, 2, 1, 0, "93a70225cf7932a7"),
    ("A", {"players": 5, "seed": 42, **SMALL, "colors": 1}, 5, 2, 0, "7b0aaac877f68cb2"),
    ("A", {"players": 3, "seed": 9, **ODD}, 31, 2, 6, "6a26807ea3b96e96"),
    ("B", {"players": 2, "seed": 42}, 72, 2, 20, "cc2c6ab80c263d20"),
    ("B", {"players": 2, "seed": 43}, 67, 3, 25, "e7a1a6f66f737342"),
    ("B", {"players": 3, "seed": 42}, 63, 2, 23, "a78aaf108011c18f"),
    ("B", {"players": 3, "seed": 43}, 58, 3, 25, "d93b24946eb05b45"),
    ("B", {"players": 4, "seed": 42}, 62, 2, 22, "e374bc74bb7c0ea8"),
    ("B", {"players": 4, "seed": 43}, 57, 3, 25, "a6802a92be535a90"),
    ("B", {"players": 5, "seed": 42}, 55, 2, 21, "018f91e5bbf8713c"),
    ("B", {"players": 5, "seed": 43}, 49, 3, 25, "de6503f44825b6d0"),
]  # fmt: skip


def choose(policy: str, state: pyhanabi.HanabiState, turn: int) -> pyhanabi.HanabiMove:
    """Policy A takes some legal move; policy B plays a playable card, else hints, else discards."""
    legal = state.legal_moves()
    if policy == "B":
        hand = state.player_hands()[state.cur_player()]
        for slot, card in enumerate(hand):
            if state.card_playable_on_fireworks(card.color(), card.rank()):
                return pyhanabi.HanabiMove.get_play_move(slot)
        hints = [move for move in legal if move.type() >= pyhanabi.HanabiMoveType.REVEAL_COLOR]
        discards = [move for move in legal if move.type() == pyhanabi.HanabiMoveType.DISCARD]
        legal = hints or discards
    return legal[(7 * turn + 3) % len(legal)]


def text_of(vectors: list[list[int]]) -> bytes:
    return "".join("".join(map(str, vector)) for vector in vectors).encode()


@pytest.mark.parametrize(
    ("policy", "options", "moves", "end", "score", "digest"), FIXED, ids=[f[5][:6] for f in FIXED]
)
def test_rl_env(
    policy: str, options: dict[str, Any], moves: int, end: int, score: int, digest: str
) -> None:
    env = rl_env.HanabiEnv(options)
    observation, done, turn, collected = env.reset(), False, 0, 0
    seen = hashlib.sha256()
    while not done:
        seen.update(text_of([seat["vectorized"] for seat in observation["player_observations"]]))
        move = choose(policy, env.state, turn)
        action = move.to_dict() if turn % 2 else env.game.get_move_uid(move)
        observation, reward, done, _ = env.step(action)
        collected += reward
        turn += 1
    seen.update(text_of([seat["vectorized"] for seat in observation["player_observations"]]))
    assert (turn, env.state.end_of_game_status(), env.state.score()) == (moves, end, score)
    assert collected == score
    assert seen.hexdigest()[:16] == digest


@pytest.mark.parametrize(
    ("policy", "options", "moves", "end", "score", "digest"), FIXED, ids=[f[5][:6] for f in FIXED]
)
def test_pyhanabi(
    policy: str, options: dict[str, Any], moves: int, end: int, score: int, digest: str
) -> None:
    game = pyhanabi.HanabiGame(options)
    encoder = pyhanabi.ObservationEncoder(game)
    state = game.new_initial_state()
    seen = hashlib.sha256()
    turn = 0
    while True:
        while state.cur_player() == pyhanabi.CHANCE_PLAYER_ID:
            state.deal_random_card()
        seats = range(game.num_players())
        seen.update(text_of([encoder.encode(state.observation(seat)) for seat in seats]))
        if state.is_terminal():
            break
        state.apply_move(choose(policy, state, turn))
        turn += 1
    assert (turn, state.end_of_game_status(), state.score()) == (moves, end, score)
    assert seen.hexdigest()[:16] == digest


@pytest.mark.interpreted
def test_first_hands() -> None:
    """The first cards of seed 42, and the start seats of two seeds with a random start."""
    env = rl_env.HanabiEnv({"players": 2, "seed": 42})
    env.reset()
    assert str(env.state.player_hands()[0]) == "[W5, R4, W4, G5, G1]"
    env = rl_env.HanabiEnv({"players": 2, "seed": 42, **SMALL})
    env.reset()
    assert str(env.state.player_hands()[0]) == "[Y3, R2]"
    starts = [
        rl_env.HanabiEnv({"players": players, "seed": seed, "random_start_player": True}).reset()
        for players, seed in ((3, 7), (4, 8))
    ]
    assert [start["current_player"] for start in starts] == [0, 3]


def test_lengths() -> None:
    """Lengths of the vectors of the presets for two to five players."""
    lengths = {
        "Hanabi-Full": [658, 956, 1041, 1280],
        "Hanabi-Full-CardKnowledge": [658, 956, 1041, 1280],
        "Hanabi-Full-Minimal": [308, 431, 481, 580],
        "Hanabi-Small": [171, 226, 281, 336],
        "Hanabi-Very-Small": [106, 139, 172, 205],
    }
    for name, expected in lengths.items():
        for players, length in zip(range(2, 6), expected, strict=True):
            env = rl_env.make(name, num_players=players)
            assert env.vectorized_observation_shape() == [length]
            seats = env.reset()["player_observations"]
            assert all(len(seat["vectorized"]) == length for seat in seats)
