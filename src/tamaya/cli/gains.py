"""`tamaya gains`: what search adds to its blueprint, by turn, and what it costs."""

from typing import TYPE_CHECKING, Annotated

import typer

from tamaya.cli.options import (
    AgentText,
    Games,
    Players,
    RuleText,
    Seed,
    counted,
    print_note,
    print_table,
)
from tamaya.cli.running import ArenaOptions, arena_command

if TYPE_CHECKING:
    from tamaya.arena.gains import Phase
    from tamaya.arena.protocols.gains import Result, Table

Check = Annotated[
    int, typer.Option("--check", min=2, help="Fresh deals on which a changed move is tried again.")
]
COLUMNS = ["turns", "moves", "searched", "changed", "gain per search ± se", "listed", "hands",
           "hands, 90 %", "exact", "rollouts", "CPU s", "CPU s, most"]  # fmt: skip
LEGEND = """\
searched: share of all moves; the other shares are of the searched ones
  changed: another move than the blueprint's; gain: points per searched move, on fresh deals
  listed: all hands that the seat may hold are known; hands: how many, median and 90 % quantile
  exact: all remaining deals are played; rollouts: mean; CPU s: per search, median and most"""


@arena_command
def gains(
    agent: AgentText,
    players: Players = "2",
    games: Games = 20,
    seed: Seed = 0,
    rules: RuleText = "",
    check: Check = 1000,
    *,
    options: ArenaOptions,
) -> None:
    """Show what search over exact beliefs gains: points per move by turn, support sizes, CPU time.

    Each move that replaces the blueprint's is tried again on fresh deals, so the gains are not
    those of lucky winners. They add up to what the search is worth per game.
    """
    from tamaya.arena.protocols.gains import PROTOCOL, Config

    config = Config(agent, players, games, seed, rules, check)
    options.run_and_show(PROTOCOL, config, _print_gains)


def _print_gains(result: "Result") -> None:
    """A table for each number of players, with the sums per game below."""
    for table in result.tables:
        title = (f"{result.config.agent}, {table.rules.players} players: "
                 f"{counted(table.games, 'game')}, seed {result.config.seed}")  # fmt: skip
        rows = [[f"{phase.first}-{phase.last}", *_cells(phase)] for phase in table.phases]
        rows.append(["all", *_cells(table.whole)])
        print_table(title, COLUMNS, rows)
        print_note(LEGEND)
        for line in _sums(table):
            print_note(line)


def _cells(phase: "Phase") -> list[str]:
    """The figures of some turns, in the order of the columns."""
    support = phase.support if phase.listed else None
    return [
        f"{phase.moves:,}",
        _share(phase.searched, phase.moves),
        _share(phase.changed, phase.searched),
        _with_error(phase.gain, phase.se, 4),
        _share(phase.listed, phase.searched),
        f"{support.median:,.0f}" if support else "",
        f"{support.high:,.0f}" if support else "",
        _share(phase.exact, phase.searched),
        f"{phase.rollouts:,.0f}",
        f"{phase.seconds.median:.3f}",
        f"{phase.seconds.most:.3f}",
    ]


def _share(n: int, of: int) -> str:
    return f"{100 * n / max(1, of):.0f} %"


def _sums(table: "Table") -> list[str]:
    """What search is worth per game, by gains and by scores."""
    return [
        f"gained per game, by fresh deals: {_with_error(*table.gain)}",
        f"mean score {_with_error(*table.score)}; above the blueprint on the same deals: "
        f"{_with_error(*table.difference)}",
    ]


def _with_error(mean: float, se: float, digits: int = 3) -> str:
    return f"{mean:.{digits}f}" + (f" ± {se:.{digits}f}" if se == se else "")
