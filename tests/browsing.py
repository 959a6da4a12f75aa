"""A server of the web table and a browser before it, for the tests of the page.

A hand operates the page as a person would: with a mouse, with a finger at the size of a phone, or
with the keyboard alone. Selectors are roles and names, as a screen reader has them.
"""

import json
from typing import Any

from serving import Server, started
from support import chromium

__all__ = ["Server", "started"]  # beside what is made here, the tests of the page take these

CHROMIUM = chromium()
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
        """Choose an option of a select, or find an agent by its name."""
        if field.evaluate("node => node.role === 'combobox'"):
            self.reach(field) if self.way == "keyboard" else self.use(field)
            field.press_sequentially(value, delay=5)
            field.press("Enter")
        elif self.way == "keyboard":
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
