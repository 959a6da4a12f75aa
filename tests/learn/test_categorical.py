"""Distributions over atoms: projection and slopes equal slow accounts."""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs torch, the extra `learn`")

from tamaya.agents.learned.distributions import run_distributions
from tamaya.agents.learned.files import make_network
from tamaya.game import Game
from tamaya.learn.categorical import Categorical, project
from tamaya.learn.validation import full_metadata
from tamaya.rules import Rules

torch.set_num_threads(1)


def slow_projection(gain, discount, chances, atoms):
    """Every atom's probability, moved and shared between its two neighbours."""
    result = np.zeros(len(atoms))
    step = atoms[1] - atoms[0]
    for chance, atom in zip(chances, atoms, strict=True):
        moved = min(max(gain + discount * atom, atoms[0]), atoms[-1])
        for k, other in enumerate(atoms):
            result[k] += chance * max(0.0, 1 - abs(moved - other) / step)
    return result


@pytest.mark.parametrize(("n_atoms", "highest"), [(51, 25.0), (51, 5.0), (2, 1.0), (7, 10.0)])
@pytest.mark.parametrize("discount", [0.99, 0.99**3, 1.0, 0.5, 0.0])
def test_the_projection_equals_the_slow_account(n_atoms, highest, discount):
    rng = np.random.default_rng(1)
    atoms = np.linspace(-highest, highest, n_atoms)
    # On atoms, between them, at the edges and beyond.
    gains = np.array([0, 1, -1, 0.3, -2.7, highest, -highest, 2 * highest, -3 * highest])
    chances = rng.dirichlet(np.full(n_atoms, 0.3), len(gains))
    discounts = np.full(len(gains), discount)
    fast = project(*map(torch.from_numpy, (gains, discounts, chances, atoms))).numpy()
    for k, gain in enumerate(gains):
        wanted = slow_projection(gain, discount, chances[k], atoms)
        assert np.allclose(fast[k], wanted, atol=1e-9)
    assert np.allclose(fast.sum(1), 1)


def test_single_precision_loses_no_probability_at_the_edges():
    atoms = torch.linspace(-25, 25, 51)
    chances = torch.zeros(3, 51)
    chances[:, [0, 25, 50]] = torch.tensor([0.25, 0.5, 0.25])
    gains, discounts = torch.tensor([0.0, 25.0, -25.0]), torch.ones(3)
    result = project(gains, discounts, chances, atoms)
    assert torch.equal(result[0], chances[0])
    assert result[1, 50] == 0.75 and result[1, 25] == 0.25
    assert result[2, 0] == 0.75 and result[2, 25] == 0.25


def test_after_the_end_only_the_gain_counts():
    atoms = torch.linspace(-25, 25, 51)
    chances = torch.rand(1, 51).softmax(1)
    result = project(torch.tensor([-17.0]), torch.zeros(1), chances, atoms)
    assert result[0, 8] == pytest.approx(1) and result.count_nonzero() == 1


def some_module(n_inputs: int, width: int, n_moves: int, dueling: bool) -> Categorical:
    torch.manual_seed(1)
    module = Categorical(n_inputs, width, n_moves, torch.linspace(-25, 25, 51), dueling)
    for parameter in module.parameters():
        parameter.data += 0.05 * torch.randn_like(parameter)
    return module


@pytest.mark.parametrize("dueling", [False, True])
def test_slopes_equal_those_that_torch_finds(dueling):
    """By automatic differentiation of the outputs of all moves."""
    module = some_module(40, 24, 6, dueling)
    vectors = torch.randint(2, (9, 40)).float()
    moves = torch.tensor([0, 5, 5, 2, 0, 5, 1, 2, 2])
    target, weights = torch.rand(9, 51).softmax(1), torch.rand(9)
    losses, factors = module.slopes(vectors, moves, target, weights)

    module.requires_grad_()
    logits = module.logits(vectors)[torch.arange(9), moves]
    wanted = -(target * logits.log_softmax(-1)).sum(-1)
    (weights * wanted).mean().backward()
    assert torch.allclose(losses, wanted.detach(), atol=1e-5)
    for (name, parameter), (left, right) in zip(module.named_parameters(), factors, strict=True):
        assert parameter.grad.abs().max() > 1e-4, name
        assert torch.allclose(left.T @ right, parameter.grad, atol=1e-6), name


def test_dueling_moves_differ_from_what_is_common():
    """Logits of a move = common + own - mean over all moves."""
    module = some_module(40, 24, 6, dueling=True)
    vectors = torch.randint(2, (5, 40)).float()
    _, hidden = module.hidden(vectors)
    own = (hidden @ module.out.T + module.out_bias).view(5, 6, 51)
    common = hidden @ module.common.T + module.common_bias
    wanted = common[:, None] + own - own.mean(1, keepdim=True)
    assert torch.allclose(module.logits(vectors), wanted, atol=1e-5)


def test_values_are_means_and_illegal_moves_never_the_best():
    module = some_module(40, 24, 6, dueling=False)
    vectors, legal = torch.randint(2, (50, 40)).float(), torch.rand(50, 6) < 0.4
    legal[:, 3] = True
    values = module.values(vectors, legal)
    chances = module.logits(vectors).softmax(-1)
    means = (chances * torch.linspace(-25, 25, 51)).sum(-1)
    assert torch.allclose(values[legal], means[legal], atol=1e-4)
    assert legal[torch.arange(50), values.argmax(1)].all()


@pytest.mark.parametrize(("players", "dueling"), [(2, False), (5, True)])
def test_compiled_values_equal_those_of_torch(players, dueling):
    rules = Rules(players=players)
    game = Game(rules, seed=9)
    module = some_module(len(game.vector(0, "hle")), 512, rules.n_moves, dueling)
    card = full_metadata(rules, {"kind": "c51", "encoder": "hle", "width": 512, "atoms": 51})
    network = make_network(card, module.parts())
    records, values = network.record(), np.zeros(rules.n_moves, np.float32)
    rng = np.random.default_rng(1)
    while not game.is_over:
        vector = game.vector(game.mover, "hle")
        legal = sum(1 << move for move in game.legal_moves)
        run_distributions(records[0], vector, legal, values)
        allowed = torch.tensor([[move in game.legal_moves for move in range(rules.n_moves)]])
        wanted = module.values(torch.from_numpy(vector)[None].float(), allowed)[0]
        for move in game.legal_moves:
            assert values[move] == pytest.approx(float(wanted[move]), abs=1e-4)
        game.apply(int(rng.choice(game.legal_moves)))
