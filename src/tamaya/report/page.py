"""The page of a report: one self-contained HTML file, and the charts as separate files.

The page loads nothing from the network. Its style and its script, which sorts and filters tables,
are embedded and the only ones that its security policy allows; without the script all content is
still there. It depends only on the results, so the same store produces the same page, byte for
byte.
"""

import hashlib
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import tamaya
from tamaya.atomic import write_atomically
from tamaya.report import (
    behaviour_sections,
    best,
    deal_sections,
    gain_sections,
    learning,
    reproduced_sections,
    scores,
    teams,
)
from tamaya.report.commands import made_block
from tamaya.report.gallery import Gallery, Section
from tamaya.report.games import ReportGames
from tamaya.report.markup import Html, counted, element, join, table
from tamaya.report.selection import Selection, select
from tamaya.report.theme import to_png

FORMATS = ("svg", "png")
StoredRow = Mapping[str, Any]  # a result as ``Store.results`` returns it

# The sections in the order of the page, each after the protocol whose results it shows.
_SECTIONS = (
    ("selfplay", best.best),
    ("selfplay", scores.leaderboard),
    ("selfplay", scores.histograms),
    ("crossplay", teams.crosstables),
    ("mixed", teams.mixed),
    ("partners", teams.partners),
    ("adhoc", teams.adhoc),
    ("deal", deal_sections.deals),
    ("behaviour", behaviour_sections.behaviour),
    ("gains", gain_sections.gains),
    ("training", learning.training),
    ("reproduce", reproduced_sections.reproduced),
)
_FIRST_STEPS = """\
tamaya selfplay certainty -n 2000
tamaya crossplay all -p 2,4
tamaya behaviour certainty
tamaya reproduce bouzy-1
tamaya report"""


@dataclass(frozen=True)
class Report:
    """A finished page and its charts as stand-alone drawings."""

    html: str
    content: str  # the content without the page around it, for our own server
    policy: str  # the security policy of the page
    drawings: dict[str, str]  # name -> SVG
    sections: tuple[str, ...]  # keys, in the order of the page


def build_report(
    results: Sequence[StoredRow], store: str, games: ReportGames | None = None
) -> Report:
    """The report of some results, oldest first; ``store`` says where they are stored.

    ``games`` finds the games behind the figures; without it there are none.
    """
    selection = select(results)
    gallery = Gallery(games or ReportGames())
    made = [section(selection, gallery) for _, section in _SECTIONS]
    made.append(_others(selection))
    sections = [section for section in made if section is not None]
    keys = tuple(section.key for section in sections)
    head = _Head(_asset("style.css") + gallery.style(), _asset("page.js"))
    parts = _subtitle(results, store), sections, gallery.games.all_boxes()
    html, inner = _page(head, _content("main", *parts)), _content("div", *parts)
    return Report(html, inner, head.policy, gallery.drawings, keys)


def _asset(name: str) -> str:
    return files(__package__).joinpath(name).read_text("utf-8")


@dataclass(frozen=True)
class _Head:
    """Style and script of the page, which its security policy names by hash."""

    style: str
    script: str

    @property
    def policy(self) -> str:
        """The policy: nothing is loaded, and only the embedded style and script are used."""
        own = f"style-src {_hash(self.style)}; script-src {_hash(self.script)}"
        return f"default-src 'none'; {own}; base-uri 'none'; form-action 'none'"


def _hash(text: str) -> str:
    digest = b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{digest}'"


def write_report(report: Report, path: Path, formats: Sequence[str] = FORMATS) -> list[Path]:
    """Write the page and its charts in some formats; returns the files of the charts.

    An older page is replaced atomically or, if something fails, left unchanged.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, report.html)
    if not formats or not report.drawings:
        return []
    folder = path.with_name(f"{path.stem}-charts")
    folder.mkdir(exist_ok=True)
    written = []
    for name, svg in report.drawings.items():
        for ending in formats:
            file = folder / f"{name}.{ending}"
            write_atomically(file, to_png(svg) if ending == "png" else svg)
            written.append(file)
    return written


def _others(selection: Selection) -> Section | None:
    """Results of the store that the page does not show, with the reason."""
    shown = {protocol for protocol, _ in _SECTIONS}
    reason = "the report has no section for this protocol"
    left_out = [
        *((row["id"], row["protocol"], row["name"], row["version"], why)
          for row, why in selection.unread),
        *((stored.id, stored.protocol, stored.name, stored.version, why)
          for stored, why in scores.misfits(selection)),
        *((stored.id, protocol, stored.name, stored.version, reason)
          for protocol, results in selection.results.items() if protocol not in shown
          for stored in results),
    ]  # fmt: skip
    if not left_out:
        return None
    columns = ["result", "protocol", "name", "version", "why it is not shown"]
    content = table("Results in the store that are not shown", columns, sorted(left_out), left=5,
                    head=2)  # fmt: skip
    return Section("others", "Not shown", content, [])


def _content(frame: str, subtitle: Html, sections: list[Section], boxes: Html) -> Html:
    """The content of the report, with its results inside a given element."""
    mark = element("span", Html(_asset("mark.svg")), class_="mark", aria_hidden="true")
    banner = element("header", element("h1", mark, "Tamaya report"), element("p", subtitle))
    words = (f"Made by tamaya {tamaya.__version__}. Every figure comes from the store; the "
             "commands that print it again are under its section.")  # fmt: skip
    columns = element("div", _contents(sections), _main(frame, sections), class_="columns")
    return join((banner, columns, element("footer", element("p", words)), boxes))


def _page(head: _Head, content: Html) -> str:
    meta = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("meta", http_equiv="Content-Security-Policy", content=head.policy),
        element("title", "Tamaya report"),
        element("style", Html(head.style)),
    )
    body = element(
        "body",
        element("a", "Skip to the results", href="#results", class_="skip"),
        content,
        element("script", Html(head.script), type="module"),
    )
    return f"<!doctype html>\n{element('html', meta, body, lang='en', data_report=True)}\n"


def _subtitle(results: Sequence[StoredRow], store: str) -> Html:
    """The subtitle: where the results come from."""
    if not results:
        return join(("No results yet in ", element("code", store)))
    first, last = (min(r["created"] for r in results), max(r["created"] for r in results))
    days = sorted({first[:10], last[:10]})
    when = " to ".join(days)
    return join((f"{counted(len(results), 'result')} of {when} in ", element("code", store)))


def _contents(sections: list[Section]) -> Html | None:
    if not sections:
        return None
    links = [element("li", element("a", s.title, href=f"#{s.key}")) for s in sections]
    return element("nav", element("h2", "Contents"), element("ol", *links), aria_label="Contents")


def _main(frame: str, sections: list[Section]) -> Html:
    if not sections:
        return element(frame, _empty(), id="results")
    parts = [
        element(
            "section",
            element("h2", section.title, id=f"{section.key}-title"),
            section.content,
            made_block(section.figures) if section.figures else None,
            id=section.key,
            aria_labelledby=f"{section.key}-title",
        )
        for section in sections
    ]
    return element(frame, *parts, id="results")


def _empty() -> Html:
    """Instructions for an empty store."""
    return element(
        "section",
        element("h2", "Nothing to show yet"),
        element("p", "The store has no results. Commands such as these store theirs:"),
        element("pre", _FIRST_STEPS, tabindex="0"),
        id="empty",
    )
