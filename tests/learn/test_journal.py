"""The log of a run: means of batches, and lines that cannot be read are named."""

import json

import pytest

from tamaya.checked_files import FileError
from tamaya.learn.journal import Journal, read_journal


def test_lines_of_the_log_are_means_of_batches(tmp_path):
    journal = Journal(tmp_path, 0)
    for score in (1.0, float("nan"), 2.0):
        journal.gather({"score": score, "nothing": float("nan")})
    journal.write(10, seconds=1)
    assert read_journal(tmp_path) == [{"turns": 10, "score": 1.5, "nothing": None, "seconds": 1}]


def test_a_resumed_log_forgets_what_came_after_the_checkpoint(tmp_path):
    path = tmp_path / "log.jsonl"
    path.write_text("".join(json.dumps({"turns": turns}) + "\n" for turns in (5, 10, 15)))
    Journal(tmp_path, 10)
    assert read_journal(tmp_path) == [{"turns": 5}, {"turns": 10}]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "line 2: not JSON"),
        ("7", "line 2: the content should be an object, not 7"),
        ("{}", "line 2 lacks 'turns'"),
        ('{"turns": "x"}', "line 2: 'turns' should be a whole number, not 'x'"),
        ('{"turns": 9, "validation": 3}', "line 2: 'validation' should be an object, not 3"),
        ('{"turns": 9, "validation": {}}', "line 2 lacks 'mean'"),
        ('{"turns": 9, "cpu_seconds": []}', "line 2: 'cpu_seconds' should be a number"),
    ],
)
def test_a_damaged_line_is_named_and_nothing_is_lost(tmp_path, line, message):
    path = tmp_path / "log.jsonl"
    text = '{"turns": 5}\n' + line + '\n{"turns": 15}\n'
    path.write_text(text)
    with pytest.raises(
        FileError, match=rf"log\.jsonl, {message}.*the run can be resumed without that line"
    ):
        Journal(tmp_path, 10)
    assert path.read_text() == text
