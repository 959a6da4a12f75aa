"""What the commands of the arena share: where results are kept, where work runs, progress."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tamaya.cli.options import progress_bar

if TYPE_CHECKING:
    from tamaya.arena.runner import Runner
    from tamaya.store.database import Store

StoreUrl = Annotated[
    str | None,
    typer.Option(
        "--store",
        help="Where results are kept: a SQLite file or a database URL; also TAMAYA_STORE.",
        metavar="URL",
    ),
]
On = Annotated[str, typer.Option("--on", help="Where work runs: threads or ray.")]
Address = Annotated[str | None, typer.Option("--address", help="Address of a Ray cluster.")]


@dataclass(frozen=True)
class Place:
    """Where a command works and keeps its results."""

    store: "Store"
    runner: "Runner"

    def keep(self, protocol: str, name: str, config: dict[str, Any], document: dict) -> None:
        """Put the answer of a protocol into the store."""
        self.store.add_result(protocol, name, config, document, document.get("seconds", 0.0))


@contextmanager
def working(
    label: str, total: int, store: str | None, on: str, address: str | None, threads: int
) -> Iterator[Place]:
    """Open the store and an executor, with a progress bar over so many games."""
    from tamaya.arena.executor import make_executor
    from tamaya.arena.runner import Runner
    from tamaya.store.database import Store

    opened = Store(store)
    try:
        with progress_bar(label, total) as advance:
            executor = make_executor(on, threads, address)
            yield Place(opened, Runner(executor, opened, on_progress=advance))
    finally:
        opened.close()
