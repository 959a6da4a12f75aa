"""Updates of Rainbow equal those of automatic differentiation and torch's Adam; projections."""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs torch, the extra `learn`")

from tamaya.learn.categorical import Categorical
from tamaya.learn.rainbow_kernels import Workspace, find_best, new_workspace, project, write_exps
from tamaya.learn.rainbow_update import Player, Target, Update
from tamaya.learn.replay_buffer import Samples

torch.set_num_threads(1)
N_INPUTS, WIDTH, N_MOVES, BATCH = 45, 24, 6, 9
ATOMS = torch.linspace(-25, 25, 51)

# Projections.


def projected(gains, discounts, probs, atoms):
    out = np.empty_like(probs)
    for row in range(len(probs)):
        project(probs, row, gains[row], discounts[row], atoms, out)
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


def some_logits(rng: np.random.Generator) -> Workspace:
    work = new_workspace(30, N_INPUTS, WIDTH, N_MOVES, 51)
    work.logits[:, : N_MOVES * 51] = 4 * rng.normal(size=(30, N_MOVES * 51))
    return work


def test_the_best_move_is_legal_and_has_the_highest_mean():
    rng = np.random.default_rng(3)
    work, legal = some_logits(rng), rng.random((30, N_MOVES)) < 0.4
    legal[0] = False
    best = [find_best(row, legal, ATOMS.numpy(), work) for row in range(30)]
    logits = torch.from_numpy(work.logits[:, : N_MOVES * 51]).double().view(30, N_MOVES, 51)
    probs = logits.softmax(-1)
    means = torch.where(torch.from_numpy(legal), probs @ ATOMS.double(), -torch.inf)
    assert best == means.argmax(1).tolist()
    assert np.allclose(work.probs, probs[range(30), best], atol=1e-6)


def test_exponentials_are_exact_to_the_last_digits():
    logits = np.linspace(-120, 3, 64, dtype=np.float32)[None]
    exps, bits = np.zeros(64, np.float32), np.zeros(64, np.int32)
    write_exps(logits, 0, 0, np.float32(3), exps, bits)
    wanted = np.exp(np.maximum((logits[0] - np.float32(3)).astype(np.float64), -87))
    assert np.allclose(exps, wanted, rtol=3e-7, atol=0)
    assert exps[-1] == 1


# Updates.


def network(dueling: bool) -> Categorical:
    torch.manual_seed(1)
    module = Categorical(N_INPUTS, WIDTH, N_MOVES, ATOMS, dueling=dueling)
    for parameter in module.parameters():
        parameter.data += 0.05 * torch.randn_like(parameter)
    return module


def some_samples(moves: list[int]) -> tuple[Samples, np.ndarray]:
    """A batch of random transitions, and targets."""
    n, rng = len(moves), np.random.default_rng(len(moves) + sum(moves))
    samples = Samples(
        rows=np.arange(n), weights=rng.random(n, np.float32), moves=np.array(moves),
        packed=np.packbits(rng.random((n, N_INPUTS)) < 0.4, axis=1),
        gains=rng.integers(-2, 3, n).astype(np.float32),
        discounts=np.full(n, 0.9, np.float32),
        later_packed=np.packbits(rng.random((n, N_INPUTS)) < 0.4, axis=1),
        later_legal=rng.random((n, N_MOVES)) < 0.5,
    )  # fmt: skip
    return samples, rng.dirichlet(np.full(51, 0.3), n).astype(np.float32)


def floats(packed: np.ndarray) -> torch.Tensor:
    return torch.from_numpy(np.unpackbits(packed, axis=1, count=N_INPUTS)).double()


def plain_logits(parts: dict[str, torch.Tensor], vectors: torch.Tensor) -> torch.Tensor:
    """Logits of all moves by the plain formulas."""
    hidden = (vectors @ parts["first"] + parts["first_bias"]).relu()
    hidden = (hidden @ parts["second"] + parts["second_bias"]).relu()
    logits = (hidden @ parts["out"].T + parts["out_bias"]).view(len(vectors), N_MOVES, 51)
    if "common" in parts:
        common = hidden @ parts["common"].T + parts["common_bias"]
        logits = common[:, None] + logits - logits.mean(1, keepdim=True)
    return logits


def doubles(module: Categorical) -> dict[str, torch.Tensor]:
    return {name: torch.nn.Parameter(part.detach().double().clone())
            for name, part in module.named_parameters()}  # fmt: skip


@pytest.mark.parametrize("dueling", [False, True])
def test_updates_equal_automatic_differentiation_and_the_adam_of_torch(dueling):
    """In double precision, over several batches; some moves are not made for a while."""
    module = network(dueling)
    parts = doubles(module)
    before = {name: part.detach().clone() for name, part in parts.items()}
    update = Update(module, BATCH, 1e-3, 3.125e-5)
    reference = torch.optim.Adam(parts.values(), lr=1e-3, eps=3.125e-5)
    batches = ([0, 5, 5, 2, 0, 5, 1, 2, 2], [3] * 9, [0, 1, 0, 1, 1, 0, 0, 1, 5],
               [5, 4, 3, 2, 1, 0, 0, 1, 2])  # fmt: skip
    for moves in batches * 3:
        samples, target = some_samples(moves)
        losses = update(samples, target)
        own = plain_logits(parts, floats(samples.packed))[torch.arange(BATCH), samples.moves]
        wanted = -(torch.from_numpy(target) * own.log_softmax(-1)).sum(-1)
        reference.zero_grad()
        (torch.from_numpy(samples.weights) * wanted).mean().backward()
        reference.step()
        assert np.allclose(losses, wanted.detach(), atol=1e-5)
    for name, part in module.named_parameters():
        moved = (parts[name] - before[name]).abs()
        assert moved.mean() > 2e-3, name
        assert (part - parts[name]).abs().max() < 2e-5, name


def test_only_the_moments_of_what_was_learned_from_begin_to_move():
    module = network(dueling=False)
    before = module.out.clone()
    update = Update(module, BATCH, 1e-3, 3.125e-5)
    samples, target = some_samples([2] * BATCH)
    update(samples, target)
    changed = (module.out != before).reshape(N_MOVES, -1).any(1)
    assert changed.tolist() == [move == 2 for move in range(N_MOVES)]


@pytest.mark.parametrize("dueling", [False, True])
def test_targets_and_moves_are_those_of_the_plain_formulas(dueling):
    """The target network's best legal move, projected; the player's best legal move."""
    module = network(dueling)
    samples, _ = some_samples(list(range(N_MOVES)) * 4)
    samples.later_legal[:, 2] = True
    n = len(samples.moves)
    target = Target(module, n)
    target.copy(module)
    probs = plain_logits(doubles(module), floats(samples.later_packed)).detach().softmax(-1)
    means = probs @ ATOMS.double()
    best = means.where(torch.from_numpy(samples.later_legal), torch.tensor(-torch.inf).double())
    best = best.argmax(1)
    found = target.distributions(samples, samples.later_legal)
    for k in range(n):
        wanted = slow_projection(samples.gains[k], samples.discounts[k], probs[k, best[k]],
                                 ATOMS.double().numpy())  # fmt: skip
        assert np.allclose(found[k], wanted, atol=1e-5)
    moves = Player(module, n).best(samples.later_packed, samples.later_legal)
    assert moves.tolist() == best.tolist()


@pytest.mark.parametrize("dueling", [False, True])
def test_a_restored_update_goes_on_alike(dueling):
    """From its own state, and from moments as older checkpoints have them."""
    one = Update(network(dueling), BATCH, 1e-3, 1e-5)
    for moves in ([0, 5, 5, 2, 0, 5, 1, 2, 2], [3] * 9):
        one(*some_samples(moves))
    state = one.state()
    sizes = [rows * columns for rows, columns in one.network.shapes]
    both = torch.stack([state["means"], state["squares"]]).split(sizes, 1)
    older = [part.reshape(2, *shape) for part, shape in zip(both, one.network.shapes, strict=True)]
    forms = [state, {"n_steps": state["n_steps"], "moments": [part.clone() for part in older]}]
    weights = {name: part.clone() for name, part in one.network.state_dict().items()}
    forms[0] = {name: part.clone() if torch.is_tensor(part) else part
                for name, part in state.items()}  # fmt: skip
    one(*some_samples([1] * 9))
    for form in forms:
        other = Update(network(dueling), BATCH, 1e-3, 1e-5)
        other.network.load_state_dict(weights)
        other.restore(form)
        other(*some_samples([1] * 9))
        assert np.array_equal(one.network.flat, other.network.flat)


def test_a_target_is_restored_also_from_a_dueling_network():
    """As older checkpoints have it."""
    module = network(dueling=True)
    one, other = Target(module, BATCH), Target(module, BATCH)
    one.copy(module)
    other.restore(module.state_dict())
    assert np.array_equal(one.network.flat, other.network.flat)
    other.network.out.fill_(0)
    other.restore(one.network.state_dict())
    assert np.array_equal(one.network.flat, other.network.flat)


def test_a_batch_of_another_size_is_refused():
    module = network(dueling=False)
    samples, target = some_samples([1] * 10)
    legal = samples.later_legal
    for use in (lambda: Update(module, BATCH, 1e-3, 1e-5)(samples, target),
                lambda: Player(module, BATCH).best(samples.packed, legal),
                lambda: Target(module, BATCH).distributions(samples, legal)):  # fmt: skip
        with pytest.raises(ValueError, match="there is room for 9 rows, not for 10"):
            use()
