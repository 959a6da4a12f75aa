"""`tamaya warm`: compile everything now, so that nothing has to be compiled later."""

import os

from tamaya.cli.options import Json, Threads, print_json, progress_bar


def warm(threads: Threads = 0, json: Json = False) -> None:
    """Compile all kernels and agents, keep them on disk, forget those of older versions."""
    from time import perf_counter

    from tamaya.cache_places import cache_directory, forget_old_code
    from tamaya.warming import warm_parts, warm_up

    started = perf_counter()
    names = []
    with progress_bar("compiling", len(warm_up)) as advance:
        for name in warm_parts(threads or os.cpu_count() or 1):
            names.append(name)
            advance(1)
    forget_old_code()
    seconds = perf_counter() - started
    if json:
        print_json({"compiled": names, "seconds": seconds, "cache": str(cache_directory())})
        return
    from rich.console import Console

    Console().print(f"compiled {len(names)} parts in {seconds:.1f} s, kept in {cache_directory()}")
