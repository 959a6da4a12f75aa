"""The theme of all charts, and their conversion to SVG and PNG.

Charts are drawn in the colours of the light theme. In the page each of these colours becomes a CSS
variable, so that the same drawing follows the reader's light or dark setting.
"""

from collections.abc import Mapping
from typing import Any
from xml.etree import ElementTree

import altair as alt
import vl_convert

INK = "#23252d"  # names and numbers
SOFT = "#5b6070"  # axes and their labels
LINE = "#dcdde3"  # grid and connections
BAND = "#eeeff4"  # areas behind the data
BLUE, ORANGE, GREEN, PLUM = "#0a6fb0", "#b75a06", "#0b7a5b", "#92478c"  # Okabe-Ito, darkened
ON_DARK, ON_LIGHT = "#fffffe", "#101116"  # numbers on the colours of a heat map

# Colours that follow the page; the others are the same on light and dark.
VARIABLES: Mapping[str, str] = {
    INK: "ink", SOFT: "soft", LINE: "line", BAND: "band",
    BLUE: "blue", ORANGE: "orange", GREEN: "green", PLUM: "plum",
}  # fmt: skip

FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', Arial, sans-serif"
_LABELS = {"labelColor": SOFT, "titleColor": SOFT, "labelFontSize": 11, "titleFontSize": 11,
           "titleFontWeight": "normal"}  # fmt: skip
CONFIG: dict[str, Any] = {
    "background": None,
    "font": FONT,
    "padding": 4,
    "view": {"stroke": None},
    "axis": {**_LABELS, "gridColor": LINE, "domain": False, "tickColor": LINE, "labelPadding": 6,
             "titlePadding": 8, "labelFlush": False},
    "axisY": {"labelColor": INK, "labelFontSize": 12, "ticks": False, "grid": False,
              "labelLimit": 150},
    "header": {"labelColor": INK, "labelFontSize": 12, "titleColor": SOFT, "labelLimit": 150},
    "legend": {**_LABELS, "labelColor": INK, "labelFontSize": 12, "symbolStrokeWidth": 0,
               "orient": "top", "title": None, "padding": 0, "offset": 10, "columnPadding": 12,
               "rowPadding": 5},
    "text": {"color": INK, "font": FONT},
    "rule": {"color": SOFT},
}  # fmt: skip
LINE_LEGEND = alt.Legend(symbolStrokeWidth=2)  # of lines, whose symbols are only strokes

_SVG = "http://www.w3.org/2000/svg"
_DROPPED = ("class", "role", "aria-", "pointer-events", "font-family", "version", "cursor")


def draw_svg(chart: Any) -> str:
    """A chart as an SVG drawing in the light theme, with a transparent background."""
    specification = chart.to_dict()
    specification["config"] = CONFIG
    version = ".".join(alt.SCHEMA_VERSION.lstrip("v").split(".")[:2])
    return vl_convert.vegalite_to_svg(specification, vl_version=version)


def on_white(svg: str) -> str:
    """A stand-alone drawing with a white background."""
    end = svg.index(">") + 1
    return f'{svg[:end]}<rect width="100%" height="100%" fill="#ffffff"/>{svg[end:]}'


def to_png(svg: str) -> bytes:
    """A drawing as a PNG, at twice the size for sharp screens and print."""
    return vl_convert.svg_to_png(svg, scale=2)


def to_inline(svg: str, name: str) -> tuple[str, int]:
    """A drawing to put into the page, its colours as CSS variables, and its width in pixels.

    Ids inside the drawing are derived from the chart's name, because a page contains many.
    """
    root = ElementTree.fromstring(svg)
    ids = [node.attrib["id"] for node in root.iter() if "id" in node.attrib]
    _clean(root, {old: f"{name}-{k}" for k, old in enumerate(ids)})
    width, height = (float(root.get(key, "0")) for key in ("width", "height"))
    root.attrib.pop("width")
    root.attrib.pop("height")
    root.set("viewBox", root.get("viewBox") or f"0 0 {width:g} {height:g}")
    root.set("aria-hidden", "true")
    return ElementTree.tostring(root, encoding="unicode"), round(width)


def _clean(node: ElementTree.Element, names: Mapping[str, str]) -> None:
    """Drop what the page does not need and use its colours, for a node and its descendants."""
    node.tag = node.tag.removeprefix(f"{{{_SVG}}}")
    for key, value in list(node.attrib.items()):
        if key.startswith(_DROPPED):
            del node.attrib[key]
        elif key == "id":
            node.set(key, names[value])
        elif value.startswith("url(#"):
            node.set(key, f"url(#{names[value[5:-1]]})")
        elif value.lower() in VARIABLES:
            node.set(key, f"var(--{VARIABLES[value.lower()]})")
    for child in list(node):
        _clean(child, names)
        if _is_invisible(child):
            node.remove(child)


def _is_invisible(node: ElementTree.Element) -> bool:
    """Whether a node draws nothing: a hidden one, or a path or group without content."""
    if node.tag == "path":
        return not node.get("d", "").strip() or node.get("display") == "none"
    return node.tag == "g" and len(node) == 0 and not node.text
