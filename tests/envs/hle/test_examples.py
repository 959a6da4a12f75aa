"""HLE's own example programs: with only the import changed they print what they print with HLE.

The scripts are not in this repository; they come from HLE's source distribution.
"""

import importlib.util
import os
import random
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import Any

import pytest

from tamaya.envs.hle import rl_env
from tamaya.envs.hle.agents.simple_agent import SimpleAgent

pytest.importorskip(
    "hanabi_learning_environment",
    reason="the examples need hanabi-learning-environment 0.0.4: see the peers extra",
)
from hanabi_learning_environment import rl_env as hle_rl_env
from hanabi_learning_environment.agents.simple_agent import SimpleAgent as HleSimpleAgent

PROJECT = "hanabi-learning-environment"
HLE = "hanabi_learning_environment"
OURS = "tamaya.envs.hle"

# The scripts name no seed, so every game gets one and the global generators start alike.
RUNNER = """
import importlib, random, runpy, sys
import numpy
package, script, *arguments = sys.argv[1:]
pyhanabi = importlib.import_module(package + ".pyhanabi")
plain = pyhanabi.HanabiGame.__init__
def seeded(self, params=None):
    plain(self, {**(params or {}), "seed": 11})
pyhanabi.HanabiGame.__init__ = seeded
random.seed(3)
numpy.random.seed(3)
sys.argv = [script, *arguments]
runpy.run_path(script, run_name="__main__")
"""


@pytest.fixture(scope="session")
def examples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Directory of HLE's example scripts, from its source distribution."""
    target = tmp_path_factory.mktemp("hle")
    command = [
        sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", PROJECT,
        "--dest", str(target), f"{PROJECT}==0.0.4",
    ]  # fmt: skip
    environment = {**os.environ, "CMAKE_POLICY_VERSION_MINIMUM": "3.5"}
    try:
        subprocess.run(command, env=environment, check=True, capture_output=True, timeout=180)
    except (subprocess.SubprocessError, OSError) as error:
        pytest.skip(f"cannot download the source distribution of {PROJECT}: {error}")
    with tarfile.open(next(target.glob("*.tar.gz"))) as archive:
        archive.extractall(target, filter="data")
    return next(target.glob("*/examples"))


def output_of(package: str, script: Path, directory: Path, *arguments: str) -> str:
    """What a script prints when it imports a package under HLE's names."""
    changed = directory / f"{package}_{script.name}"
    changed.write_text(script.read_text().replace(HLE, package))
    done = subprocess.run(
        [sys.executable, "-c", RUNNER, package, str(changed), *arguments],
        check=True,
        capture_output=True,
        text=True,
        timeout=300,
    )
    return done.stdout


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("game_example.py", ()),
        ("rl_env_example.py", ("--players=2", "--num_episodes=3", "--agent_class=SimpleAgent")),
        ("rl_env_example.py", ("--players=4", "--num_episodes=2", "--agent_class=SimpleAgent")),
        ("rl_env_example.py", ("--players=3", "--num_episodes=3", "--agent_class=RandomAgent")),
    ],
)
def test_script(examples: Path, tmp_path: Path, name: str, arguments: tuple[str, ...]) -> None:
    theirs, ours = (
        output_of(package, examples / name, tmp_path, *arguments) for package in (HLE, OURS)
    )
    assert len(theirs.splitlines()) > 10
    assert ours == theirs


def hle_agent_on_ours() -> Any:
    """HLE's simple agent with only its import changed."""
    spec = importlib.util.find_spec(f"{HLE}.agents.simple_agent")
    assert spec is not None and spec.origin is not None
    namespace: dict[str, Any] = {}
    exec(Path(spec.origin).read_text().replace(HLE, OURS), namespace)
    return namespace["SimpleAgent"]


def play(environment: Any, agents: list[Any], n_games: int) -> list[Any]:
    """All moves and rewards of some games."""
    record: list[Any] = []
    for _ in range(n_games):
        observation, done = environment.reset(), False
        while not done:
            seats = observation["player_observations"]
            actions = [agent.act(seat) for agent, seat in zip(agents, seats, strict=True)]
            action = actions[observation["current_player"]]
            assert sum(one is not None for one in actions) == 1
            observation, reward, done, _ = environment.step(action)
            record.append((action, reward))
    return record


@pytest.mark.parametrize("players", range(2, 6))
def test_simple_agents(players: int) -> None:
    """HLE's agent at HLE's table, the same text at ours, and our own agent play the same games."""
    options = {"players": players, "seed": random.Random(players).randrange(10**6)}
    theirs = play(
        hle_rl_env.HanabiEnv(options), [HleSimpleAgent(options) for _ in range(players)], 5
    )
    for agent in (hle_agent_on_ours(), SimpleAgent):
        ours = play(rl_env.HanabiEnv(options), [agent(options) for _ in range(players)], 5)
        assert ours == theirs
