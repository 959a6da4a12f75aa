"""Shared by the arena's commands: opening the store, running protocols, reading results."""

import inspect
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, TypeVar

from tamaya.cli.options import (
    Address,
    Json,
    On,
    StoreUrl,
    Threads,
    print_json,
    print_note,
    progress_bar,
)

if TYPE_CHECKING:
    from tamaya.arena.protocols.protocol import ConfigType, RegisteredProtocol, ResultType
    from tamaya.arena.runner import Pace
    from tamaya.store.database import Store

Value = TypeVar("Value")


@dataclass(frozen=True)
class ArenaOptions:
    """The options that all of the arena's commands take."""

    store: StoreUrl = None
    on: On = "threads"
    address: Address = None
    threads: Threads = 0
    json: Json = False

    def run_and_store(
        self,
        protocol: "RegisteredProtocol[ConfigType, ResultType]",
        configs: "Sequence[ConfigType]",
        label: str = "",
        **inputs: Any,
    ) -> "tuple[list[ResultType], Pace]":
        """Run configurations of a protocol with a progress bar, and store their results."""
        from tamaya.arena.executor import make_executor
        from tamaya.arena.runner import Runner
        from tamaya.store.results import run_and_store

        total = sum(config.n_games() for config in configs)  # raises if an agent is unknown
        bar = progress_bar(label or configs[0].title, total)
        with opened_store(self.store) as store, bar as advance:
            executor = make_executor(self.on, self.threads, self.address)
            runner = Runner(executor, store, on_progress=advance)
            results = run_and_store(protocol, configs, runner, store, **inputs)
        return results, runner.pace

    def run_and_show(
        self,
        protocol: "RegisteredProtocol[ConfigType, ResultType]",
        config: "ConfigType",
        show: "Callable[[ResultType], None]",
    ) -> None:
        """Run and store one configuration; print its result as JSON or as ``show`` does."""
        [result], pace = self.run_and_store(protocol, [config])
        if self.json:
            print_json(result.to_document())
            return
        show(result)
        print_note(str(pace))


def arena_command(command: Callable[..., None]) -> Callable[..., None]:
    """Add the fields of ``ArenaOptions`` to the options of a command.

    The command receives them as one object, its last parameter ``options``.
    """
    own = inspect.signature(command)
    shared = [inspect.Parameter(field.name, inspect.Parameter.POSITIONAL_OR_KEYWORD,
                                default=field.default, annotation=field.type)
              for field in fields(ArenaOptions)]  # fmt: skip
    parameters = [entry for name, entry in own.parameters.items() if name != "options"]
    signature = own.replace(parameters=[*parameters, *shared])

    def run(*arguments: Any, **keywords: Any) -> None:
        given = signature.bind(*arguments, **keywords)
        given.apply_defaults()
        options = ArenaOptions(**{entry.name: given.arguments.pop(entry.name) for entry in shared})
        command(**given.arguments, options=options)

    for name in ("__name__", "__qualname__", "__doc__", "__module__"):
        setattr(run, name, getattr(command, name))
    run.__signature__ = signature  # type: ignore[attr-defined]
    run.__annotations__ = {entry.name: entry.annotation for entry in signature.parameters.values()}
    return run


@contextmanager
def opened_store(url: str | None, must_exist: bool = False) -> "Iterator[Store]":
    """Open the store at a URL, or the user's own; closes it at the end."""
    from tamaya.store.database import Store

    opened = Store(url, must_exist)
    try:
        yield opened
    finally:
        opened.close()


def read_store(
    url: str | None, read: "Callable[[Store], Value]", nothing: Value
) -> tuple[str, Value]:
    """Returns the address of a store and what ``read`` returns; creates no file.

    A file named by the user must exist; if the user's own store does not, returns ``nothing``.
    """
    from tamaya.store.database import MissingStore, full_url, without_password

    try:
        with opened_store(url, must_exist=True) as store:
            return store.address, read(store)
    except MissingStore:
        if url is not None:
            raise
        return without_password(full_url(url)), nothing
