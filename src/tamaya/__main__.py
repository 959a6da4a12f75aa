"""`python -m tamaya` is the `tamaya` command."""

from tamaya.cli.start import run

run()
