"""Genes: the numbered rules of Canaan et al., and chromosomes as rule lists."""

from collections.abc import Iterable
from functools import cache

from tamaya.agents.rules.language import Step, parse_step

N_OLD, N_NEW, N_ELITES = 50, 72, 105  # sizes of the old, the new and the MAP-Elites rule set

_OLD = """
PlayFinesse PlayFinesseTold PlayIfCertain PlayProbablySafe(0) PlayProbablySafe(0.2)
PlayProbablySafe(0.4) PlayProbablySafe(0.6) PlayProbablySafe(0.8) PlaySafeCard
PlayUniquePossibleCard CompleteTellUsefulCard TellAboutOnes TellAnyoneAboutOldestUsefulCard
TellAnyoneAboutUsefulCard TellAnyoneAboutUselessCard TellDispensable TellFinesse TellFives
TellIllInformed TellMostInformation TellPlayableCard TellPlayableCardOuter TellRandomly
TellUnknown DiscardHighest DiscardIfCertain DiscardLeastLikelyToBeNecessary DiscardOldestFirst
DiscardOldestNoInfoFirst DiscardProbablyUseless(0) DiscardProbablyUseless(0.2)
DiscardProbablyUseless(0.4) DiscardProbablyUseless(0.6) DiscardProbablyUseless(0.8)
DiscardRandomly DiscardSafeCard DiscardUnidentifiedCard DiscardUselessCard OsawaDiscard
LegalRandom TryToUnBlock IfHailMary:PlayProbablySafe(0) IfHailMary:PlayProbablySafe(0.1)
IfLives>1:PlayProbablySafe(0) IfLives>1:PlayProbablySafe(0.2) IfLives>1:PlayProbablySafe(0.4)
IfLives>1:PlayProbablySafe(0.6) IfLives>1:PlayProbablySafe(0.8) IfTokens<4:TellDispensable
PlayProbablySafe(0.25)
"""


def _new() -> Iterable[str]:
    """Genes 50 to 71."""
    yield "PlayJustHinted(no,no,0,0)"
    for p in ("0", "0.6", "0.8", "1"):
        for single_and_newest in ("yes,yes", "yes,no", "no,yes", "no,no"):
            yield f"PlayJustHinted({single_and_newest},2,{p})"
    yield from ("TellUnambiguous(yes)", "TellUnambiguous(no)")
    yield from (f"TellUnambiguous2({w})" for w in ("1,0", "10,-1", "2,-1"))


def _elites() -> Iterable[str]:
    """Genes 72 to 104."""
    weights = ("1,0", "0,-1", "2,-1", "1,-2", "10,-1", "1,-10")
    yield from (f"TellUnambiguous3({w})" for w in weights)
    yield from (f"TellAtLeastNUseless({n})" for n in range(1, 6))
    for kind in ("yes", "no"):
        yield from (f"TellHighProbabilityMistake({kind},{p / 10:g})" for p in range(11))


@cache
def gene_table() -> tuple[Step, ...]:
    """The step of every gene."""
    texts = [*_OLD.split(), *_new(), *_elites()]
    assert len(texts) == N_ELITES
    return tuple(parse_step(text) for text in texts)


def steps_of(chromosome: Iterable[int]) -> tuple[Step, ...]:
    """The rule list of a chromosome."""
    table = gene_table()
    return tuple(table[gene] for gene in chromosome)


def chromosome_text(genes: str) -> str:
    """A rule list in text from numbers of genes separated by commas."""
    return ",".join(str(step) for step in steps_of(map(int, genes.split(","))))
