"""One deal for all: the games of the table, ranks with ties, guests, difficulty, documents."""

import json
from math import isnan

import pytest

from tamaya.agent import AgentError
from tamaya.arena.deal import PANEL, Deal, Row, difficulty_of, opinion_of, ranked
from tamaya.arena.executor import Threads
from tamaya.arena.match import Match
from tamaya.arena.protocols import read_result
from tamaya.arena.protocols.deal import USUAL_SEED, Config, config_of_game, run
from tamaya.arena.runner import Runner
from tamaya.arena.tally import Tally
from tamaya.lookup import find_agent
from tamaya.rules import Rules, RulesError
from tamaya.table import play

RUNNER = Runner(Threads(1), chunk=50)
AGENTS = ("certainty", "random", "iggi")


@pytest.mark.parametrize("name", ["random", "piers", "smartbot", "osawa-random"])
def test_a_deal_is_played_as_at_the_table(name):
    rules = Rules(players=3, random_start=True)
    for k in range(3):
        at_table = play(name, rules, 1, seed=9, first=k, record=True).game(0)
        assert Deal.of_seed(rules, 9, k).play([find_agent(name)]) == at_table
        assert Deal.of_game(at_table) == Deal.of_seed(rules, 9, k)


def test_a_guest_sits_in_one_seat():
    rules = Rules(players=3)
    guest, team = find_agent("iggi"), find_agent("certainty")
    found = Deal.of_seed(rules, 4).play_with_guest([team], guest, 1)
    assert found == play([team, guest, team], rules, 1, seed=4, record=True).game(0)
    with pytest.raises(ValueError, match="a team has one agent or 3, not 2"):
        Deal.of_seed(rules, 4).play([team, guest])


def test_beside_different_agents_each_guest_plays_with_those():
    config = Config(AGENTS, 3, 4, team="piers smartbot", seat=1, games=0)
    result = run(config, RUNNER)
    for row in result.guests:
        team = ["piers", row.name, "smartbot"]
        wanted = play(team, Rules(players=3), 1, seed=4, record=True).game(0)
        assert (row.score, row.turns) == (wanted.score, wanted.turn)
    assert result.alone is None and len(result.guests) == len(AGENTS)
    assert config.n_games() == 2 * len(AGENTS)
    with pytest.raises(AgentError, match="one agent, or 2 for the others"):
        Config(AGENTS, 3, 4, team="piers piers piers").n_games()


def test_equal_scores_share_a_rank():
    rows = ranked(
        [Row(name, score, score, "", 1) for name, score in zip("abcd", (7, 9, 7, 3), strict=True)]
    )
    assert [(row.name, row.rank, row.is_tied) for row in rows] == [
        ("b", 1, False), ("a", 2, True), ("c", 2, True), ("d", 4, False)]  # fmt: skip


def test_difficulty_by_hand():
    usual = Tally(scores=tuple(5 if score in (10, 12) else 0 for score in range(26)))
    first, second = opinion_of("a", 10, usual), opinion_of("b", 7, usual)
    assert (first.difficulty, second.difficulty) == (1, 4)
    assert (first.share, second.share) == (0.25, 0)
    hard = difficulty_of([first, second])
    assert (hard.points, hard.share) == (2.5, 0.125)
    assert hard.se == pytest.approx((1.5**2 + usual.se**2) ** 0.5)
    assert isnan(difficulty_of([]).points)


def test_difficulty_of_all_deals_is_nothing():
    """Over the deals that the means are from, difficulties cancel out."""
    rules = Rules(players=2)
    names = ("certainty", "iggi")
    usual = {name: Match((name,), rules, USUAL_SEED).tally(0, 40) for name in names}
    found = []
    for k in range(40):
        deal = Deal.of_seed(rules, USUAL_SEED, k)
        panel = [opinion_of(name, deal.play([find_agent(name)]).score, usual[name])
                 for name in names]  # fmt: skip
        found.append(difficulty_of(panel))
    assert sum(hard.points for hard in found) == pytest.approx(0, abs=1e-9)
    assert sum(hard.share for hard in found) / 40 == pytest.approx(0.5)


def test_the_protocol_ranks_replaces_and_asks_the_panel():
    config = Config(AGENTS, 3, seed=7, team="certainty", seat=2, games=10)
    result = run(config, RUNNER)
    assert {row.name for row in result.teams} == {row.name for row in result.guests} == set(AGENTS)
    own = next(row for row in result.guests if row.name == "certainty")
    assert result.alone is not None and own.score == result.alone.score
    assert [row.agent for row in result.difficulty.panel] == list(PANEL)
    assert config.n_games() == len({*AGENTS, *PANEL}) + 4 + 10 * len(PANEL)
    assert config.command() == ("tamaya deal 7 --game 0 -p 3 --agents certainty,random,iggi "
                                "--team certainty --seat 2 -n 10")  # fmt: skip
    figures = [row["figure"] for row in result.rows()]
    assert figures == ["deal"] * 3 + ["guest"] * 3 + ["panel"] * len(PANEL) + ["difficulty"]


@pytest.mark.parametrize("has_config", [True, False])
def test_documents_are_read_back(has_config):
    game = play("piers", Rules(players=2, bomb="keep"), 1, record=True).game(0)
    by_seed = Config(AGENTS, 2, seed=3, game=1, team="iggi", seat=1, games=0)
    for config in (by_seed, Config(**{**vars(config_of_game(game, "g.json")), "agents": AGENTS,
                                      "games": 0})):  # fmt: skip
        result = run(config, RUNNER)
        stored = {"protocol": "deal", "document": json.loads(json.dumps(result.to_document())),
                  "config": config.to_document() if has_config else {}}  # fmt: skip
        again = read_result(stored)
        assert again.to_document() == result.to_document()
        assert sorted(again.config.agents) == sorted(AGENTS)
        assert again.config.deal() == config.deal()


def test_the_players_of_a_game_are_a_row():
    game = play("piers", Rules(players=4), 1, seed=2, record=True).game(0)
    config = config_of_game(game, "g.json")
    [given] = [row for row in run(Config(**{**vars(config), "agents": AGENTS, "games": 0}),
                                  RUNNER).teams if row.is_given]  # fmt: skip
    assert (given.name, given.score, given.turns) == ("its players", game.score, game.turn)
    assert not config_of_game(game.at(5), "g.json").given


def test_mistakes_are_named_before_anything_is_played():
    with pytest.raises(AgentError, match="'hatbot' plays with 5 players, not 2"):
        Config(("hatbot",), 2).n_games()
    with pytest.raises(RulesError, match="seat 2 is not a seat of 2 players"):
        Config(AGENTS, 2, team="iggi", seat=2).n_games()
