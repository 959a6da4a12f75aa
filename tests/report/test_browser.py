"""The page in a real browser, light and dark: no message on the console, nothing asked of others.

Skipped where Chromium cannot be installed. Names of hosts are not resolved, so a page that asked
for something would only leave a trace in the browser's log.
"""

import re
import struct
import subprocess
import zlib
from pathlib import Path

import pytest

from support import chromium
from tamaya.cli.behaviour import behaviour
from tamaya.cli.crossplay import crossplay
from tamaya.cli.report import report
from tamaya.cli.selfplay import selfplay

CHROMIUM = chromium()
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="Chromium cannot be installed here")
SCHEMES = {"dark": 0, "light": 1}
OWN = ("google.com", "googleapis.com", "gstatic.com", "gvt1.com")  # what Chromium asks by itself


def browse(page: Path, folder: Path, *options: str) -> tuple[str, str, set[str]]:
    """Open a page: the document as the browser has it, console messages, and hosts it asked for."""
    assert CHROMIUM is not None
    log = folder / "net.json"
    command = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
               "--disable-background-networking", "--disable-component-update", "--disable-sync",
               f"--user-data-dir={folder / 'profile'}", "--host-resolver-rules=MAP * ~NOTFOUND",
               "--enable-logging=stderr", "--v=0", f"--log-net-log={log}", *options,
               page.as_uri()]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    console = "\n".join(line for line in done.stderr.splitlines() if "CONSOLE" in line)
    hosts = set(re.findall(r'"url":"(?:https?|wss?)://([^/"?:]+)', log.read_text("utf-8")))
    return done.stdout, console, {host for host in hosts if not host.endswith(OWN)}


def first_pixel(png: bytes) -> tuple[int, ...]:
    """Colour of the pixel in the upper left corner."""
    data, place = b"", 8
    while place < len(png):
        (size,) = struct.unpack(">I", png[place : place + 4])
        if png[place + 4 : place + 8] == b"IDAT":
            data += png[place + 8 : place + 8 + size]
        place += 12 + size
    return tuple(zlib.decompress(data)[1:4])  # no filter changes the first pixel of a picture


@pytest.fixture(scope="module")
def page(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("page")
    store = str(folder / "results.db")
    selfplay("example", players="2", games=50, store=store)
    crossplay(["certainty", "example"], players="2", games=20, store=store)
    behaviour("example", games=20, store=store)
    report(folder / "report.html", store, "none")
    return folder / "report.html"


def test_console_and_network_stay_silent(page, tmp_path):
    document, console, hosts = browse(page, tmp_path, "--dump-dom")
    assert (console, hosts) == ("", set())
    assert document.count("<svg") == page.read_text(encoding="utf-8").count("<svg") > 4


def test_the_traces_are_seen_when_there_are_some(page, tmp_path):
    html = page.read_text(encoding="utf-8")
    asking = '<img src="http://tamaya.invalid/x.png"><script>console.error("oh")</script></body>'
    bad = tmp_path / "bad.html"
    bad.write_text(html.replace("</body>", asking), encoding="utf-8")
    _, console, hosts = browse(bad, tmp_path, "--dump-dom")
    assert "Content Security Policy" in console and hosts == set()  # the page forbids it all
    free = re.sub(r'<meta http-equiv="[^>]+>', "", html)
    bad.write_text(free.replace("</body>", asking), encoding="utf-8")
    _, console, hosts = browse(bad, tmp_path, "--dump-dom")
    assert "oh" in console and hosts == {"tamaya.invalid"}


@pytest.mark.parametrize("scheme", SCHEMES)
def test_light_and_dark(page, tmp_path, scheme):
    shot = tmp_path / "shot.png"
    setting = f"--blink-settings=preferredColorScheme={SCHEMES[scheme]}"
    options = setting, f"--screenshot={shot}", "--window-size=400,800"
    _, console, hosts = browse(page, tmp_path, *options)
    assert (console, hosts) == ("", set())
    brightness = sum(first_pixel(shot.read_bytes())) / 3
    assert (brightness > 200) == (scheme == "light")
    assert (brightness < 60) == (scheme == "dark")
