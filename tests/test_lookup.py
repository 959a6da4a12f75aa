"""Finding agents: names, parameters, and users' files with all that can be wrong in them."""

import os
import subprocess
from pathlib import Path
from textwrap import dedent

import pytest

from support import decide, run_python
from tamaya.agent import AgentError, BatchAgent, agent, batch_agent
from tamaya.compiled import JIT
from tamaya.game import Game
from tamaya.lookup import MAX_DEPTH, MAX_TEXT, all_agents, find_agent
from tamaya.registry import register

needs_compiler = pytest.mark.skipif(not JIT, reason="files are compiled here")


def write_agent(path: Path, slot: int, name: str = "mine", before: str = "") -> Path:
    """A file with an agent that plays always the same slot."""
    path.write_text(
        dedent(f'''
            from tamaya.agent import agent
            {before}

            @agent("{name}", params={{"slot": {slot}}})
            def act(view, memory, params):
                """Plays one slot."""
                return view.hand_size + params.slot
        ''')
    )
    return path


def move_in_new_process(spec: Path | str) -> subprocess.CompletedProcess[str]:
    """Ask the agent of a file for its first move, in another process."""
    return run_python(
        f"""if True:
        from support import decide
        from tamaya.game import Game
        from tamaya.lookup import find_agent
        print(decide(find_agent({str(spec)!r}), Game(), 0))
        """
    )


# Names.


def test_the_agents_of_the_package_are_known_by_name():
    names = [player.name for player in all_agents()]
    assert {"random", "first-legal", "example"} <= set(names)
    assert names == sorted(names)
    assert all(find_agent(name).name == name for name in names)


def test_every_agent_of_the_package_describes_itself():
    for player in all_agents():
        assert player.description.endswith("."), player.name
        assert len(player.description) < 100, player.name


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("exmaple", "unknown agent 'exmaple', did you mean 'example'?"),
        ("zzz", "unknown agent 'zzz'; `tamaya agents` lists all"),
        ("", "unknown agent ''"),
        ("random:", None),
        ("random:depth=3", "agent 'random' has no parameter 'depth': it has none"),
        ("certainty:useless", "agent 'certainty': 'useless' is not key=value"),
        ("certainty:useless=a", "parameter 'useless' must be a number, not 'a'"),
        ("certainty:useless=1,useless", "'useless' is not key=value"),
    ],
)
def test_a_wrong_text_is_explained(text, message):
    if message is None:
        assert find_agent(text).name == "random"
        return
    with pytest.raises(AgentError) as error:
        find_agent(text)
    assert message in str(error.value)


def test_parameters_are_read_from_the_text():
    assert find_agent("certainty: useless =0.25").values["useless"] == 0.25


def any_move(view, memory, params):
    return 0


def test_the_decorators_register():
    mine = agent("mine")(any_move)
    network = batch_agent("network", state_size=4)(any_move)
    assert find_agent("mine") is mine and find_agent("network") is network
    assert isinstance(network, BatchAgent) and network.state_size == 4


def test_a_batch_agent_takes_no_parameters():
    register(BatchAgent("network", any_move))
    with pytest.raises(AgentError, match="agent 'network' takes no parameters, found 'depth=2'"):
        find_agent("network:depth=2")


def test_texts_beyond_reason_are_refused_at_once():
    with pytest.raises(AgentError, match=f"at most {MAX_TEXT:,} characters, not 1,000,000"):
        find_agent("x" * 10**6)
    with pytest.raises(AgentError, match="unknown agent") as unknown:
        find_agent("x" * 10_000)
    assert len(str(unknown.value)) < 120
    nested = "certainty"
    for _ in range(MAX_DEPTH):
        nested = f"flat-mc:policy=({nested})"
    with pytest.raises(AgentError, match=f"agents that name agents go at most {MAX_DEPTH} deep"):
        find_agent(nested)
    with pytest.raises(AgentError, match="agents that name agents"):
        find_agent("flat-mc:policy=" * 1000 + "certainty")


def test_what_is_no_text_is_refused():
    with pytest.raises(TypeError, match="an agent is found by a text such as 'certainty', not by"):
        find_agent(3)


# Files.


def test_the_only_agent_of_a_file_needs_no_name(tmp_path):
    path = write_agent(tmp_path / "one.py", slot=2)
    assert decide(find_agent(str(path)), Game(), 0) == 7
    assert find_agent(f"{path}:mine") is find_agent(str(path))
    assert find_agent("mine").name == "mine"


def test_parameters_follow_the_name(tmp_path):
    path = write_agent(tmp_path / "one.py", slot=2)
    assert decide(find_agent(f"{path}:mine:slot=4"), Game(), 0) == 9
    assert decide(find_agent(f"{path}::slot=3"), Game(), 0) == 8


def test_a_file_with_several_agents_needs_a_name(tmp_path):
    path = write_agent(tmp_path / "two.py", slot=1)
    text = path.read_text()
    path.write_text(text + text.replace("mine", "yours").replace("act", "other"))
    assert find_agent(f"{path}:yours").name == "yours"
    with pytest.raises(
        AgentError, match=r"two\.py has several agents: mine, yours; .*two\.py:mine"
    ):
        find_agent(str(path))
    with pytest.raises(
        AgentError, match=r"two\.py has no agent 'ours': its agents are mine, yours"
    ):
        find_agent(f"{path}:ours")


def test_a_path_may_be_relative(tmp_path, monkeypatch):
    write_agent(tmp_path / "here.py", slot=0)
    monkeypatch.chdir(tmp_path)
    assert find_agent("here.py").name == "mine"


def test_a_folder_may_have_py_in_its_name(tmp_path):
    folder = tmp_path / ".pyenv"
    folder.mkdir()
    assert find_agent(str(write_agent(folder / "one.py", slot=0))).name == "mine"


def test_two_files_of_one_name_are_two_modules(tmp_path):
    for slot, folder in enumerate(("a", "b")):
        (tmp_path / folder).mkdir()
        path = write_agent(tmp_path / folder / "agent.py", slot)
        assert decide(find_agent(str(path)), Game(), 0) == 5 + slot


@pytest.mark.parametrize(
    ("before", "message"),
    [
        ("this is no Python", "line 3: SyntaxError"),
        ("import no_such_module_anywhere", "line 3: ModuleNotFoundError: No module named 'no_s"),
        ("1 / 0", "line 3: ZeroDivisionError: division by zero"),
        ("agent('x', colour='red')(print)", "line 3: TypeError"),
        ("agent('x', players='9')(print)", "line 3: AgentError: '9' is not a number of players"),
    ],
)
def test_a_file_that_cannot_be_read_names_file_and_line(tmp_path, before, message):
    path = write_agent(tmp_path / "bad.py", slot=0, before=before)
    with pytest.raises(AgentError) as error:
        find_agent(str(path))
    assert str(error.value).startswith(f"agent file {path}, {message}")


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(AgentError, match=r"agent file .*nowhere\.py does not exist"):
        find_agent(str(tmp_path / "nowhere.py"))


def test_a_file_without_agents_is_named(tmp_path):
    path = tmp_path / "empty.py"
    path.write_text("")
    with pytest.raises(AgentError, match=r"empty\.py has no agent: decorate a function"):
        find_agent(str(path))


def compile_message(path: Path, old: str, new: str) -> str:
    """What compiling an agent says after its text was changed."""
    write_agent(path, slot=0)
    path.write_text(path.read_text().replace(old, new))
    player = find_agent(str(path))
    with pytest.raises(AgentError) as error:
        player.compile()
    return str(error.value)


@needs_compiler
def test_an_agent_that_does_not_compile_names_agent_file_and_line(tmp_path):
    message = compile_message(tmp_path / "bad.py", "params.slot", "'one'")
    assert message.startswith(f"agent 'mine' does not compile ({tmp_path}/bad.py, line 8): ")
    assert len(message.partition("): ")[2]) > 10 and "\n" not in message


@needs_compiler
@pytest.mark.parametrize(
    ("new", "reason"), [("params.slit", "field 'slit'"), ("nowhere(view)", "name 'nowhere'")]
)
def test_a_name_that_does_not_exist_is_given_with_its_line(tmp_path, new, reason):
    message = compile_message(tmp_path / "bad.py", "params.slot", new)
    assert message.startswith(f"agent 'mine' does not compile ({tmp_path}/bad.py, line 8): ")
    assert reason in message


def test_a_helper_beside_the_file_can_be_imported(tmp_path):
    write_helper(tmp_path, slot=3)
    assert decide(find_agent(str(write_user(tmp_path))), Game(), 0) == 8


def write_helper(folder: Path, slot: int) -> None:
    """A module with a compiled helper function, always of the same second."""
    text = f"from tamaya import hot\n\n\n@hot\ndef slot_in_mind(view):\n    return {slot}\n"
    path = folder / "helper_beside.py"
    path.write_text(text)
    os.utime(path, (1_700_000_000, 1_700_000_000))


def write_user(folder: Path) -> Path:
    """An agent that calls the helper."""
    path = write_agent(
        folder / "user.py", slot=0, before="from helper_beside import slot_in_mind"
    )  # fmt: skip
    path.write_text(path.read_text().replace("params.slot", "slot_in_mind(view)"))
    return path


# Compiled code on disk.


@needs_compiler
def test_an_edited_file_is_compiled_again(tmp_path):
    path = tmp_path / "edited.py"
    for slot in (1, 2, 4):
        write_agent(path, slot=0)
        path.write_text(path.read_text().replace("params.slot", str(slot)))
        result = move_in_new_process(path)
        assert result.stdout == f"{5 + slot}\n", result.stderr


@needs_compiler
def test_an_edited_helper_has_its_users_compiled_again(tmp_path):
    path = write_user(tmp_path)
    for slot in (1, 2):
        write_helper(tmp_path, slot)
        result = move_in_new_process(path)
        assert result.stdout == f"{5 + slot}\n", result.stderr


@needs_compiler
def test_a_file_works_as_agent_file_and_as_module_in_either_order(tmp_path):
    """Compiled code remembers the module it belongs to, which may be absent the next time."""
    path = write_agent(tmp_path / "both_ways.py", slot=2)
    as_module = f"""if True:
        import sys
        sys.path.insert(0, {str(tmp_path)!r})
        from both_ways import act
        from support import decide
        from tamaya.game import Game
        print(decide(act, Game(), 0))
        """
    for result in (move_in_new_process(path), run_python(as_module), move_in_new_process(path)):
        assert result.stdout == "7\n", result.stderr[-300:]


def test_lookup_imports_no_family_but_finds_their_files(tmp_path):
    (tmp_path / "mine.rules").write_text("PlaySafeCard,LegalRandom")
    result = run_python(
        f"""if True:
        import sys
        from tamaya.lookup import find_agent
        assert not [name for name in sys.modules if name.startswith("tamaya.agents")]
        print(find_agent({str(tmp_path / "mine.rules")!r}).name)
        assert "tamaya.agents.hat.information" not in sys.modules
        """
    )
    assert result.stdout == "mine\n", result.stderr


def test_files_may_be_named_from_here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.rules").write_text("PlaySafeCard,LegalRandom")
    (tmp_path / "user.py").write_text(
        "from tamaya.agent import agent\nfrom tamaya.moves import play\n\n"
        "@agent('user')\ndef user(view, memory, params):\n    return play(view, 0)\n"
    )
    assert find_agent("./mine.rules").name == "mine"
    assert find_agent("./mine.rules:faithful=false").values["faithful"] is False
    assert find_agent("./user.py").name == find_agent("./user.py:user").name == "user"
    with pytest.raises(AgentError, match=r"x\\mine\.py does not exist"):
        find_agent(r"C:\x\mine.py")


def test_a_folder_says_which_agent_it_holds(tmp_path):
    with pytest.raises(AgentError, match=rf"'{tmp_path}' is a folder, not an agent"):
        find_agent(str(tmp_path))
    (tmp_path / "best.rules").write_text("LegalRandom")
    with pytest.raises(AgentError, match=rf"is a folder: its agent is {tmp_path}/best\.rules"):
        find_agent(str(tmp_path))
