"""Fields of a foreign document: values of the expected kind, or an error that names the place."""

import pytest

from tamaya.replays.fields import Field, ReplayError, shown

DOCUMENT = Field({"name": "Ann", "is_on": True, "n": 3, "list": [1, {"x": "y"}]}, "")


def test_values_know_their_place():
    assert DOCUMENT["name"].text() == "Ann"
    assert DOCUMENT["is_on"].flag() is True
    assert DOCUMENT["n"].whole("number", 0, 3) == 3
    assert DOCUMENT.get("absent", 7).whole("number", 7, 7) == 7
    inner = DOCUMENT["list"].items()[1]["x"]
    assert (inner.value, inner.place) == ("y", "list[1].x")
    assert "n" in DOCUMENT and "m" not in DOCUMENT


@pytest.mark.parametrize(
    ("read", "message"),
    [
        (lambda: DOCUMENT["m"], "m: missing"),
        (lambda: DOCUMENT["n"].text(), "n: expected a text, found 3"),
        (lambda: DOCUMENT["n"].flag(), "n: expected true or false, found 3"),
        (lambda: DOCUMENT["is_on"].whole("x", 0, 9), "is_on: expected a whole number, found true"),
        (lambda: DOCUMENT["n"].whole("card", 0, 2), "n: card 3 does not exist: expected 0 to 2"),
        (lambda: DOCUMENT["n"].whole("card", 4, 4), "n: card 3 does not exist: expected 4"),
        (lambda: DOCUMENT["name"].items(), "name: expected a list, found 'Ann'"),
        (lambda: DOCUMENT["list"]["x"], "list: expected an object, found a list"),
        (lambda: Field([], "").mapping(), "document: expected an object, found a list"),
    ],
)
def test_errors_name_the_place(read, message):
    with pytest.raises(ReplayError) as caught:
        read()
    assert str(caught.value) == message
    assert f"{caught.value.place}: {caught.value.reason}" == message


def test_an_error_may_have_no_place():
    assert str(ReplayError("not JSON")) == "not JSON"


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, "null"), (True, "true"), (1.5, "1.5"), ({}, "an object"), ([1], "a list"),
     (10**12, "a huge number"), (-(10**12) + 1, "-999999999999"),
     ("x" * 50, "'" + "x" * 39 + "…")],
)  # fmt: skip
def test_values_are_shown_in_a_few_characters(value, text):
    assert shown(value) == text
