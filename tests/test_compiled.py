"""The compiler: where compiled code is kept, when it is made anew, and life without it."""

import shutil
from pathlib import Path

import numpy as np
import pytest

import tamaya
from support import run_python
from tamaya.compiled import JIT, cache_directory, cache_root, hot, popcount

SOURCES = Path(tamaya.__file__).parent
SHOW_DIRECTORY = "from tamaya.compiled import cache_directory; print(cache_directory())"
FIRST_MOVE = """if True:
    from tamaya.game import Game
    game = Game(seed=1)
    game.apply("p0")
    print(game.hands)
    """

needs_compiler = pytest.mark.skipif(not JIT, reason="this is about compiled code")


def directory_of(sources: Path = SOURCES, **environment: str) -> Path:
    """The cache directory that a new process chooses."""
    result = run_python(f"import sys; sys.path.insert(0, {str(sources.parent)!r}); "
                        f"{SHOW_DIRECTORY}", **environment)  # fmt: skip
    assert result.returncode == 0, result.stderr
    return Path(result.stdout.strip())


@pytest.fixture
def copied_sources(tmp_path):
    """The compiler's module in a package of its own."""
    package = tmp_path / "sources" / "tamaya"
    (package / "agents").mkdir(parents=True)
    for name in ("__init__.py", "compiled.py", "cards.py", "agents/simple.py"):
        shutil.copy(SOURCES / name, package / name)
    return package


def test_the_directory_lies_where_the_variable_says(tmp_path):
    chosen = directory_of(TAMAYA_CACHE=str(tmp_path / "here"))
    assert chosen.parent == tmp_path / "here"


def test_the_directory_lies_in_the_usual_place_otherwise(tmp_path):
    assert directory_of(TAMAYA_CACHE="", XDG_CACHE_HOME=str(tmp_path)).parent == tmp_path / "tamaya"
    home = directory_of(TAMAYA_CACHE="", XDG_CACHE_HOME="", HOME=str(tmp_path))
    assert home.parent == tmp_path / ".cache" / "tamaya"


def test_the_same_sources_have_the_same_directory():
    assert directory_of() == directory_of()
    assert cache_directory().parent == cache_root()


@pytest.mark.parametrize("edited", ["cards.py", "agents/simple.py"])
def test_an_edit_anywhere_in_the_package_starts_a_new_directory(copied_sources, edited):
    before = directory_of(copied_sources)
    with (copied_sources / edited).open("a") as file:
        file.write("\n# edited\n")
    assert directory_of(copied_sources) != before


def test_a_new_or_renamed_module_starts_a_new_directory(copied_sources):
    directories = {directory_of(copied_sources)}
    (copied_sources / "new.py").write_text("")
    directories.add(directory_of(copied_sources))
    (copied_sources / "new.py").rename(copied_sources / "newer.py")
    directories.add(directory_of(copied_sources))
    assert len(directories) == 3


def test_code_with_bounds_checks_is_kept_apart():
    plain, checked = (directory_of(NUMBA_BOUNDSCHECK=value) for value in ("0", "1"))
    assert plain != checked and checked.name.startswith(plain.name)


@needs_compiler
def test_compiled_code_is_kept_and_used_again_whatever_else_lies_there(tmp_path):
    stale = tmp_path / "cache" / "0123456789abcdef"
    stale.mkdir(parents=True)
    (stale / "game.apply_move-1.py311.nbi").write_bytes(b"rubbish")
    environment = {"TAMAYA_CACHE": str(tmp_path / "cache")}
    first = run_python(FIRST_MOVE, **environment)
    kept = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.nbc")}
    second = run_python(FIRST_MOVE, **environment)
    assert first.stdout == second.stdout != ""
    assert {path.name.split(".")[0] for path in kept} >= {"game", "chance"}
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.nbc")} == kept
    assert [path.name for path in stale.iterdir()] == ["game.apply_move-1.py311.nbi"]


@needs_compiler
def test_a_place_that_cannot_be_written_is_done_without(tmp_path):
    """Below a file no directory can be made, not even by root."""
    (tmp_path / "file").write_text("")
    result = run_python(FIRST_MOVE, TAMAYA_CACHE=str(tmp_path / "file" / "cache"))
    assert result.stdout.startswith("[["), result.stderr


@needs_compiler
def test_a_function_typed_at_the_prompt_is_compiled_but_not_kept(tmp_path):
    code = """if True:
        from tamaya import hot
        @hot
        def double(n):
            return 2 * n
        print(double(21), double.stats.cache_path)
        """
    result = run_python(code, TAMAYA_CACHE=str(tmp_path))
    assert result.stdout == "42 None\n", result.stderr


def test_the_interpreter_alone_plays_the_same_game(tmp_path):
    interpreted = run_python(FIRST_MOVE, NUMBA_DISABLE_JIT="1", TAMAYA_CACHE=str(tmp_path / "no"))
    assert interpreted.stdout == run_python(FIRST_MOVE).stdout != ""
    assert not (tmp_path / "no").exists()


@hot
def count_ones(bits):
    return popcount(bits)


@pytest.mark.interpreted
@pytest.mark.parametrize("bits", [0, 1, 2**63, 2**64 - 1, 0x5555555555555555])
def test_popcount_counts_ones(bits):
    assert count_ones(np.uint64(bits)) == bits.bit_count()


def test_bounds_are_checked_when_asked_for():
    code = """if True:
        import numpy as np
        from tamaya import hot
        @hot
        def read(numbers, index):
            return numbers[index]
        read(np.zeros(3), 5)
        """
    assert "IndexError" in run_python(code, NUMBA_BOUNDSCHECK="1").stderr


def test_forgetting_leaves_what_is_not_ours(tmp_path, monkeypatch):
    from tamaya.compiled import forget_old_generations

    monkeypatch.setenv("TAMAYA_CACHE", str(tmp_path))
    foreign = [tmp_path / name for name in ("photos", "0123456789abcdef", "kernels-notes")]
    old = [tmp_path / f"kernels-{number:016x}" for number in range(7)]
    for folder in (*foreign, *old):
        folder.mkdir()
    assert forget_old_generations(keep=5) == 2
    assert all(folder.exists() for folder in foreign)


@needs_compiler
def test_a_kernel_is_compiled_once_for_all_sizes_of_integers_that_kernels_hand_it():
    @hot
    def twice(number):
        return number + number

    @hot
    def sum_of_both(small, large):
        return twice(small) + twice(large)

    assert sum_of_both(np.int8(100), np.int64(2**40)) == 200 + 2**41
    assert len(twice.signatures) == 1
    assert sum_of_both(np.uint8(200), np.int32(-3)) == 400 - 6
    assert len(twice.signatures) == 2  # unsigned ones stay what they are
