"""The text of a game: round trips, files, and messages for damaged texts."""

from random import Random

import pytest
from hypothesis import given

from support import any_game, examples, play_randomly
from tamaya.game import Game
from tamaya.notation import GameTextError
from tamaya.rules import Rules

pytestmark = pytest.mark.interpreted


def records_agree(first: Game, second: Game) -> bool:
    """Whether two games are equal in every byte but those of the seed."""
    copy = first.copy()
    copy.record.seed = second.record.seed
    return copy.record.tobytes() == second.record.tobytes()


def some_text() -> str:
    """The text of a finished game of two players."""
    return play_randomly(Game(Rules(colours=2, hand_size=2)), Random(1)).to_text()


def changed(line: int, new: str) -> str:
    """That text without its checksum and with a line replaced."""
    lines = some_text().splitlines()[:-1]
    lines[line - 1] = new
    return "\n".join(lines)


@examples(150)
@given(any_game())
def test_text_reads_back_as_the_same_game(game):
    again = Game.parse(game.to_text())
    assert again == game
    assert records_agree(again, game)
    assert again.to_text() == game.to_text()


def test_the_text_is_short_and_readable():
    game = Game(Rules(colours=1, hand_size=2), deck=[0, 0, 1, 4, 0, 1, 2, 2, 3, 3], start=1)
    game.apply("p0")
    game.apply("h1R")
    lines = game.to_text().splitlines()
    assert lines[:-1] == [
        "tamaya-game 1",
        "rules players=2 hand_size=2 colours=1",
        "start 1",
        "deck R1 R1 R2 R5 R1 R2 R3 R3 R4 R4",
        "moves p0 h1R",
    ]
    assert lines[-1].startswith("check ")


def test_a_saved_game_loads(tmp_path):
    game = play_randomly(Game(Rules(players=3)), Random(2))
    game.save(tmp_path / "game.txt")
    again = Game.load(tmp_path / "game.txt")
    assert again == game and records_agree(again, game)


def test_text_by_hand_needs_no_checksum_and_no_order():
    lines = some_text().splitlines()
    by_hand = [lines[0], "", lines[4], lines[2], f"  {lines[3]} ", lines[1]]
    assert Game.parse("\n".join(by_hand)) == Game.parse(some_text())


def test_other_line_ends_do_not_hurt():
    assert Game.parse(some_text().replace("\n", "\r\n")) == Game.parse(some_text())


@pytest.mark.parametrize(
    ("line", "new", "message"),
    [
        (1, "tamaya-game 2", "line 1: expected 'tamaya-game 1', found 'tamaya-game 2'"),
        (2, "rules players=9", "line 2: players must be a whole number from 2 to 5, not 9"),
        (2, "rules jokers=1", "line 2: 'jokers=1' is not a rule"),
        (3, "start two", "line 3: 'two' is not a seat"),
        (3, "start -1", "line 3: '-1' is not a seat"),
        (3, "start 2", "line 3: start 2 is not a seat of 2 players"),
        (4, "deck R1 R9", "line 4: 'R9' is not a card"),
        (4, "deck R1", "line 4: the deck has 1 of R1 instead of 3"),
        (5, "moves p0 q7", "line 5, move 2: 'q7' is not a move"),
        (5, "moves d0", r"line 5, move 1: discard slot 0 \(d0\) is not legal for seat 0 at turn 0"),
        (5, "goes p0", "line 5: unknown keyword 'goes'"),
        (5, "start 0", "line 5: a second 'start' line"),
        (5, "", "the 'moves' line is missing"),
    ],
)
def test_a_wrong_line_is_named_with_the_culprit(line, new, message):
    with pytest.raises(GameTextError, match=message):
        Game.parse(changed(line, new))


@pytest.mark.parametrize("text", ["", "\n", "hello"])
def test_what_is_no_game_at_all_is_refused(text):
    with pytest.raises(GameTextError, match="line 1: expected 'tamaya-game 1'"):
        Game.parse(text)


def test_moves_after_the_end_are_refused():
    lines = some_text().splitlines()
    with pytest.raises(GameTextError, match="the game is over"):
        Game.parse("\n".join([*lines[:4], lines[4] + " p0"]))


def test_every_single_damaged_letter_is_noticed():
    """A changed letter breaks the checksum if it breaks nothing else."""
    text = some_text()
    for place, letter in enumerate(text):
        if letter not in " \n":
            damaged = text[:place] + ("1" if letter != "1" else "2") + text[place + 1 :]
            with pytest.raises(GameTextError):
                Game.parse(damaged)


def test_a_file_cut_off_anywhere_is_refused_and_named(tmp_path):
    text, path = some_text().rstrip("\n"), tmp_path / "game.txt"
    for length in range(len(text)):
        path.write_text(text[:length], encoding="utf-8")
        with pytest.raises(GameTextError, match=r"game\.txt: "):
            Game.load(path)


def test_a_blank_line_at_the_end_does_not_switch_the_checksum_off():
    lines = some_text().splitlines()
    without_last_move = lines[4].rpartition(" ")[0]
    damaged = "\n".join([*lines[:4], without_last_move, lines[5], "", ""])
    with pytest.raises(GameTextError):
        Game.parse(damaged)


def test_a_file_of_something_else_is_refused_and_named(tmp_path):
    path = tmp_path / "picture.png"
    path.write_bytes(b"\x89PNG\xff\xfe\x00")
    with pytest.raises(GameTextError, match=r"picture\.png: not a text file"):
        Game.load(path)


def test_a_missing_file_is_the_usual_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        Game.load(tmp_path / "nowhere.txt")
