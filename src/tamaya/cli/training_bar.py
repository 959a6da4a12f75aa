"""Progress of training on standard error: a bar, or lines if that is not a terminal."""

import sys
from typing import Any


class TrainingBar:
    """A bar over planned turns; entering it returns ``show``, which subclasses define."""

    def __init__(self, label: str, total: int) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        self.console = Console(stderr=True)
        columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[what]}"),
                   TimeRemainingColumn())  # fmt: skip
        self.bar = Progress(*columns, console=self.console, transient=True,
                            disable=not self.console.is_terminal)  # fmt: skip
        self.task = self.bar.add_task(label, total=total, what="")

    def __enter__(self) -> Any:
        self.bar.start()
        return self.show

    def __exit__(self, *error: object) -> None:
        self.bar.stop()

    def show(self, *happened: Any) -> None:
        """Show the progress after a batch."""
        raise NotImplementedError

    def move(self, turns: int, what: str, news: str = "") -> None:
        """Move the bar, or print the news if there is no bar."""
        self.bar.update(self.task, completed=turns, what=what)
        if news and not self.console.is_terminal:
            sys.stderr.write(news + "\n")
