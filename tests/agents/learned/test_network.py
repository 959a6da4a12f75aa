"""Networks without torch: the compiled forward pass, and agents that play them."""

from itertools import product

import numpy as np
import pytest

from support import run_python, scaled
from tamaya.agents.learned.family import LearnedAgent, explain
from tamaya.agents.learned.files import Network, make_network, write_network
from tamaya.agents.learned.network import layout, run_network
from tamaya.encoding import observation_spec, vector_length
from tamaya.game import Game
from tamaya.moves import move_phrase
from tamaya.rules import Rules
from tamaya.seat import Seat
from tamaya.table import play

pytestmark = [pytest.mark.checked, pytest.mark.interpreted]


def some_weights(rules: Rules, width: int, encoder: str = "derived", seed: int = 0):
    """Random weights."""
    rng = np.random.default_rng(seed)
    shapes = layout(vector_length(rules, encoder), width, rules.n_moves)
    return {name: rng.normal(0, 0.3, shape).astype(np.float32) for name, shape in shapes.items()}


def some_metadata(rules: Rules, width: int, encoder: str = "derived") -> dict:
    return {"kind": "mlp", "rules": rules.to_text(), "encoder": encoder, "width": width,
            "observation": observation_spec(rules, encoder)}  # fmt: skip


def some_network(rules: Rules, width: int = 32, encoder: str = "derived", seed: int = 0) -> Network:
    weights = some_weights(rules, width, encoder, seed)
    return make_network(some_metadata(rules, width, encoder), weights)


def naive_outputs(weights: dict[str, np.ndarray], vector: np.ndarray) -> np.ndarray:
    """The network once more, in NumPy."""
    units = vector.astype(np.float64)
    for layer in ("first", "second"):
        units = units @ weights[layer] + weights[f"{layer} bias"]
        units = (units - units.mean()) / np.sqrt(units.var() + 1e-5)
        units = np.maximum(0, units * weights[f"{layer} scale"] + weights[f"{layer} shift"])
    return units @ weights["out"] + weights["out bias"]


@pytest.mark.parametrize(("players", "encoder"), [*product((2, 5), ("hle", "derived"))])
def test_outputs_equal_those_of_plain_numpy(players, encoder):
    rules = Rules(players=players)
    weights = some_weights(rules, 64, encoder)
    network = make_network(some_metadata(rules, 64, encoder), weights)
    records, out = network.record(), np.zeros(rules.n_moves + 1, np.float32)
    rng = np.random.default_rng(1)
    game = Game(rules, seed=7)
    while not game.is_over:
        vector = game.vector(game.mover, encoder)
        run_network(records[0], vector, out)
        assert np.allclose(out, naive_outputs(weights, vector), atol=1e-4)
        game.apply(int(rng.choice(game.legal_moves)))


def test_the_agent_makes_the_legal_move_with_the_highest_output():
    rules = Rules(players=3)
    weights = some_weights(rules, 32)
    agent = LearnedAgent("network", [make_network(some_metadata(rules, 32), weights)])
    played = play(agent, rules, scaled(5), seed=3, record=True)
    for k in range(len(played.results)):
        game = played.game(k)
        again = Game(rules, deck=game.deck)
        for move in game.moves:
            out = naive_outputs(weights, again.vector(again.mover, "derived"))
            assert move == max(again.legal_moves, key=lambda move: out[move])
            again.apply(move)


def test_an_agent_has_a_network_for_each_number_of_players():
    sizes = (2, 4)
    networks = [some_network(Rules(players=players)) for players in sizes]
    together = LearnedAgent("both", networks)
    assert together.players == (2, 4)
    for players, network in zip(sizes, networks, strict=True):
        alone = LearnedAgent("one", [network])
        rules = Rules(players=players)
        scores = [play(agent, rules, scaled(20)).results for agent in (together, alone)]
        assert (scores[0] == scores[1]).all()


@pytest.mark.parametrize(
    "rules",
    ["players=3", "hand_size=4", "colours=3", "ranks=4", "tokens=0", "lives=1",
     "observation=minimal", "empty_hints=true refill=in_place", "hand_size=8 tokens=1"],
)  # fmt: skip
def test_it_plays_on_where_its_network_does_not_fit(rules):
    agent = LearnedAgent("both", [some_network(Rules()), some_network(Rules(players=4))])
    results = play(agent, Rules.parse(rules), scaled(100)).results
    assert (results["n_moves"] > 0).all()


def test_explanations_give_probabilities_and_the_value():
    agent = LearnedAgent("network", [some_network(Rules())])
    game = Game(Rules(), seed=5)
    seat = Seat(agent, game, 0)
    rows = seat.explain()
    assert len(rows) == 6
    assert rows[0][0] == move_phrase(game.rules, seat.act())
    chances = [float(value.removesuffix(" %")) for _, value in rows[:-1]]
    assert chances == sorted(chances, reverse=True) and 0 < sum(chances) <= 100.1
    assert rows[-1][0] == "points expected from here on"
    foreign = Seat(agent, Game(Rules(colours=3), seed=5), 0)
    assert foreign.explain() == [("no network for these rules", "plays what is certain")]
    assert explain is agent.explain_function


def test_networks_play_where_torch_is_not_installed(tmp_path):
    path = tmp_path / "mine.npz"
    write_network(path, some_metadata(Rules(), 32), some_weights(Rules(), 32))
    code = f"""if True:
        import sys

        class Blocked:
            def find_spec(self, name, path=None, target=None):
                if name.partition(".")[0] == "torch":
                    raise ImportError("torch is blocked")

        sys.meta_path.insert(0, Blocked())
        from tamaya.registry import all_agents, find_agent
        from tamaya.table import play
        import tamaya.cli.main
        assert all_agents()
        print(len(play(find_agent({str(path)!r}), games=2, threads=1).results))
        assert "torch" not in sys.modules
    """
    done = run_python(code)
    assert done.stdout == "2\n", done.stderr[-500:]
