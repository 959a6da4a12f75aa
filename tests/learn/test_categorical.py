"""Networks of distributions over atoms: dueling, values, and the same network compiled."""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs torch, the extra `learn`")

from tamaya.agents.learned.distributions import run_distributions
from tamaya.agents.learned.files import make_network
from tamaya.game import Game
from tamaya.learn.categorical import Categorical
from tamaya.learn.validation import full_metadata
from tamaya.rules import Rules

torch.set_num_threads(1)


def some_module(n_inputs: int, width: int, n_moves: int, dueling: bool) -> Categorical:
    torch.manual_seed(1)
    module = Categorical(n_inputs, width, n_moves, torch.linspace(-25, 25, 51), dueling=dueling)
    for parameter in module.parameters():
        parameter.data += 0.05 * torch.randn_like(parameter)
    return module


def test_all_weights_lie_in_one_array():
    """Also of a network by units, whose parameters look the same; zeros fill up."""
    atoms = torch.linspace(-25, 25, 51)
    for by_units in (False, True):
        module = Categorical(40, 24, 6, atoms, by_units=by_units)
        module.out.fill_(2.0)
        module.load_state_dict(some_module(40, 24, 6, False).state_dict())
        assert module.out.shape == (306, 24)
        numbers = torch.cat([part.flatten() for part in module.parameters()])
        assert np.array_equal(
            np.sort(numbers[numbers != 0]), np.sort(module.flat[module.flat != 0])
        )
        assert module.layers(module.flat).out.shape == ((24, 400) if by_units else (306, 144))


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
    metadata = full_metadata(rules, {"kind": "c51", "encoder": "hle", "width": 512, "atoms": 51})
    network = make_network(metadata, module.weights())
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
