"""The files of the page: a fixed list, each with its type and a tag of its content.

Files keep their names from version to version, so browsers ask every time whether the tag is
still the same (``no-cache``); on the same machine that costs less than a stale module would.

Modules and style sheets are sent without comments, empty lines and leading blanks, which are a
fifth of the source, and without line breaks next to brackets; style sheets without any line breaks.
In templates leading blanks are blanks between elements, of which the line break is one already.
"""

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent / "page"
REPORT = Path(__file__).parents[1] / "report"
# Files of reports that the page uses as they are, by the names that it knows them by.
BORROWED = {"report.css": REPORT / "style.css", "report-tables.js": REPORT / "page.js"}
SCREENS = re.compile(
    r"/|/new|/watch|/agents|/rules|/settings|/import|/lab|/report|/[tg]/[a-z2-7]{16}"
    r"|/d/[a-z0-9-]{1,16}"
)
MEDIA_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
COMMENTED = (".css", ".js")
_INDENT = re.compile(rb"^\s+", re.MULTILINE)  # with the empty lines before it
_COMMENT = re.compile(rb"^[ \t]*(?://[^\n]*|/\*.*?\*/[ \t]*)$", re.DOTALL | re.MULTILINE)
# Comments after code, and types: no text of the page looks like them.
_REMARK = re.compile(rb" +// [^\n]*$|/\*\* @type \{[^\n*]*\} \*/ ?", re.MULTILINE)
_IMPORT = re.compile(rb"^import ({[^}]*}) from ", re.MULTILINE)
_LIST = re.compile(rb"\s*([{},])\s*")
_BREAK = re.compile(rb"(?<=[{(\[])\n|\n(?=[})\]])")  # within brackets: of code, never of a text
# What means nothing in a style sheet: blanks, line breaks, the last semicolon of a rule.
_AIR = re.compile(rb"/\*.*?\*/|\s*;?\s*(})\s*|\s*([{;>])\s*|([:,])\s+")


@dataclass(frozen=True)
class Page:
    """A file as it is sent."""

    content: bytes
    media_type: str
    tag: str


class Pages:
    """The files below a folder when the server starts; none that comes later is served.

    A file that changes is read again, for developers of the page.
    """

    def __init__(self, folder: Path = FOLDER, borrowed: Mapping[str, Path] = BORROWED) -> None:
        self.folder = folder
        self._paths = {
            path.relative_to(folder).as_posix(): path
            for path in sorted(folder.rglob("*"))
            if path.suffix in MEDIA_TYPES and path.is_file()
        } | dict(borrowed)
        self._read: dict[str, tuple[float, Page]] = {}

    def __iter__(self) -> Iterator[str]:
        """The names of the files."""
        return iter(self._paths)

    def file(self, name: str) -> Page | None:
        """A file of the list, None for other names."""
        path = self._paths.get(name)
        if path is None:
            return None
        try:
            changed = path.stat().st_mtime
            if name not in self._read or self._read[name][0] != changed:
                self._read[name] = changed, _page(path)
        except OSError:  # somebody is replacing it
            return self._read[name][1] if name in self._read else None
        return self._read[name][1]

    def index(self) -> Page:
        """The page that all screens share."""
        return self.file("index.html") or Page(b"", MEDIA_TYPES[".html"], '""')

    @staticmethod
    def is_screen(path: str) -> bool:
        """Whether an address is one of the page's screens."""
        return SCREENS.fullmatch(path) is not None


def _page(path: Path) -> Page:
    content = path.read_bytes()
    if path.suffix in COMMENTED and "vendor" not in path.parts:  # licences stay where they are
        content = _REMARK.sub(b"", _INDENT.sub(b"", _COMMENT.sub(b"", content)))
        content = _BREAK.sub(b"", content)
        content = _IMPORT.sub(lambda found: b"import%bfrom" % _LIST.sub(rb"\1", found[1]), content)
    if path.suffix == ".css":
        content = _AIR.sub(rb"\1\2\3", content).replace(b"\n", b" ")
    tag = f'"{hashlib.sha256(content).hexdigest()[:20]}"'
    return Page(content, MEDIA_TYPES[path.suffix], tag)
