"""`tamaya evolve`: evolution of rule lists, in a folder from which a stopped run resumes."""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tamaya.cli.options import (
    FAITHFUL_HELP,
    PLAYERS_HELP,
    POOL_HELP,
    RULE_SET_HELP,
    RULES_HELP,
    SEED_HELP,
    Json,
    RunFolder,
    Threads,
    counted,
    parse_player_counts,
    print_json,
    print_table,
)
from tamaya.cli.running import Address, On

if TYPE_CHECKING:
    from tamaya.evolve.genetic import Config
    from tamaya.evolve.leaders import Leaders
    from tamaya.evolve.outcome import Finalist
    from tamaya.evolve.run import Generation

Whole = int | None
Share = float | None


def evolve(
    folder: RunFolder,
    protocol: Annotated[
        str | None,
        typer.Option(help="Score lists by mirror or by mixed play.", show_default="mirror"),
    ] = None,
    pool: Annotated[
        str | None,
        typer.Option(help=f"{POOL_HELP} For mixed play.", show_default="C", metavar="POOL"),
    ] = None,
    players: Annotated[
        str | None,
        typer.Option("--players", "-p", help=PLAYERS_HELP, show_default="2-5", metavar="N"),
    ] = None,
    split: Annotated[
        str | None,
        typer.Option(
            help="Evolve one list per number of players (each) or per group, such as 2,3-5.",
            show_default="one list for all",
        ),
    ] = None,
    rule_set: Annotated[str | None, typer.Option(help=RULE_SET_HELP, show_default="new")] = None,
    rules: Annotated[
        str | None,
        typer.Option(help=RULES_HELP, show_default="bomb=keep refill=in_place", metavar="TEXT"),
    ] = None,
    faithful: Annotated[
        bool | None, typer.Option(help=FAITHFUL_HELP, show_default="faithful")
    ] = None,
    population: Annotated[
        Whole, typer.Option(help="Individuals per generation.", show_default="200")
    ] = None,
    generations: Annotated[Whole, typer.Option(help="Generations.", show_default="500")] = None,
    games: Annotated[
        Whole,
        typer.Option("--games", "-n", help="Games per individual and cell.", show_default="20"),
    ] = None,
    crossover: Annotated[
        Share, typer.Option(help="Probability that two parents are crossed.", show_default="0.9")
    ] = None,
    mutation: Annotated[
        Share, typer.Option(help="Probability that a gene is swapped.", show_default="0.1")
    ] = None,
    elite: Annotated[
        Whole, typer.Option(help="Best individuals that survive unchanged.", show_default="20")
    ] = None,
    tournament: Annotated[
        Whole, typer.Option(help="Individuals in the tournament for a parent.", show_default="5")
    ] = None,
    variation: Annotated[
        str | None,
        typer.Option(
            help="Operators: those of the paper, or front, which makes few changes, near the "
            "front of the list.",
            show_default="paper",
        ),
    ] = None,
    final_games: Annotated[
        Whole, typer.Option(help="Games per finalist and cell.", show_default="2000")
    ] = None,
    seed: Annotated[int | None, typer.Option(help=SEED_HELP, show_default="1")] = None,
    start: Annotated[
        list[str] | None,
        typer.Option(help="A rule agent to start from; may be repeated.", metavar="AGENT"),
    ] = None,
    on: On = "threads",
    address: Address = None,
    threads: Threads = 0,
    json: Json = False,
) -> None:
    """Evolve rule lists as Canaan et al. (2018) did; the defaults are those of the paper."""
    from tamaya.arena.executor import make_executor
    from tamaya.evolve.folder import read_run
    from tamaya.evolve.situational import (
        agreed_parts,
        combine,
        read_parts,
        specialised,
        write_parts,
    )
    from tamaya.run_folder import locked

    given = {
        "population": population, "generations": generations, "games": games, "elite": elite,
        "crossover": crossover, "mutation": mutation, "tournament": tournament,
        "final_games": final_games, "seed": seed, "variation": variation, "faithful": faithful,
    }  # fmt: skip
    counts = tuple(parse_player_counts(players)) if players else None
    judged = {"kind": protocol, "pool": pool, "rules": rules, "players": counts}
    kept = read_parts(folder)
    before = read_run(folder / next(iter(kept)) if kept else folder)
    config = _config(before, given, judged, rule_set)
    if pool is not None and config.protocol.kind != "mixed":
        raise typer.BadParameter("--pool goes with --protocol mixed")
    covered = tuple(size for group in (kept or {}).values() for size in group)
    parts = agreed_parts(folder, split, counts or covered or config.protocol.players)
    known = [_list_of(text) for text in start] if start else (before or {}).get("known", [])
    executor = make_executor(on, threads, address)
    groups = {name: specialised(config, sizes) for name, sizes in parts.items()}
    asked = [*given.values(), *judged.values(), rule_set, start]
    is_finished = all((folder / name / "top.json").exists() for name in parts)
    if not is_finished or any(value is not None for value in asked):
        with locked(folder):
            if list(parts) != [""]:
                write_parts(folder, parts)
            for name, part in groups.items():
                _one_run(folder / name, name or folder.name, part, executor, known)
            if list(parts) != [""]:
                combine(folder, parts)
    results = [_result(folder / name, name or folder.name, part) for name, part in groups.items()]
    document = {"folder": str(folder), "agent": str(folder / "best.rules"),
                "runs": [result.as_dict() for result in results]}  # fmt: skip
    if json:
        print_json(document)
    else:
        _print(folder, results, sorted({size for sizes in parts.values() for size in sizes}))


def _config(
    before: dict[str, Any] | None,
    given: dict[str, Any],
    judged: dict[str, Any],
    rule_set: str | None,
) -> "Config":
    """The config of an existing run, or the defaults, with the given options applied."""
    from tamaya.evolve.evaluation import Protocol
    from tamaya.evolve.genetic import Config
    from tamaya.evolve.rule_sets import rule_set as genes_of

    values: dict[str, Any] = {"genes": genes_of("new")}
    protocol: dict[str, Any] = {}
    if before is not None:
        said = before["protocol"]
        protocol = {name: said[name] for name in ("kind", "pool", "rules")}
        protocol["players"] = tuple(said["players"])
        names = Config.__dataclass_fields__.keys() - {"protocol"}
        values = {key: before[key] for key in names if key in before}
    values |= {key: value for key, value in given.items() if value is not None}
    protocol |= {key: value for key, value in judged.items() if value is not None}
    if rule_set is not None:
        values["genes"] = genes_of(rule_set)
    values["genes"] = tuple(values["genes"])
    return Config(**values, protocol=Protocol(**protocol))


def _list_of(text: str) -> str:
    """The rule lists of an agent, as a text."""
    from tamaya.agent import AgentError
    from tamaya.agents.rules.family import RuleAgent
    from tamaya.registry import find_agent

    player = find_agent(text)
    if not isinstance(player, RuleAgent):
        raise AgentError(f"{text!r} is not a rule agent, so evolution cannot start with it")
    return str(player.rules)


def _one_run(folder: Path, name: str, config: "Config", executor: Any, known: list[str]) -> None:
    from tamaya.evolve.outcome import generations_in
    from tamaya.evolve.run import EvolutionRun

    run = EvolutionRun(folder, config, executor, known)
    with _Progress(f"{config.protocol.kind} {name}", config.generations) as show:
        run.evolve(show)
        run.finish()
    run.close()
    _draw(folder, generations_in(folder))


def _result(folder: Path, name: str, config: "Config") -> "Result":
    """The outcome of a finished run, read from its folder; the code may have changed since."""
    from tamaya.evolve.leaders import leaders
    from tamaya.evolve.outcome import finalists_in, generations_in

    generations = generations_in(folder)
    seconds = sum(row["seconds"] for row in generations)
    games = len(generations) * config.population * config.games * len(config.protocol.cells())
    return Result(name, finalists_in(folder), leaders(folder, name), games, seconds)


def _draw(folder: Path, generations: list[dict[str, Any]]) -> None:
    """The curves of a run, as a drawing in its folder."""
    from tamaya.atomic import write_atomically
    from tamaya.report.evolution_charts import curves_chart
    from tamaya.report.theme import draw_svg, on_white

    svg = on_white(draw_svg(curves_chart(generations)))
    write_atomically(folder / "curves.svg", svg)


@dataclass(frozen=True)
class Result:
    """The outcome of one run."""

    name: str
    finalists: "list[Finalist]"
    leaders: "Leaders"
    games: int  # of evolution
    seconds: float

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {"name": self.name, "finalists": [one.as_dict() for one in self.finalists],
                "leaders": self.leaders.as_dict(), "games": self.games,
                "seconds": self.seconds}  # fmt: skip


class _Progress:
    """Live progress on standard error: best, mean and the leading rules.

    If standard error is not a terminal, a line every few generations.
    """

    def __init__(self, label: str, total: int) -> None:
        from rich.console import Console
        from rich.live import Live

        self.label, self.total = label, total
        self.console = Console(stderr=True)
        self.live = Live(console=self.console, transient=True, refresh_per_second=4)

    def __enter__(self) -> Any:
        if self.console.is_terminal:
            self.live.start()
        return self.show

    def __exit__(self, *error: object) -> None:
        if self.console.is_terminal:
            self.live.stop()

    def show(self, generation: "Generation") -> None:
        """Show a finished generation."""
        from rich.text import Text

        head = (f"{self.label}: generation {generation.number + 1} of {self.total}, best "
                f"{generation.best:.2f}, mean {generation.mean:.2f}, "
                f"{generation.seconds:.1f} s each")  # fmt: skip
        if self.console.is_terminal:
            self.live.update(Text(f"{head}\n{generation.rules[:600]}"))
        elif (generation.number + 1) % 25 == 0 or generation.number + 1 == self.total:
            sys.stderr.write(head + "\n")


def _print(folder: Path, results: "list[Result]", sizes: list[int]) -> None:
    from rich.text import Text

    from tamaya.agents.rules.language import parse_rules

    for result in results:
        best = result.finalists[0]
        print_table(
            f"Finalists of {result.name}: {counted(best.games, 'game')} each on deals not used in "
            "evolution",
            ["", "mean", "in evolution", "rules that made moves"],
            [
                [str(rank + 1), f"{one.mean:.3f} ± {one.se:.3f}", f"{one.fitness:.2f}",
                 Text(", ".join(map(str, parse_rules(one.rules).lists[0])), justify="left")]
                for rank, one in enumerate(result.finalists)
            ],
        )  # fmt: skip
    print_table(
        "What the finalists put first",
        ["run", "hinted card first", "clear hint first", "play before hint", "leading rules"],
        [
            [lead.run, f"{lead.hinted_first}/{lead.finalists}",
             f"{lead.unambiguous_first}/{lead.finalists}",
             f"{lead.play_before_tell}/{lead.finalists}",
             Text(", ".join(rule for rule, _ in (*lead.first_play[:1], *lead.first_tell[:1])),
                  justify="left")]
            for lead in (result.leaders for result in results)
        ],
    )  # fmt: skip
    games, seconds = sum(r.games for r in results), sum(r.seconds for r in results)
    sys.stdout.write(
        f"{counted(games, 'game')} of evolution in {seconds:,.0f} s, "
        f"{games / max(seconds, 1e-9):,.0f} per second\n"
        f"The best is an agent: tamaya selfplay {folder / 'best.rules'} "
        f"-p {','.join(map(str, sizes))}\n"
    )
