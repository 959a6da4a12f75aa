"""`python -m tamaya` is the `tamaya` command."""

from tamaya.cli.main import run

run()
