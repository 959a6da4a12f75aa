"""Networks that are trained: the compiled players compute what torch does."""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs torch, the extra `learn`")

from tamaya.agents.learned.files import make_network
from tamaya.agents.learned.recurrent import RecurrentAgent
from tamaya.game import Game
from tamaya.learn.networks import RecurrentPolicyValue
from tamaya.learn.validation import full_metadata
from tamaya.rules import Rules
from tamaya.seat import Seat
from training import blank_state

torch.set_num_threads(1)


@pytest.mark.parametrize(("players", "encoder"), [(2, "hle"), (3, "derived")])
def test_compiled_outputs_equal_those_of_torch_along_a_game(players, encoder):
    rules = Rules(players=players, lives=20)
    torch.manual_seed(1)
    length = len(Game(rules).vector(0, encoder))
    network = RecurrentPolicyValue(length + players, 256, rules.n_moves)
    for parameter in network.parameters():
        parameter.data += 0.02 * torch.randn_like(parameter)
    metadata = full_metadata(rules, {"kind": "lstm", "encoder": encoder, "width": 256})
    agent = RecurrentAgent("network", [make_network(metadata, network.weights())])
    rng, game = np.random.default_rng(1), Game(rules, seed=9)
    seats = [Seat(agent, game, seat) for seat in range(players)]
    states = [blank_state(1, 256) for _ in range(players)]
    while not game.is_over:
        seat = game.mover
        inputs = np.concatenate([game.vector(seat, encoder), np.eye(players)[seat]])
        with torch.no_grad():
            logits, value, states[seat] = network(torch.tensor(inputs)[None].float(), states[seat])
        move = seats[seat].act()
        legal = game.legal_moves
        assert logits[0, move] >= logits[0, legal].max() - 1e-4
        memory = seats[seat].memory["state"][0][: 4 * 256].reshape(2, 2, 256)
        for part in range(2):
            wanted = states[seat][part][:, 0].numpy()
            assert np.abs(memory[:, part] - wanted).max() < 1e-4
        shown = dict(seats[seat].explain())["points expected from here on"]
        assert float(shown) == pytest.approx(float(value), abs=0.06)
        game.apply(int(rng.choice(legal)))
        for each in seats:
            each.observe()
