"""`tamaya train`: learning agents, in a folder from which a stopped run resumes."""

import shlex
import sys
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from tamaya.cli import interrupts
from tamaya.cli.imitate import ALGORITHM, Request, train_human
from tamaya.cli.options import (
    SEED_HELP,
    Json,
    RuleText,
    RunFolder,
    print_json,
    print_table,
    rules_for,
)
from tamaya.cli.population import Workers, agreed_config, print_population, train_population
from tamaya.cli.running import Address
from tamaya.cli.training_bar import TrainingBar

if TYPE_CHECKING:
    from tamaya.learn.plan import TrainingPlan


def train(
    algorithm: Annotated[
        str, typer.Argument(help="Learner: ppo, rainbow, acha, bad, human.", metavar="ALGORITHM")
    ],
    folder: RunFolder,
    players: Annotated[
        int | None,
        typer.Option("--players", "-p", min=2, max=5, help="Number of players.", show_default="2"),
    ] = None,
    turns: Annotated[
        str | None,
        typer.Option(
            help="Planned turns, such as 250k or 100M; schedules run over all of them.",
            show_default="100M",
        ),
    ] = None,
    hours: Annotated[
        float, typer.Option(min=0, help="Stop after this many hours; 0 means no limit.")
    ] = 0,
    resume: Annotated[
        bool, typer.Option("--resume", help="Resume a run; it is an error if there is none.")
    ] = False,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Begin again; an existing run is moved aside.")
    ] = False,
    network: Annotated[
        Path | None,
        typer.Option("--from", help="Begin with the weights of this network.", metavar="FILE"),
    ] = None,
    preset: Annotated[
        str | None,
        typer.Option(
            help="Preset of settings, such as small; see docs/learning.md.",
            show_default="self-play",
        ),
    ] = None,
    setting: Annotated[
        list[str] | None,
        typer.Option("--set", help="A setting, such as epochs=2; may be repeated.", metavar="K=V"),
    ] = None,
    rules: RuleText = "",
    seed: Annotated[int | None, typer.Option(help=SEED_HELP, show_default="1")] = None,
    population: Annotated[
        int | None,
        typer.Option(
            min=2,
            help="Train a population of this many runs; --turns is their total.",
        ),
    ] = None,
    interval: Annotated[
        str | None,
        typer.Option(
            help="Turns of each run of a population between selections.", show_default="2.5M"
        ),
    ] = None,
    workers: Annotated[int, typer.Option(min=1, help="Processes for a population.")] = 1,
    threads: Annotated[
        int,
        typer.Option(
            min=1, max=2, help="Threads for a rainbow run; two give the same result sooner."
        ),
    ] = 1,
    on: Annotated[
        str, typer.Option("--on", help="Where a population trains: processes or ray.")
    ] = "processes",
    address: Address = None,
    data: Annotated[
        list[str] | None,
        typer.Option(help="Games of people to learn from (human only).", metavar="FILE"),
    ] = None,
    origin: Annotated[
        str | None,
        typer.Option("--source", help="Where these games come from, for the agent's card."),
    ] = None,
    json: Json = False,
) -> None:
    """Train an agent by self-play, or on games of people; needs torch, the extra `learn`."""
    check_torch()
    if resume and fresh:
        raise ValueError("--resume continues a run and --fresh begins again: use only one")
    if algorithm == ALGORITHM:
        idle = {"--turns": turns, "--hours": hours, "--from": network, "--preset": preset,
                "--rules": rules, "--population": population, "--interval": interval,
                "--address": address}  # fmt: skip
        for option, value in idle.items():
            if value:
                raise ValueError(f"{option} is for learning by self-play, not from people")
        asked = Request(folder, tuple(data or ()), players, origin, seed, tuple(setting or ()),
                        resume, fresh)  # fmt: skip
        if train_human(asked, json).wants_to_stop:
            _end_stopped(" ".join([ALGORITHM, *_data_options(data or [])]), folder)
        return
    if data or origin:
        raise ValueError("--data and --source are for learning from people: tamaya train human")
    from tamaya.learn.from_network import read_source
    from tamaya.learn.plan import read_plan
    from tamaya.learn.population import Population, read_config
    from tamaya.learn.run import TrainingRun

    evolved = None if fresh else read_config(folder)
    before = evolved[1] if evolved else None if fresh else read_plan(folder)
    if before and not evolved and population:
        raise ValueError(f"{folder} contains a single run, not a population")
    if resume and before is None:
        raise ValueError(f"{folder} contains no run to resume")
    given: dict[str, Any] = {"algorithm": algorithm, "seed": seed, "preset": preset}
    if players is not None or rules or before is None:
        given["rules"] = rules_for(players or 2, rules).to_text()
    source = read_source(network) if network else None
    if source:
        given["begun_from"] = str(source)
    plan = _plan(folder, before, given, setting or [])
    if turns is not None:
        plan = replace(plan, turns=parse_count(turns))
    if before is None:
        plan = plan.paced()
    if population or evolved:
        if threads > 1:
            raise ValueError("--threads is for a single run; a population has --workers")
        if source:
            raise ValueError("--from is for a single run, not for a population")
        every = parse_count(interval) if interval else None
        config = agreed_config(evolved, population, every, folder)
        place = Workers(on, workers, address)
        together = Population(folder, config, plan, fresh)
        _tell_aside(folder, together.aside)
        together.on_stop = _say_stopping
        document = train_population(together, place, hours)
        print_json(document) if json else print_population(document)
        if together.was_stopped:
            _end_stopped(plan.algorithm, folder)
        return
    run = TrainingRun(folder, plan, threads, fresh, source=source)
    _tell_aside(folder, run.aside)
    _tell_origin(folder, run)
    run.on_stop = _say_stopping
    with _Bar(folder.name, plan.turns) as show:
        run.train(hours, show)
    document = _document(folder, run)
    print_json(document) if json else _print(document)
    if run.wants_to_stop:
        _end_stopped(plan.algorithm, folder)


def _say_stopping() -> None:
    """Say why Ctrl-C does not end the command at once."""
    sys.stderr.write("stopping after this batch, then saving; a second Ctrl-C ends at once, and "
                     "the run resumes from its last checkpoint\n")  # fmt: skip


def _end_stopped(algorithm: str, folder: Path) -> NoReturn:
    """Say how to resume, and exit with the code of a stopped command."""
    sys.stderr.write(f"to resume: tamaya train {algorithm} {shlex.quote(str(folder))}\n")
    raise typer.Exit(interrupts.CODE)


def _data_options(data: list[str]) -> list[str]:
    """The options that name the games of people, as a shell reads them."""
    return [f"--data {shlex.quote(file)}" for file in data]


def _tell_aside(folder: Path, aside: Path | None) -> None:
    """Say where the previous run was moved."""
    if aside is not None:
        sys.stderr.write(f"the run that was in {folder} is now in {aside}\n")


def _tell_origin(folder: Path, run: Any) -> None:
    """Say what a run without a checkpoint continues from."""
    if not run.origin:
        return
    compact = f"{folder / 'compact.npz'} after {run.learner.turns:,} turns"
    came_from = run.origin.get("begun_from", compact)
    first = "; first refilling the replay buffer" if hasattr(run.learner, "refill") else ""
    sys.stderr.write(f"continuing from {came_from}{first}\n")


def check_torch() -> None:
    """Say how to install what training needs."""
    from importlib.util import find_spec

    if find_spec("torch") is None:
        raise ValueError("training needs torch: pip install 'tamaya[learn]'")


def parse_count(text: str) -> int:
    """Parse a number of turns such as ``250000``, ``250k`` or ``1.5M``."""
    units = {"k": 10**3, "m": 10**6, "g": 10**9}
    unit = units.get(text[-1:].lower(), 1)
    try:
        count = round(float(text[:-1] if unit > 1 else text) * unit)
    except (ValueError, OverflowError):
        count = 0
    if count < 1:
        raise ValueError(f"{text!r} is not a number of turns: expected one like 250k or 100M")
    return count


def _plan(
    folder: Path, before: "TrainingPlan | None", given: dict[str, Any], settings: list[str]
) -> "TrainingPlan":
    """The plan of an existing run, which must agree with the given options, or a new plan."""
    from tamaya.learn.algorithms import ALGORITHMS
    from tamaya.learn.plan import TrainingPlan, check_choice

    given = {name: value for name, value in given.items() if value is not None}
    check_choice("algorithm", given["algorithm"], ALGORITHMS)
    module = ALGORITHMS[given["algorithm"]]
    plan = before or TrainingPlan(**given)
    for name, value in given.items():
        if getattr(plan, name) != value:
            raise ValueError(
                f"the run in {folder} has {name} {getattr(plan, name)!r}, not {value!r}"
            )
    check_choice("preset", plan.preset, module.PRESETS)
    chosen = dict(_read_setting(module.Settings(), text) for text in settings)
    if before is not None and any(dict(plan.settings).get(k) != v for k, v in chosen.items()):
        raise ValueError(f"the settings of a run that has begun, as in {folder}, cannot be changed")
    return plan if before else replace(plan, settings=tuple(chosen.items()))


def _read_setting(defaults: Any, text: str) -> tuple[str, Any]:
    """Parse ``name=value``; schedules are pairs such as ``0.02,0.01``, or one value for both."""
    from tamaya.learn.plan import check_choice

    name, _, value = text.partition("=")
    check_choice("setting", name, [field.name for field in fields(defaults)])
    default = getattr(defaults, name)
    try:
        if isinstance(default, tuple):
            numbers = tuple(map(float, value.split(",")))
            return name, numbers if len(numbers) == 2 else (numbers[0], numbers[0])
        if isinstance(default, bool):
            return name, {"true": True, "false": False}[value.lower()]
        return name, type(default)(value)
    except (ValueError, KeyError):
        example = ",".join(map(str, default)) if isinstance(default, tuple) else str(default)
        raise ValueError(
            f"setting {name} takes a value like {example.lower()}, not {value!r}"
        ) from None


class _Bar(TrainingBar):
    """Progress of a run."""

    validated = "not validated yet"

    def show(self, row: dict[str, Any]) -> None:
        """Show the progress after a batch."""
        if "validation" in row:
            self.validated = f"score {row['validation']['mean']:.2f}"
        what = (f"{self.validated}, {row['turns'] / 1e6:.1f}M turns, "
                f"{row['turns_per_second']:,.0f} per second")  # fmt: skip
        self.move(row["turns"], what, what if "validation" in row else "")


def _document(folder: Path, run: Any) -> dict[str, Any]:
    from tamaya.learn.curves import validation_points

    agent = folder / "best.npz"
    return {
        "folder": str(folder), "turns": run.learner.turns, "planned_turns": run.plan.turns,
        "seconds": run.seconds, "cpu_seconds": run.cpu_seconds, "curve": validation_points(folder),
        "agent": str(agent) if agent.exists() else None,
    }  # fmt: skip


def _print(document: dict[str, Any]) -> None:
    print_table(
        f"{document['turns']:,} of {document['planned_turns']:,} turns in "
        f"{document['cpu_seconds']:,.0f} CPU seconds",
        ["turns", "validation score"],
        [[f"{turns:,}", f"{mean:.2f}"] for turns, mean in document["curve"][-10:]],
        left=0,
    )
    if document["agent"]:
        sys.stdout.write(f"The best is an agent: tamaya selfplay {document['agent']}\n")
