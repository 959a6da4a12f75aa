"""Rollouts with public beliefs: vectors and outputs, and true hands explain their moves."""

from dataclasses import replace

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs torch, the extra `learn`")

from tamaya.agents.learned.bad import look_and_run, outputs
from tamaya.learn.bad import Learner, Settings
from tamaya.learn.public_rollouts import PublicRollouts
from tamaya.rules import Rules
from tamaya.view import fill_view, playable_mask

torch.set_num_threads(1)
TINY = Settings(games=8, turns=4, minibatch=16, width=16, hands=16)


def rollouts_of(learner: Learner) -> PublicRollouts:
    """The games that BAD learns from."""
    assert isinstance(learner.rollouts, PublicRollouts)
    return learner.rollouts


@pytest.mark.parametrize("marks", [True, False])
def test_compiled_outputs_equal_those_of_torch(marks):
    """Along games of the full size, with weights that are not those of the beginning."""
    learner = Learner(Rules(), replace(TINY, width=64, marks=marks), 1, 1000)
    for parameter in learner.network.parameters():
        parameter.data += 0.1 * torch.randn_like(parameter)
    rollouts = rollouts_of(learner)
    for _ in range(3):
        rollouts.collect(learner.network, 10)
        with torch.no_grad():
            logits, values = learner.network(rollouts.vectors)
        for lane in range(8):
            fill_view(rollouts.env.games[lane], rollouts.env.games[lane].mover, rollouts.views[1])
            out = outputs(rollouts.views[1], rollouts.memories[lane], rollouts.brain[0])
            wanted = np.append(logits[lane].numpy(), values[lane].numpy())
            assert np.abs(out - wanted).max() < 1e-4
            agents = rollouts.memories[lane : lane + 1].copy()  # as the agent in play gets it
            look_and_run(rollouts.views[1], agents[0], rollouts.brain[0])
            for name in ("belief", "left", "masks", "moves", "may_hint"):
                assert (agents[name][0] == rollouts.memories[name][lane]).all()
            own = rollouts.memories["hidden"][lane, :64]
            assert np.abs(agents["hidden"][0, :64] - own).max() < 1e-4


def test_vectors_are_what_movers_see_and_all_believe():
    rules = Rules.preset("small")
    learner = Learner(rules, TINY, 1, 1000)
    rollouts = rollouts_of(learner)
    rollouts.collect(learner.network, 7)
    sizes = rollouts.sizes
    for lane in range(8):
        game, vector = rollouts.env.game(lane), rollouts.vectors[lane].numpy()
        n_bits = sizes.hand + sizes.public
        assert (vector[:n_bits] == game.vector(game.mover, "hle")).all()
        rows = vector[n_bits : n_bits + 2 * sizes.hand].reshape(2, 2, 10)
        believed = rollouts.memories[lane].belief[:, :2, :10]
        assert (rows[0] == believed[game.mover]).all()
        assert (rows[1] == believed[1 - game.mover]).all()
        mask = int(playable_mask(game.record))
        playable = [card for card in range(10) if mask >> card & 1]
        chances = vector[n_bits + 2 * sizes.hand : -sizes.marks].reshape(2, 2, 3)
        assert np.allclose(chances[..., 0], rows[..., playable].sum(-1))
        marks = vector[-sizes.marks :].reshape(2, 3)
        cards = game.record.card[1 - game.mover, :2].tolist()
        assert marks[:, 0].tolist() == [card in playable for card in cards]


def test_the_hand_that_was_seen_always_explains_the_move():
    """The noise of a turn is that of its decoding: true cards keep the highest likelihood."""
    learner = Learner(Rules.preset("small"), replace(TINY, hands=100), 1, 1000)
    rollouts = rollouts_of(learner)
    for parameter in learner.network.parameters():
        parameter.data += 0.3 * torch.randn_like(parameter)
    told = 0
    for _ in range(60):
        rollouts.collect(learner.network, 1)
        for lane in range(8):
            game, memory = rollouts.env.games[lane], rollouts.memories[lane]
            for seat in range(2):
                for slot in range(2):
                    card = int(game.card[seat, slot])
                    if card >= 0:
                        assert memory.likelihood[seat, slot, card] > 0
                        told += memory.likelihood[seat, slot].min() < 0.5
    assert told > 500
