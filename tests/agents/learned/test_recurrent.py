"""Recurrent networks without torch: states along games, openings, search, explanations."""

from random import Random

import numpy as np
import pytest

from support import decisions, permuted, play_randomly, replay, scaled
from tamaya.agents.learned.files import Network, make_network, read_network, write_network
from tamaya.agents.learned.kinds import network_agent
from tamaya.agents.learned.lstm import layout
from tamaya.agents.learned.network import NETWORK
from tamaya.agents.learned.recurrent import RecurrentAgent, explain, write_opening
from tamaya.encoding import encode_bits, encoder_kind, observation_spec, vector_length
from tamaya.game import Game
from tamaya.moves import move_phrase
from tamaya.records import VIEW
from tamaya.registry import find_agent
from tamaya.rules import Rules
from tamaya.seat import Seat
from tamaya.table import play

pytestmark = pytest.mark.interpreted


def some_metadata(rules: Rules, width: int, encoder: str) -> dict:
    return {"kind": "lstm", "rules": rules.to_text(), "encoder": encoder, "width": width,
            "observation": observation_spec(rules, encoder)}  # fmt: skip


def some_weights(rules: Rules, width: int, encoder: str) -> dict[str, np.ndarray]:
    """Random weights, large enough for the state to matter."""
    rng = np.random.default_rng(0)
    shapes = layout(vector_length(rules, encoder), rules.players, width, rules.n_moves)
    spread = {"first": 0.05, "first bias": 0.05}
    return {name: rng.normal(0, spread.get(name, 0.5), shape).astype(np.float32)
            for name, shape in shapes.items()}  # fmt: skip


def some_network(rules: Rules, width: int = 16, encoder: str = "hle") -> Network:
    return make_network(some_metadata(rules, width, encoder), some_weights(rules, width, encoder))


class Naive:
    """The network once more, in NumPy, with a state for one seat."""

    def __init__(self, weights: dict[str, np.ndarray], seat: int, players: int) -> None:
        self.weights = weights
        self.badge = np.eye(players)[seat]
        self.width = len(weights["first bias"])
        self.state = np.zeros((2, 2, self.width))  # of each layer outputs and cells

    def turn(self, vector: np.ndarray) -> np.ndarray:
        weights = self.weights
        below = np.concatenate([vector, self.badge]) @ weights["first"] + weights["first bias"]
        below = np.maximum(self.normalised("first", below), 0)
        for layer, (output, cell) in enumerate(self.state):
            gates = np.concatenate([below, output]) @ weights[f"lstm {layer + 1}"]
            into, forget, new, out = np.split(gates + weights[f"lstm {layer + 1} bias"], 4)
            logistic = [1 / (1 + np.exp(-gate)) for gate in (into, forget, out)]
            cell[:] = logistic[1] * cell + logistic[0] * np.tanh(new)
            below = output[:] = logistic[2] * np.tanh(cell)
        return self.normalised("top", below) @ weights["out"] + weights["out bias"]

    def normalised(self, name: str, units: np.ndarray) -> np.ndarray:
        units = (units - units.mean()) / np.sqrt(units.var() + 1e-5)
        return units * self.weights[f"{name} scale"] + self.weights[f"{name} shift"]


@pytest.mark.parametrize(("players", "encoder"), [(2, "hle"), (3, "derived")])
def test_the_agent_makes_the_best_legal_move_after_all_own_turns(players, encoder):
    rules = Rules(players=players)
    weights = some_weights(rules, 16, encoder)
    agent = RecurrentAgent("network", [make_network(some_metadata(rules, 16, encoder), weights)])
    played = play(agent, rules, scaled(8), seed=3, record=True)
    for k in range(len(played.results)):
        game = played.game(k)
        again = Game(rules, deck=game.deck)
        minds = [Naive(weights, seat, players) for seat in range(players)]
        for move in game.moves:
            out = minds[again.mover].turn(again.vector(again.mover, encoder))
            assert move == max(again.legal_moves, key=lambda move: out[move])
            again.apply(move)


def test_the_state_matters():
    """What a seat does depends on what it saw before."""
    rules = Rules(lives=20)
    agent = RecurrentAgent("network", [some_network(rules)])
    n_different = 0
    for seed in range(20):
        game = replay(play_randomly(Game(rules, seed), Random(seed)), turns=30)
        forgetful = Seat(agent, game, game.mover)
        n_different += forgetful.act() != decisions(agent, game, game.mover)[-1]
    assert n_different > 0


@pytest.mark.parametrize("rules", ["players=2", "players=5 random_start=true",
                                   "players=2 hand_size=5 colours=1 lives=1"])  # fmt: skip
def test_what_the_first_seat_saw_is_known_after_its_move(rules):
    parsed, rng = Rules.parse(rules), Random(1)
    for number in range(scaled(60)):
        game = Game(parsed, number)
        before = game.view(game.mover)
        seat = game.mover
        game.apply(rng.choice(game.legal_moves))
        opening = np.zeros(1, VIEW)
        write_opening(game.view(seat), opening[0])
        for encoder in ("hle", "derived"):
            length, kind = vector_length(parsed, encoder), encoder_kind(encoder)
            one, other = np.zeros(length, np.uint8), np.zeros(length, np.uint8)
            encode_bits(kind, before, seat, one)
            encode_bits(kind, opening[0], seat, other)
            assert (one == other).all()


def memories(agent, game: Game, seat: int, acts: bool) -> np.ndarray:
    """What a seat remembers after a game, whether it was asked for its moves or not."""
    position = replay(game, turns=0)
    mind = Seat(agent, position, seat)
    for move in game.moves:
        if acts and position.mover == seat:
            mind.act()
        position.apply(move)
        mind.observe()
    return mind.memory["state"].copy()


@pytest.mark.parametrize("players", [2, 3])
def test_the_memory_is_the_same_if_somebody_else_chooses_the_moves(players):
    rules = Rules(players=players)
    agent = RecurrentAgent("network", [some_network(rules)])
    for seed in range(scaled(10)):
        game = play_randomly(Game(rules, seed), Random(seed))
        for seat in range(players):
            one, other = (memories(agent, game, seat, acts) for acts in (True, False))
            assert (one == other).all() and one.any()


def test_nobody_peeks():
    """As in test_hidden_information.py, which knows registered agents only."""
    rules, rng = Rules(players=3), Random(2)
    agent = RecurrentAgent("network", [some_network(rules)])
    for seed in range(scaled(10)):
        game = play(agent, rules, 1, seed=seed, record=True).game(0)
        stopped = replay(game, turns=rng.randrange(game.turn))
        other = permuted(stopped, stopped.mover, rng)
        assert decisions(agent, other, stopped.mover) == decisions(agent, stopped, stopped.mover)


def test_it_sits_in_mixed_teams_and_forgets_between_games():
    rules = Rules(players=3)
    agent = RecurrentAgent("network", [some_network(rules)])
    team = [agent, find_agent("certainty"), agent]
    together = play(team, rules, scaled(20), threads=1).results
    alone = [play(team, rules, 1, first=k).results[0] for k in range(len(together))]
    assert together.tolist() == [result.item() for result in alone]


@pytest.mark.once
def test_search_plays_the_history_once_more_for_its_blueprint(tmp_path):
    rules, path = Rules(lives=20), tmp_path / "mine.npz"
    write_network(path, some_metadata(rules, 16, "hle"), some_weights(rules, 16, "hle"))
    blueprint = find_agent(str(path))
    searcher = find_agent(f"search:blueprint={path},samples=2")
    for seed, turns in ((1, 8), (2, 9)):
        game = replay(play_randomly(Game(rules, seed), Random(seed)), turns=turns)
        rows = Seat(searcher, game, game.mover).explain()
        usual = decisions(blueprint, game, game.mover)[-1]
        assert rows[0] == ("the blueprint's move", move_phrase(rules, usual))


def test_a_network_that_does_not_fit_plays_what_is_certain():
    agent = network_agent("network", [some_network(Rules())])
    results = play(agent, Rules(colours=3), scaled(20)).results
    assert (results["n_moves"] > 0).all()
    foreign = Seat(agent, Game(Rules(colours=3), seed=5), 0)
    assert foreign.explain() == [("no network for these rules", "plays what is certain")]


def test_explanations_change_nothing():
    agent = RecurrentAgent("network", [some_network(Rules())])
    game = Game(Rules(), seed=5)
    seat = Seat(agent, game, 0)
    rows = seat.explain()
    assert rows == seat.explain() and not seat.memory["state"].any()
    assert rows[0][0] == move_phrase(game.rules, seat.act())
    assert rows == seat.explain()
    assert rows[-1][0] == "points expected from here on"
    assert explain is agent.explain_function


def test_files_of_recurrent_networks(tmp_path):
    rules, path = Rules(), tmp_path / "mine.npz"
    write_network(path, some_metadata(rules, 16, "hle"), some_weights(rules, 16, "hle"))
    assert read_network(path).record().dtype == NETWORK
    agent = find_agent(str(path))
    assert isinstance(agent, RecurrentAgent) and agent.players == (2, 2)
    assert len(play(agent, rules, 2).results) == 2
    with pytest.raises(ValueError, match="at most 512 units, not 516"):
        make_network(some_metadata(rules, 516, "hle"), {})
