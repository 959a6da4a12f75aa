"""The charts of a report: valid for Vega-Lite, drawn in the colours of the theme."""

from xml.etree import ElementTree

import pytest

from tamaya.report import charts
from tamaya.report.theme import INK, VARIABLES, draw_svg, on_white, to_inline, to_png

NAMES = ["certainty", "a [strange] 'name' with \"quotes\", \\ and datum.x", "<b>"]
POINTS = [{"name": name, "value": 3.0 * k, "low": 3.0 * k - 1, "high": 3.0 * k + 1}
          for k, name in enumerate(NAMES)]  # fmt: skip
CHARTS = {
    "intervals": lambda: charts.interval_chart(POINTS, "mean score", (0, 25)),
    "histograms": lambda: charts.histogram_chart(
        [{"agent": name, "score": score, "share": score / 300, "mean": 12.5}
         for name in NAMES for score in range(26)], NAMES, 25),
    "crosstable": lambda: charts.crosstable_chart(NAMES, [[0.0, 12.5, 25.0]] * 3, 25),
    "one agent": lambda: charts.crosstable_chart(NAMES[:1], [[25.0]], 25),
    "conditional": lambda: charts.conditional_chart(
        ["D1", "P1"], [[0.25, 0.75], [-1, -1]], [1.0, 0.0]),
    "pairs": lambda: charts.pairs_chart(
        [{"name": name, "series": series, "value": 5.0} for name in NAMES for series in "ab"],
        ("a", "b"), 25),
    "kinds": lambda: charts.kinds_chart(
        [{"agent": name, "kind": kind, "share": 0.25}
         for name in NAMES for kind in charts.KINDS.values()]),
    "z": lambda: charts.z_chart(
        [{"name": name, "z": z, "status": status} for name, z, status in
         zip(NAMES, (51.0, -2.0, float("-inf")), charts.STATUSES, strict=True)], 4.0),
}  # fmt: skip


def texts(svg: str) -> list[str]:
    root = ElementTree.fromstring(svg)
    return ["".join(node.itertext()) for node in root.iter() if node.tag.endswith("text")]


@pytest.mark.parametrize("name", CHARTS)
def test_charts_are_drawn(name):
    svg = draw_svg(CHARTS[name]())
    ElementTree.fromstring(on_white(svg))
    inline, width = to_inline(svg, "c")
    ElementTree.fromstring(inline)
    assert "http" not in inline and "aria-label" not in inline
    assert 50 < width < 480
    assert f"var(--{VARIABLES[INK]})" in inline
    assert not any(colour in inline for colour in VARIABLES)
    assert to_png(on_white(svg)).startswith(b"\x89PNG")


def test_strange_names_are_shown_as_they_are():
    svg = draw_svg(charts.crosstable_chart(["<b>", "a&b"], [[1.0, 2.0], [3.0, 4.0]], 25))
    assert texts(svg).count("<b>") == texts(svg).count("a&b") == 2


def test_crosstable_has_its_numbers_and_its_order():
    shown = texts(draw_svg(charts.crosstable_chart(["z", "a"], [[1.25, 2.5], [3.5, 24.5]], 25)))
    assert [text for text in shown if "." in text] == ["1.2", "2.5", "3.5", "24.5"]
    assert [text for text in shown if text in ("z", "a")] == ["z", "a", "z", "a"]


def test_actions_never_seen_keep_their_row_but_no_cells():
    chart = charts.conditional_chart(["D1", "P1"], [[0.25, 0.75], [-1, -1]], [1.0, 0.0])
    shown = texts(draw_svg(chart))
    assert shown.count("P1") == 2
    assert sorted(text for text in shown if text.isdigit()) == ["100", "25", "75"]
    assert shown.count("·") == 1


def test_ranges_of_axes():
    assert charts.score_domain([17.2, 20.0], 25) == (16, 25)
    assert charts.score_domain([0.0], 10) == (0, 10)
    assert charts.share_domain([0.2]) == (0, 1)
    assert charts.share_domain([52.0]) == (0, 55)
    assert charts.share_domain([99.9]) == (0, 100)
