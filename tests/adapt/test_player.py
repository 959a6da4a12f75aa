"""``adaptive``: what it makes of samples, what it learns in play, and what it says about it."""

import numpy as np
import pytest

from support import scaled
from tamaya.adapt.families import library
from tamaya.adapt.player import adaptive
from tamaya.arena.protocols.adhoc import sample_games
from tamaya.game import Game
from tamaya.lookup import find_agent
from tamaya.player import AgentError
from tamaya.rules import Rules
from tamaya.seat import Seat
from tamaya.table import play

TWO = Rules(players=2)


def test_it_recognises_who_played_the_samples():
    for partner, players in (("piers", 2), ("ppo", 2), ("tamaya-mirror", 4)):
        samples = sample_games(partner, Rules(players=players), 1, 0, 3)
        prepared = adaptive.prepared(samples)
        assert prepared.settings["partner"] == partner
        assert prepared.settings["ally"] in library(players)
        assert prepared.settings["chance"] > 0.99
        assert find_agent(prepared.spec).spec == prepared.spec


def test_it_has_a_model_of_whom_it_must_not_know():
    samples = sample_games("smartbot", TWO, 1, 0, 2)
    prepared = adaptive.with_text("without=smartbot").prepared(samples)
    assert prepared.settings["model"]
    assert not prepared.settings["partner"]
    again = adaptive.with_text("without=smartbot").prepared(samples)
    assert again.spec == prepared.spec
    assert find_agent(prepared.spec).spec == prepared.spec
    assert "smartbot" not in adaptive.with_text("without=smartbot").depends_on


def test_without_samples_it_is_the_same_agent():
    assert adaptive.prepared([]) is adaptive
    assert set(adaptive.depends_on) > set(library(2))
    assert find_agent("adaptive:ally=iggi").depends_on == ("iggi",)


def test_an_ally_plays_as_the_agent_itself():
    for name in ("smartbot", "fireflower", "tamaya-mixed", "confidence"):
        rules, n = Rules(players=3), scaled(3)
        alone, as_ally = (play([text, name, name], rules, n, seed=4, record=True)
                          for text in (name, f"adaptive:ally={name}"))  # fmt: skip
        for k in range(n):
            assert as_ally.game(k).moves == alone.game(k).moves


def test_it_finds_out_in_play_who_its_partner_is():
    n = scaled(30)
    learning, fixed = (
        play([text, "ppo"], TWO, n, seed=5).results["score"]
        for text in ("adaptive", "tamaya-mixed")
    )
    assert learning.mean() > fixed.mean() + 5


def rows_at(player, game: Game, turn: int) -> list[tuple[str, object]]:
    """The explanation of seat 0 at a turn of its own, after it has played so far."""
    now = game.at(turn)
    return Seat(player, now, 0).explain()


def test_it_explains_whom_it_takes_its_partner_for():
    game = play("smartbot", TWO, 1, seed=6, record=True).game(0)
    rows = rows_at(adaptive, game, 20)
    texts = [f"{reason}: {value}" for reason, value in rows]
    assert texts[0].startswith("takes its partner for: smartbot")
    assert sum(text.startswith("then expects") for text in texts) >= 1
    rows = dict(rows_at(find_agent("adaptive:ally=iggi,partner=piers,chance=0.9"), game, 20))
    assert rows["takes its partner for"] == "piers, 90 %"
    assert rows["plays as"] == "iggi"


def test_it_explains_what_it_expects_of_a_stranger():
    samples = sample_games("smartbot", TWO, 1, 0, 2)
    prepared = adaptive.with_text("without=smartbot,draws=10,samples=4").prepared(samples)
    rows = rows_at(prepared, samples[0], 10)
    assert rows[0] == ("takes its partner for", "a stranger, and has a model")
    assert any(reason.startswith("then expects") for reason, _ in rows)


def test_bad_parameters_are_named():
    with pytest.raises(AgentError, match="there is no family 'nobody'"):
        adaptive.with_text("without=nobody")
    with pytest.raises(AgentError, match="unknown agent 'nobody'"):
        adaptive.with_text("ally=nobody")
    with pytest.raises(AgentError, match="is not a fitted model"):
        adaptive.with_text("model=nonsense")
    with pytest.raises(AgentError, match="'samples' must be at least 1"):
        adaptive.with_text("samples=0")


def test_what_it_heard_does_not_depend_on_when_it_is_asked():
    game = play("piers", TWO, 1, seed=7, record=True).game(0)
    first, second = (rows_at(adaptive, game, 12) for _ in range(2))
    assert first == second
    assert np.isfinite(adaptive.params.record()["library"]["payoff"]).all()
