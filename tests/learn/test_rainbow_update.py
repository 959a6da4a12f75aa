"""Updates of Rainbow equal those of automatic differentiation and torch's Adam; projections."""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs torch, the extra `learn`")

from tamaya.learn.categorical import Categorical
from tamaya.learn.rainbow_kernels import find_best, project
from tamaya.learn.rainbow_update import Update
from tamaya.learn.replay import Samples
from tamaya.learn.threads import Helper

torch.set_num_threads(1)
N_INPUTS, WIDTH, N_MOVES, BATCH = 45, 24, 6, 9
ATOMS = torch.linspace(-25, 25, 51)

# Projections.


def projected(gains, discounts, probs, atoms):
    out = np.empty_like(probs)
    project(probs[:, None], np.zeros(len(probs), np.int64), gains, discounts, atoms, out)
    return out


def slow_projection(gain, discount, probs, atoms):
    """Every atom's probability, moved and shared between its two neighbours."""
    result = np.zeros(len(atoms))
    step = atoms[1] - atoms[0]
    for prob, atom in zip(probs, atoms, strict=True):
        moved = min(max(gain + discount * atom, atoms[0]), atoms[-1])
        for k, other in enumerate(atoms):
            result[k] += prob * max(0.0, 1 - abs(moved - other) / step)
    return result


@pytest.mark.parametrize(("n_atoms", "highest"), [(51, 25.0), (51, 5.0), (2, 1.0), (7, 10.0)])
@pytest.mark.parametrize("discount", [0.99, 0.99**3, 1.0, 0.5, 0.0])
def test_the_projection_equals_the_slow_account(n_atoms, highest, discount):
    rng = np.random.default_rng(1)
    atoms = np.linspace(-highest, highest, n_atoms)
    # On atoms, between them, at the edges and beyond.
    gains = np.array([0, 1, -1, 0.3, -2.7, highest, -highest, 2 * highest, -3 * highest])
    probs = rng.dirichlet(np.full(n_atoms, 0.3), len(gains))
    fast = projected(gains, np.full(len(gains), discount), probs, atoms)
    for k, gain in enumerate(gains):
        wanted = slow_projection(gain, discount, probs[k], atoms)
        assert np.allclose(fast[k], wanted, atol=1e-9)
    assert np.allclose(fast.sum(1), 1)


def test_single_precision_loses_no_probability_at_the_edges():
    probs = np.zeros((3, 51), np.float32)
    probs[:, [0, 25, 50]] = [0.25, 0.5, 0.25]
    gains = np.array([0, 25, -25], np.float32)
    result = projected(gains, np.ones(3, np.float32), probs, ATOMS.numpy())
    assert np.array_equal(result[0], probs[0])
    assert result[1, 50] == 0.75 and result[1, 25] == 0.25
    assert result[2, 0] == 0.75 and result[2, 25] == 0.25


def test_after_the_end_only_the_gain_counts():
    probs = torch.rand(1, 51).softmax(1).numpy()
    result = projected(np.array([-17], np.float32), np.zeros(1, np.float32), probs, ATOMS.numpy())
    assert result[0, 8] == pytest.approx(1) and np.count_nonzero(result) == 1


def test_the_best_move_is_legal_and_has_the_highest_mean():
    rng = np.random.default_rng(3)
    probs = rng.dirichlet(np.full(51, 0.3), (30, N_MOVES)).astype(np.float32)
    legal = rng.random((30, N_MOVES)) < 0.4
    legal[0] = False
    best = np.full(30, -1)
    find_best(probs, ATOMS.numpy(), legal, best)
    means = np.where(legal, probs @ ATOMS.numpy(), -np.inf)
    assert best[0] == 0
    assert np.array_equal(best[1:], means[1:].argmax(1))


# Updates.


def network(dueling: bool) -> Categorical:
    torch.manual_seed(1)
    module = Categorical(N_INPUTS, WIDTH, N_MOVES, ATOMS, dueling=dueling)
    for parameter in module.parameters():
        parameter.data += 0.05 * torch.randn_like(parameter)
    return module


def some_samples(moves: list[int]) -> tuple[Samples, torch.Tensor]:
    """A batch, of which no more than vectors, moves and weights matter, and targets."""
    nothing = torch.zeros(0)
    samples = Samples(
        rows=np.zeros(0, np.int64), weights=torch.rand(BATCH), moves=torch.tensor(moves),
        vectors=torch.randint(2, (BATCH, N_INPUTS)).float(), gains=nothing, discounts=nothing,
        later_vectors=nothing, later_legal=nothing,
    )  # fmt: skip
    return samples, torch.rand(BATCH, 51).softmax(1)


def plain_loss(parts: dict[str, torch.Tensor], samples: Samples, target: torch.Tensor):
    """Cross-entropies by the plain formulas, all moves' outputs computed."""
    hidden = (samples.vectors.double() @ parts["first"] + parts["first_bias"]).relu()
    hidden = (hidden @ parts["second"] + parts["second_bias"]).relu()
    logits = (hidden @ parts["out"].T + parts["out_bias"]).view(BATCH, N_MOVES, 51)
    if "common" in parts:
        common = hidden @ parts["common"].T + parts["common_bias"]
        logits = common[:, None] + logits - logits.mean(1, keepdim=True)
    own = logits[torch.arange(BATCH), samples.moves]
    return -(target * own.log_softmax(-1)).sum(-1)


@pytest.mark.parametrize("dueling", [False, True])
def test_updates_equal_automatic_differentiation_and_the_adam_of_torch(dueling):
    """In double precision, over several batches; some moves are not made for a while."""
    module = network(dueling)
    parts = {name: torch.nn.Parameter(part.detach().double())
             for name, part in module.named_parameters()}  # fmt: skip
    before = {name: part.detach().clone() for name, part in parts.items()}
    update = Update(module, BATCH, 1e-3, 3.125e-5)
    reference = torch.optim.Adam(parts.values(), lr=1e-3, eps=3.125e-5)
    batches = ([0, 5, 5, 2, 0, 5, 1, 2, 2], [3] * 9, [0, 1, 0, 1, 1, 0, 0, 1, 5],
               [5, 4, 3, 2, 1, 0, 0, 1, 2])  # fmt: skip
    for moves in batches * 3:
        samples, target = some_samples(moves)
        losses = update(samples, target, Helper())
        wanted = plain_loss(parts, samples, target)
        reference.zero_grad()
        (samples.weights * wanted).mean().backward()
        reference.step()
        assert np.allclose(losses, wanted.detach(), atol=1e-5)
    for name, part in module.named_parameters():
        moved = (parts[name] - before[name]).abs()
        assert moved.mean() > 2e-3, name
        assert (part - parts[name]).abs().max() < 1e-5, name


def test_only_the_moments_of_what_was_learned_from_begin_to_move():
    module = network(dueling=False)
    before = module.out.clone()
    update = Update(module, BATCH, 1e-3, 3.125e-5)
    samples, target = some_samples([2] * BATCH)
    update(samples, target, Helper())
    changed = (module.out != before).view(N_MOVES, -1).any(1)
    assert changed.tolist() == [move == 2 for move in range(N_MOVES)]
