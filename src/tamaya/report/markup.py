"""HTML as nested function calls: text is escaped unless it is ``Html`` already.

Tables, folds and numbers of the page are defined here, so all sections look the same.
"""

from collections.abc import Iterable, Sequence
from html import escape
from math import isfinite, isnan

_VOID = frozenset({"br", "meta", "hr"})


class Html(str):
    """Text that is markup and must not be escaped again."""


def safe(content: object) -> Html:
    """Content as markup: escaped unless it is already markup."""
    if content is None:
        return Html("")
    return content if isinstance(content, Html) else Html(escape(str(content)))


def element(name: str, /, *children: object, **attributes: object) -> Html:
    """An element; ``class_`` stands for class, ``aria_label`` for aria-label, True for a flag."""
    parts = [name]
    for key, value in attributes.items():
        if value is None or value is False:
            continue
        key = key.rstrip("_").replace("_", "-")
        parts.append(key if value is True else f'{key}="{escape(str(value))}"')
    head = f"<{' '.join(parts)}>"
    if name in _VOID:
        return Html(head)
    return Html(f"{head}{join(children)}</{name}>")


def join(children: Iterable[object]) -> Html:
    """Pieces of content one after the other."""
    return Html("".join(safe(child) for child in children))


def table(
    caption: str,
    columns: Sequence[str],
    rows: Sequence[Sequence[object]],
    left: int = 1,
    head: int = 0,
) -> Html:
    """A table in a box that scrolls; the first ``left`` columns are text, ``head`` names a row.

    Tables with several rows can be sorted and filtered if scripts run.
    """
    names = [
        element("th", name, scope="col", class_="text" if k < left else None)
        for k, name in enumerate(columns)
    ]
    body = [
        element(
            "tr",
            *(
                element("th", cell, scope="row", title=cell if len(str(cell)) > 20 else None)
                if k == head
                else element("td", cell, class_="text" if k < left else None)
                for k, cell in enumerate(row)
            ),
        )
        for row in rows
    ]
    grid = element(
        "table",
        element("thead", element("tr", *names)),
        element("tbody", *body),
        aria_label=caption,
        class_="sorts" if len(rows) > 1 else None,
    )
    box = element("div", grid, class_="scroll", tabindex="0", role="region", aria_label=caption)
    return element("div", element("p", caption, class_="caption"), box, class_="table")


def fold(summary: str, *children: object, **attributes: object) -> Html:
    """A block that opens when its summary is clicked."""
    return element("details", element("summary", summary), *children, **attributes)


def number(value: float | None, digits: int = 2, sign: bool = False) -> str:
    """A number with some digits, a true minus, and a dash where there is none."""
    if value is None or isnan(value):
        return "–"  # noqa: RUF001
    plus = "+" if sign and value > 0 else ""
    if not isfinite(value):
        return f"{plus}∞" if value > 0 else "−∞"  # noqa: RUF001
    text = f"{plus}{value:,.{digits}f}"
    return f"−{text[1:]}" if text.startswith("-") and text.strip("-0.,") else text.lstrip("-")  # noqa: RUF001


def percent(share: float | None, digits: int = 1) -> str:
    """A share as a percentage."""
    text = number(None if share is None else 100 * share, digits)
    return f"{text} %" if text[-1].isdigit() else text


def with_error(value: float | None, error: float | None, digits: int = 2) -> Html:
    """A value and its standard error in small print."""
    shown = safe(number(value, digits))
    if value is None or error is None or isnan(error):
        return shown
    return join((shown, element("small", f" ± {number(error, digits)}")))


def counted(n: int, word: str) -> str:
    """A number of things, such as ``1 game`` or ``2,000 games``."""
    return f"{n:,} {word}" if n == 1 else f"{n:,} {word}s"
