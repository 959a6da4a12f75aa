"""Files that may be damaged: one error, which names the file and what is wrong."""

import json
from pathlib import Path

import numpy as np
import pytest

from damage import damaged_bytes
from tamaya.checked_files import (
    FileError,
    blaming,
    check_array,
    check_finite,
    checked,
    entry,
    read_arrays,
    read_json,
    read_json_lines,
    short,
)


def test_json_is_read(tmp_path):
    path = tmp_path / "file.json"
    path.write_text('{"a": [1]}')
    assert read_json(path) == {"a": [1]}
    path.write_text("[2]")
    assert read_json(path, list) == [2]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "not JSON"),
        (b"{", "not JSON"),
        (b"\xff\xfe", "codec can't decode"),
        (b"[" * 100_000, "not JSON"),
        (b"3", "the content should be an object, not 3"),
        (b"[]", r"the content should be an object, not \[\]"),
    ],
)
def test_what_is_no_object_is_named(tmp_path, data, message):
    path = tmp_path / "file.json"
    path.write_bytes(data)
    with pytest.raises(FileError, match=rf"file\.json: .*{message}"):
        read_json(path)


def test_missing_files_are_named(tmp_path):
    for read in (read_json, read_json_lines, read_arrays):
        with pytest.raises(FileError, match="nowhere: No such file"):
            read(tmp_path / "nowhere")
        with pytest.raises(FileError, match="Is a directory"):
            read(tmp_path)


def test_a_line_that_was_cut_off_is_left_out_but_no_other(tmp_path):
    path = tmp_path / "log.jsonl"
    path.write_text('{"a": 1}\n{"a": 2}\n{"a"')
    assert read_json_lines(path) == [{"a": 1}, {"a": 2}]
    path.write_text('{"a": 1}\n{"a": 2}')  # only its end is missing
    assert read_json_lines(path) == [{"a": 1}, {"a": 2}]
    path.write_text('{"a": 1}\n{"a"\n{"a": 3}\n')
    with pytest.raises(FileError, match=r"log\.jsonl, line 2: not JSON"):
        read_json_lines(path)
    path.write_text("")
    assert read_json_lines(path) == []


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_damaged_arrays_are_named(tmp_path, save):
    path = tmp_path / "arrays.npz"
    arrays = {"one": np.arange(300.0), "two": np.ones((4, 5), np.int16)}
    save(path, **arrays)
    assert all((read_arrays(path)[name] == arrays[name]).all() for name in arrays)
    n_refused = 0
    for data in damaged_bytes(path.read_bytes(), 200):
        path.write_bytes(data)
        try:
            read_arrays(path)
        except FileError as error:
            assert str(path) in str(error)
            n_refused += 1
    assert n_refused > 100


def test_a_single_array_or_a_pickle_is_no_file_of_arrays(tmp_path):
    path = tmp_path / "arrays.npz"
    with open(path, "wb") as file:
        np.save(file, np.arange(3))
    with pytest.raises(FileError, match="is not a file of arrays"):
        read_arrays(path)
    np.savez(path, one=np.array([{}]))
    with pytest.raises(FileError, match="is not a file of arrays"):
        read_arrays(path)


@pytest.mark.parametrize(
    ("value", "kind", "fits"),
    [
        (1, int, True), (True, int, False), (1.0, int, False), ("1", int, False),
        (1, float, True), (0.5, float, True), (True, float, False), (float("nan"), float, False),
        (float("inf"), float, False), (True, bool, True), (1, bool, False), ("x", str, True),
        (None, str, False), ([], list, True), ({}, list, False), ({}, dict, True),
    ],
)  # fmt: skip
def test_kinds_of_values(value, kind, fits):
    if fits:
        assert checked(value, kind, "it") is value
    else:
        with pytest.raises(ValueError, match="it should be"):
            checked(value, kind, "it")


def test_entries_have_bounds():
    assert entry({"n": 3}, "n", int, least=3) == 3
    with pytest.raises(ValueError, match="'n' should be at least 4, not 3"):
        entry({"n": 3}, "n", int, least=4)
    with pytest.raises(KeyError):
        entry({}, "n", int)


def test_arrays_have_kinds_shapes_and_finite_numbers():
    arrays = {"a": np.zeros((3, 2)), "b": np.array([1.0, np.inf]), "c": np.array(["x"])}
    assert check_array(arrays, "a", "f", (None, 2)) is arrays["a"]
    with pytest.raises(ValueError, match=r"'a' should be \(any, 3\), found \(3, 2\)"):
        check_array(arrays, "a", "f", (None, 3))
    with pytest.raises(ValueError, match=r"'a' should be \(3,\), found \(3, 2\)"):
        check_array(arrays, "a", "f", (3,))
    with pytest.raises(ValueError, match="'a' cannot have entries of type float64"):
        check_array(arrays, "a", "iu", (3, 2))
    with pytest.raises(ValueError, match="'c' cannot have entries of type <U1"):
        check_array(arrays, "c", "f", (1,))
    with pytest.raises(ValueError, match="'b' has numbers that are not finite"):
        check_finite(arrays)


def test_errors_name_a_place():
    path = Path("file")
    with pytest.raises(FileError, match=r"^file, line 3 lacks 'a'$"), blaming(path, "line 3"):
        entry({}, "a", int)
    with pytest.raises(FileError, match=r"^file: .*not 'x'$"), blaming(path):
        checked(json.loads('"x"'), int, "it")


def test_long_values_are_cut_off():
    assert short("x" * 1000) == "'" + "x" * 56 + "..."
    assert short(3) == "3"
