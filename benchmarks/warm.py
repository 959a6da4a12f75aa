"""What compiling everything costs: CPU seconds of `tamaya warm` from an empty cache.

Run `python benchmarks/warm.py [CHECKOUT ...]`; with other checkouts all are measured in one run,
so that the machine's noise falls on all alike. Prints seconds, files and their size.
"""

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent


def measure(checkout: Path) -> tuple[float, int, float]:
    """CPU seconds, cache files and megabytes of compiling a checkout's kernels."""
    with tempfile.TemporaryDirectory() as cache:
        path = os.pathsep.join((str(checkout / "src"), os.environ.get("PYTHONPATH", "")))
        environment = {**os.environ, "PYTHONPATH": path, "TAMAYA_CACHE": cache}
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(
            [sys.executable, "-m", "tamaya", "warm"],
            env=environment, check=True, stdout=subprocess.DEVNULL,
        )  # fmt: skip
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        files = [file for file in Path(cache).rglob("*.nb*") if file.is_file()]
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return seconds, len(files), sum(file.stat().st_size for file in files) / 1e6


def main() -> None:
    """Measure this checkout after the ones named."""
    first = None
    for checkout in (*map(Path, sys.argv[1:]), HERE):
        seconds, n_files, megabytes = measure(checkout.resolve())
        first = first or seconds
        print(f"{checkout.name:20} {seconds:7.1f} CPU s ({seconds / first:.0%})  "
              f"{n_files:5} files  {megabytes:6.1f} MB", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
