"""Rollouts: every turn once, seen by the seat that moves; advantages equal a slow account."""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs torch, the extra `learn`")

from tamaya.game import Game
from tamaya.learn.networks import PolicyValue, masked
from tamaya.learn.rollouts import Rollouts, draw, estimate_advantages
from tamaya.rules import Rules

torch.set_num_threads(1)


# Advantages.


def slow_advantages(rewards, ends, values, gamma, lam):
    """The definition: discounted sums of TD errors up to the end of the game or the batch."""
    n_turns, n_games = rewards.shape
    result = np.zeros((n_turns, n_games))
    for game in range(n_games):
        for turn in range(n_turns):
            for later in range(turn, n_turns):
                is_over = ends[later, game]
                after = 0 if is_over else values[later + 1, game]
                td_error = rewards[later, game] + gamma * after - values[later, game]
                result[turn, game] += (gamma * lam) ** (later - turn) * td_error
                if is_over:
                    break
    return result


@pytest.mark.parametrize(("gamma", "lam"), [(0.99, 0.9), (1, 1), (0.9, 0), (0.5, 0.5)])
def test_advantages_equal_the_slow_account(gamma, lam):
    rng = np.random.default_rng(1)
    rewards, values = rng.normal(size=(12, 40)), rng.normal(size=(13, 40))
    ends = rng.random((12, 40)) < 0.2
    tensors = map(torch.from_numpy, (rewards, ends, values))
    fast = estimate_advantages(*tensors, gamma, lam).numpy()
    assert np.allclose(fast, slow_advantages(rewards, ends, values, gamma, lam), atol=1e-6)


def test_a_game_of_two_seats_by_hand():
    """Seats 0, 1, 0, 1 move; the third move ends the game, the fourth begins another."""
    rewards = torch.tensor([[1.0], [0.0], [-1.0], [1.0]])
    ends = torch.tensor([[False], [False], [True], [False]])
    values = torch.tensor([[0.5], [2.0], [1.0], [3.0], [4.0]])
    advantages = estimate_advantages(rewards, ends, values, 0.5, 0.5).flatten().tolist()
    last = 1 + 0.5 * 4 - 3  # the seat after the batch expects 4
    third = -1 - 1  # nothing of the new game counts
    second = 0 + 0.5 * 1 - 2 + 0.25 * third  # seat 0 expects 1
    first = 1 + 0.5 * 2 - 0.5 + 0.25 * second
    assert advantages == pytest.approx([first, second, third, last])


def test_with_everything_counted_advantages_are_returns_less_values():
    rewards, ends = torch.ones(5, 1), torch.zeros(5, 1, dtype=torch.bool)
    ends[4] = True
    values = torch.rand(6, 1)
    advantages = estimate_advantages(rewards, ends, values, 1.0, 1.0)
    assert torch.allclose(advantages + values[:-1], torch.arange(5.0, 0, -1)[:, None])


# Batches.


@pytest.mark.parametrize("players", [2, 3])
def test_a_batch_is_what_the_seats_saw_and_did(players):
    rules = Rules(players=players, lives=1)
    rollouts = Rollouts(rules, "derived", 6, seed=4)
    network = PolicyValue(rollouts.length, 16, rules.n_moves)
    games = [rollouts.env.game(lane) for lane in range(6)]
    batch = rollouts.collect(network, 25)
    n_ended = 0
    for turn in range(25):
        for lane, game in enumerate(games):
            vector = game.vector(game.mover, "derived")
            assert (batch.vectors[turn, lane].numpy() == vector).all()
            assert np.flatnonzero(batch.legal[turn, lane]).tolist() == game.legal_moves
            with torch.no_grad():
                logits, value = network(torch.from_numpy(vector)[None].float())
            chances = masked(logits, batch.legal[turn, lane][None]).softmax(-1)[0]
            move = int(batch.moves[turn, lane])
            assert float(batch.values[turn, lane]) == pytest.approx(float(value), abs=1e-5)
            assert float(batch.log_probs[turn, lane].exp()) == pytest.approx(float(chances[move]))
            before = game.score
            game.apply(move)
            assert batch.rewards[turn, lane] == game.score - before
            assert bool(batch.ends[turn, lane]) == game.is_over
            if game.is_over:
                n_ended += 1
                number = int(rollouts.env.state()["numbers"][lane])
                seed = int(rollouts.env.state()["seed"][0])
                played = sum(batch.ends[:turn, lane].tolist()) + 1
                assert number >= 6 * played
                games[lane] = Game(rules, seed, lane + 6 * played)
    assert n_ended == len(batch.scores) > 10
    last = torch.stack([torch.from_numpy(g.vector(g.mover, "derived")) for g in games]).float()
    assert torch.allclose(batch.values[25], network(last)[1], atol=1e-5)


def test_moves_are_drawn_by_their_probabilities_and_legal():
    chances = torch.tensor([0.5, 0.3, 0.2, 0.0])
    rows = masked(chances.log(), chances > 0).log_softmax(-1).expand(40_000, 4)
    moves = draw(rows, torch.Generator().manual_seed(1))
    shares = torch.bincount(moves, minlength=4) / len(moves)
    assert torch.allclose(shares, chances, atol=4 * 0.0025)
    assert shares[3] == 0


def test_training_deals_are_not_those_of_the_seed():
    rollouts = Rollouts(Rules(), "hle", 3, seed=8)
    deals = {tuple(rollouts.env.game(lane).deck) for lane in range(3)}
    assert not deals & {tuple(Game(Rules(), 8, number).deck) for number in range(50)}


def test_restored_rollouts_go_on_alike():
    rules = Rules(players=3)
    network = PolicyValue(1379, 16, rules.n_moves)
    one, other = (Rollouts(rules, "derived", 5, seed=seed) for seed in (1, 2))
    one.collect(network, 30)
    other.restore(one.state())
    first, second = one.collect(network, 30), other.collect(network, 30)
    for name in ("vectors", "legal", "moves", "log_probs", "values", "rewards", "ends"):
        assert torch.equal(getattr(first, name), getattr(second, name)), name
