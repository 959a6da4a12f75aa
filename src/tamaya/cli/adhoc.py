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
    typer.Option("--hold-out", help="With family, the agent must not know its partner's family."),
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
    from tamaya.adapt.families import FAMILIES, family_of
    from tamaya.arena.pools import pool_of
    from tamaya.arena.protocols.adhoc import PROTOCOL, Config
    from tamaya.arena.rule_texts import tables_of

    partners = pool_of(pool, tables_of(players, rules))
    if hold_out not in ("", "family"):
        raise ValueError(f"--hold-out takes family, not {hold_out!r}")
    families = [family_of(partner) for partner in partners]
    # Of a partner whose family the package does not know there is nothing to forget.
    held_out = (
        tuple(family if family in FAMILIES else "" for family in families) if hold_out else ()
    )
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
    from tamaya.arena.protocols.fractions import LEAST, partner_means

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
    print_table(title, *_without_empty_column(columns, rows))
    means = [
        [str(one.players), str(one.step), f"{one.mean:.3f}", f"{one.lowest:.2f}",
         str(one.partners), "" if one.identified is None else f"{100 * one.identified:.1f} %"]
        for one in partner_means(result.teams)
    ]  # fmt: skip
    columns = ["players", step, "mean", "lowest", "partners", "identified"]
    columns, means = _without_empty_column(columns, means)
    title = f"Fractions, partners that score above {LEAST:.0f}"
    print_table(title, columns, means)
    if config.held_out:
        _print_families(result, step)


def _without_empty_column(
    columns: list[str], rows: list[list[str]]
) -> tuple[list[str], list[list[str]]]:
    """A table without its last column if that says nothing."""
    if any(row[-1] for row in rows):
        return columns, rows
    return columns[:-1], [row[:-1] for row in rows]


def _print_families(result: "Result", step: str) -> None:
    """A table of the families that were held out, and the mean over those that speak no code."""
    from tamaya.arena.protocols.fractions import CAP, family_means, mean_of_families

    means = family_means(result.teams)
    rows, totals = [], []
    for key in dict.fromkeys((one.players, one.step) for one in means):
        group = sorted((one for one in means if (one.players, one.step) == key),
                       key=lambda one: (one.speaks_code, one.family))  # fmt: skip
        rows += [[one.family + (", a code" if one.speaks_code else ""), *map(str, key),
                  f"{one.mean:.2f} ± {one.error:.2f}", str(one.partners)]
                 for one in group]  # fmt: skip
        if plain := [one for one in group if not one.speaks_code]:
            lowest = min(plain, key=lambda one: one.mean)
            totals.append([*map(str, key), f"{mean_of_families(plain):.3f}",
                           f"{lowest.mean:.2f}", lowest.family, str(len(plain))])  # fmt: skip
    print_table("By family", ["family", "players", step, "fraction", "partners"], rows)
    columns = ["players", step, "mean", "lowest", "which", "families"]
    print_table(f"Families without codes, {CAP} at most each", columns, totals)
