"""Agents as parameters of agents: their texts, their errors, and the memories of their teams."""

import numpy as np
import pytest

from support import decide, play_randomly, replay
from tamaya.agent import Agent, AgentError, BatchAgent
from tamaya.compiled import hot
from tamaya.game import Game
from tamaya.game_kernels import legal_mask, nth_move
from tamaya.records import VIEW
from tamaya.registry import find_agent, register
from tamaya.rules import Rules
from tamaya.search.blueprint import BlueprintAgent, gather, recall
from tamaya.search.simulate import raise_curtain, set_stage
from tamaya.seat import Seat
from tamaya.table import play
from tamaya.view import fill_view


def test_a_policy_with_commas_and_colons_stands_in_brackets():
    agent = find_agent("ris-mcts:policy=(van-den-bergh:faithful=false,ghosts=true),ms=40")
    assert isinstance(agent, BlueprintAgent)
    assert agent.texts["policy"] == "van-den-bergh:faithful=false,ghosts=true"
    assert agent.values["ms"] == 40
    assert agent.agent_of("policy").values == {"faithful": False, "ghosts": True}


@pytest.mark.parametrize(
    "text",
    [
        "ris-mcts",
        "flat-mc:iterations=7",
        "ris-mcts:policy=example",
        "ris-mcts:iterations=7,policy=(certainty:useless=0.25)",
        "ris-mcts:moves=legal",
        "ris-mcts:moves=(rules:PlaySafeCard,DiscardProbablyUseless(0.5))",
        "flat-mc:policy=(ris-mcts:iterations=2,policy=(certainty:useless=0.25))",
    ],
)
def test_the_text_of_an_agent_leads_back_to_it(text):
    agent = find_agent(text)
    assert agent.spec == text
    assert find_agent(agent.spec).spec == text
    assert agent.name in agent.identity
    assert "policy=" in agent.identity


def test_brackets_are_counted():
    with pytest.raises(AgentError, match="brackets"):
        find_agent("ris-mcts:policy=(certainty")


@pytest.mark.parametrize("family", ["mcts", "flat-mc", "predictor-mcts", "ris-mcts"])
def test_values_below_the_least_are_named(family):
    with pytest.raises(AgentError, match="'iterations' must be at least 1, not 0"):
        find_agent(f"{family}:iterations=0")
    with pytest.raises(AgentError, match=r"'rollout' must be at least 0, not -3"):
        find_agent(f"{family}:rollout=-3")


def test_an_unknown_parameter_is_answered_with_all_there_are():
    with pytest.raises(AgentError, match=r"no parameter 'plicy': it has .*, policy, moves"):
        find_agent("ris-mcts:plicy=certainty")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ris-mcts:policy=exmaple", "unknown agent 'exmaple', did you mean 'example'"),
        ("ris-mcts:policy=(certainty:depth=3)", "'certainty' has no parameter 'depth'"),
        ("ris-mcts:policy=(certainty", "brackets that do not match"),
        ("ris-mcts:moves=certainty", "moves=certainty is neither one of legal, good nor a list"),
        ("ris-mcts:moves=(rules:PlaySaveCard)", "did you mean 'PlaySafeCard'"),
        ("ris-mcts:depht=3", "has no parameter 'depht'"),
        ("ris-mcts:visits=maybe", "'visits' must be true or false"),
        ("ris-mcts:policy", "'policy' is not key=value"),
    ],
)
def test_errors_name_what_is_wrong(text, message):
    with pytest.raises(AgentError, match=message):
        find_agent(text)


def test_an_agent_that_decides_for_many_games_is_refused():
    register(BatchAgent("lowest-of-many", lambda seen, legal, state: legal.argmax(axis=1)))
    with pytest.raises(AgentError, match="'lowest-of-many' decides for many games at once"):
        find_agent("ris-mcts:policy=lowest-of-many")


def test_it_plays_at_the_tables_of_its_policy():
    register(Agent("only-three", lowest, players="3"))
    agent = find_agent("flat-mc:policy=only-three")
    assert agent.players == (3, 3)
    with pytest.raises(AgentError, match="plays with 3 players, not 2"):
        play(agent, Rules(players=2), 1)


def lowest(view, memory, params):
    """The first legal move."""
    return nth_move(legal_mask(view), 0)


# Policies that remember.


def act_by_notes(view, memory, params):
    """A legal move that depends on what was noted."""
    return nth_move(legal_mask(view), memory.note % 3)


def note_all(view, event, memory, params):
    """Notes every event and all cards in sight."""
    memory.note = (31 * memory.note + event.move + 7 * event.card) % 1000003
    for seat in range(view.players):
        for slot in range(view.hand_size):
            memory.note += (slot + 1) * view.card[seat, slot]


def note_public(view, event, memory, params):
    """Notes every event."""
    memory.note = (31 * memory.note + event.move + 7 * event.card) % 1000003


def noting(name: str, observe, shared: bool) -> Agent:
    agent = Agent(name, act_by_notes, memory=[("note", np.int64)], shared=shared)
    agent.observe(observe)
    return register(agent)


NOTING = [
    noting("notes-of-all", note_all, False),
    noting("notes-in-public", note_public, True),
]


@hot
def recalled(view, params, deck):
    """The memories of a team in an imagined game, and the deck of that game."""
    stage, team = set_stage(view, params), gather(params, view.players)
    for seed in range(3):
        game = raise_curtain(stage, np.uint64(seed))
        recall(team, np.uint64(seed), game, stage.again[0], stage.seen[0])
        deck[:] = game.deck
    return team.minds


@pytest.mark.parametrize("policy", NOTING, ids=lambda agent: agent.name)
def test_a_policy_that_observes_remembers_the_imagined_history(policy):
    from random import Random

    rules = Rules(players=3, lives=20)
    game = replay(play_randomly(Game(rules, seed=3), Random(3)), turns=17)
    agent = find_agent(f"flat-mc:policy={policy.name}")
    view, deck = np.zeros(1, VIEW)[0], np.zeros(50, np.int8)
    fill_view(game.record, game.mover, view)
    minds = recalled(view, agent.compile().params[0], deck).reshape(3, -1)
    again = Game(rules, deck=deck.tolist())
    seats = [Seat(policy, again, seat) for seat in range(3)]
    for move in game.moves:
        again.apply(move)
        for seat in seats:
            seat.observe()
    for seat in range(1 if policy.shared else 3):
        assert minds[seat, 1] == seats[seat].memory["note"][0]


@pytest.mark.parametrize("policy", NOTING, ids=lambda agent: agent.name)
@pytest.mark.parametrize("family", ["flat-mc", "predictor-mcts", "ris-mcts"])
def test_a_policy_that_observes_can_be_searched(family, policy):
    agent = find_agent(f"{family}:iterations=5,policy={policy.name}")
    played = play(agent, Rules(players=3), 2, record=True)
    game = replay(played.game(0), turns=2)
    assert decide(agent, game, game.mover) == played.game(0).moves[2]


# Moves to search.


@pytest.mark.parametrize("family", ["flat-mc", "ris-mcts"])
def test_only_what_the_rules_propose_is_searched(family):
    rules = "rules:TellRandomly,DiscardOldestFirst"
    agent = find_agent(f"{family}:iterations=5,policy=first-legal,moves=({rules})")
    played = play(agent, Rules(players=3), 4, record=True)
    for k in range(4):
        game = played.game(k)
        for event in game.events:
            # Plays are proposed by nobody, and the policy plays at full tokens only.
            assert event.move < 5 or event.move >= 10 or event.move == 5
