"""The first thing that the `tamaya` command does: Ctrl-C is heard while the rest is imported."""

import sys


def run() -> None:
    """Import the command line and run it."""
    try:
        from tamaya.cli import main

        main.run()
    except KeyboardInterrupt:
        sys.stderr.write("tamaya: stopped\n")
        sys.exit(130)
