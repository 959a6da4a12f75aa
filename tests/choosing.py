"""What tests of learning from people share: random networks of choices, games of made-up people."""

import gzip
import json
from pathlib import Path
from random import Random

import numpy as np

from tamaya.agents.learned.files import LAYOUTS, Metadata, Weights, make_network, write_network
from tamaya.agents.learned.kinds import network_agent
from tamaya.agents.learned.people.agent import PeopleAgent
from tamaya.agents.learned.people.situation import SITUATION, situation_spec
from tamaya.game import Game
from tamaya.learn.imitation.games import PersonGame
from tamaya.registry import find_agent
from tamaya.rules import Rules
from tamaya.seat import Seat

ADVISERS = ["piers", "confidence"]  # one draws random numbers, one remembers what it saw
SAID = ("new", "expert", "")
DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


def choice_metadata(rules: Rules, members: int = 2, advisers: list[str] = ADVISERS) -> Metadata:
    """The metadata of a small network."""
    return {"kind": "choice", "encoder": SITUATION, "rules": rules.to_text(), "width": 8,
            "hidden": 8, "second": 4, "members": members, "advisers": advisers,
            "observation": situation_spec(rules, advisers)}  # fmt: skip


def choice_weights(metadata: Metadata, seed: int = 0) -> Weights:
    """Random weights, large enough for all layers to matter."""
    rng = np.random.default_rng(seed)
    shapes = LAYOUTS["choice"](Rules.parse(metadata["rules"]), metadata)
    return {name: rng.normal(0, 0.4, shape).astype(np.float32) for name, shape in shapes.items()}


def some_person(rules: Rules, **options: object) -> PeopleAgent:
    """An agent with a random network."""
    metadata = choice_metadata(rules, **options)  # type: ignore[arg-type]
    agent = network_agent("somebody", [make_network(metadata, choice_weights(metadata))])
    assert isinstance(agent, PeopleAgent)
    return agent


def write_person(path: Path, rules: Rules, seed: int = 0) -> Path:
    """The file of a random network."""
    metadata = choice_metadata(rules)
    write_network(path, metadata, choice_weights(metadata, seed))
    return path


def played_by(name: str, rules: Rules, seed: int, errors: float = 0.2) -> Game:
    """A game in which seat 1 plays like an agent with random errors, the others at random."""
    rng, game = Random(seed), Game(rules, seed=seed)
    seat = Seat(find_agent(name), game, 1)
    while not game.is_over:
        move = rng.choice([move for move in game.legal_moves])
        game.apply(seat.act() if game.mover == 1 and rng.random() > errors else move)
        seat.observe()
    return game


def some_games(n: int, rules: Rules, people: int = 10, name: str = "piers") -> list[PersonGame]:
    """Games of some people who play like an agent with errors."""
    return [
        PersonGame(played_by(name, rules, seed), (1,), f"p{seed % people}", SAID[seed % 3])
        for seed in range(n)
    ]


def write_games(path: Path, games: list[PersonGame]) -> Path:
    """The games as a data file."""
    rows = [
        {"id": f"g{k}", "players": each.game.rules.players, "deck": each.game.deck,
         "moves": each.game.moves, "starts": 0, "score": each.game.points,
         "rules": each.game.rules.to_text(), "human_seats": list(each.seats),
         "participant": each.person, "survey": {"exp": each.experience or None}}
        for k, each in enumerate(games)
    ]  # fmt: skip
    path.write_bytes(gzip.compress("\n".join(map(json.dumps, rows)).encode()))
    return path
