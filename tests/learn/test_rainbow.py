"""Rainbow: targets equal a slow account, the schedule is the published one, it solves a game."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs torch, the extra `learn`")

from tamaya.cli.main import app
from tamaya.learn.rainbow import PRESETS, Learner, Settings
from tamaya.learn.run import Plan, Run
from tamaya.registry import find_agent
from tamaya.rules import Rules
from training import train_twice

torch.set_num_threads(1)
TINY = Settings(width=16, capacity=2000, games=4, turns=200)


def trained(settings: Settings, turns: int, rules: Rules | None = None) -> Learner:
    learner = Learner(rules or Rules(), settings, 1, 10**6)
    while learner.turns < turns:
        learner.step()
    return learner


# Targets.


def slow_target(learner, gain, discount, vector, legal):
    """The projected distribution of the best legal move later, atom by atom."""
    atoms = np.linspace(-25, 25, 51)
    vector = torch.from_numpy(vector)[None].float()
    with torch.no_grad():
        judged = learner.target.network.logits(vector)[0].softmax(-1).double().numpy()
        chosen_by = learner.network if learner.settings.double else learner.target.network
        values = chosen_by.logits(vector)[0].softmax(-1).double().numpy() @ atoms
    best = max(np.flatnonzero(legal), key=lambda move: values[move])
    result = np.zeros(51)
    for atom, chance in zip(atoms, judged[best], strict=True):
        place = np.clip(gain + discount * atom, -25, 25) + 25
        low = min(int(place), 49)
        result[low] += chance * (low + 1 - place)
        result[low + 1] += chance * (place - low)
    return result


@pytest.mark.parametrize("preset", ["self-play", "full"])
def test_targets_equal_the_slow_account(preset):
    settings = replace(TINY, **PRESETS[preset], batch=40)
    learner = trained(settings, 2000)
    replay, gamma = learner.replay, settings.gamma
    for parameter in (*learner.network.parameters(), *learner.target.network.parameters()):
        parameter.data += 0.3 * torch.randn_like(parameter)  # so that they disagree
    samples = replay.draw(40, settings.horizon, gamma, torch.Generator().manual_seed(1))
    found = learner._target_distribution(samples)
    n_ended = 0
    for k, row in enumerate(samples.rows):
        gain, discount = 0.0, 1.0
        for _ in range(settings.horizon):
            gain += discount * replay.rewards[row]
            discount *= gamma
            if replay.ends[row]:
                discount, n_ended = 0.0, n_ended + 1
                break
            row = (row + 1) % replay.capacity
        bits = np.unpackbits(replay.vectors[row], count=replay.length)
        legal = replay.legal[row] if discount else np.ones(20, bool)
        wanted = slow_target(learner, gain, discount, bits, legal)
        assert np.allclose(found[k], wanted, atol=1e-5)
    assert 0 < n_ended < 40


def test_an_update_brings_the_distributions_nearer_and_sets_priorities():
    learner = trained(replace(TINY, learning_rate=1e-3), 800)
    samples = learner.replay.draw(32, 1, 0.99, torch.Generator().manual_seed(1))
    target = learner._target_distribution(samples)
    before, _ = learner._update(samples, target).tolist()
    priorities = learner.replay.priorities[samples.rows]
    assert (priorities**2).mean() == pytest.approx(before, rel=0.2)  # rows may occur twice
    for _ in range(20):
        after, _ = learner._update(samples, target).tolist()
    assert after < before - 0.1


# The schedule.


def test_updates_copies_and_exploration_follow_the_published_schedule(monkeypatch):
    learner = Learner(Rules(), TINY, 1, 10**6)
    updates, copies, shares = [], [], []
    monkeypatch.setattr(learner, "_update", lambda samples, target: updates.append(learner.turns)
                        or np.zeros(2))  # fmt: skip
    copy = learner.target.copy
    monkeypatch.setattr(learner.target, "copy",
                        lambda network: copies.append(learner.turns) or copy(network))  # fmt: skip
    while learner.turns < 2000:
        shares.append((learner.turns, learner.epsilon))
        learner.step()
    assert copies == [0, 500, 1000, 1500]
    assert 500 < updates[0] < 700  # transitions come when games end
    assert updates == list(range(updates[0], 2000, 4))
    wanted = [(0, 1.0), (200, 1.0), (400, 1.0), (600, 0.9), (800, 0.7), (1000, 0.5), (1200, 0.3),
              (1400, 0.1), (1600, 0.0), (1800, 0.0)]  # fmt: skip
    assert shares == [(turns, pytest.approx(share)) for turns, share in wanted]


def test_the_defaults_are_the_published_settings():
    learner = Learner(Rules(), Settings(), 1, 10**8)
    shapes = [tuple(part.shape) for part in learner.network.parameters()]
    assert shapes == [(658, 512), (1, 512), (512, 512), (1, 512), (1020, 512), (1, 1020)]
    assert learner.network.atoms[[0, 25, 50]].tolist() == [-25, 0, 25]
    assert learner.replay.capacity == 1_000_000
    preset = replace(Settings(), **PRESETS["throughput"])
    assert preset.batch / preset.period == Settings().batch / Settings().period == 8


def test_without_exploration_the_best_legal_move_is_made():
    learner = trained(replace(TINY, warm_up=100, epsilon_turns=100), 400)
    assert learner.epsilon == 0
    for _ in range(30):
        allowed = learner.rollouts.legal.bool()
        with torch.no_grad():
            values = learner.network.values(learner.rollouts.vectors.float(), allowed)
        place = learner.episodes.n_turns.copy()
        before = learner.episodes.moves.copy()
        learner._play()
        for game, turn in enumerate(place):
            before[game, turn] = values[game].argmax()
        assert (learner.episodes.moves == before).all()


@pytest.mark.parametrize("lenient", [False, True])
def test_lenient_training_forgives_bomb_outs(lenient):
    learner = trained(replace(TINY, lenient=lenient, epsilon_turns=10**6), 3000, Rules(lives=1))
    rewards = learner.replay.rewards[: len(learner.replay)]
    assert rewards.max() > 0
    assert (rewards.min() >= 0) == lenient


# Runs.

PLAN = Plan("rainbow", "players=3", turns=1600, log_every=500, validate_every=800,
            validation_games=20)  # fmt: skip
RUN_SETTINGS = {"width": 16, "capacity": 700, "games": 4, "turns": 100, "warm_up": 200,
                "epsilon_turns": 500}  # fmt: skip


@pytest.mark.parametrize("preset", ["self-play", "full"])
def test_a_resumed_run_equals_one_that_was_not_stopped(tmp_path, preset):
    plan = replace(PLAN, preset=preset, settings=tuple(RUN_SETTINGS.items()))
    whole, log = train_twice(tmp_path, plan, 100, 450, 800, 1210)
    learner: Any = whole.learner
    assert learner.turns == 1600 and len(log) >= 4
    assert learner.replay.n_added > 700  # the ring has come round


@pytest.mark.parametrize("preset", ["self-play", "full"])
def test_a_second_thread_changes_nothing(preset):
    settings = replace(TINY, **PRESETS[preset], target_period=50)
    alone, helped = (Learner(Rules(), settings, 1, 10**6) for _ in range(2))
    helped.use_threads(2)
    while alone.turns < 2000:
        assert alone.step()["loss"] == pytest.approx(helped.step()["loss"], rel=0, nan_ok=True)
    for one, other in zip(alone.network.parameters(), helped.network.parameters(), strict=True):
        assert torch.equal(one, other)


def test_others_learn_on_one_thread(tmp_path):
    with pytest.raises(ValueError, match="ppo learns on one thread, not on 2"):
        Run(tmp_path, Plan(settings=(("games", 4),)), threads=2)


def test_the_commands_train_and_ship(tmp_path, capsys):
    settings = [word for name, value in RUN_SETTINGS.items()
                for word in ("--set", f"{name}={value}")]  # fmt: skip
    run, out = str(tmp_path / "run"), str(tmp_path / "mine.npz")
    app(["train", "rainbow", run, "--turns", "500", *settings], standalone_mode=False)
    app(["ship", run, out, "-n", "20"], standalone_mode=False)
    assert "rainbow" in capsys.readouterr().out
    agent = find_agent(out)
    assert agent.networks[2].card["kind"] == "c51"
    assert agent.networks[2].card["settings"]["batch"] == 32
