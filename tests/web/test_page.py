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
MOST_BYTES = 150 * 1024  # of the table, with all that everybody loads
MOST_MORE = 110 * 1024  # of screens that load when they are opened
MOST_LAB = 20 * 1024
MORE = {"review.js", "import.js", "deal.js", "lab.js", "report.js"}
LAZY = {"line.js", "takeover.js"}  # that tables load when they need them
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
        for name in re.findall(r'^(?:import|export) .*?from "\./([^"]+)"', page.content.decode(),
                               re.MULTILINE | re.DOTALL):  # fmt: skip
            if name not in found:
                found.add(name)
                todo.append(name)
    return found


def size(names: set[str]) -> int:
    """Bytes of files as they are sent."""
    pages = Pages()
    return sum(len(page.content) for name in names if (page := pages.file(name)))


def test_the_page_is_small():
    screens = set(re.findall(r'import\("\./([^"]+)"\)', (PAGE / "main.js").read_text("utf-8")))
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


def test_comments_and_indentation_are_left_out_and_lines_stay():
    pages = Pages()
    for path in (*MODULES, *PAGE.glob("*.css")):
        page = pages.file(path.relative_to(PAGE).as_posix())
        assert page is not None
        source, sent = path.read_text("utf-8").split("\n"), page.content.decode().split("\n")
        assert len(sent) == len(source)
        if path.suffix == ".css":  # nor blanks that mean nothing
            source, sent = (re.sub(r" *([{};:,]) *", r"\1", "\n".join(text)).split("\n")
                            for text in (source, sent))  # fmt: skip
        else:  # nor remarks behind code, nor types in it
            source = [re.sub(r" +// .*|/\*\* @type \{[^*]*\} \*/ ?", "", line) for line in source]
        gone = [a.strip() for a, b in zip(source, sent, strict=True) if a.lstrip() != b]
        assert all(line.startswith(("/*", "*", "//")) or line.endswith("*/") for line in gone)
        assert not any(line.startswith(("/*", "//", " ", "\t")) for line in sent)


def test_colours_are_those_of_the_reports_and_drawings():
    own = variables((PAGE / "style.css").read_text("utf-8"))
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
