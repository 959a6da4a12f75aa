"""The pictures of the table in docs/ and README.md, made anew: `make pictures`.

A server deals a fixed game, whoever sits there follows *Advise* to a turn worth seeing, and a
browser takes a picture. The same code makes the same pictures, but for the fonts of the machine.
"""

import base64
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from browsing import CHROMIUM, FLAGS, ME, MIXED, Server, my_turn, open_table, started
from reviewing import brought
from tamaya.replays import to_json
from tamaya.rules import Rules
from tamaya.table import play

DOCS = Path(__file__).parents[1] / "docs"
PATIENCE = 120_000  # ms; agents may have to be compiled
LARGEST = 150_000  # bytes of a picture
SCALE = 1.5  # pixels of a picture for one of the page
QUALITY = 80
REVIEWED = 11  # seed
PIERS = {"kind": "agent", "agent": "piers"}


@dataclass(frozen=True)
class Position:
    """A deal and a turn of it: many cards are told, the last move was a hint."""

    seats: list[dict]
    seed: int
    turn: int

    def show(self, page: Page, server: Server, is_wide: bool) -> None:
        """Play there, and ask for advice."""
        open_table(page, server, self.seats, seed=self.seed)
        play_to(page, self)
        ask_for_reasons(page, is_wide=is_wide)


def show_review(page: Page, server: Server, is_wide: bool) -> None:
    """The worst move of a game of three agents, all of whose moves are valued."""
    game = play(["tamaya-mixed", "outer", "piers"], Rules(players=3), 1, seed=REVIEWED, record=True)
    document = json.dumps(to_json(game.game(0), ["Ann", "Ben", "Cho"]))
    page.goto(f"/g/{brought(page, server, document)}#0")
    page.get_by_role("tab", name="Game").click()
    page.get_by_role("row", name="Cho").wait_for()
    page.locator(".ranking button").first.click()
    page.get_by_role("tab", name="Turn").click()
    page.get_by_text("All legal moves").wait_for()
    settle(page)


@dataclass(frozen=True)
class Picture:
    """A picture: what it shows, on which screen, and how a browser is set up for it."""

    name: str
    show: Callable[[Page, Server, bool], None]
    width: int
    height: int
    options: dict[str, Any]


THREE = Position([ME, MIXED, PIERS], 95, 33)
TWO = Position([ME, MIXED], 183, 38)
PICTURES = (
    Picture("table-light", THREE.show, 1280, 800, {"color_scheme": "light"}),
    Picture("table-dark", THREE.show, 1280, 800, {"color_scheme": "dark"}),
    Picture("table-phone", TWO.show, 390, 844, {"has_touch": True, "is_mobile": True}),
    Picture("review-light", show_review, 1280, 800, {"color_scheme": "light"}),
    Picture("review-dark", show_review, 1280, 800, {"color_scheme": "dark"}),
)


def main() -> None:
    """Make all pictures, or those whose names are given."""
    if CHROMIUM is None:
        raise SystemExit("there is no chromium to take pictures with")
    with TemporaryDirectory() as folder, started(Path(folder)) as server, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        for picture in (p for p in PICTURES if p.name in (sys.argv[1:] or [p.name])):
            size = take(browser, server, picture)
            print(f"docs/{picture.name}.webp: {size:,} bytes")
        browser.close()


def take(browser: Browser, server: Server, picture: Picture) -> int:
    """Take a picture; gives its size in bytes."""
    context = browser.new_context(
        base_url=server.address, device_scale_factor=SCALE, reduced_motion="reduce",
        viewport={"width": picture.width, "height": picture.height}, **picture.options,
    )  # fmt: skip
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    picture.show(page, server, picture.width > 1000)
    whole = {"x": 0, "y": 0, "width": picture.width, "height": picture.height, "scale": SCALE}
    sent = context.new_cdp_session(page).send(
        "Page.captureScreenshot", {"format": "webp", "quality": QUALITY, "clip": whole}
    )
    content = base64.b64decode(sent["data"])
    if len(content) > LARGEST:
        raise SystemExit(f"{picture.name} has {len(content):,} bytes: at most {LARGEST:,}")
    (DOCS / f"{picture.name}.webp").write_bytes(content)
    context.close()
    return len(content)


def play_to(page: Page, position: Position) -> None:
    """Follow the advice until the turn has come."""
    players = len(position.seats)
    while True:
        my_turn(page).wait_for()
        made = int(page.get_by_role("heading", level=1).inner_text().removeprefix("Turn ")) - 1
        if made >= position.turn:
            return
        page.keyboard.press("h")
        page.get_by_role("button", name="Do it").first.click()
        page.get_by_role("heading", name=f"Turn {made + 1 + players}", exact=True).wait_for()


def ask_for_reasons(page: Page, is_wide: bool) -> None:
    """Ask for advice; where there is room, open its reasons."""
    page.keyboard.press("h")
    page.get_by_role("button", name="Do it").first.wait_for()
    if is_wide:
        page.get_by_role("button", name="Reasons").click()
    settle(page)


def settle(page: Page) -> None:
    """Wait until everything has arrived and is drawn."""
    page.mouse.move(0, 0)
    page.evaluate("document.activeElement?.blur(); scrollTo(0, 0)")
    page.wait_for_timeout(500)


if __name__ == "__main__":
    main()
