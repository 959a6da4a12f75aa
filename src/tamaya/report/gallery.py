"""The charts of one report: each is drawn once, for the page and for its own file."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tamaya.report.games import ReportGames
from tamaya.report.markup import Html, element
from tamaya.report.selection import Data, Figure
from tamaya.report.theme import draw_svg, on_white, to_inline

PHONE = 390  # drawings up to this width in pixels shrink to fit, wider ones scroll in their box


@dataclass(frozen=True)
class Section:
    """A part of the page and the figures it shows."""

    key: str
    title: str
    content: Html
    figures: Sequence[Figure]


@dataclass
class Gallery:
    """Drawings by name, in the order in which the page shows them, and games behind figures."""

    games: ReportGames = field(default_factory=ReportGames)
    drawings: dict[str, str] = field(default_factory=dict)  # name -> stand-alone SVG
    widths: set[int] = field(default_factory=set)  # in pixels, for the style sheet

    def figure(self, name: str, chart: Any, alt: str, caption: str) -> Html:
        """Draw a chart; returns the markup that shows it, with an ``alt`` text."""
        name = self._free_name(name)
        svg = draw_svg(chart)
        self.drawings[name] = on_white(svg)
        inline, width = to_inline(svg, name)
        self.widths.add(width)
        picture = element(
            "div",
            Html(inline),
            class_=f"drawing w{width}" + (" wide" if width > PHONE else ""),
            role="img",
            aria_label=alt,
            tabindex="0" if width > PHONE else None,
        )
        return element("figure", picture, element("figcaption", caption), id=f"chart-{name}")

    def style(self) -> str:
        """Widths of the drawings as style rules; attributes would need a laxer security policy."""
        return "".join(f".w{width} {{ --w: {width}px; }}\n" for width in sorted(self.widths))

    def _free_name(self, text: str) -> str:
        """A name for files and anchors that is not taken."""
        name = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:80].strip("-") or "chart"
        number, free = 2, name
        while free in self.drawings:
            free, number = f"{name}-{number}", number + 1
        return free


def table_name(players: int, rules: str) -> str:
    """Number of players and rules in words, such as ``3 players, bomb=keep``."""
    return f"{players} players" + (f", {rules}" if rules else "")


def by_table(figures: Sequence[Figure[Data]]) -> dict[tuple[int, str], list[Figure[Data]]]:
    """Figures by number of players and rules: standard rules first, then few players first."""
    groups: dict[tuple[int, str], list[Figure[Data]]] = {}
    for figure in sorted(figures, key=lambda figure: (figure.rules, figure.players)):
        groups.setdefault((figure.players, figure.rules), []).append(figure)
    return groups
