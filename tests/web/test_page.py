"""The files of the page: what is vendored, how large all is, colours, addresses, modules."""

import hashlib
import re
from pathlib import Path

import pytest

import tamaya
from tamaya.drawing.svg import ROLES
from tamaya.web.pages import Pages

PACKAGE = Path(tamaya.__file__).parent
PAGE = PACKAGE / "web" / "page"
FILES = sorted(path for path in PAGE.rglob("*") if path.is_file())
MODULES = [path for path in FILES if path.suffix == ".js" and "vendor" not in path.parts]
# Of `npm pack lit-html@3.3.3`; `make vendor` fetches the files again.
VENDORED = {
    "LICENSE": "2b66f9390afde29edfe4314daff93f01fb182e1178053e228120178987e5db75",
    "lit-html.js": "b878e7f95dec8a9b6e9b217faca6b6a11bad82ebc44c0caa77419ed83edd81f2",
}
MOST_BYTES = 146 * 1024  # of the table, with all that everybody loads
MOST_MORE = 112 * 1024  # of screens that load when they are opened
MOST_LAB = 20 * 1024
MORE = {"review.js", "import.js", "deal.js", "lab.js", "report.js"}
# What tables load when they need it.
LAZY = {"line.js", "takeover.js", "room.js", "aloud.js", "sound.js", "remember.js"}
MORE_STYLES = {"review.css", "lab.css", "report.css", "deal.css"}
MOST_LINES = 250


def variables(css: str) -> dict[str, tuple[str, str]]:
    """Custom colours of a style sheet that writes ``light-dark(light, dark)``."""
    pattern = r"--([\w-]+): (?:light-dark\((#\w+), (#\w+)\)|(#\w+));"
    return {
        name: (light or plain, dark or plain)
        for name, light, dark, plain in re.findall(pattern, css)
    }


def test_vendored_files_are_those_of_npm():
    folder = PAGE / "vendor"
    found = {path.relative_to(folder).as_posix(): path for path in FILES if folder in path.parents}
    sums = {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in found.items()}
    assert sums == VENDORED


def reached(*names: str) -> set[str]:
    """Modules and all that they import, but for what is imported when it is needed."""
    found, todo, pages = set(names), list(names), Pages()
    while todo:
        page = pages.file(todo.pop())
        assert page is not None
        imported = r'^(?:im|ex)port\b.*?from ?"\./([^"]+)"'
        for name in re.findall(imported, page.content.decode(), re.MULTILINE):
            if name not in found:
                found.add(name)
                todo.append(name)
    return found


def size(names: set[str]) -> int:
    """Bytes of files as they are sent."""
    pages = Pages()
    return sum(len(page.content) for name in names if (page := pages.file(name)))


def test_the_page_is_small():
    main = (PAGE / "main.js").read_text("utf-8")
    routes = re.findall(r'^  \[/.*?/, "(\w+)", "', main, re.MULTILINE)
    screens = {f"{name}.js" for name in routes}
    assert len(screens) == 14
    table = reached("main.js", "rules.js", *(screens - MORE))
    assert {"table.js", "home.js", "card.js", "vendor/lit-html.js"} <= table
    others = {name for name in Pages() if not name.endswith(".js")} - MORE_STYLES
    assert size(table | others) <= MOST_BYTES
    more = reached(*(screens & MORE), *LAZY) - table
    assert {"review.js", "graph.js", "import.js", "lab.js", "report.js"} <= more
    assert size(more | MORE_STYLES) <= MOST_MORE
    assert size({name for name in Pages() if name.startswith("lab")}) <= MOST_LAB
    assert {name for name in Pages() if name.endswith(".js")} == table | more, "nobody needs these"
    assert {
        path.name for path in MODULES if path.read_text("utf-8").count("\n") > MOST_LINES
    } == set()


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_modules_are_sent_without_comments_and_indentation(path):
    page = Pages().file(path.relative_to(PAGE).as_posix())
    assert page is not None
    sent = page.content.decode()
    source = re.sub(r"/\*.*?\*/ ?", "", path.read_text("utf-8"), flags=re.DOTALL)
    source = re.sub(r"(?<=\s)// .*", "", source)
    assert re.sub(r"\s+", "", sent) == re.sub(r"\s+", "", source)  # nothing else is missing
    joined = re.sub(r"(?<=[{(\[])\s*\n\s*|\s*\n\s*(?=[})\]])", "", source)
    lines = {line.strip() for line in joined.split("\n")}
    code = re.sub(r"^import{.*", "", sent, flags=re.MULTILINE).split("\n")
    assert {line.strip() for line in code} <= lines | {""}  # and all blanks within lines are there
    assert not re.search(r"^([ \t]|//|/\*)|\n\n", sent, re.MULTILINE)


@pytest.mark.parametrize("path", sorted(PAGE.glob("*.css")), ids=lambda path: path.name)
def test_style_sheets_are_sent_without_air(path):
    page = Pages().file(path.name)
    assert page is not None
    sent = page.content.decode()
    source = re.sub(r"/\*.*?\*/", "", path.read_text("utf-8"), flags=re.DOTALL)
    assert "\n" not in sent and "/*" not in sent and ";}" not in sent
    blank = re.compile(r"\s+")
    assert blank.sub("", sent) == blank.sub("", source).replace(";}", "}")
    parted = re.compile(r"[\w.%)]+ (?=[\w.(#-])")  # words by a blank
    assert len(parted.findall(sent)) == len(parted.findall(blank.sub(" ", source)))


def test_colours_are_those_of_the_reports_and_drawings():
    css = (PAGE / "style.css").read_text("utf-8")
    own = variables(css)
    names = {"face": "face", "on": "text", "rim": "edge"}
    for letter, card in re.findall(r"^\.c-(\w) {(.*)}$", css, re.MULTILINE):
        own |= {f"{names[name]}-{letter}": found for name, found in variables(card).items()}
    report = (PACKAGE / "report" / "style.css").read_text("utf-8")
    light, dark = (
        dict(re.findall(r"--(\w+): (#\w+);", part)) for part in report.split("@media", 1)
    )
    assert len(light) == 10
    for name, colour in light.items():
        assert own[name] == (colour, dark[name]), name
    for role, colours in ROLES.items():
        assert own[role] == colours, role


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_modules_import_what_is_there(path):
    for name in re.findall(r'(?:from|import\() ?"([^"]+)"', path.read_text("utf-8")):
        assert name.startswith("./") and name[2:] in Pages(), name


def test_nothing_is_written_that_the_policy_forbids():
    markup = (PAGE / "index.html").read_text("utf-8")
    assert not re.search(r"<style|style=|<script(?![^>]+src=)|\son\w+=", markup)
    for path in MODULES:
        text = path.read_text("utf-8")
        assert not re.search(
            r'\sstyle="|unsafeHTML|innerHTML|\beval\(|https?://(?!www\.w3\.org)', text
        ), path.name
