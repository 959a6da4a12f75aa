"""The guest list: names and bounded numbers come in, and nothing is ever opened or run."""

import builtins
import io
import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support import examples
from tamaya.agent import Agent
from tamaya.lookup import all_agents, find_agent
from tamaya.rules import Rules
from tamaya.web.guests import BOUNDS, MAX_RULES, GuestError, GuestList, bounds_of, tags_of

GUESTS = GuestList()


@pytest.mark.parametrize(
    ("name", "params", "spec"),
    [
        ("smartbot", None, "smartbot"),
        ("smartbot", {}, "smartbot"),
        ("certainty", {"useless": 0.25, "spare": True}, "certainty:useless=0.25,spare=True"),
        ("certainty", {"useless": 1}, "certainty:useless=1.0"),
        ("search", {"samples": 200, "blueprint": "iggi"}, "search:samples=200,blueprint=iggi"),
        ("search", {"samples": 2000.0}, "search:samples=2000"),
        ("search", {"blueprint": "hat-information"}, "search"),  # its default, whatever it is
        ("search", {"blueprint": "fireflower"}, "search:ms=5000.0,blueprint=fireflower"),
        ("search", {"blueprint": "ppo", "ms": 9}, "search:ms=9.0,blueprint=ppo"),
        ("flat-mc-40ms", {"blueprint": "ppo"}, "flat-mc-40ms:blueprint=ppo"),
        ("ris-mcts", {"moves": "legal"}, "ris-mcts:moves=legal"),
        ("ris-mcts", {"moves": "iggi"}, "ris-mcts:moves=iggi"),
        ("mcts", {"ms": 5000}, "mcts:ms=5000.0"),
        ("rules", {"rules": " PlaySafeCard, LegalRandom"}, "rules:PlaySafeCard,LegalRandom"),
        ("rules", {"rules": "faithful=false,LegalRandom"}, "rules:LegalRandom,faithful=false"),
    ],
)
def test_what_is_admitted_is_found_by_engines(name, params, spec):
    assert GUESTS.admit(name, params) == spec
    assert find_agent(spec).spec == spec


@pytest.mark.parametrize(
    ("name", "params", "place", "reason"),
    [
        ("smartbott", {}, "agent", "did you mean 'smartbot'"),
        ("/tmp/x.py", {}, "agent", "no agent '/tmp/x.py' here"),
        ("search:samples=5", {}, "agent", "no agent"),
        (None, {}, "agent", "by its name"),
        (["smartbot"], {}, "agent", "by its name"),
        ("smartbot", [], "params", "an object"),
        ("smartbot", {"speed": 1}, "params.speed", "no parameter 'speed': it has refined"),
        ("smartbot", {"risk": 3}, "params.risk", "cannot be changed here"),
        ("smartbot", {"refined": 1}, "params.refined", "true or false"),
        ("search", {"samples": 2001}, "params.samples", "from 1 to 2000"),
        ("search", {"samples": 0}, "params.samples", "from 1 to 2000"),
        ("search", {"samples": 1.5}, "params.samples", "a whole number"),
        ("search", {"samples": True}, "params.samples", "a number"),
        ("search", {"samples": "5"}, "params.samples", "a number"),
        ("search", {"samples": float("nan")}, "params.samples", "a number"),
        ("search", {"iterations": 5}, "params.iterations", "no parameter"),
        ("search", {"depth": 2}, "params.depth", "cannot be changed"),
        ("mcts", {"ms": 5000.5}, "params.ms", "from 0 to 5000"),
        ("search", {"blueprint": "/tmp/x.py"}, "params.blueprint", "no agent '/tmp/x.py'"),
        ("search", {"blueprint": "iggi:ghosts=true"}, "params.blueprint", "no agent"),
        ("search", {"blueprint": "(iggi)"}, "params.blueprint", "no agent"),
        ("search", {"blueprint": "mcts"}, "params.blueprint", "cannot be the blueprint"),
        ("search", {"blueprint": "rules"}, "params.blueprint", "cannot be the blueprint"),
        ("search", {"blueprint": "seer-information"}, "params.blueprint", "cannot be"),
        ("search", {"blueprint": 5}, "params.blueprint", "by its name"),
        ("ris-mcts", {"moves": "smartbot"}, "params.moves", "cannot be the moves"),
        ("ris-mcts", {"moves": "x.rules"}, "params.moves", "no agent"),
        ("rules", {"rules": "PlayWell"}, "params.rules", "unknown rule 'PlayWell'"),
        ("rules", {"rules": "LegalRandom,name=x"}, "params.rules", "no parameter 'name'"),
        ("rules", {"rules": "x.rules"}, "params.rules", "'x.rules' is not a rule"),
        ("rules", {"rules": 5}, "params.rules", "a text"),
        ("rules", {"rules": "A" * 4001}, "params.rules", "4000 characters"),
        ("rules", {"list": "LegalRandom"}, "params.list", "it has rules"),
        ("rules", {"rules": ",".join(["LegalRandom"] * 41)}, "params.rules", "at most 40 rules"),
        ("ppo", {"path": "x.npz"}, "params.path", "it has none"),
    ],
)
def test_what_is_refused_is_named(name, params, place, reason):
    with pytest.raises(GuestError) as error:
        GUESTS.admit(name, params)
    assert error.value.place == place
    assert reason in error.value.text


def test_the_longest_rule_list_is_admitted():
    text = ",".join(["IfLives>1:PlayProbablySafe(0.6)"] * MAX_RULES)
    assert find_agent(GUESTS.admit("rules", {"rules": text})).steps(3)


def test_agents_are_for_tables():
    five, seers = Rules(players=5), Rules(observation="seer")
    assert GUESTS.admit("hatbot", {}, five) == "hatbot"
    with pytest.raises(GuestError, match="plays with 5 players, not 2"):
        GUESTS.admit("hatbot", {}, Rules())
    with pytest.raises(GuestError, match="'search' plays with 2 players, not 5"):
        GUESTS.admit("search", {"blueprint": "acha"}, five)
    with pytest.raises(GuestError, match=r"made for other rules: empty_hints=true"):
        GUESTS.admit("hat-information", {}, five)
    assert GUESTS.admit("seer-information", {}, seers) == "seer-information"


def test_the_catalogue_has_all_agents_of_standard_tables():
    rows = {row["name"]: row for row in GUESTS.catalogue()}
    ours = {player.name: player for player in all_agents() if player.files}
    assert {"tamaya-mixed", "hatbot", "search", "rules", "ppo"} <= set(rows) <= set(ours)
    assert not {"seer-information", "hat-recommendation"} & set(rows)
    assert all(row["description"] and row["family"] != "file" for row in rows.values())
    assert rows["hatbot"]["players"] == [5, 5] and rows["search"]["family"] == "search"
    json.dumps(list(rows.values()), allow_nan=False)
    small = {row["name"] for row in GUESTS.catalogue(Rules(players=2))}
    assert small == {name for name, row in rows.items() if row["players"][0] == 2}


@pytest.mark.parametrize(
    ("name", "tags"),
    [
        ("tamaya-mixed", []),
        ("smartbot", []),
        ("hatbot", ["code"]),
        ("cox-information", ["code"]),
        ("information", ["code"]),
        ("wtfwthat", ["code"]),
        ("acha", ["code", "learned"]),
        ("search", ["code", "slow"]),
        ("adaptive", []),
        ("search:blueprint=iggi", ["slow"]),
        ("ris-mcts:blueprint=information", ["code", "slow"]),
        ("random", ["weak"]),
        ("osawa-random", ["weak"]),
    ],
)
def test_tags_warn_people(name, tags):
    assert tags_of(find_agent(name)) == tags


def test_defaults_of_searches_are_within_the_bounds():
    for row in GUESTS.catalogue():
        for param in row["params"]:
            if param["kind"] in ("whole", "number"):
                assert param["least"] <= param["default"] <= param["most"], row["name"]
                bounds = bounds_of(find_agent(row["name"]), param["name"])
                assert (param["least"], param["most"]) == bounds


# Files of the host.

AGENT_FILE = '''
from tamaya.agent import agent
from tamaya.moves import play


@agent("{name}", params={{"greed": 0.5, "depth": 3, "bold": False}})
def act(view, memory, params):
    """Plays its oldest card."""
    return play(view, 0)
'''


def test_files_named_by_the_host_are_offered_by_their_names(tmp_path):
    python, rules = tmp_path / "mine.py", tmp_path / "careful.rules"
    python.write_text(AGENT_FILE.format(name="guest-eager"))
    rules.write_text("name = guest-careful\nPlaySafeCard, DiscardOldestFirst, LegalRandom\n")
    guests = GuestList([str(python), str(rules)])
    rows = {row["name"]: row for row in guests.catalogue()}
    assert rows["guest-eager"]["family"] == rows["guest-careful"]["family"] == "file"
    assert rows["guest-eager"]["description"] == "Plays its oldest card."
    assert guests.admit("guest-eager", {"greed": 7.5, "depth": -4, "bold": True}) == (
        "guest-eager:greed=7.5,depth=-4,bold=True"
    )
    assert guests.admit("search", {"blueprint": "guest-careful"}) == (
        "search:ms=5000.0,blueprint=guest-careful"
    )
    assert str(tmp_path) not in json.dumps(guests.catalogue())
    assert GuestList([str(rules)]).admit("guest-careful") == "guest-careful"  # once more is fine
    with pytest.raises(GuestError, match="no agent 'guest-eager' here"):
        GUESTS.admit("guest-eager")
    with pytest.raises(GuestError, match="from -1e"):
        guests.admit("guest-eager", {"greed": 1e7})


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("smartbot", "there is an agent 'smartbot' of the package already"),
        ("my.py", "expected letters"),
        ("a:b", "expected letters"),
        ("../x", "expected letters"),
    ],
)
def test_names_that_would_confuse_are_refused_at_the_start(tmp_path, name, reason):
    path = tmp_path / "mine.py"
    path.write_text(AGENT_FILE.format(name=name))
    with pytest.raises(GuestError, match=reason):
        GuestList([str(path)]).load()


def test_what_is_no_agent_file_is_refused_at_the_start(tmp_path):
    broken = tmp_path / "broken.py"
    broken.write_text("import nothing_like_this\n")
    for text, reason in [("smartbot", "is not a file"), (str(broken), "nothing_like_this"),
                         (str(tmp_path / "none.py"), "does not exist"),
                         ("notes.txt", "is not a file")]:  # fmt: skip
        with pytest.raises(GuestError, match=reason):
            GuestList([text]).load()


# Whatever comes.


@pytest.fixture(scope="module")
def trap(tmp_path_factory) -> Path:
    """A file that leaves a mark when it is run, and one that lists rules."""
    folder = tmp_path_factory.mktemp("trap")
    (folder / "x.py").write_text(
        f"from pathlib import Path\nPath({str(folder / 'sprung')!r}).touch()\n"
        + AGENT_FILE.format(name="trapped")
    )
    (folder / "x.rules").write_text("LegalRandom\n")
    return folder


def test_the_trap_works(trap):
    find_agent(f"search:blueprint={trap / 'x.py'}")
    assert (trap / "sprung").exists()
    (trap / "sprung").unlink()


NAMES = [player.name for player in all_agents()]
scraps = st.sampled_from([
    "TRAP/x.py", "TRAP/x.py:trapped", "(TRAP/x.py)", "TRAP/x.rules", "x.npz", "../x.py", "C:/x.py",
    "search:blueprint=TRAP/x.py", "rules:TRAP/x.rules", "search:blueprint=(search:blueprint=x.py)",
    "PlaySafeCard", "PlaySafeCard,TRAP/x.rules", "LegalRandom,faithful=false", "[2]LegalRandom",
    "IfLives>1:PlayProbablySafe(1e400)", "PlayJustHinted(single=TRAP/x.py)", "\x00", "", ":", "=",
])  # fmt: skip
texts = scraps | st.sampled_from(NAMES) | st.text(max_size=30)
numbers = st.integers() | st.floats() | st.sampled_from([0, 1, 2000, 5000, 10**400, -0.0])
values = texts | numbers | st.booleans() | st.none()
deep = st.recursive(values, lambda inner: st.lists(inner) | st.dictionaries(texts, inner))


@st.composite
def wishes(draw: Any) -> tuple[Any, Any]:
    """An agent and parameters: anything, or such as might pass."""
    if draw(st.integers(0, 3)) == 0:
        return draw(deep), draw(deep)
    player = draw(st.sampled_from(all_agents()))
    keys = [*player.settings, *(["rules"] if player.name == "rules" else [])]
    params = {}
    for key in draw(st.lists(st.sampled_from(keys), max_size=3)) if keys else []:
        is_text = isinstance(player.settings.get(key, ""), str)
        usual = scraps | st.sampled_from(NAMES) if is_text else numbers | st.booleans()
        params[key] = draw(usual)
    return player.name, params


@examples(400)
@given(wish=wishes(), players=st.integers(2, 5) | st.none())
def test_nothing_but_a_refusal_or_an_agent_of_the_list(trap, wish, players):
    name, params = (_trapped(value, trap) for value in wish)
    opened: list[object] = []
    with pytest.MonkeyPatch.context() as patch:
        for module, function in ((builtins, "open"), (io, "open"), (os, "open")):
            patch.setattr(module, function, lambda *a, **k: opened.append(a) or _refuse())
        try:
            spec = GUESTS.admit(name, params, Rules(players=players) if players else None)
        except GuestError as error:
            assert error.text and error.place
            spec = ""
    assert not opened and not (trap / "sprung").exists()
    if spec:
        assert str(trap) not in spec and ".py" not in spec and ".npz" not in spec
        player = find_agent(spec)
        assert player.name == name and player.spec == spec
        settings = player.settings if isinstance(player, Agent) else {}
        for key, value in settings.items():
            if key in BOUNDS and not isinstance(value, bool | str):
                least, most = bounds_of(player, key)
                assert least <= value <= most
        assert not (trap / "sprung").exists()


def _trapped(value: Any, trap: Path) -> Any:
    """The same with the folder of the trap in all texts that want it."""
    if isinstance(value, str):
        return value.replace("TRAP", str(trap))
    if isinstance(value, list):
        return [_trapped(item, trap) for item in value]
    if isinstance(value, dict):
        return {_trapped(key, trap): _trapped(item, trap) for key, item in value.items()}
    return value


def _refuse() -> None:
    raise AssertionError("something was opened")
