"""Entry point of the `tamaya` command, which handles Ctrl-C while the rest is imported."""

import sys


def run() -> None:
    """Import the command line and run it."""
    try:
        from tamaya.cli import main

        main.run()
    except KeyboardInterrupt:
        sys.stderr.write("tamaya: stopped\n")
        sys.exit(130)
