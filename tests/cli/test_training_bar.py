"""Progress of training where standard error is no terminal: lines of news."""

from typing import Any

from tamaya.cli.training_bar import TrainingBar


class Bar(TrainingBar):
    """News of every second turn."""

    def show(self, *happened: Any) -> None:
        (turns,) = happened
        self.move(turns, f"{turns} turns", f"now {turns}" if turns % 2 == 0 else "")


def test_news_are_lines_on_standard_error(capsys):
    with Bar("run", 4) as show:
        for turns in range(1, 5):
            show(turns)
    captured = capsys.readouterr()
    assert captured.err.split("\n") == ["now 2", "now 4", ""] and captured.out == ""
