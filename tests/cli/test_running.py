"""What the commands of the arena share: options, the store, one line about the pace."""

import inspect
from importlib import import_module

import pytest

from tamaya.cli import (
    adhoc,
    behaviour,
    crossplay,
    curves,
    league,
    mixed,
    options,
    partners,
    report,
    reproduce,
    results,
    running,
    selfplay,
)
from tamaya.cli.running import ArenaOptions, arena_command, read_store
from tamaya.store.database import MissingStore, Store

ARENA = [adhoc.adhoc, behaviour.behaviour, crossplay.crossplay, league.league, mixed.mixed,
         partners.partners, reproduce.reproduce, selfplay.selfplay]  # fmt: skip


@pytest.mark.parametrize("command", ARENA, ids=lambda command: command.__name__)
def test_all_commands_of_the_arena_take_the_same_options_at_their_end(command):
    names = list(inspect.signature(command).parameters)
    assert names[-5:] == ["store", "on", "address", "threads", "json"]
    assert "options" not in names
    assert command.__doc__


@pytest.mark.parametrize("command", [curves.curves, report.report, results.results])
def test_commands_that_play_nothing_take_a_store_and_json(command):
    assert {"store", "json"} <= set(inspect.signature(command).parameters)


def test_a_command_gets_its_own_options_and_those_it_shares():
    seen = []

    @arena_command
    def dance(agent: str, steps: int = 3, *, options: ArenaOptions) -> None:
        """Dances."""
        seen.append((agent, steps, options))

    dance("random", json=True, store="x.db")
    dance("random", 5)
    assert seen == [
        ("random", 3, ArenaOptions(store="x.db", json=True)),
        ("random", 5, ArenaOptions()),
    ]
    assert (dance.__name__, dance.__doc__) == ("dance", "Dances.")
    with pytest.raises(TypeError, match="unexpected keyword argument 'tempo'"):
        dance("random", tempo=1)


def test_options_of_other_rooms_are_still_found_beside_the_running():
    assert running.On is options.On and running.Address is options.Address


def test_reading_makes_nothing(tmp_path, monkeypatch):
    file = tmp_path / "r.db"
    with pytest.raises(MissingStore):
        read_store(str(file), lambda store: store.results(), [])
    monkeypatch.setenv("TAMAYA_STORE", str(file))
    assert read_store(None, lambda store: store.results(), []) == (f"sqlite:///{file}", [])
    assert not file.exists()
    Store(str(file)).close()
    assert read_store(None, lambda store: store.results(), ["nothing"]) == (f"sqlite:///{file}", [])


@pytest.mark.parametrize(
    "name", ["selfplay", "crossplay", "mixed", "partners", "adhoc", "behaviour"]
)
def test_help_comes_without_the_arena(name):
    source = inspect.getsource(import_module(f"tamaya.cli.{name}"))
    head = source.partition("@arena_command")[0].partition("if TYPE_CHECKING:")[0]
    assert "tamaya.arena" not in head


def test_the_pace_says_what_came_from_the_store(tamaya):
    command = "selfplay", "random", "-p", "2", "--threads", "1"
    assert "games per second per core\n" in tamaya(*command, "-n", "50").stdout
    assert "all 50 games from the store" in tamaya(*command, "-n", "50").stdout
    assert "; 50 of 80 games from the store" in tamaya(*command, "-n", "80").stdout
    assert "all 80 games from the store" in tamaya(*command, "-n", "80").stdout


def test_selfplay_under_rules_an_agent_is_not_made_for_says_so(tamaya):
    command = "selfplay", "seer-information", "-p", "2", "-n", "5"
    assert "is made for other rules: --rules 'observation=seer'" in tamaya(*command).stdout
    assert "made for" not in tamaya(*command, "--rules", "observation=seer").stdout
