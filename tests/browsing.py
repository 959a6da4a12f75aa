"""A server of the web table and a browser before it, for the tests of the page.

A hand operates the page as a person would: with a mouse, with a finger at the size of a phone, or
with the keyboard alone. Selectors are roles and names, as a screen reader has them.
"""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import sleep
from typing import Any
from urllib.request import urlopen

from support import installed

CHROMIUM = installed("chromium", "/usr/bin/chromium", "/usr/bin/chromium-browser")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run",
         "--disable-component-update", "--disable-sync", "--mute-audio",
         "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"]  # fmt: skip
DESKTOP = {"viewport": {"width": 1280, "height": 800}}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
ME = {"kind": "person", "name": "Ann"}
MIXED = {"kind": "agent", "agent": "tamaya-mixed"}
SMART = {"kind": "agent", "agent": "smartbot"}
FREE = {"kind": "open"}
PATIENCE = 60_000  # ms for what may take a while on a busy machine
MOST_TABS = 120  # presses of Tab before something counts as out of reach


class Server:
    """A `tamaya serve` in a process of its own, which can be killed and started again."""

    def __init__(self, folder: Path, **environment: str) -> None:
        self.folder, self.environment = folder, environment
        self.port = 0
        self.process: subprocess.Popen[str] | None = None

    @property
    def address(self) -> str:
        """The address of the page."""
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> "Server":
        """Start it, at the port it had before."""
        command = [sys.executable, "-m", "tamaya", "serve", "--json", "--port", str(self.port),
                   "--store", str(self.folder / "store.db"), "--tables-per-minute", "100000",
                   "--sockets", "1000"]  # fmt: skip
        with (self.folder / "server.log").open("a") as log:
            self.process = subprocess.Popen(
                command, env={**os.environ, **self.environment}, start_new_session=True,
                stdout=subprocess.PIPE, stderr=log, text=True,
            )  # fmt: skip
        assert self.process.stdout is not None
        self.port = json.loads(self.process.stdout.readline())["port"]
        return self

    def wait(self) -> "Server":
        """Wait until its kernels are loaded, or compiled."""
        while not self.get("/api/status")["ready"]:
            sleep(0.2)
        return self

    def kill(self) -> None:
        """Kill it and its engines at once, as an outage would."""
        if self.process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def get(self, path: str) -> Any:
        """What an address of it answers."""
        with urlopen(self.address + path, timeout=30) as response:
            return json.load(response)

    def log(self) -> str:
        """What it complained about."""
        return (self.folder / "server.log").read_text("utf-8")


class Hand:
    """Operates a page with a ``mouse``, by ``touch`` or with the ``keyboard`` alone."""

    def __init__(self, page: Any, way: str) -> None:
        self.page, self.way = page, way
        self.n_uses = 0  # clicks, or what takes their place

    def use(self, control: Any) -> None:
        """Click, tap, or go there with Tab and press Enter."""
        self.n_uses += 1
        if self.way == "keyboard":
            self.reach(control)
            self.page.keyboard.press("Enter")
        elif self.way == "touch":
            control.tap(timeout=PATIENCE)
        else:
            control.click(timeout=PATIENCE)

    def reach(self, control: Any) -> None:
        """Move the focus to a control by Tab."""
        control.wait_for(timeout=PATIENCE)
        for _ in range(MOST_TABS):
            if control.evaluate("node => node === document.activeElement"):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"Tab does not lead to {control}")

    def choose(self, field: Any, value: str) -> None:
        """Choose an option of a select."""
        if self.way == "keyboard":
            self.reach(field)
            self.page.keyboard.type(value, delay=5)
        else:
            field.select_option(value)

    def pick(self, radio: Any) -> None:
        """Choose a radio button; by keyboard the arrows lead to it."""
        if self.way != "keyboard":
            self.use(radio)
            return
        group = radio.evaluate_handle("node => node.closest('fieldset')").as_element()
        for _ in range(MOST_TABS):
            if group.evaluate("node => node.contains(document.activeElement)"):
                break
            self.page.keyboard.press("Tab")
        while not radio.is_checked():
            self.page.keyboard.press("ArrowRight")

    def write(self, field: Any, text: str) -> None:
        """Write into a field."""
        if self.way == "keyboard":
            self.reach(field)
            self.page.keyboard.press("Control+a")
            self.page.keyboard.type(text)
            self.page.keyboard.press("Tab")
        else:
            field.fill(text)
            field.blur()


class Ear:
    """Hears what a page sends, receives, asks for and complains about."""

    def __init__(self, page: Any) -> None:
        self.frames: list[dict] = []  # received
        self.sent: list[dict] = []
        self.complaints: list[str] = []
        self.addresses: list[str] = []
        page.on("console", self._hear_console)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", lambda request: self.addresses.append(request.url))
        page.on("websocket", self._hear_socket)

    def _hear_console(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)

    def _hear_socket(self, socket: Any) -> None:
        self.addresses.append(socket.url)
        socket.on("framereceived", lambda text: self.frames.append(json.loads(text)))
        socket.on("framesent", lambda text: self.sent.append(json.loads(text)))

    def of(self, kind: str) -> list[dict]:
        """Frames of a type that were received."""
        return [frame for frame in self.frames if frame["type"] == kind]

    def last(self, kind: str) -> dict:
        """The last frame of a type that was received."""
        return self.of(kind)[-1]


def open_table(page: Any, server: Server, seats: list[dict], rules: str = "", **wishes: Any) -> str:
    """Open a table as the page would, and go there."""
    body = {"rules": f"players={len(seats)} {rules}".strip(), "seats": seats, "seed": 7, "index": 0,
            "options": {"pace_ms": 100, "undo": True}, **wishes}  # fmt: skip
    headers = {"X-Tamaya": "1", "Content-Type": "application/json"}
    address = f"{server.address}/api/tables"
    keys = page.request.post(address, data=json.dumps(body), headers=headers).json()
    kept = json.dumps({keys["id"]: {"token": keys["token"], "invite": keys["invite"]}})
    page.goto("/settings")
    page.evaluate("kept => localStorage.setItem('tamaya.tables', kept)", kept)
    page.goto(f"/t/{keys['id']}")
    return str(keys["id"])


def my_turn(page: Any) -> Any:
    """The sign that says so."""
    return page.get_by_role("region", name="Status").get_by_text("your turn", exact=True)


@contextmanager
def started(folder: Path, **environment: str) -> Iterator[Server]:
    """A server that starts, until it is not needed any more."""
    server = Server(folder, **environment)
    try:
        yield server.start()
    finally:
        server.kill()
