"""`tamaya warm`: compile everything ahead of time."""

import os
from typing import Annotated

import typer

from tamaya.cli.options import Json, Threads, print_json

Kinds = Annotated[
    list[str],
    typer.Argument(
        metavar="PART", help="What to compile: agents, search or environments; all by default."
    ),
]


def warm(kinds: Kinds = [], threads: Threads = 0, json: Json = False) -> None:  # noqa: B006
    """Compile all kernels and agents ahead of time; delete compiled code of older versions."""
    from time import perf_counter

    from rich.console import Console

    from tamaya.cache_places import cache_directory, forget_old_code
    from tamaya.warming import chosen_jobs, run_jobs

    jobs = chosen_jobs(kinds)
    started = perf_counter()
    names: list[str] = []
    with Console(stderr=True).status("compiling") as status:

        def report(line: str) -> None:
            status.update(f"{len(names)} of {len(jobs)} parts done; {line}")

        for name in run_jobs(jobs, threads or os.cpu_count() or 1, report):
            names.append(name)
            report(f"last: {name}")
    forget_old_code()
    seconds = perf_counter() - started
    if json:
        print_json({"compiled": names, "seconds": seconds, "cache": str(cache_directory())})
        return
    Console().print(
        f"compiled {len(names)} parts in {seconds:.1f} s, cached in {cache_directory()}"
    )
