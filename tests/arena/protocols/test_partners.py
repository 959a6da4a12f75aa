"""Who goes best with a partner: one ranking per table size, on the same deals for all agents."""

import json

import pytest

from tamaya.agent import AgentError
from tamaya.arena.executor import Threads
from tamaya.arena.match import ALL, ONE, Match
from tamaya.arena.protocols.partners import PROTOCOL, Config, Result, run
from tamaya.arena.runner import Runner
from tamaya.rules import Rules

RUNNER = Runner(Threads(2), chunk=100)


def test_agents_are_ranked_by_what_they_score_with_the_partner():
    config = Config("example", ("random", "certainty"), "2,3", games=200, seed=1)
    assert config.n_games() == 200 * 2 * 3
    result = run(config, RUNNER)
    assert [(guest.players, guest.agent) for guest in result.guests if guest.agent == "random"] == [
        (2, "random"), (3, "random")]  # fmt: skip
    for players in (2, 3):
        guests = result.at(players)
        assert sorted(guest.agent for guest in guests) == ["certainty", "example", "random"]
        assert [guest.mean for guest in guests] == sorted(
            (guest.mean for guest in guests), reverse=True
        )
        rules = Rules(players=players)
        for guest in guests:
            is_alone = guest.agent == "example"
            match = (Match(("example",), rules, 1, ALL) if is_alone
                     else Match((guest.agent, "example"), rules, 1, ONE))  # fmt: skip
            tally = match.tally(0, 200)
            assert (guest.mean, guest.se, guest.bombed) == (
                tally.mean, tally.se, tally.bombed / 200)  # fmt: skip
            assert guest.perfect == tally.scores[25] / 200


def test_the_partner_is_listed_once():
    assert Config("example", ("example", "random")).guests == ("example", "random")


def test_a_stored_ranking_is_read_back_even_without_its_configuration():
    config = Config("example", ("random",), "2-3", games=1, seed=4, rules="bomb=keep")
    result = run(config, RUNNER)
    text = json.dumps(result.to_document(), allow_nan=False)
    again = Result.from_document(json.loads(text), config.to_document())
    assert (again.guests, again.config) == (result.guests, config)
    alone = Result.from_document(json.loads(text), {})
    assert json.dumps(alone.to_document()) == text
    assert alone.config.tables() == config.tables()
    assert alone.config.guests == tuple(dict.fromkeys(guest.agent for guest in result.guests))


def test_rows_and_the_command_that_repeats_it():
    config = Config("example", ("random",), games=10, seed=4, rules="bomb=keep")
    rows = PROTOCOL.run(config, RUNNER).rows()
    assert {(row["row"], row["partner"], row["games"]) for row in rows} == {
        ("random", "example", 10), ("example", "example", 10)}  # fmt: skip
    assert config.command() == (
        "tamaya partners example --pool random -p 2 -n 10 --seed 4 --rules bomb=keep"
    )
    assert config.title == "with example"


def test_agents_that_cannot_sit_at_the_table_are_named():
    with pytest.raises(AgentError, match="'hatbot' plays with 5 players, not 2"):
        Config("random", ("hatbot",)).n_games()
