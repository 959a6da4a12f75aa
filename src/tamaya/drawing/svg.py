"""SVG text, and the colours of a drawing for light and dark backgrounds.

A colour is named by its role and has a light and a dark value. The light one is an attribute of the
shape, which every program understands; a style sheet adds the dark one for browsers and notebooks
in dark mode. Nothing has an id, so that a page may contain many drawings.
"""

from html import escape
from typing import Any

# Light and dark. The first ones are the colours of the reports (report/style.css). Text on a face
# has a contrast of at least 4.5 : 1; an edge stands out from the page by 3 : 1.
ROLES = {
    "page": ("#fdfdfb", "#12141b"), "ink": ("#23252d", "#e9eaf0"), "soft": ("#5b6070", "#a3a9ba"),
    "line": ("#dcdde3", "#343946"), "band": ("#eeeff4", "#222633"), "blue": ("#0a6fb0", "#62b4ea"),
    "orange": ("#b75a06", "#f0a23c"), "green": ("#0b7a5b", "#3fc79c"),
    "face-r": ("#c4302b", "#d2443b"), "text-r": ("#ffffff", "#ffffff"),
    "edge-r": ("#8f1d1a", "#ef8a80"),
    "face-y": ("#f5cb45", "#e8bd3a"), "text-y": ("#3b2a00", "#2b1f00"),
    "edge-y": ("#a07508", "#f7dd8a"),
    "face-g": ("#2fa577", "#35ab7d"), "text-g": ("#04130c", "#03110a"),
    "edge-g": ("#13704d", "#86dcb7"),
    "face-w": ("#ffffff", "#f1f1ec"), "text-w": ("#23252d", "#23252d"),
    "edge-w": ("#7d8291", "#b9bcc6"),
    "face-b": ("#2360b4", "#2f72c8"), "text-b": ("#ffffff", "#ffffff"),
    "edge-b": ("#123d7a", "#8dbcf5"),
    "face-x": ("#e4e6ed", "#2d3240"), "text-x": ("#3c404d", "#dcdee7"),
    "edge-x": ("#7d8291", "#7f8698"),
}  # fmt: skip

FONT = "system-ui, -apple-system, Segoe UI, Roboto, DejaVu Sans, Arial, sans-serif"


def node(tag: str, *inside: str, fill: str = "", stroke: str = "", **attributes: Any) -> str:
    """An element; ``fill`` and ``stroke`` are roles, underscores in other names are hyphens."""
    roles = {key: role for key, role in (("fill", fill), ("stroke", stroke)) if role}
    if roles:
        attributes |= {key: ROLES[role][0] for key, role in roles.items()}
        attributes["class"] = " ".join(f"{key[0]}-{role}" for key, role in roles.items())
    start = tag + "".join(
        f' {key.replace("_", "-")}="{escape(number(value))}"' for key, value in attributes.items()
    )
    return f"<{start}>{''.join(inside)}</{tag}>" if inside else f"<{start}/>"


def number(value: object) -> str:
    """A value as text, numbers with at most two decimals."""
    return f"{round(value, 2):g}" if isinstance(value, int | float) else str(value)


def group(x: float, y: float, *inside: str) -> str:
    """Elements moved to a place."""
    return node("g", *inside, transform=f"translate({number(x)} {number(y)})")


def text(x: float, y: float, size: float, words: str, fill: str = "ink", **look: Any) -> str:
    """Words on a baseline."""
    return node("text", escape(words), fill=fill, x=x, y=y, font_size=size, **look)


def headline(x: float, y: float, large: str, small: str, *, is_right: bool = False) -> str:
    """Large words with small ones after them, or before them at the right."""
    spans = [
        node("tspan", escape(large), fill="ink", font_size=20, font_weight=700),
        node("tspan", escape(small), fill="soft", font_size=14),
    ]
    gap = node("tspan", "\u2002")
    first, second = reversed(spans) if is_right else spans
    return node("text", first, gap, second, x=x, y=y, text_anchor="end" if is_right else "start")


def title(words: str) -> str:
    """The text that a screen reader reads and that hovering shows."""
    return f"<title>{escape(words)}</title>"


def document(width: float, height: float, label: str, *inside: str) -> str:
    """A drawing with a background panel."""
    panel = node("rect", x=0.5, y=0.5, width=width - 1, height=height - 1, rx=12, fill="page",
                 stroke="line")  # fmt: skip
    return node(
        "svg", title(label), _style_sheet(), panel, *inside,
        **{"xmlns": "http://www.w3.org/2000/svg", "class": "tamaya", "role": "img"},
        viewBox=f"0 0 {number(width)} {number(height)}", width=width, height=height,
        font_family=FONT, style="max-width:100%;height:auto",
    )  # fmt: skip


def _style_sheet() -> str:
    """The colours of light and dark mode; JupyterLab says which one it is in."""
    rules = "".join(
        f".tamaya .{key[0]}-{role}{{{key}:light-dark({light},{dark})}}"
        for role, (light, dark) in ROLES.items()
        for key in ("fill", "stroke")
    )
    return (
        "<style>@supports (color:light-dark(#000,#fff)){.tamaya{color-scheme:light dark}"
        "[data-jp-theme-light=true] .tamaya{color-scheme:light}"
        f"[data-jp-theme-light=false] .tamaya{{color-scheme:dark}}{rules}}}</style>"
    )
