"""Blueprints: what values mean, which one is usual, and which one warns."""

import pytest

from tamaya.agent import AgentError
from tamaya.lookup import find_agent
from tamaya.replays.blueprints import (
    CHOICES,
    blueprint_of,
    blueprints_for,
    caution,
    default_blueprint,
    saved_blueprint,
    speaks_code,
)
from tamaya.search.blueprint import USUAL_BLUEPRINT


def test_a_blueprint_says_what_its_values_mean():
    found = blueprint_of("piers")
    assert found.meaning == "as if piers played on in all seats"
    assert found.warning == ""


@pytest.mark.parametrize("name", ["hat-information", "wtfwthat", "search:blueprint=wtfwthat"])
def test_codes_come_with_a_warning(name):
    assert speaks_code(find_agent(name))
    assert "speaks a code:" in blueprint_of(name).warning


def test_who_may_recognise_a_code_does_not_speak_it_yet():
    assert not speaks_code(find_agent("adaptive"))
    assert not speaks_code(find_agent("adaptive:ally=tamaya-mixed,partner=iggi"))
    assert speaks_code(find_agent("adaptive:ally=information,partner=information"))


@pytest.mark.parametrize("players", [2, 5])
def test_there_are_some_to_choose_from(players):
    found = [each.text for each in blueprints_for(players)]
    assert found[0] == USUAL_BLUEPRINT
    assert set(found) <= set(CHOICES)


@pytest.mark.parametrize(
    ("agents", "players", "found"),
    [
        (["", "piers"], 2, "piers"),
        (["piers", "piers"], 2, "piers"),
        (["", ""], 2, USUAL_BLUEPRINT),
        (["", "piers", "iggi"], 3, USUAL_BLUEPRINT),
        (["", "hatbot"], 2, USUAL_BLUEPRINT),  # plays with five
        (["", "mcts"], 2, USUAL_BLUEPRINT),  # takes too long
        (["", "gone.py:gone"], 2, USUAL_BLUEPRINT),
    ],
)
def test_a_known_partner_is_the_usual_blueprint(agents, players, found):
    assert default_blueprint(agents, players) == found


def test_an_unknown_agent_is_named():
    with pytest.raises(AgentError, match="unknown agent 'igi'"):
        blueprint_of("igi")


def test_a_saved_game_never_decides_which_file_is_loaded(tmp_path):
    for text in ("evil.py", "search:blueprint=evil.py", "/tmp/x.npz", "some.rules"):
        assert saved_blueprint([text, text], 2) == USUAL_BLUEPRINT
    assert saved_blueprint(["smartbot"] * 2, 2) == "smartbot"
    assert saved_blueprint([], 2) == USUAL_BLUEPRINT


def test_values_by_whoever_sat_in_all_seats_need_no_caution():
    assert caution("wtfwthat", ["wtfwthat"] * 3) == ""
    assert "speaks a code" in caution("wtfwthat", ["wtfwthat", "", "wtfwthat"])
    assert "convention" in caution(USUAL_BLUEPRINT, [])
