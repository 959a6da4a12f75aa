"""Seconds until something can be used, each measured in a new interpreter.

The clock starts when the interpreter runs, so its own start is not counted. With a cold cache
everything is compiled into an empty directory; with a warm one it is read from disk.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

IMPORTS = {
    "tamaya": "import tamaya.table",
    "hle": "from hanabi_learning_environment import rl_env",
    "openspiel": "import pyspiel",
    "pettingzoo": "from pettingzoo.classic import hanabi_v5",
    "jaxmarl": "import jaxmarl",
}
FIRST_GAME = "from tamaya.table import play; play('random', games=1, threads=1)"

_PROGRAM = """
import sys
from time import perf_counter
started = perf_counter()
exec(sys.argv[1])
sys.stderr.write(f"\\n{perf_counter() - started}\\n")
"""


def seconds_of(code: str, cache: str | None = None) -> float:
    """Seconds that a line of Python takes in a new interpreter, optionally with its own cache."""
    source = str(Path(__file__).resolve().parents[2])
    paths = [source, *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "JAX_PLATFORMS": "cpu"}
    if cache is not None:
        environment["TAMAYA_CACHE"] = cache
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM, code], env=environment, capture_output=True, text=True
    )
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:]
        raise ValueError(f"{code!r} failed in a new interpreter: {' '.join(last)}")
    return float(done.stderr.split()[-1])


def seconds_of_first_game(is_cold: bool) -> float:
    """Seconds until the first game is over, importing included."""
    if not is_cold:
        return seconds_of(FIRST_GAME)
    with tempfile.TemporaryDirectory() as empty:
        return seconds_of(FIRST_GAME, cache=empty)
