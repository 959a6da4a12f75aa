"""A real PostgreSQL server for the tests of what is stored."""

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from support import installed


@contextmanager
def postgres_server(folder: Path) -> Iterator[str]:
    """URL of a server, started in an empty folder; skips the test where there is none."""
    pytest.importorskip("psycopg", reason="psycopg is not installed: PostgreSQL is not tested")
    initdb = installed("postgresql", "/usr/lib/postgresql/*/bin/initdb")
    if initdb is None:
        pytest.skip("PostgreSQL cannot be installed here: it is not tested")
    binaries = initdb.parent
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    runas: list[str] = []
    if os.geteuid() == 0:  # the server refuses to run as root
        for path in (folder, *list(folder.parents)[:3]):
            path.chmod(0o755)
        shutil.chown(folder, "postgres")
        runas = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
    data = folder / "data"
    quiet = {"check": True, "stdout": subprocess.DEVNULL, "cwd": "/"}
    subprocess.run(
        [*runas, binaries / "initdb", "-D", data, "-U", "tamaya", "-A", "trust"], **quiet
    )
    options = f"-p {port} -c listen_addresses=127.0.0.1 -k {folder}"
    control = [*runas, binaries / "pg_ctl", "-D", data, "-w"]
    subprocess.run([*control, "-o", options, "-l", folder / "log", "start"], **quiet)
    try:
        yield f"postgresql://tamaya@127.0.0.1:{port}/postgres"
    finally:
        subprocess.run([*control, "-m", "immediate", "stop"], **{**quiet, "check": False})
