"""Games from files and texts in any format, and what to do about games that are elsewhere."""

import json
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support import examples, play_randomly
from tamaya.game import Game
from tamaya.replays import FORMATS, ReplayError, parse_replay, read_game, to_link, write_game
from tamaya.replays.files import format_of, read_games
from tamaya.rules import Rules

GAME = play_randomly(Game(Rules(players=3), seed=6), Random(6))


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_is_recognised_as_path_and_as_text(name, tmp_path):
    text = write_game(GAME, name)
    assert text.endswith("\n")
    path = tmp_path / f"game.{name}"
    path.write_text(text, encoding="utf-8")
    for source in (path, str(path), text, f"\n {text}"):
        assert read_game(source) == GAME
    path.write_text("\ufeff" + text.lstrip(), encoding="utf-8")
    if name != "link":
        assert read_game(path) == GAME


def test_a_bare_link_and_json_on_one_line_are_recognised():
    assert read_game(to_link(GAME)) == GAME
    assert read_game(json.dumps(json.loads(write_game(GAME, "json")))) == GAME


def test_an_unknown_format_is_refused():
    with pytest.raises(ValueError, match="unknown format 'png': expected one of text, json, link"):
        write_game(GAME, "png")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\x89PNG\xff\xfe", "not a text file"),
        (b"", "not a game: expected 'tamaya-game 1', a JSON object or a hanab.live link"),
        (b"hello", "not a game: "),
        (b"{]", "line 1, column 2: not JSON"),
        (b"{}", "players: missing"),
        (b"215ab,03,0", "character 5: 2 cards, expected 50"),
        (b"tamaya-game 1\nrules players=2\n", "line 2: the check line is missing"),
    ],
)
def test_an_error_names_the_file(content, message, tmp_path):
    path = tmp_path / "game.any"
    path.write_bytes(content)
    with pytest.raises(ReplayError) as caught:
        read_game(path)
    assert str(caught.value).startswith(f"{path}: {message}")


def test_what_is_neither_text_nor_path_is_refused(tmp_path):
    with pytest.raises(FileNotFoundError):
        read_game(tmp_path / "nowhere.json")
    with pytest.raises(FileNotFoundError):
        read_game("nowhere.json")
    with pytest.raises(ReplayError, match="not a game"):
        read_game("two lines\nof prose")
    with pytest.raises(ReplayError, match="not a game and not a path"):
        read_game("null \0 character")


@examples(120)
@given(st.sampled_from(FORMATS), st.data())
def test_a_damaged_text_is_read_or_refused(name, data):
    text = write_game(GAME, name)
    place = data.draw(st.integers(0, len(text)))
    new = data.draw(st.text(max_size=3))
    damaged = text[:place] + new + text[place + data.draw(st.integers(0, 3)) :]
    try:
        parse_replay(damaged)
    except ReplayError as error:
        assert str(error)


@pytest.mark.parametrize(
    "text",
    ["https://hanab.live/replay/12345", "http://hanab.live/shared-replay/12345#7", "12345",
     "hanab.live/replay/12345", "https://hanab.live/export/12345", " #12345 \n",
     "https://hanab.live/replay/12345?x=1"],
)  # fmt: skip
def test_a_game_elsewhere_is_not_downloaded_but_its_address_is_told(text):
    for read in (read_game, parse_replay):
        with pytest.raises(ReplayError) as caught:
            read(text)
        assert str(caught.value) == (
            "game 12345 of hanab.live is not downloaded: save https://hanab.live/export/12345 as "
            "12345.json, in a browser or with curl -o 12345.json https://hanab.live/export/12345, "
            "and use that file"
        )


def test_a_file_may_have_a_number_as_its_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "12345").write_text(write_game(GAME), encoding="utf-8")
    assert read_game("12345") == GAME
    (tmp_path / "12346").write_text("12345\n", encoding="utf-8")
    with pytest.raises(ReplayError, match=r"^12346: game 12345 of hanab\.live"):
        read_game("12346")


def test_other_addresses_are_no_replays():
    with pytest.raises(ReplayError, match=r"^https://hanab\.live/history/me is not a replay"):
        read_game("https://hanab.live/history/me")


@pytest.mark.parametrize(
    ("text", "name"),
    [("{", "json"), ("tamaya-game 9", "text"), ("215ab,03,0", "link"), ("12345", None),
     ("game.json", None), ("", None), ("\ufeff  {}", "json")],
)  # fmt: skip
def test_a_text_says_its_format(text, name):
    assert format_of(text) == name


def test_the_games_of_a_folder_come_by_name(tmp_path):
    with pytest.raises(ReplayError, match="no games in this folder"):
        read_games(tmp_path)
    other = play_randomly(Game(Rules(players=3), seed=7), Random(7))
    (tmp_path / "b.txt").write_text(write_game(GAME), encoding="utf-8")
    (tmp_path / "a.json").write_text(write_game(other, "json"), encoding="utf-8")
    (tmp_path / "folder").mkdir()
    assert read_games(tmp_path) == [other, GAME]
    assert read_games(tmp_path / "b.txt") == [GAME]
    (tmp_path / "c.txt").write_text(write_game(Game()), encoding="utf-8")
    with pytest.raises(
        ReplayError, match=r"c\.txt: its rules \(.*\) differ from those of .*a\.json"
    ):
        read_games(tmp_path)
