"""The section on search: a row per agent, three charts by turn, and ticks of logarithmic axes."""

import pytest

from tamaya.arena.executor import Threads
from tamaya.arena.protocols.gains import Config, run
from tamaya.arena.runner import Runner
from tamaya.report.gain_sections import gain_chart, log_ticks, row_of
from tamaya.report.page import build_report
from tamaya.report.theme import draw_svg


def stored(number: int, agent: str, games: int) -> dict:
    """A row of the store."""
    config = Config(agent, "2", games, 5, "colours=3 hand_size=3", check=10)
    result = run(config, Runner(Threads(1)))
    return {"id": number, "protocol": "gains", "name": agent, "config": config.to_document(),
            "document": result.to_document(), "version": "0.1.0", "seconds": 1.0,
            "created": f"2026-01-0{number}T10:00:00"}  # fmt: skip


@pytest.fixture(scope="module")
def rows() -> list[dict]:
    """Two results of one agent, and one of another."""
    agent = "sparta:blueprint=smartbot,samples=20,margin=0"
    return [stored(1, agent, 1), stored(2, agent, 2),
            stored(3, "sparta:blueprint=smartbot,samples=20", 1)]  # fmt: skip


def test_the_newest_result_of_each_agent_is_shown(rows):
    report = build_report(rows, "here")
    assert report.sections == ("search",)
    assert len(report.drawings) == 2
    assert "tamaya gains sparta:blueprint=smartbot,samples=20,margin=0 -p 2 -n 2" in report.html
    assert "-n 1 --seed 5 --rules &#x27;colours=3 hand_size=3&#x27; --check 10" in report.html
    for drawing in report.drawings.values():
        for title in ("points gained per move", "hands in the support", "CPU seconds", "turn"):
            assert title in drawing


def test_a_support_that_was_never_listed_leaves_a_gap(rows):
    from tamaya.arena.protocols import read_result

    phases = read_result(rows[1]).tables[0].phases_of(5)
    points = [row_of(phase) for phase in phases]
    whole = draw_svg(gain_chart(points))
    points[0] |= {"support": None, "support_low": None, "support_high": None}
    assert draw_svg(gain_chart(points)) != whole
    alone = row_of(phases[0]) | {"support": None, "support_low": None, "support_high": None}
    assert "hands in the support" in draw_svg(gain_chart([alone]))


@pytest.mark.parametrize(
    ("figures", "ticks"),
    [
        ([2, 9000], [10, 100, 1000]),
        ([3, 40], [5, 10, 20]),
        ([0.0015, 0.02], [0.002, 0.005, 0.01, 0.02]),
        ([], [1]),
    ],
)
def test_ticks_are_round_and_inside(figures, ticks):
    assert log_ticks(figures) == pytest.approx(ticks)
