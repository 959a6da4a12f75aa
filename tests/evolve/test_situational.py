"""Agents specialised by game size."""

from dataclasses import replace

import pytest

from evolution import SMALL, finished
from tamaya.checked_files import FileError
from tamaya.evolve.situational import combine, read_parts, split_sizes, write_parts
from tamaya.lookup import find_agent


def test_specialists_make_one_agent(tmp_path):
    groups = split_sizes("2,3-5", (2, 3, 4, 5))
    for name, sizes in groups.items():
        config = replace(SMALL, protocol=replace(SMALL.protocol, players=sizes), generations=1)
        finished(tmp_path / name, config).finish()
    combine(tmp_path, groups)
    agent = find_agent(str(tmp_path / "best.rules"))
    assert agent.steps(3) == agent.steps(5)
    two = find_agent(str(tmp_path / "2" / "best.rules"))
    assert agent.steps(2) == two.steps(2)


def test_splits():
    assert split_sizes("each", (2, 3)) == {"2": (2,), "3": (3,)}
    assert split_sizes("no", (2, 3)) == {"": (2, 3)}
    with pytest.raises(ValueError, match="must name each of 2, 3, 4, 5 players once"):
        split_sizes("2,4-5", (2, 3, 4, 5))


def test_parts_are_read_back(tmp_path):
    groups = {"2": (2,), "3-5": (3, 4, 5)}
    write_parts(tmp_path, groups)
    assert read_parts(tmp_path) == groups
    assert read_parts(tmp_path / "nowhere") is None


@pytest.mark.parametrize("text", ["", "3", "{}", '{"2": 2}', '{"2": ["x"]}'])
def test_damaged_parts_are_named(tmp_path, text):
    (tmp_path / "parts.json").write_text(text)
    with pytest.raises(FileError, match=r"parts\.json"):
        read_parts(tmp_path)
