"""One server for all tests of a process that need a real one."""

from collections.abc import Iterator

import pytest

from lab_runs import write_runs
from serving import Server, started


@pytest.fixture(scope="session")
def served(tmp_path_factory) -> Iterator[Server]:
    runs = write_runs(tmp_path_factory.mktemp("runs"))
    with started(tmp_path_factory.mktemp("served"), "--runs", str(runs)) as server:
        yield server.wait()
        assert "Traceback" not in server.log()
        assert " failed: " not in server.log()
