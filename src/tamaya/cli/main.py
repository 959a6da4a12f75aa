"""The `tamaya` command: one module per subcommand, one line per error.

Subcommands import what they need when they run, so that `tamaya --help` answers at once.
"""

import sys

import typer

from tamaya.cli import (
    adhoc,
    agents,
    analyse,
    behaviour,
    bench,
    crossplay,
    curves,
    elites,
    evolve,
    export_agent,
    league,
    matrix_game,
    mixed,
    replay,
    report,
    reproduce,
    results,
    rules,
    selfplay,
    train,
    warm,
    watch,
)

app = typer.Typer(
    name="tamaya",
    help="A Hanabi laboratory and table.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for command in (
    agents.agents,
    rules.rules,
    selfplay.selfplay,
    league.league,
    crossplay.crossplay,
    mixed.mixed,
    adhoc.adhoc,
    behaviour.behaviour,
    reproduce.reproduce,
    evolve.evolve,
    elites.elites,
    train.train,
    export_agent.export_agent,
    curves.curves,
    matrix_game.matrix_game,
    results.results,
    report.report,
    watch.watch,
    replay.replay,
    analyse.analyse,
    bench.bench,
    warm.warm,
):
    app.command()(command)
app.command("ship", hidden=True)(export_agent.export_agent)  # its old name

_UsageError = typer.BadParameter.__base__  # Typer does not export it by name


def run() -> None:
    """Run the command line; mistakes of the user become one line on standard error."""
    try:
        code = app(standalone_mode=False)
        if code == 130:  # Typer's own answer to Ctrl-C
            raise KeyboardInterrupt
    except _UsageError as error:  # type: ignore[misc]
        code = _complain(error.format_message(), 2)
    except (ValueError, OSError, OverflowError) as error:
        code = _complain(str(error))
    except Exception as error:
        if not type(error).__module__.startswith("sqlalchemy."):
            raise
        code = _complain(f"the store failed: {getattr(error, 'orig', None) or error}")
    except (KeyboardInterrupt, typer.Abort):
        code = _complain("interrupted; what was finished is kept", 130)
    sys.exit(code)


def _complain(message: str, code: int = 1) -> int:
    sys.stderr.write(f"tamaya: {' '.join(message.split())}\n")
    return code
