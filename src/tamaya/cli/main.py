"""The `tamaya` command: one module per subcommand, one line per error.

Subcommands import what they need when they run, so that `tamaya --help` answers at once.
"""

import sys
import threading
from typing import Annotated, Any

import typer

import tamaya
from tamaya.cli import (
    adhoc,
    agents,
    analyse,
    behaviour,
    bench,
    crossplay,
    curves,
    deal,
    elites,
    evolve,
    export_agent,
    gains,
    interrupts,
    league,
    losses,
    matrix_game,
    mixed,
    partners,
    predict,
    replay,
    report,
    reproduce,
    results,
    rules,
    selfplay,
    serve,
    train,
    warm,
    watch,
)

app = typer.Typer(
    name="tamaya",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(is_wanted: bool) -> None:
    if is_wanted:
        sys.stdout.write(f"tamaya {tamaya.__version__}\n")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", is_eager=True, callback=_print_version, help="Print the version and exit."
        ),
    ] = False,
) -> None:
    """A Hanabi laboratory, and a web table to play at."""


def _paragraphs(text: str) -> str:
    """A docstring without the line ends inside its paragraphs, which Typer would keep."""
    return "\n\n".join(" ".join(part.split()) for part in text.split("\n\n"))


for command in (
    agents.agents,
    rules.rules,
    selfplay.selfplay,
    league.league,
    crossplay.crossplay,
    mixed.mixed,
    partners.partners,
    adhoc.adhoc,
    behaviour.behaviour,
    predict.predict,
    losses.losses,
    gains.gains,
    deal.deal,
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
    serve.serve,
    bench.bench,
    warm.warm,
):
    app.command(help=_paragraphs(command.__doc__ or ""))(command)
app.command("ship", hidden=True)(export_agent.export_agent)  # its old name

_UsageError = typer.BadParameter.__base__  # Typer does not export it by name


def run() -> None:
    """Run the command line; a user's mistake becomes one line on standard error."""
    threads = set(threading.enumerate())
    with interrupts.ending_on_interrupt():
        code = _run_command()
    if code == interrupts.CODE:
        interrupts.end_threads(known=threads)
    sys.exit(code)


def _run_command() -> int | None:
    """Run the requested command and return its exit code."""
    try:
        code: int | None = app(standalone_mode=False)
        if code == interrupts.CODE:  # how Typer itself reacts to Ctrl-C
            raise KeyboardInterrupt
        return code
    except _UsageError as error:  # type: ignore[misc]
        return _complain(_usage_text(error), 2)
    except (ValueError, OSError, OverflowError) as error:
        return _complain(_words_of(error))
    except Exception as error:
        if not type(error).__module__.startswith("sqlalchemy."):
            raise
        return _complain(f"the store failed: {getattr(error, 'orig', None) or error}")
    except (KeyboardInterrupt, typer.Abort):
        return _complain(interrupts.MESSAGE, interrupts.CODE)


def _usage_text(error: Any) -> str:
    """What is wrong with an argument, including its value, which Typer omits."""
    reasons = getattr(error.__cause__, "errors", None)  # of Pydantic, which reads the values
    if reasons is not None:
        (reason, *_) = reasons()
        bounds = reason.get("ctx", {})
        expected = {
            "int_parsing": "a whole number",
            "float_parsing": "a number",
            "greater_than_equal": f"{bounds.get('ge')} or more",
            "less_than_equal": f"at most {bounds.get('le')}",
        }.get(reason["type"])
        said = f"expected {expected}" if expected else error.message
        error.message = f"{said}, not {reason['input']!r}"
    return str(error.format_message())


def _words_of(error: Exception) -> str:
    """The text of an error; for a system error the file and the reason, without the number."""
    if isinstance(error, OSError) and error.filename is not None and error.strerror:
        return f"{error.filename}: {error.strerror[0].lower()}{error.strerror[1:]}"
    return str(error)


def _complain(message: str, code: int = 1) -> int:
    sys.stderr.write(f"tamaya: {' '.join(message.split())}\n")
    return code
