"""`tamaya adhoc`: an agent in ad-hoc teams, the protocol of the Hanabi Challenge."""

from typing import TYPE_CHECKING, Annotated

import typer

from tamaya.cli.options import (
    AgentText,
    Players,
    Pool,
    RuleText,
    Seed,
    print_table,
)
from tamaya.cli.running import ArenaOptions, arena_command

if TYPE_CHECKING:
    from tamaya.arena.protocols.adhoc import AdHoc, Result

Trials = Annotated[
    int, typer.Option("--trials", "-n", min=2, help="Games per partner, a multiple of the sets.")
]
Samples = Annotated[
    str, typer.Option("--samples", help="Games that the agent sees before: 10, or such as 0,1,10.")
]
Sets = Annotated[int, typer.Option("--sets", min=2, help="Different sets of samples per partner.")]
HoldOut = Annotated[
    str,
    typer.Option("--hold-out", help="With family, it must not know that of its partner."),
]
Series = Annotated[
    int,
    typer.Option("--series", min=0, help="Games in a row with each partner, learning from each; "
                 "-n counts series."),
]  # fmt: skip


@arena_command
def adhoc(
    agent: AgentText,
    pool: Pool = "all",
    players: Players = "2",
    trials: Trials = 1000,
    seed: Seed = 0,
    rules: RuleText = "",
    samples: Samples = "10",
    sets: Sets = 100,
    hold_out: HoldOut = "",
    series: Series = 0,
    *,
    options: ArenaOptions,
) -> None:
    """Play in ad-hoc teams: ten sample games of the partner, then one game in a random seat."""
    from tamaya.adapt.families import family_of
    from tamaya.arena.pools import pool_of
    from tamaya.arena.protocols.adhoc import PROTOCOL, Config
    from tamaya.arena.rule_texts import tables_of

    partners = pool_of(pool, tables_of(players, rules))
    if hold_out not in ("", "family"):
        raise ValueError(f"--hold-out takes family, not {hold_out!r}")
    held_out = tuple(map(family_of, partners)) if hold_out else ()
    config = Config(agent, partners, players, trials, seed, rules, pool, _numbers(samples), sets,
                    held_out, series)  # fmt: skip
    options.run_and_show(PROTOCOL, config, _print_teams)


def _numbers(text: str) -> tuple[int, ...]:
    """The numbers of samples of a text such as ``0,1,10``."""
    from tamaya.arena.protocols.adhoc import SAMPLES

    numbers = [int(part) if part.strip().isdigit() else -1 for part in text.split(",")]
    if not all(0 <= number <= SAMPLES for number in numbers):
        raise ValueError(f"--samples takes numbers from 0 to {SAMPLES}, not {text!r}")
    return tuple(numbers)


def _step(team: "AdHoc") -> str:
    """The number of the game in a series, or of samples if the agent used them."""
    if team.game:
        return str(team.game)
    return str(team.samples) if team.prepared or not team.samples else "ignored"


def _print_teams(result: "Result") -> None:
    config = result.config
    step = "game" if config.series else "samples"
    rows = [
        [
            team.partner,
            str(team.rules.players),
            _step(team),
            f"{team.mean:.2f} ± {team.se:.2f}",
            f"{100 * team.bombed:.1f} %",
            f"{team.partner_mean:.2f} ± {team.partner_se:.2f}",
            f"{team.fraction:.2f} ± {team.fraction_se:.2f}" if team.partner_mean > 0 else "",
            "" if team.identified is None else f"{100 * team.identified:.0f} %",
        ]
        for team in result.teams
    ]
    what = f"series of {config.series} games" if config.series else "trials"
    title = f"{config.agent} in ad-hoc teams: {config.trials:,} {what} each, seed {config.seed}"
    if config.held_out:
        title += ", without the partner's family"
    columns = ["partner", "players", step, "mean", "bombed", "partner alone", "fraction",
               "identified"]  # fmt: skip
    print_table(title, columns, rows)
    means = [
        ["mean fraction", str(players), str(number), f"{mean:.3f}", f"{least:.2f}", str(n)]
        for players, number, mean, least, n in result.mean_fractions()
    ]
    columns = ["partners that score above 5", "players", step, "mean", "lowest", "partners"]
    print_table("Fractions of the partners' self-play", columns, means)
