"""PPO: its network plays the same with and without torch, and it solves a small game."""

from dataclasses import replace
from math import log

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs torch, the extra `learn`")

from tamaya.agents.learned.files import make_network
from tamaya.agents.learned.network import run_network
from tamaya.game import Game
from tamaya.learn.networks import PolicyValue
from tamaya.learn.ppo import PRESETS, Learner, Settings, TurnSamples, scheduled
from tamaya.learn.validation import Evaluator, full_metadata
from tamaya.rules import Rules

torch.set_num_threads(1)
TINY = Settings(games=8, turns=4, minibatch=16, width=16)
SMALL_TURNS = 500_000
SMALL = Settings(**PRESETS["small"])


@pytest.mark.parametrize(("players", "encoder"), [(2, "derived"), (5, "derived"), (3, "hle")])
def test_compiled_outputs_equal_those_of_torch(players, encoder):
    rules = Rules(players=players)
    torch.manual_seed(1)
    length = len(Game(rules).vector(0, encoder))
    module = PolicyValue(length, 256, rules.n_moves)
    for parameter in module.parameters():
        parameter.data += 0.05 * torch.randn_like(parameter)
    metadata = full_metadata(rules, {"kind": "mlp", "encoder": encoder, "width": 256})
    network = make_network(metadata, module.weights())
    records, out = network.record(), np.zeros(rules.n_moves + 1, np.float32)
    rng = np.random.default_rng(1)
    game = Game(rules, seed=9)
    while not game.is_over:
        vector = game.vector(game.mover, encoder)
        run_network(records[0], vector, out)
        logits, value = module(torch.from_numpy(vector)[None].float())
        wanted = torch.cat([logits[0], value]).detach().numpy()
        assert np.abs(out - wanted).max() < 1e-4
        game.apply(int(rng.choice(game.legal_moves)))


def test_values_hold_and_then_slope():
    assert [scheduled((4, 2), 0.5, done) for done in (0, 0.5, 0.75, 1, 2)] == [4, 4, 3, 2, 2]


def update(learner: Learner, advantages: list[float], log_probs: torch.Tensor) -> torch.Tensor:
    """One update on a few turns of a game, with moves of the learner's own choice."""
    batch = learner.rollouts.collect(learner.network, 1)
    n = len(advantages)
    samples = TurnSamples(
        batch.vectors[0, :n], batch.legal[0, :n], batch.moves[0, :n], log_probs[:n],
        torch.tensor(advantages), batch.values[0, :n],
    )  # fmt: skip
    return learner._update(samples, 0.2, 0.0)


def test_a_first_update_has_the_figures_that_follow_from_the_definition():
    """All ratios are 1, advantages have mean 0 after normalisation, values equal the returns."""
    learner = Learner(Rules(), TINY, 1, 1000)
    generator = learner.rollouts.generator.get_state()
    batch = learner.rollouts.collect(learner.network, 1)
    learner = Learner(Rules(), TINY, 1, 1000)
    learner.rollouts.generator.set_state(generator)
    policy_loss, value_loss, entropy, clipped = update(
        learner, [1.0, 2, 3, 4, 5, 6, 7, 8], batch.log_probs[0]
    ).tolist()
    assert policy_loss == pytest.approx(0, abs=1e-6)
    assert value_loss == pytest.approx(0, abs=1e-6)
    assert clipped == 0
    n_legal = batch.legal[0].sum(-1).tolist()
    assert entropy == pytest.approx(np.mean([log(n) for n in n_legal]), abs=0.02)


def test_good_moves_become_more_likely_and_bad_ones_less():
    learner = Learner(Rules(), TINY, 1, 1000)
    batch = learner.rollouts.collect(learner.network, 1)
    advantages = torch.tensor([1.0, -1, 1, -1, 1, -1, 1, -1])
    samples = TurnSamples(batch.vectors[0], batch.legal[0], batch.moves[0], batch.log_probs[0],
                      advantages, batch.values[0])  # fmt: skip
    for group in learner.optimizer.param_groups:
        group["lr"] = 1e-3
    for _ in range(10):
        learner._update(samples, 0.2, 0.0)
    logits, _ = learner.network(samples.vectors.float())
    after = logits.masked_fill(~samples.legal, -1e9).log_softmax(-1)
    change = after.gather(1, samples.moves[:, None]).squeeze(1) - samples.log_probs
    assert (change * advantages > 0).all()


def test_hidden_layers_in_bfloat16_compute_the_same_but_for_rounding():
    rules = Rules(players=2, colours=2, hand_size=2, tokens=3, lives=1)
    one, other = (Learner(rules, replace(TINY, bfloat16=half), 1, 1000) for half in (False, True))
    vectors = one.rollouts.vectors
    with torch.no_grad():
        pairs = list(zip(one.network(vectors), other.network(vectors), strict=True))
    for mine, theirs in pairs:
        assert theirs.dtype == torch.float32
        assert not torch.equal(mine, theirs) and torch.allclose(mine, theirs, atol=0.02)
    figures = other._learn(other.rollouts.collect(other.network, 4), 0.0)
    assert figures["clipped"] < 0.1 and np.isfinite(list(figures.values())).all()
    assert all(part.dtype == torch.float32 for part in other.network.parameters())


def test_batches_double_in_the_second_half():
    learner = Learner(Rules(), TINY, 1, 100)
    turns = []
    for _ in range(4):
        learner.step()
        turns.append(learner.turns)
    assert turns == [32, 64, 128, 192]


def test_other_play_learns_too():
    settings = Settings(games=8, turns=4, minibatch=16, width=16, other_play=True)
    figures = Learner(Rules(players=3), settings, 1, 1000).step()
    assert figures["entropy"] > 1


@pytest.mark.slow
def test_hanabi_very_small_is_nearly_solved():
    """Thousands of games after half a minute of learning."""
    rules = Rules.preset("very-small")
    learner = Learner(rules, SMALL, 1, SMALL_TURNS)
    while learner.turns < SMALL_TURNS:
        learner.step()
    scores = Evaluator(rules, learner.metadata, learner.weights()).scores(4000)
    assert scores.mean() > 4.2
