"""BAD: the same with and without torch, true hands explain their moves, and small games."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs torch, the extra `learn`")

from tamaya.agents.learned.bad import outputs
from tamaya.agents.learned.beliefs import V1, believe
from tamaya.agents.learned.files import read_metadata
from tamaya.cli.main import app
from tamaya.learn.bad import PRESETS, Learner, Settings
from tamaya.learn.run import Plan
from tamaya.rules import Rules
from tamaya.view import fill_view, playable_mask
from training import train_twice

torch.set_num_threads(1)
TINY = Settings(games=8, turns=4, minibatch=16, width=16, hands=16)
SMALL = Settings(**PRESETS["small"])
VERY_SMALL_TURNS = 400_000


@pytest.mark.parametrize("marks", [True, False])
def test_compiled_outputs_equal_those_of_torch(marks):
    """Along games of the full size, with weights that are not those of the beginning."""
    learner = Learner(Rules(), replace(TINY, width=64, marks=marks), 1, 1000)
    for parameter in learner.network.parameters():
        parameter.data += 0.1 * torch.randn_like(parameter)
    rollouts = learner.rollouts
    for _ in range(3):
        rollouts.collect(learner.network, 10)
        with torch.no_grad():
            logits, values = learner.network(rollouts.vectors)
        for lane in range(8):
            fill_view(rollouts.env.games[lane], rollouts.env.games[lane].mover, rollouts.views[1])
            out = outputs(rollouts.views[1], rollouts.minds[lane], rollouts.brain[0])
            wanted = np.append(logits[lane].numpy(), values[lane].numpy())
            assert np.abs(out - wanted).max() < 1e-4


def test_vectors_are_what_movers_see_and_all_believe():
    rules = Rules.preset("small")
    learner = Learner(rules, TINY, 1, 1000)
    rollouts = learner.rollouts
    rollouts.collect(learner.network, 7)
    sizes = rollouts.sizes
    for lane in range(8):
        game, vector = rollouts.env.game(lane), rollouts.vectors[lane].numpy()
        n_bits = sizes.hand + sizes.public
        assert (vector[:n_bits] == game.vector(game.mover, "hle")).all()
        rows = vector[n_bits : n_bits + 2 * sizes.hand].reshape(2, 2, 10)
        believed = rollouts.minds[lane].belief[:, :2, :10]
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
    rollouts = learner.rollouts
    for parameter in learner.network.parameters():
        parameter.data += 0.3 * torch.randn_like(parameter)
    told = 0
    for _ in range(60):
        rollouts.collect(learner.network, 1)
        for lane in range(8):
            game, mind = rollouts.env.games[lane], rollouts.minds[lane]
            for seat in range(2):
                for slot in range(2):
                    card = int(game.card[seat, slot])
                    if card >= 0:
                        assert mind.likelihood[seat, slot, card] > 0
                        told += mind.likelihood[seat, slot].min() < 0.5
    assert told > 500


def test_learning_goes_on_bit_for_bit(tmp_path):
    settings = (("games", 8), ("turns", 4), ("minibatch", 16), ("width", 16), ("hands", 8))
    plan = Plan(algorithm="bad", rules=Rules.preset("small").to_text(), turns=320,
                settings=settings, log_every=100, validate_every=160,
                validation_games=10)  # fmt: skip
    train_twice(tmp_path, plan, 64, 200)
    for name in ("latest", "best"):
        assert (tmp_path / "parts" / f"{name}.npz").exists()


@pytest.mark.parametrize(
    ("rules", "changes", "message"),
    [
        ("players=3", {}, "BAD is for 2 players, not 3"),
        ("observation=minimal", {}, "BAD needs the usual observation, not 'minimal'"),
        ("players=2", {"belief": "V3"}, "belief is one of V0, V1, V2, not 'V3'"),
        ("players=2", {"width": 400}, "width of BAD's network is at most 384, not 400"),
    ],
)
def test_mistakes_are_explained(rules, changes, message):
    with pytest.raises(ValueError, match=message):
        Learner(Rules.parse(rules), replace(TINY, **changes), 1, 1000)


def test_a_run_that_cannot_begin_leaves_nothing(tmp_path):
    with pytest.raises(ValueError, match="BAD is for 2 players, not 4"):
        app(["train", "bad", str(tmp_path / "run"), "-p", "4"], standalone_mode=False)
    assert not (tmp_path / "run").exists()


def test_the_command_trains_bad(tmp_path, capsys):
    options = ["games=8", "turns=4", "minibatch=16", "width=16", "hands=8", "belief=V1"]
    words = [word for option in options for word in ("--set", option)]
    app(["train", "bad", str(tmp_path / "run"), "--turns", "64", "--rules",
         "colours=2 hand_size=2 tokens=3 lives=1", *words], standalone_mode=False)  # fmt: skip
    assert "96 of 64 turns" in capsys.readouterr().out  # batches double in the second half
    card = read_metadata(tmp_path / "run" / "best.npz")
    assert (card["kind"], card["belief"], card["algorithm"]) == ("bad", "V1", "bad")


@pytest.mark.slow
def test_moves_tell_cards():
    """After learning, true cards are believed more than in V1."""
    rules = Rules.preset("very-small")
    learner = Learner(rules, SMALL, 1, VERY_SMALL_TURNS)
    while learner.turns < VERY_SMALL_TURNS:
        learner.step()
    rollouts, gains = learner.rollouts, []
    rollouts.brain["version"] = V1
    plain, ones = np.zeros((2, 8, 25), np.float32), np.ones((2, 8, 25), np.float32)
    for lane in range(SMALL.games):
        game = rollouts.env.games[lane]
        believe(game, ones, rollouts.brain[0], plain)
        for seat, slot in product(range(2), range(2)):
            card = int(game.card[seat, slot])
            if card >= 0:
                gains.append(
                    rollouts.minds[lane].belief[seat, slot, card] - plain[seat, slot, card]
                )
    assert np.mean(gains) > 4 * np.std(gains) / len(gains) ** 0.5 > 0
