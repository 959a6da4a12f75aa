"""Acquaintances: learning from shared games, by the partner's moves alone, and their files."""

import json

import pytest

from tamaya.adapt.acquaintance import MOST_GAMES, Acquaintance, Meeting, acquainted
from tamaya.adapt.codes import speaks_code
from tamaya.adapt.model import choices_of
from tamaya.adapt.player import adaptive
from tamaya.adapt.recognise import evidence
from tamaya.checked_files import FileError
from tamaya.game import Game
from tamaya.lookup import find_agent
from tamaya.player import AgentError
from tamaya.rules import Rules
from tamaya.table import play

TWO = Rules(players=2)


def games_of(*team: str, n: int = 1, seed: int = 31) -> list[Game]:
    """Games of a team, an agent for each seat."""
    played = play(team, Rules(players=len(team)), n, seed=seed, record=True, threads=1)
    return [played.game(k) for k in range(n)]


def known(partner: str, n: int = 2) -> Acquaintance:
    """What is known of a partner after some games with ``random``."""
    found = Acquaintance(partner)
    for game in games_of("random", partner, n=n):
        found = found.after(game, [1])
    return found


def test_only_moves_of_the_partner_count():
    [game] = games_of("random", "piers")
    [both], [mine], [theirs] = (evidence([game], ["piers"], [bits]).agreements.tolist()
                                for bits in (3, 1, 2))  # fmt: skip
    assert theirs == [1.0]
    assert mine[0] < both[0] < 1.0
    assert evidence([game], ["piers"], [2]).n_moves == (game.events["seat"] == 1).sum()
    assert evidence([game], ["piers"], [0]).n_moves == 0


@pytest.mark.interpreted
def test_decisions_are_those_of_the_seats_also_without_the_compiler():
    [game] = games_of("random", "first-legal", seed=1)
    choices = choices_of([game], [2])
    assert len(choices.chosen) == len(choices.first) - 1 == (game.events["seat"] == 1).sum()
    assert evidence([game], ["first-legal"], [2]).agreements.tolist() == [[1.0]]
    assert evidence([game], ["first-legal"], [1]).agreements[0, 0] < 1


def test_a_model_and_the_signs_of_a_code_are_of_the_partner():
    [game] = games_of("random", "piers")
    all_of_it, none = choices_of([game]), choices_of([game], [0])
    parts = [choices_of([game], [bits]) for bits in (1, 2)]
    assert sum(len(part.chosen) for part in parts) == len(all_of_it.chosen) == game.turn
    assert sum(len(part.place) for part in parts) == len(all_of_it.place)
    assert len(none.chosen) == len(none.place) == 0
    games = games_of("random", "information", "information", "information", n=6)
    coded = games_of("information", "information", "information", "information", n=6)
    assert speaks_code(coded, [0b1110] * 6)
    assert not speaks_code(games, [0b0001] * 6)


@pytest.mark.parametrize("partner", ["piers", "smartbot"])
def test_it_recognises_whom_it_played_with(partner):
    found = known(partner)
    assert found.games == 2
    assert found.agent.settings["partner"] == partner
    assert found.learner is adaptive


def test_of_a_stranger_it_has_a_model():
    learner = adaptive.with_text("without=smartbot,draws=10")
    found = Acquaintance.with_learner("Ann", learner)
    assert found.agent is learner
    found = found.after(games_of("random", "smartbot")[0], [1])
    assert found.agent.settings["model"]
    assert found.agent.settings["draws"] == 10
    again = found.after(games_of("random", "piers", seed=32)[0], [1])
    assert again.learner is learner  # what one game taught is no more than that


def test_the_last_ten_games_count_if_they_were_played_by_the_rules_of_the_last():
    found = known("piers")
    few = Acquaintance("Ann", meetings=found.meetings * 5, games=10)
    [game] = games_of("random", "smartbot")
    assert len(few.after(game, [1]).meetings) == MOST_GAMES
    assert few.after(game, [1]).games == 11
    other = games_of("random", "smartbot", "smartbot")[0]
    assert few.after(other, [1, 2]).agent.settings["partner"] == "smartbot"
    silent = Meeting(other, ())
    assert acquainted(adaptive, [*found.meetings, silent]).spec == found.agent.spec
    assert acquainted(adaptive, [silent]) is adaptive


def test_a_file_has_all_of_it(tmp_path):
    file, found = tmp_path / "ann.json", known("piers")
    found.save(file)
    assert Acquaintance.load(file).to_document() == found.to_document()
    assert json.loads(file.read_text())["version"] == 1
    assert find_agent(f"adaptive:known={file}").spec == found.agent.spec
    assert find_agent(f"adaptive:known={file},draws=9").settings["draws"] == 9
    [game] = games_of("random", "piers", seed=33)
    more = Acquaintance.load(file).after(game, [1])
    assert more.agent.spec == found.after(game, [1]).agent.spec
    assert [path.name for path in tmp_path.iterdir()] == ["ann.json"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"version": 2}, "version 2 of acquaintances is not known here"),
        ({"games": 1}, "'games' should be at least 2, not 1"),
        ({"partner": None}, "'partner' should be a text, not None"),
        ({"agent": "iggi"}, "'iggi' is not the text of a prepared agent 'adaptive'"),
        ({"agent": "adaptive:known=x.json"}, "is not the text of a prepared agent"),
        ({"agent": "adaptive:model=AAAA"}, "'AAAA'... is not a fitted model"),
        ({"learner": "adaptive:nonsense"}, "'nonsense' is not key=value"),
        ({"meetings": [3, 4]}, "meeting 1: a meeting should be an object, not 3"),
        ({"meetings": [{"game": "x", "seats": []}]}, "meeting 1: "),
    ],
)
def test_damaged_files_are_named(tmp_path, change, words):
    file = tmp_path / "ann.json"
    file.write_text(json.dumps({**known("piers").to_document(), **change}))
    with pytest.raises(FileError, match=f"{file.name}.*{words}"):
        Acquaintance.load(file)


def test_a_meeting_is_a_finished_game(tmp_path):
    with pytest.raises(ValueError, match="the game is not over: it is turn 0"):
        Acquaintance("Ann").after(Game(TWO), [1])
    with pytest.raises(ValueError, match="seat 2 is not a seat of 2 players"):
        Acquaintance("Ann").after(games_of("random", "piers")[0], [2])
    file = tmp_path / "ann.json"
    for text, words in (
        ("{", "not JSON"),
        ("{}", "lacks 'version'"),
        ('{"version": 2}', "version 2"),
        ('{"version": 1}', "lacks 'agent'"),
    ):
        file.write_text(text)
        with pytest.raises(AgentError, match=f"agent 'adaptive': .*ann.json.*{words}"):
            find_agent(f"adaptive:known={file}")
    with pytest.raises(AgentError, match=r"nobody.json: No such file"):
        find_agent(f"adaptive:known={tmp_path / 'nobody.json'}")
