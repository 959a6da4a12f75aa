"""Which figures a report shows: the newest of each kind, as typed results."""

import json
from pathlib import Path

from tamaya.arena.protocols.training import Curve
from tamaya.report.behaviour_sections import behaviour_figures
from tamaya.report.commands import made_block
from tamaya.report.learning import curve_figures
from tamaya.report.reproduced_sections import reproduced_figures
from tamaya.report.scores import comparison_figures, selfplay_figures
from tamaya.report.selection import Figure, select
from tamaya.report.teams import adhoc_figures, crosstable_figures, mixed_figures
from tamaya.rules import Rules

STORED = Path(__file__).parent.parent / "arena" / "protocols" / "stored-0.1.jsonl"
ROWS = [json.loads(line) for line in STORED.read_text("utf-8").splitlines()]


def test_stored_results_become_figures_of_every_section():
    selection = select(ROWS)
    assert selection.unread == []
    found = {
        "selfplay": [(f.agent, f.players, f.rules) for f in selfplay_figures(selection)],
        "comparisons": [(f.agent, f.players) for f in comparison_figures(selection)],
        "crosstables": [f.players for f in crosstable_figures(selection)],
        "mixed": [(f.agent, f.rules, f.players) for f in mixed_figures(selection)],
        "adhoc": [f.data.partner for f in adhoc_figures(selection)],
        "behaviour": [f.data.counted.games for f in behaviour_figures(selection)],
        "training": sorted({f.data.name for f in curve_figures(selection)}),
        "reproduced": [f.data.config.table for f in reproduced_figures(selection)],
    }
    assert found == {
        "selfplay": [("example", 2, ""), ("example", 3, ""), ("certainty", 2, ""),
                     ("certainty", 3, ""), ("random", 2, "hand_size=3 bomb=keep")],
        "comparisons": [("example", 2), ("example", 3)],
        "crosstables": [2, 4],
        "mixed": [("certainty", "bomb=keep", 0)],
        "adhoc": ["certainty", "random"],
        "behaviour": [30],
        "training": ["ppo", "seed-1", "seed-2"],
        "reproduced": ["bouzy-1"],
    }  # fmt: skip


def test_a_newer_figure_takes_the_place_of_an_older_one():
    again = {**ROWS[2], "id": 99}
    assert ROWS[2]["id"] == 4 and ROWS[2]["name"] == "certainty"
    figures = selfplay_figures(select([*ROWS, again]))
    assert [(f.agent, f.players, f.stored.id) for f in figures][2:4] == [
        ("certainty", 2, 99), ("certainty", 3, 99),
    ]  # fmt: skip


def test_how_figures_were_made():
    html = made_block(crosstable_figures(select(ROWS)))
    assert "<code>tamaya crossplay certainty example random -p 2 -n 20 --seed 0</code>" in html
    assert "20 per cell" in html and "standard" in html and "0.1.0" in html


def test_training_that_was_not_timed():
    curve = Curve("a", "ppo", "small", "players=2", 1, 10, 0.0, ((10, 5.0),))
    row = {**ROWS[-1], "document": {"curves": [curve.as_dict()]}, "seconds": 0.0}
    figures = curve_figures(select([row]))
    assert figures == [Figure.at(figures[0].stored, Rules(), curve)]
    assert "not kept" in made_block(figures)
