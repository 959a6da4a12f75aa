"""Networks of distributions without torch: the compiled values, and agents that play them."""

from random import Random

import numpy as np
import pytest

from support import decide, decisions, permuted, replay, scaled
from tamaya.agents.learned.c51 import C51Agent, act
from tamaya.agents.learned.distributions import layout, run_distributions
from tamaya.agents.learned.files import Network, make_network, write_network
from tamaya.encoding import observation_spec, vector_length
from tamaya.game import Game
from tamaya.moves import move_phrase
from tamaya.registry import find_agent
from tamaya.rules import Rules
from tamaya.seat import Seat
from tamaya.table import play

pytestmark = pytest.mark.interpreted
ATOMS, WIDTH = 11, 16


def some_weights(rules: Rules, encoder: str = "hle", seed: int = 0):
    """Random weights, and atoms from -25 to 25."""
    rng = np.random.default_rng(seed)
    shapes = layout(vector_length(rules, encoder), WIDTH, rules.n_moves, ATOMS)
    weights = {name: rng.normal(0, 0.2, shape).astype(np.float32) for name, shape in shapes.items()}
    return {**weights, "atoms": np.linspace(-25, 25, ATOMS, dtype=np.float32)}


def some_metadata(rules: Rules, encoder: str = "hle") -> dict:
    return {"kind": "c51", "rules": rules.to_text(), "encoder": encoder, "width": WIDTH,
            "atoms": ATOMS, "observation": observation_spec(rules, encoder)}  # fmt: skip


def some_network(rules: Rules, encoder: str = "hle", seed: int = 0) -> Network:
    return make_network(some_metadata(rules, encoder), some_weights(rules, encoder, seed))


def naive_values(weights: dict[str, np.ndarray], vector: np.ndarray) -> np.ndarray:
    """The expected returns of all moves once more, in NumPy."""
    units = vector.astype(np.float64)
    for layer in ("first", "second"):
        units = np.maximum(0, units @ weights[layer] + weights[f"{layer} bias"])
    logits = np.einsum("k,mka->ma", units, weights["out"]) + weights["out bias"]
    chances = np.exp(logits - logits.max(1, keepdims=True))
    return chances @ weights["atoms"] / chances.sum(1)


@pytest.mark.parametrize(("players", "encoder"), [(2, "hle"), (5, "hle"), (3, "derived")])
def test_values_equal_those_of_plain_numpy(players, encoder):
    rules = Rules(players=players)
    weights = some_weights(rules, encoder)
    network = make_network(some_metadata(rules, encoder), weights)
    records, values = network.record(), np.full(rules.n_moves, np.nan, np.float32)
    rng = np.random.default_rng(1)
    game = Game(rules, seed=7)
    while not game.is_over:
        vector = game.vector(game.mover, encoder)
        run_distributions(records[0], vector, sum(1 << m for m in game.legal_moves), values)
        wanted = naive_values(weights, vector)
        assert np.allclose(values[game.legal_moves], wanted[game.legal_moves], atol=1e-4)
        assert np.ptp(wanted) > 0.1
        game.apply(int(rng.choice(game.legal_moves)))


def test_the_agent_makes_the_legal_move_with_the_highest_value():
    rules = Rules(players=3)
    weights = some_weights(rules)
    agent = C51Agent("network", [make_network(some_metadata(rules), weights)])
    played = play(agent, rules, scaled(5), seed=3, record=True)
    for k in range(len(played.results)):
        game = played.game(k)
        again = Game(rules, deck=game.deck)
        for move in game.moves:
            values = naive_values(weights, again.vector(again.mover, "hle"))
            assert move == max(again.legal_moves, key=lambda move: values[move])
            again.apply(move)


def test_it_does_not_peek():
    rules = Rules(players=2)
    agent = C51Agent("network", [some_network(rules)])
    played = play(agent, rules, scaled(12), record=True)
    rng = Random(1)
    for k in range(len(played.results)):
        whole = played.game(k)
        game = replay(whole, turns=rng.randrange(max(1, whole.turn)))
        other = permuted(game, game.mover, rng)
        before = decisions(agent, game, game.mover)
        assert decisions(agent, other, game.mover) == before


def test_explanations_give_the_points_expected_after_the_best_moves():
    rules = Rules()
    agent = C51Agent("network", [some_network(rules)])
    game = Game(rules, seed=5)
    seat = Seat(agent, game, 0)
    rows = seat.explain()
    values = naive_values(some_weights(rules), game.vector(0, "hle"))
    ranked = sorted(game.legal_moves, key=lambda move: -values[move])[:5]
    assert rows[0][0] == move_phrase(rules, seat.act())
    assert rows == [(move_phrase(rules, m), f"{values[m]:.2f} more points") for m in ranked]
    foreign = Seat(agent, Game(Rules(colours=3), seed=5), 0)
    assert foreign.explain() == [("no network for these rules", "plays what is certain")]


def test_a_file_is_an_agent_of_its_kind(tmp_path):
    path = tmp_path / "mine.npz"
    write_network(path, some_metadata(Rules()), some_weights(Rules()))
    agent = find_agent(str(path))
    assert agent.name == "mine" and agent.players == (2, 2)
    assert agent.act_function is act
    game = Game()
    weights = {name: part.astype(np.float16) for name, part in some_weights(Rules()).items()}
    values = naive_values(weights, game.vector(0, "hle"))
    assert decide(agent, game, 0) == max(game.legal_moves, key=lambda move: values[move])


def test_where_the_network_does_not_fit_it_plays_what_is_certain():
    agent = C51Agent("network", [some_network(Rules())])
    rules = Rules(colours=3)
    scores = play(agent, rules, scaled(50)).results["score"]
    assert scores.mean() > 2
