"""What code depends on: which edits change a fingerprint, and which do not."""

import shutil
from pathlib import Path

import pytest

import tamaya
from support import run_python
from tamaya.fingerprint import fingerprint, import_closure

SOURCES = Path(tamaya.__file__).parent
SMARTBOT = "tamaya.agents.smartbot.player"


@pytest.fixture
def copied_package(tmp_path):
    """The package once more, to be edited."""
    package = tmp_path / "sources" / "tamaya"
    shutil.copytree(SOURCES, package, ignore=shutil.ignore_patterns("__pycache__", "*.npz"))
    return package


def fingerprints_of(package: Path, *modules: str) -> list[str]:
    """Fingerprints that a new process finds for modules of a copied package."""
    code = f"""if True:
        import sys
        sys.path.insert(0, {str(package.parent)!r})
        from tamaya.fingerprint import fingerprint
        for module in {modules!r}:
            print(fingerprint(module))
        """
    result = run_python(code, TAMAYA_CACHE=str(package.parent / "cache"))
    assert result.returncode == 0, result.stderr
    return result.stdout.split()


def edit(path: Path, old: str, new: str) -> None:
    """Replace the first occurrence of a text in a file."""
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def test_the_closure_holds_what_imports_reach_and_nothing_else():
    closure = import_closure(SMARTBOT)
    assert {SMARTBOT, "tamaya.cards", "tamaya.knowledge.board", "tamaya.compiled"} <= set(closure)
    assert not any(name.startswith(("tamaya.cli", "tamaya.learn", "tamaya.agents.fireflower"))
                   for name in closure)  # fmt: skip
    assert all(path.is_file() for path in closure.values())


def test_docstrings_comments_and_positions_do_not_count(copied_package):
    before = fingerprints_of(copied_package, SMARTBOT)
    player = copied_package / "agents" / "smartbot" / "player.py"
    edit(player, '"""', '"""Other words. ')
    player.write_text("# a remark\n\n\n" + player.read_text())
    assert fingerprints_of(copied_package, SMARTBOT) == before


def test_a_real_change_counts_for_all_who_import_it_and_nobody_else(copied_package):
    modules = SMARTBOT, "tamaya.table", "tamaya.agents.fireflower.player"
    before = fingerprints_of(copied_package, *modules)
    player = copied_package / "agents" / "smartbot" / "player.py"
    player.write_text(player.read_text() + "\nNEW_CONSTANT = 1\n")
    after = fingerprints_of(copied_package, *modules)
    assert [a == b for a, b in zip(before, after, strict=True)] == [False, True, True]
    edit(copied_package / "cards.py", "5 * colour", "6 * colour")
    assert fingerprints_of(copied_package, *modules) == after  # that was a docstring
    with (copied_package / "cards.py").open("a") as file:
        file.write("\nNEW_CONSTANT = 1\n")
    assert not set(fingerprints_of(copied_package, *modules)) & set(after)


def test_imports_for_type_checkers_and_inside_functions_do_not_count(tmp_path, monkeypatch):
    (tmp_path / "alpha.py").write_text(
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import beta\n"
        "def late():\n    import beta\ntry:\n    import gamma\nexcept ImportError:\n    pass\n"
    )
    (tmp_path / "beta.py").write_text("")
    (tmp_path / "gamma.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    import alpha  # noqa: F401
    import beta  # noqa: F401

    assert set(import_closure("alpha")) == {"alpha", "gamma"}


def test_users_files_count_with_the_files_they_import(tmp_path):
    code = f"""if True:
        import sys
        sys.path.insert(0, {str(tmp_path)!r})
        import mine
        from tamaya.fingerprint import fingerprint, import_closure
        assert "tamaya.compiled" in import_closure("mine")  # through the package's own names
        assert not any(name.startswith("numpy") for name in import_closure("mine"))
        print(fingerprint("mine"))
        """
    (tmp_path / "mine.py").write_text("import numpy\nfrom tamaya import hot\nimport helper\n")
    (tmp_path / "helper.py").write_text("N = 1\n")
    first, again = run_python(code), run_python(code)
    (tmp_path / "helper.py").write_text("N = 2\n")
    other = run_python(code)
    assert first.returncode == 0, first.stderr
    assert first.stdout == again.stdout != other.stdout


def test_damaged_notes_are_made_again(tmp_path):
    code = f"from tamaya.fingerprint import fingerprint; print(fingerprint({SMARTBOT!r}))"
    for content in ("", "{", "[1]", '{"a": 3}'):
        (tmp_path / "sources.json").write_text(content)
        result = run_python(code, TAMAYA_CACHE=str(tmp_path))
        assert result.stdout.strip() == fingerprint(SMARTBOT), result.stderr
        assert len((tmp_path / "sources.json").read_text()) > 1000
