"""Commands with a store of their own."""

import json
import subprocess

import pytest

from support import run_command


@pytest.fixture
def tamaya(tmp_path):
    """Runs a command with a store of its own."""

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return run_command(*arguments, TAMAYA_STORE=str(tmp_path / "results.db"))

    return run


@pytest.fixture
def document(tamaya):
    """Runs a command and reads its JSON."""

    def run(*arguments: str) -> dict:
        finished = tamaya(*arguments, "--json")
        assert finished.returncode == 0, finished.stderr
        assert finished.stderr == ""
        return json.loads(finished.stdout)

    return run
