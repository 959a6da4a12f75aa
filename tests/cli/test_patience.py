"""Patience: slow work says in a terminal what it does, quick work and pipes hear nothing."""

from contextlib import redirect_stderr
from io import StringIO
from time import sleep

import pytest

from tamaya import compile_progress
from tamaya.cli.patience import Watcher, patience


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def lines(terminal: Terminal) -> list[str]:
    return terminal.getvalue().replace("\r\x1b[2K", "").splitlines()


def test_slow_work_is_named_once():
    with redirect_stderr(Terminal()) as terminal, patience("playing", moment=0.05) as say:
        sleep(0.3)
        say("saving")
        sleep(0.3)
    assert lines(terminal) == ["playing …", "saving …"]


def test_quick_work_is_silent():
    with redirect_stderr(Terminal()) as terminal, patience("playing", moment=5) as say:
        say("saving")
    assert terminal.getvalue() == ""


def test_nothing_is_said_after_the_work():
    with redirect_stderr(Terminal()) as terminal:
        with pytest.raises(ValueError, match="broken"), patience("playing", moment=0.05):
            raise ValueError("broken")
        sleep(0.2)
    assert terminal.getvalue() == ""


def test_pipes_hear_nothing(capsys):
    with patience("playing", moment=0.01):
        sleep(0.1)
    assert capsys.readouterr() == ("", "")


def test_compiling_is_not_yet_the_work(monkeypatch):
    watcher = Watcher("playing", moment=0.1)
    sleep(0.15)
    monkeypatch.setattr(compile_progress, "n_compiled", compile_progress.n_compiled + 1)
    assert watcher.due() is None
    sleep(0.15)
    assert watcher.due() == "playing"
    assert watcher.due() is None
