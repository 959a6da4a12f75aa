"""Files that commands write: refused before the work if they cannot be, named after it."""

import pytest

from tamaya.cli.saving import check_folder, check_new, check_picture, say_saved


def test_a_file_that_can_be_written_is_accepted(tmp_path):
    path = tmp_path / "game.txt"
    check_folder(path, "--svg")
    check_new(path, "--save", force=False)
    path.write_text("old")
    check_folder(path, "--svg")
    check_new(path, "--save", force=True)
    assert path.read_text() == "old"


@pytest.mark.parametrize("force", [False, True])
def test_folders_are_refused(tmp_path, force):
    with pytest.raises(ValueError, match=rf"^--save {tmp_path}: this is a folder"):
        check_new(tmp_path, "--save", force)
    lost = tmp_path / "no" / "game.txt"
    with pytest.raises(ValueError, match=rf"^--save {lost}: there is no folder {lost.parent}$"):
        check_new(lost, "--save", force)


def test_a_file_is_not_replaced_unasked(tmp_path):
    path = tmp_path / "game.txt"
    path.write_text("old")
    with pytest.raises(ValueError, match=rf"^--save {path}: the file exists; --force replaces it$"):
        check_new(path, "--save", force=False)


def test_what_was_saved_is_said_beside_the_output(tmp_path, capsys):
    say_saved(tmp_path / "x.svg", "a chart")
    assert capsys.readouterr() == ("", f"saved {tmp_path / 'x.svg'}: a chart\n")


def test_pictures_are_not_saved_under_the_name_of_another_format(tmp_path):
    check_picture(tmp_path / "x.svg", "--svg")
    check_picture(tmp_path / "x", "--svg")
    with pytest.raises(ValueError, match=r"x\.pdf: expected a name .* \.svg"):
        check_picture(tmp_path / "x.pdf", "--svg")
