"""Shared options and output of commands."""

import pytest
from typer.main import get_command

from tamaya.cli.main import app
from tamaya.cli.options import (
    counted,
    parse_player_counts,
    print_json,
    print_note,
    print_table,
    progress_bar,
    rules_for,
)
from tamaya.rules import Rules


def test_table_sizes_and_rules():
    assert parse_player_counts("2,4-5") == [2, 4, 5]
    assert rules_for(4, "bomb=keep") == Rules(players=4, bomb="keep")


def test_json_is_one_line_or_nothing(capsys):
    print_json({"a": [1, None]})
    assert capsys.readouterr().out == '{"a": [1, null]}\n'
    with pytest.raises(ValueError, match="not JSON compliant"):
        print_json([1, float("nan")])
    assert capsys.readouterr().out == ""


def test_tables_and_notes_are_as_wide_as_they_need(capsys):
    long = "x" * 200
    print_table("Title", ["name", "value"], [[long, "[red]1"]])
    print_note(f"{long} [red]")
    printed = capsys.readouterr().out
    assert f" {long} " in printed and "[red]1" in printed
    assert f"  {long} [red]\n\n" in printed


def test_progress_is_silent_where_nobody_watches(capsys):
    with progress_bar("games", 3) as advance:
        advance(3)
    captured = capsys.readouterr()
    assert captured.out == captured.err == ""


def test_numbers_of_things():
    assert counted(1, "game") == "1 game"
    assert counted(2000, "game") == "2,000 games"
    assert counted(2, "match") == "2 matches"


def test_help_texts_are_sentences_that_rich_shows_whole():
    """Rich takes text in square brackets for markup and drops it."""
    for name, command in get_command(app).commands.items():
        paragraphs = command.help.split("\n\n")
        assert not any("\n" in paragraph for paragraph in paragraphs), name
        words = [*paragraphs, *(param.help for param in command.params)]
        for text in filter(None, words):
            assert text[0].isupper() or text.startswith("--"), (name, text)
            assert text.endswith(".") and "[" not in text, (name, text)


def test_an_option_has_the_same_words_in_all_commands():
    said: dict[str, set[str]] = {}
    for command in get_command(app).commands.values():
        for param in command.params:
            said.setdefault(param.opts[0], set()).add(param.help)
    for option in ("--json", "--seed", "--store", "--rules", "--address", "--rule-set"):
        assert len(said[option]) == 1, said[option]
