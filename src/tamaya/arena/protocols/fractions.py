"""What ad-hoc teams reach on average, as fractions of the partners' own self-play.

Partners that score next to nothing by themselves are left out: a fraction of it says nothing. In
means over families each family counts once, however many of its agents take part, and no family
counts for more than CAP, because partners that play badly are easily surpassed. Families that speak
a code are listed, but they are apart from the mean.
"""

from collections.abc import Sequence
from statistics import fmean
from typing import TYPE_CHECKING, NamedTuple

from tamaya.adapt.families import CODES, family_of

if TYPE_CHECKING:
    from tamaya.arena.protocols.adhoc import AdHoc

LEAST = 5.0  # self-play score of partners whose fractions are averaged
CAP = 1.2  # of a family in the mean over families


class PartnerMean(NamedTuple):
    """The mean over partners, at a table size and with a number of samples or game of a series."""

    players: int
    step: int
    mean: float
    lowest: float
    partners: int
    identified: float | None  # share of the sets of samples, if the agent names its partner


class FamilyMean(NamedTuple):
    """The mean over the partners of a family, at a table size and with a number of samples."""

    players: int
    step: int
    family: str
    mean: float
    error: float  # standard error, as if the partners' games were independent
    partners: int

    @property
    def speaks_code(self) -> bool:
        """Whether the hints of the family do not mean what they say."""
        return self.family in CODES


def by_step(teams: Sequence["AdHoc"]) -> dict[tuple[int, int], list["AdHoc"]]:
    """The teams whose partners score, by table size and number of samples or of the game."""
    groups: dict[tuple[int, int], list[AdHoc]] = {}
    for team in teams:
        if team.partner_mean > LEAST:
            groups.setdefault((team.rules.players, team.game or team.samples), []).append(team)
    return groups


def partner_means(teams: Sequence["AdHoc"]) -> list[PartnerMean]:
    """Means over all partners that score."""
    means = []
    for (players, step), group in by_step(teams).items():
        fractions = [team.fraction for team in group]
        named = [team.identified for team in group if team.identified is not None]
        means.append(PartnerMean(players, step, fmean(fractions), min(fractions), len(group),
                                 fmean(named) if named else None))  # fmt: skip
    return means


def family_means(teams: Sequence["AdHoc"]) -> list[FamilyMean]:
    """Means over the partners of each family."""
    means = []
    for (players, step), group in by_step(teams).items():
        for family in dict.fromkeys(family_of(team.partner) for team in group):
            members = [team for team in group if family_of(team.partner) == family]
            error = sum(team.fraction_se**2 for team in members) ** 0.5 / len(members)
            mean = fmean(team.fraction for team in members)
            means.append(FamilyMean(players, step, family, mean, error, len(members)))
    return means


def mean_of_families(means: Sequence[FamilyMean]) -> float:
    """The mean over plain families, each of which counts once and for CAP at most."""
    return fmean(min(CAP, one.mean) for one in means if not one.speaks_code)
