"""The PettingZoo environment passes PettingZoo's own tests and keeps Hanabi's rules."""

import contextlib
import io
import warnings

import numpy as np
import pytest
from pettingzoo.test import api_test, performance_benchmark, seed_test

from tamaya.envs import pettingzoo as hanabi
from tamaya.game import IllegalMoveError
from tamaya.rules import Rules


@pytest.mark.parametrize("players", range(2, 6))
def test_api(players):
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")  # it warns of dictionaries with a mask, its own convention
        api_test(hanabi.env(players=players), num_cycles=300)


def test_seeds():
    with contextlib.redirect_stdout(io.StringIO()):
        seed_test(lambda: hanabi.env(players=3, random_start=True), num_cycles=200)


def test_performance_benchmark_runs(monkeypatch):
    from pettingzoo.test import performance_benchmark as module

    clock = iter(float(k) for k in range(10_000_000))
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        source = getattr(module, "__globals__", None) or vars(module)
        if "time" in source:
            monkeypatch.setattr(source["time"], "time", lambda: next(clock) / 100)
        performance_benchmark(hanabi.env(players=2))
    assert "turns per second" in printed.getvalue()


def play_to_the_end(env, seed: int) -> tuple[list[int], dict[str, int]]:
    rng = np.random.default_rng(seed)
    env.reset(seed=seed)
    moves, totals = [], dict.fromkeys(env.possible_agents, 0)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        totals[agent] += reward
        assert not truncated
        if terminated:
            env.step(None)
            continue
        move = int(rng.choice(np.flatnonzero(observation["action_mask"])))
        moves.append(move)
        env.step(move)
    return moves, totals


@pytest.mark.parametrize("players", range(2, 6))
def test_rewards_add_up_to_the_score_for_everybody(players):
    for seed in range(20):
        env = hanabi.env(players=players, bomb="keep")
        _, totals = play_to_the_end(env, seed)
        assert set(totals.values()) == {env.game.score}


def test_long_games_are_not_cut_short():
    env = hanabi.env(players=2, lives=60)
    env.reset(seed=1)
    while not env.game.is_over:
        env.step(env.game.legal_moves[-1])
    assert env.game.status == "out of cards"


def test_last_observations_are_fresh():
    env = hanabi.env(players=2)
    env.reset(seed=0)
    while not env.game.is_over:
        env.step(env.game.legal_moves[0] if env.game.record.tokens < 8 else 5)
    lives = slice(200, 203)
    for agent in env.possible_agents:
        assert env.observe(agent)["observation"][lives].sum() == 0


def test_only_the_mover_has_legal_moves():
    env = hanabi.env(players=4)
    env.reset(seed=0)
    masks = [env.observe(agent)["action_mask"].sum() for agent in env.possible_agents]
    assert masks[0] > 0
    assert masks[1:] == [0, 0, 0]


def test_very_small_games_are_possible():
    env = hanabi.env(rules=Rules.preset("Hanabi-Very-Small", players=5))
    play_to_the_end(env, 1)


def test_an_illegal_move_raises_and_changes_nothing():
    env = hanabi.env(players=2)
    env.reset(seed=0)
    before = env.game.copy()
    with pytest.raises(IllegalMoveError, match=r"player_0: discard slot 0 \(d0\) is not legal"):
        env.step(0)
    assert env.game == before


def test_render_shows_the_board():
    env = hanabi.env(players=2, render_mode="ansi")
    env.reset(seed=0)
    env.step(env.game.legal_moves[0])
    text = env.render()
    assert "fireworks" in text
    assert "seat 0: play slot 0" in text


# Calls as found in programs for PettingZoo's own environment.
CALLS = [
    ({"colors": 2, "ranks": 5, "players": 2, "hand_size": 2, "max_information_tokens": 3,
      "max_life_tokens": 1, "observation_type": 1}, Rules.preset("small")),
    ({"colors": 5, "ranks": 5, "players": 2, "hand_size": 5, "max_information_tokens": 8,
      "max_life_tokens": 3, "observation_type": "card_knowledge", "random_start_player": True},
     Rules(random_start=True)),
    ({"players": 4, "max_life_tokens": 6}, Rules(players=4, lives=6)),
    ({"observation_type": 0, "random_start_player": 0}, Rules(observation="minimal")),
    ({"observation_type": "seer", "render_mode": None}, Rules(observation="seer")),
]  # fmt: skip


@pytest.mark.parametrize(("options", "rules"), CALLS)
def test_calls_of_hanabi_v5_work(options, rules):
    for make in (hanabi.env, hanabi.raw_env):
        env = make(**options)
        assert env.rules == rules
        env.reset(seed=1)
        assert (
            env.last()[0]["observation"].shape
            == env.observation_space("player_0")["observation"].shape
        )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"colors": 2, "colours": 3}, "colours is given under two names"),
        (
            {"observation_type": 7},
            "observation must be one of minimal, .*seer, not 7",
        ),
        ({"jokers": 3}, "unknown rule 'jokers'"),
        ({"render_mode": "rgb_array"}, "render_mode must be None, 'ansi' or 'human'"),
    ],
)
def test_wrong_options_are_named(options, message):
    with pytest.raises(ValueError, match=message):
        hanabi.env(**options)


def test_what_is_not_rules_is_refused_and_shown():
    with pytest.raises(TypeError, match=r"rules must be Rules, .* not 3"):
        hanabi.env(3)


def test_a_step_without_an_action_is_refused():
    env = hanabi.env()
    env.reset(seed=1)
    with pytest.raises(TypeError, match="action must be a whole number, not None"):
        env.step(None)


def test_the_mode_for_people_writes_every_turn(capsys):
    env = hanabi.env(render_mode="human")
    env.reset(seed=1)
    env.step(5)
    assert "seat 0: play slot 0" in capsys.readouterr().out


def test_a_closed_environment_takes_no_step_until_it_is_reset():
    env = hanabi.env()
    env.reset(seed=1)
    assert repr(env) == str(env) == "<HanabiAEC players=2 hand_size=5: turn 0>"
    env.close()
    with pytest.raises(ValueError, match="the environment is closed: call reset to play again"):
        env.step(5)
    assert repr(env) == "<HanabiAEC players=2 hand_size=5: not reset>"
    env.reset(seed=1)
    env.step(5)
