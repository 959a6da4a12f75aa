"""Agents that move as people do, with random networks."""

from random import Random

import numpy as np
import pytest

from choosing import choice_metadata, choice_weights, some_games, some_person, write_person
from support import decide, decisions, permuted, play_randomly, replay, scaled
from tamaya.agent import AgentError
from tamaya.agents.learned.files import make_network
from tamaya.agents.learned.people.choice import KINDS
from tamaya.game import Game
from tamaya.learn.imitation.decisions import Watcher
from tamaya.learn.imitation.games import PersonGame
from tamaya.learn.imitation.scores import probabilities
from tamaya.lookup import find_agent
from tamaya.rules import Rules
from tamaya.seat import Seat
from tamaya.table import play

pytestmark = pytest.mark.interpreted
TWO = Rules(players=2)


def naive_scores(network, member, situation):
    """How much speaks for each move, with whole matrices."""
    weights = choice_weights(network.metadata)
    part = {name: array[member].astype(float) for name, array in weights.items()}
    turn = np.maximum(situation.context @ part["turn"] + part["turn bias"], 0)
    n = len(situation.cards)
    votes = np.split(situation.votes, [n, 2 * n])
    scores = []
    for kind, own, said in zip(KINDS, (situation.cards, situation.cards, situation.hints), votes,
                               strict=True):  # fmt: skip
        units = np.hstack([own, said]) @ part[kind] + turn @ part[f"{kind} turn"]
        units = np.maximum(units + part[f"{kind} bias"], 0)
        units = np.maximum(units @ part[f"{kind} second"] + part[f"{kind} second bias"], 0)
        scores.append(units @ part[f"{kind} out"] + part[f"{kind} out bias"])
    return np.concatenate(scores)


@pytest.mark.parametrize("players", [2, 3])
def test_probabilities_are_those_of_the_matrices(players):
    rules = Rules(players=players)
    agent = some_person(rules)
    network = agent.networks[players]
    game = PersonGame(play_randomly(Game(rules, 3), Random(3)), (1,), "somebody", "new")
    watcher = Watcher(rules, network.metadata["advisers"])
    found = probabilities(agent, [game])
    for row, (situation, legal, _) in zip(found, watcher.turns(game), strict=True):
        expected = np.zeros(rules.n_moves)
        for member in range(2):
            scores = np.where(legal, naive_scores(network, member, situation), -np.inf)
            likely = np.exp(scores - scores.max())
            expected += likely / likely.sum() / 2
        assert np.allclose(row, expected, atol=1e-4)


def test_a_greedy_person_makes_the_likeliest_move():
    agent = some_person(TWO).with_params({"temperature": 0})
    for each in some_games(scaled(6), TWO):
        likeliest = probabilities(agent, [PersonGame(each.game, (1,), "somebody")]).argmax(axis=1)
        assert decisions(agent, each.game, 1)[: len(likeliest)] == likeliest.tolist()


def test_moves_are_drawn_with_their_probabilities():
    agent, game = some_person(TWO), Game(TWO, 1)
    shown = PersonGame(_after_a_move(game), (0,), "somebody")
    probs = probabilities(agent, [shown])[0]
    n = scaled(3000)
    seat = Seat(agent, game, 0)
    counts = np.bincount([seat.act() for _ in range(n)], minlength=TWO.n_moves)
    error = np.sqrt(probs * (1 - probs) / n)
    assert (np.abs(counts / n - probs) <= 4 * error + 4 / n).all()


def _after_a_move(game: Game) -> Game:
    again = game.copy()
    again.apply(again.legal_moves[0])
    return again


def test_experience_matters_and_is_checked():
    agent = some_person(TWO)
    games = [PersonGame(each.game, each.seats, "somebody") for each in some_games(2, TWO)]
    new, expert = (probabilities(agent.with_text(f"experience={said}"), games)
                   for said in ("new", "expert"))  # fmt: skip
    assert not np.allclose(new, expert)
    assert agent.with_text("experience=new,temperature=0.5").spec == (
        "somebody:experience=new,temperature=0.5"
    )
    assert agent.spec == "somebody" and agent.settings == {"experience": "any", "temperature": 1.0}
    with pytest.raises(AgentError, match=r"experience must be one of any, new, .*, not 'old'"):
        agent.with_text("experience=old")
    with pytest.raises(AgentError, match="'temperature' must be at least 0"):
        agent.with_text("temperature=-1")
    with pytest.raises(AgentError, match="has no parameter 'age': it has experience, temperature"):
        agent.with_text("age=3")
    novice = agent.preset("novice", experience="new")
    assert novice.spec == "novice"
    assert novice.with_text("experience=any").spec == "novice:experience=any"


def test_nobody_peeks():
    agent = some_person(Rules(players=3)).with_params({"temperature": 0.5})
    rng = Random(1)
    for seed in range(scaled(6)):
        game = play_randomly(Game(Rules(players=3), seed), rng)
        game = replay(game, turns=rng.randrange(game.turn))
        other = permuted(game, game.mover, rng)
        assert decisions(agent, game, game.mover) == decisions(agent, other, other.mover)


def test_the_same_seed_gives_the_same_games():
    agent = some_person(TWO)
    one, other = (play(agent, TWO, scaled(6), seed=3, record=True) for _ in range(2))
    assert one.records is not None and other.records is not None
    assert one.records.tobytes() == other.records.tobytes()


def test_it_plays_on_under_other_rules():
    agent = some_person(TWO)
    for rules in (Rules(players=2, hand_size=4), Rules(players=2, observation="minimal")):
        assert decide(agent, Game(rules), 0) in Game(rules).legal_moves
        [(reason, _)] = Seat(agent, Game(rules), 0).explain()
        assert reason == "no network for these rules"


def test_explanations_are_its_probabilities():
    agent, game = some_person(TWO), Game(TWO, 4)
    probs = probabilities(agent, [PersonGame(_after_a_move(game), (0,), "somebody")])[0]
    rows = Seat(agent, game, 0).explain()
    assert [value for _, value in rows] == [f"{100 * p:.1f} %" for p in sorted(probs)[:-6:-1]]


def test_a_file_is_an_agent_and_names_its_advisers(tmp_path):
    path = write_person(tmp_path / "mine.npz", TWO)
    other = write_person(tmp_path / "other.npz", TWO, seed=1)
    agent = find_agent(f"{path}:experience=new")
    assert agent.depends_on == ("piers", "confidence")
    assert agent.players == (2, 2) and agent.name == "mine"
    assert agent.identity != find_agent(f"{other}:experience=new").identity
    assert agent.identity == find_agent(f"{path}:experience=new").identity
    assert agent.identity != find_agent(str(path)).identity


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"advisers": [3]}, r"'advisers' should be at most 16 texts, not \[3\]"),
        ({"advisers": ["piers"] * 17}, "'advisers' should be at most 16 texts"),
        ({"encoder": "hle"}, "networks of choices take a situation, not 'hle'"),
        ({"observation": "situation/0"}, "made for vectors 'situation/0', this version has"),
        ({"members": 0}, "'members' should be at least 1, not 0"),
    ],
)
def test_metadata_that_do_not_fit_are_explained(change, message):
    metadata = choice_metadata(TWO)
    weights = choice_weights(metadata)
    with pytest.raises(ValueError, match=message):
        make_network({**metadata, **change}, weights)


def test_an_adviser_must_be_an_agent():
    agent = some_person(TWO, advisers=["nobody"])
    with pytest.raises(AgentError, match="unknown agent 'nobody'"):
        play(agent, TWO, 1)
