"""`tamaya train human`: learning from games of people."""

import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tamaya.cli.options import counted, print_json, print_table
from tamaya.cli.training_bar import TrainingBar

if TYPE_CHECKING:
    from tamaya.learn.imitation.games import PersonGame
    from tamaya.learn.imitation.plan import ImitationPlan, Settings
    from tamaya.learn.imitation.run import ImitationRun

ALGORITHM = "human"


@dataclass(frozen=True)
class Request:
    """What `tamaya train human` was asked for; None where nothing was said."""

    folder: Path
    data: tuple[str, ...]
    players: int | None
    source: str | None
    seed: int | None
    settings: tuple[str, ...]
    resume: bool
    fresh: bool


def train_human(request: Request, json: bool) -> "ImitationRun":
    """Train, or resume, and print what came out; returns the run."""
    from tamaya.learn.imitation.plan import read_plan
    from tamaya.learn.imitation.run import ImitationRun

    if not request.data:
        raise ValueError("learning from people needs their games: --data FILE")
    before = None if request.fresh else read_plan(request.folder)
    if request.resume and before is None:
        raise ValueError(f"{request.folder} contains no run to resume")
    games = read_person_games(request.data, request.players)
    plan = _plan(before, request, games)
    with _GamesBar("replaying", len(games)) as show:
        run = ImitationRun(request.folder, plan, games, request.fresh, show)
    if run.aside is not None:
        sys.stderr.write(f"the run that was in {request.folder} is now in {run.aside}\n")
    run.on_stop = _say_stopping
    settings = plan.settings
    with _EpochBar(request.folder.name, settings.members * settings.epochs) as show:
        run.train(show)
    document = _document(run)
    print_json(document) if json else _print(document)
    return run


def read_person_games(data: tuple[str, ...], players: int | None) -> "list[PersonGame]":
    """The games of people in some files; ValueError names the first that cannot be read."""
    from tamaya.replays.files import all_games
    from tamaya.replays.person_games import person_games

    found = list(all_games(data))
    for each in found:
        if each.game is None:
            raise ValueError(f"{each.name}: {each.error}")
    games = person_games(found, players)
    if not games:
        table = f" for {players} players" if players else ""
        raise ValueError(f"{', '.join(data)}: no games of people{table}")
    return games


def _say_stopping() -> None:
    sys.stderr.write("stopping after this epoch, then saving; a second Ctrl-C ends at once\n")


def _plan(
    before: "ImitationPlan | None", request: Request, games: "list[PersonGame]"
) -> "ImitationPlan":
    """The plan of the existing run with what was asked for, or a new one."""
    from tamaya.learn.imitation.games import common_rules
    from tamaya.learn.imitation.plan import ImitationPlan, check_settings, fingerprint_of

    rules = common_rules(games).to_text()
    plan = before or ImitationPlan(rules)
    plan = replace(plan, rules=rules, data=fingerprint_of(games), n_games=len(games),
                   settings=_settings(plan.settings, request.settings))  # fmt: skip
    if request.seed is not None:
        plan = replace(plan, seed=request.seed)
    if request.source is not None:
        plan = replace(plan, source=request.source)
    check_settings(plan.settings)
    return plan


def _settings(settings: "Settings", texts: tuple[str, ...]) -> "Settings":
    """Settings with changes such as ``epochs=5``."""
    for text in texts:
        name, _, value = text.partition("=")
        known = settings.__dataclass_fields__
        if name not in known:
            raise ValueError(f"unknown setting {name!r}: expected one of {', '.join(known)}")
        kind = type(getattr(settings, name))
        try:
            settings = replace(settings, **{name: kind(value)})
        except ValueError:
            example = getattr(settings, name)
            raise ValueError(
                f"setting {name} takes a value like {example}, not {value!r}"
            ) from None
    return settings


class _GamesBar(TrainingBar):
    """Progress of replaying games."""

    def show(self, n: int) -> None:
        """Show how many games have been replayed."""
        self.move(n, counted(n, "game"))


class _EpochBar(TrainingBar):
    """Progress by epochs of all networks."""

    def show(self, row: dict[str, Any]) -> None:
        """Show the losses after an epoch."""
        what = (f"network {row['member']}, epoch {row['epoch']}: "
                f"{row['validation_loss']:.3f} nats, "
                f"{100 * row['validation_accuracy']:.1f} % on held-out people")  # fmt: skip
        self.move(row["turns"], what, what)


def _document(run: "ImitationRun") -> dict[str, Any]:
    from tamaya.learn.journal import read_journal

    agent = run.folder / "best.npz"
    learner = run.learner
    return {
        "folder": str(run.folder), "games": run.plan.n_games,
        "people": len(learner.train.decisions.people), "moves": len(learner.train.moves),
        "held_out_people": len(learner.held_out.decisions.people), "done": learner.is_done,
        "epochs": learner.epochs_done, "cpu_seconds": run.cpu_seconds,
        "log": read_journal(run.folder), "agent": str(agent) if agent.exists() else None,
    }  # fmt: skip


def _print(document: dict[str, Any]) -> None:
    rows = [[str(row["member"]), str(row["epoch"]), f"{row['loss']:.3f}",
             f"{row['validation_loss']:.3f}", f"{100 * row['validation_accuracy']:.1f} %"]
            for row in document["log"]]  # fmt: skip
    title = (f"{document['moves']:,} moves of {document['people']} people in "
             f"{document['cpu_seconds']:,.0f} CPU seconds")  # fmt: skip
    columns = ["network", "epoch", "loss", "loss on held-out people", "likeliest move made"]
    print_table(title, columns, rows, left=0)
    if document["agent"]:
        sys.stdout.write(f"The networks are an agent: tamaya predict FILE --agent "
                         f"{document['agent']}\n")  # fmt: skip
