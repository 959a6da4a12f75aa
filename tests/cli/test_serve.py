"""`tamaya serve`: says where it is, opens nothing, ends at once, and one line for mistakes."""

import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from time import monotonic, sleep
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from support import run_command, run_python
from tamaya.cli import serve
from tamaya.compiled import JIT

needs_engines = pytest.mark.skipif(not JIT, reason="engines are about compiled code")
# Whoever runs the tests in the background may have them ignore Ctrl-C.
HEAR = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
PATIENCE = 60.0


def start(folder: Path, *arguments: str, **environment: str) -> subprocess.Popen[str]:
    """A server in a process of its own, at a free port."""
    store = str(folder / "store.db")
    return subprocess.Popen(
        [sys.executable, "-c", f"{HEAR}; from tamaya.cli.main import run; run()", "serve",
         "--port", "0", "--store", store, *arguments],
        env={**os.environ, **environment}, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def get(port: int, path: str) -> bytes:
    with urlopen(f"http://127.0.0.1:{port}{path}", timeout=PATIENCE) as response:
        return response.read()


def wait_until_ready(port: int) -> None:
    until = monotonic() + 10 * PATIENCE
    while monotonic() < until:
        try:
            if json.loads(get(port, "/api/status"))["ready"]:
                return
        except URLError:
            pass
        sleep(0.05)
    raise AssertionError("the server does not get ready")


def children(process: subprocess.Popen[str]) -> list[int]:
    """The processes that a server has started."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(path.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        if parent == process.pid:
            found.append(int(path.parent.name))
    return found


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@needs_engines
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_and_its_engines(tmp_path, number):
    process = start(tmp_path, "--json")
    try:
        document = json.loads(process.stdout.readline())
        assert document == {
            "address": f"http://127.0.0.1:{document['port']}/", "port": document["port"], "key": "",
        }  # fmt: skip
        wait_until_ready(document["port"])
        engines = children(process)
        assert engines
        process.send_signal(number)
        out, err = process.communicate(timeout=20)  # it takes less than two seconds
    finally:
        process.kill()
    expected = 130 if number == signal.SIGINT else -number
    assert (process.returncode, out) == (expected, ""), err
    assert "Traceback" not in err
    until = monotonic() + 10
    while any(map(is_alive, engines)) and monotonic() < until:
        sleep(0.05)
    assert not any(map(is_alive, engines))


@needs_engines
def test_it_prints_its_address_and_opens_nothing(tmp_path):
    marker = tmp_path / "opened"
    browser = tmp_path / "browser.sh"
    browser.write_text(f"#!/bin/sh\necho $1 > {marker}\n")
    browser.chmod(0o755)
    process = start(tmp_path, BROWSER=str(browser))
    try:
        address = process.stdout.readline().strip()
        assert address.startswith("http://127.0.0.1:")
        assert "Ctrl-C" in process.stdout.readline()
        assert b"<title>" in get(int(address.rstrip("/").rpartition(":")[2]), "/")
        assert not marker.exists()
    finally:
        process.kill()
    process = start(tmp_path, "--open", BROWSER=str(browser))
    try:
        address = process.stdout.readline().strip()
        until = monotonic() + 20
        while not marker.exists() and monotonic() < until:
            sleep(0.05)
        assert marker.read_text().strip() == address
    finally:
        process.kill()


@needs_engines
def test_the_page_is_there_before_any_kernel():
    """The modules that answer first import neither Numba nor NumPy nor the database."""
    result = run_python(
        """if True:
        import sys
        from tamaya.web.app import Settings, create_app
        from tamaya.web.guard import House
        import uvicorn
        create_app(Settings(House()))
        print(sorted({"numpy", "numba", "sqlalchemy", "tamaya.game"} & set(sys.modules)))
        """
    )
    assert (result.stdout, result.returncode) == ("[]\n", 0), result.stderr


def test_a_port_in_use_is_named():
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        finished = run_command("serve", "--port", str(port))
    assert finished.returncode == 1
    assert finished.stderr == (
        f"tamaya: port {port} of 127.0.0.1 is in use: stop what uses it, or choose another "
        f"port, such as --port {port + 1}\n"
    )
    assert finished.stdout == ""


def test_a_missing_extra_is_named(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    finished = run_command("serve")
    assert finished.returncode == 1
    assert finished.stderr == "tamaya: tamaya serve needs starlette: pip install 'tamaya[web]'\n"


@needs_engines
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere.py"], "nowhere.py"),
        (["--store", "oracle://x"], "unknown kind of database 'oracle'"),
        (["--store", "sqlite:////proc/nothing/x.db"], "proc/nothing"),
    ],
)
def test_what_cannot_be_loaded_ends_it_with_one_line(tmp_path, arguments, message):
    process = start(tmp_path, "--json", *arguments)
    try:
        _, err = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    assert process.returncode == 1
    assert err.startswith("tamaya: ")
    assert message in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--port", "70000"], "Invalid value for '--port'"),
        (["--host", "no.such.host.invalid", "--port", "0"], "no.such.host.invalid"),
        (["--tables-per-minute", "0"], "Invalid value for '--tables-per-minute'"),
    ],
)
def test_mistakes_get_one_line(arguments, message):
    finished = run_command("serve", *arguments)
    assert finished.returncode != 0
    assert finished.stderr.startswith("tamaya: ")
    assert message in finished.stderr
    assert finished.stderr.count("\n") == 1


@pytest.mark.parametrize("key", ["short", "with space 123", "sesame-öffne"])
def test_a_bad_key_is_refused(monkeypatch, key):
    monkeypatch.setenv("TAMAYA_KEY", key)
    finished = run_command("serve", "--name", "x.org", "--port", "0")
    assert finished.returncode == 1
    assert "TAMAYA_KEY" in finished.stderr
    assert key not in finished.stderr


@pytest.mark.parametrize(
    ("host", "key", "is_named", "address"),
    [
        ("127.0.0.1", "", False, "http://127.0.0.1:8000/"),
        ("::1", "", False, "http://[::1]:8000/"),
        ("192.168.1.5", "abc", False, "http://192.168.1.5:8000/#key=abc"),
        ("0.0.0.0", "abc", False, f"http://{serve.own_address('0.0.0.0')}:8000/#key=abc"),
        ("hanabi.org", "abc", True, "https://hanabi.org/#key=abc"),
    ],
)
def test_the_address_leads_to_the_page(host, key, is_named, address):
    assert serve.page_address(host, 8000, key, is_named) == address
