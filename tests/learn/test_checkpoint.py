"""Checkpoints: replaced at once, and nothing is read that was not written."""

import pytest

torch = pytest.importorskip("torch", reason="training needs torch, the extra `learn`")

from damage import damaged_bytes
from tamaya.checked_files import FileError
from tamaya.learn.checkpoint import read_checkpoint, read_learner, write_checkpoint

STATE = {"learner": {"turns": 7, "weights": torch.arange(500.0)}, "best": 1.5}


def test_a_checkpoint_is_replaced_at_once(tmp_path):
    path = tmp_path / "checkpoint.pt"
    write_checkpoint(path, {"turns": 1})
    with pytest.raises(AttributeError):
        write_checkpoint(path, {"turns": lambda: 2})  # fails in the middle
    assert read_checkpoint(path) == {"turns": 1}
    write_checkpoint(path, {"turns": 2})
    assert read_checkpoint(path) == {"turns": 2}
    assert [each.name for each in tmp_path.iterdir()] == ["checkpoint.pt"]


def test_damaged_checkpoints_are_named(tmp_path):
    """A flipped bit is found too, which torch itself would load."""
    path = tmp_path / "checkpoint.pt"
    write_checkpoint(path, STATE)
    whole, n_refused = path.read_bytes(), 0
    for data in damaged_bytes(whole, 150):
        path.write_bytes(data)
        try:
            state = read_checkpoint(path)
        except FileError as error:
            assert str(path) in str(error) and "\n" not in str(error)
            n_refused += 1
        else:  # the bit was one of those between the parts of the file
            assert torch.equal(state["learner"]["weights"], STATE["learner"]["weights"])
    assert n_refused > 100


@pytest.mark.parametrize(
    ("state", "message"),
    [
        ([1], "should be an object"),
        ({}, "lacks 'learner'"),
        ({"learner": 3}, "'learner' should be an object, not 3"),
        ({"learner": {}}, "lacks 'turns'"),
        ({"learner": {"turns": "x"}}, "'turns' should be a whole number, not 'x'"),
    ],
)
def test_what_is_no_state_of_a_learner_is_named(tmp_path, state, message):
    path = tmp_path / "checkpoint.pt"
    write_checkpoint(path, state)
    with pytest.raises(FileError, match=message):
        read_learner(path)


def test_a_missing_checkpoint_is_named(tmp_path):
    with pytest.raises(FileError, match=r"checkpoint\.pt: No such file"):
        read_checkpoint(tmp_path / "checkpoint.pt")
