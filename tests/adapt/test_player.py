"""``adaptive``: what it makes of samples, what it learns in play, and what it says about it."""

import numpy as np
import pytest

from search.batches import AT_ONCE
from support import scaled
from tamaya.adapt.families import FAMILIES, library
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


def test_samples_must_be_games_by_the_same_rules():
    two, three = (sample_games("piers", Rules(players=n), 1, 0, 1)[0] for n in (2, 3))
    with pytest.raises(AgentError, match="sample 2 is a game by other rules than the first"):
        adaptive.prepared([two, three])
    for seats, message in (
        ([[0]], "2 samples, but seats of 1"),
        ([[0], []], "sample 2: the partners have some"),
        ([[2], [0]], r"sample 1: the partners have some .*, not \[2\]"),
    ):
        with pytest.raises(AgentError, match=message):
            adaptive.prepared([two, two], seats)


def test_games_without_moves_say_nothing():
    assert adaptive.prepared([Game(TWO)]) is adaptive


def test_new_samples_replace_what_it_knew():
    samples = sample_games("piers", TWO, 1, 0, 1)
    for known in ("code=silent", "ally=iggi,partner=iggi,chance=0.5"):
        again = adaptive.with_text(known).prepared(samples)
        assert again.spec == adaptive.prepared(samples).spec


def test_whom_it_must_not_know_it_does_not_play_as():
    with pytest.raises(AgentError, match="'ally' is 'iggi', of the family 'iggi'"):
        adaptive.with_text("ally=iggi,without=iggi")
    with pytest.raises(AgentError, match="'ally' must be a compiled agent"):
        adaptive.with_params({"ally": AT_ONCE.name})


def test_an_ally_limits_the_table_sizes():
    with pytest.raises(AgentError, match="2 players, not 3: its parameter 'ally' is 'acha'"):
        play("adaptive:ally=acha", Rules(players=3), 1, seed=1)
    assert adaptive.with_text("ally=acha").with_params({"ally": "iggi"}).players == adaptive.players


def test_it_can_do_without_any_known_agent():
    alone = adaptive.with_params({"without": "+".join(FAMILIES)})
    assert alone.prepared(sample_games("piers", TWO, 1, 0, 1)).settings["model"]
    play([f"{alone.spec},draws=4,samples=2", "piers"], TWO, scaled(2), seed=1)


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
    first = rows_at(adaptive, game, 0)  # nobody has moved: all are alike
    assert ("takes its partner for", "people, 23 %") in first
    assert not any("random" in str(value) for _, value in first)
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
