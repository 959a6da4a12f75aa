"""Names of people: what shows, and what looks alike."""

# ruff: noqa: RUF001 (letters that look like others are what this is about)

import pytest

from tamaya.web.names import LONGEST_NAME, distinct_name, outline, read_name


@pytest.mark.parametrize(
    "name",
    ["Ann", "Åsa", "José", "李", "Ольга", "မြို့", "O'Neill-Smith 3", "🦊", "Ḥ", "x" * LONGEST_NAME],
)
def test_names_of_people_are_fine(name):
    assert read_name(name) == name


def test_a_name_is_tidied():
    assert read_name("  Ann \u3000 Lee\u00a0") == "Ann Lee"
    assert read_name("Jose\u0301") == "José"
    assert read_name("❤\ufe0f") == "❤"  # as phones write it


@pytest.mark.parametrize(
    ("text", "culprit"),
    [
        ("", "1 to 40"),
        (" \u3000\u00a0\u2003", "1 to 40"),
        ("x" * 41, "1 to 40"),
        ("\ufe0f", "1 to 40"),
        ("\u200b", "U+200B"),
        ("A\u200dnn", "U+200D"),
        ("a\u202eb", "U+202E"),
        ("\u3164", "U+3164"),
        ("\u2800\u2800", "U+2800"),
        ("Ann\u034f", "U+034F"),
        ("Ann\U000e0100", "U+E0100"),
        ("\u0301", "letters first"),
        (" \u0301Ann", "letters first"),
        ("Z" + "\u0335\u0336\u0337\u0338\u0334", "at most 4 marks"),
        ("\x00", "U+0000"),
        ("\ud800", "U+D800"),
    ],
)
def test_what_does_not_show_is_no_name(text, culprit):
    with pytest.raises(ValueError) as refused:
        read_name(text)
    assert culprit in str(refused.value)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ann", "ANN"),
        ("Ann", "Аnn"),  # Cyrillic A
        ("Ann", "Ａｎｎ"),
        ("Ann", "𝐀𝐧𝐧"),
        ("Ann", "Ánn"),
        ("Ann", "A nn."),
        ("Ian", "lan"),
        ("Bob", "B0b"),
        ("Bob", "Вοb"),  # Cyrillic and Greek
        ("Tom", "Torn"),
        ("Straße", "STRASSE"),
    ],
)
def test_names_that_look_alike_have_one_outline(one, other):
    assert outline(one) == outline(other)
    assert distinct_name(other, [one]) == f"{other} 2"


@pytest.mark.parametrize(
    ("one", "other"), [("Ann", "Anna"), ("李", "王"), ("!!!", "???"), ("🦊", "🐺"), ("कि", "की")]
)
def test_other_names_are_left_alone(one, other):
    assert distinct_name(other, [one]) == other


def test_numbers_go_on_until_nobody_looks_the_same():
    assert distinct_name("ann", ["Ann", "Ann 2", "Аnn 3", ""]) == "ann 4"
    assert (
        distinct_name("x" * LONGEST_NAME, ["x" * LONGEST_NAME]) == "x" * (LONGEST_NAME - 2) + " 2"
    )


@pytest.mark.parametrize("name", ["you", "You", "уou", "Seat 2"])
def test_nobody_is_called_as_the_log_calls_seats(name):
    assert distinct_name(name, []) == f"{name} 2"
