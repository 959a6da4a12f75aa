"""Colours of drawings: those of the reports, and enough contrast on light and dark."""

import re
from pathlib import Path

import pytest

import tamaya.report
from tamaya.drawing.svg import ROLES, document, node, number

STYLE = (Path(tamaya.report.__file__).parent / "style.css").read_text(encoding="utf-8")
LOOKS = ("light", "dark")


def luminance(colour: str) -> float:
    """Relative luminance as WCAG defines it."""
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str, look: str) -> float:
    bright, dim = sorted(
        (luminance(ROLES[role][LOOKS.index(look)]) for role in (one, other)), reverse=True
    )
    return (bright + 0.05) / (dim + 0.05)


@pytest.mark.parametrize("look", LOOKS)
def test_text_and_edges_stand_out(look):
    for ending in "rygwbx":
        assert contrast(f"text-{ending}", f"face-{ending}", look) >= 4.5
        assert contrast(f"edge-{ending}", "page", look) >= 3
        assert contrast(f"edge-{ending}", "band", look) >= 3
    for role in ("ink", "soft", "blue", "orange", "green"):
        assert contrast(role, "page", look) >= 4.5


def test_the_page_has_the_colours_of_the_reports():
    light, dark = re.findall(r":root \{(.*?)\}", STYLE, re.S)
    for role in ("page", "ink", "soft", "line", "band", "blue", "orange", "green"):
        for place, text in enumerate((light, dark)):
            assert re.search(rf"--{role}: (#\w+)", text)[1] == ROLES[role][place]


def test_both_looks_are_in_every_drawing():
    svg = document(10, 10, "empty")
    for light, dark in ROLES.values():
        assert f"light-dark({light},{dark})" in svg


def test_attributes_are_escaped_and_numbers_short():
    assert node("a", href='"<') == '<a href="&quot;&lt;"/>'
    assert [number(value) for value in (1, 2.0, 1 / 3, -0.5)] == ["1", "2", "0.33", "-0.5"]
