"""Rule sets to evolve over: those of the papers, our own, or a user's file of rules."""

from collections.abc import Sequence
from pathlib import Path

from tamaya.agents.rules.genes import N_ELITES, N_NEW, N_OLD, gene_table
from tamaya.agents.rules.language import RuleListError, parse_rules, parse_step

SETS = ("old", "new", "elites", "tamaya")

# The choices of our own evolution, besides the 72 rules of the paper.
_OWN = """
PlayPromised(0,0) PlayPromised(1,0) PlayPromised(0,0.5) PlayPromised(0,1)
TellPromise TellPromise(yes) TellSave(1) TellSave(2) TellSave(4) TellSave(1,yes) TellHarmless
IfTokens>1:TellSave(1) IfTokens>2:TellSave(4) IfTokens>3:TellPromise(yes)
IfTokens>4:TellSave(4,yes) IfTokens=8:TellHarmless IfTokens>5:TellFives IfTokens>3:TellFives
DiscardChop DiscardSurelyUseless DiscardDuplicate IfTokens<5:DiscardSurelyUseless
IfTokens<3:DiscardSurelyUseless IfTokens<3:DiscardChop IfTokens<5:DiscardChop
DiscardOldestUnlikelyNecessary(0.01) DiscardOldestUnlikelyNecessary(0.1)
DiscardOldestUnlikelyNecessary(0.2) DiscardOldestUnlikelyNecessary(0.3)
IfDeck<2&Lives>1:PlayProbablySafe(0.1) IfDeck<1&Lives>1:PlayProbablySafe(0.05)
IfDeck<4&Lives>1:PlayProbablySafe(0.3) IfDeck<8&Lives>1:PlayProbablySafe(0.5)
IfLives>2:PlayProbablySafe(0.5) IfLives>1:PlayProbablySafe(0.7)
PlayJustHinted(no,no,0,0.5) PlayJustHinted(no,no,1,0.3) PlayJustHinted(yes,no,1,0)
PlayJustHinted(yes,no,1,0.4) PlayJustHinted(yes,no,0,0.6) PlayJustHinted(no,no,1,0.6)
IfRepeats=0:PlayJustHinted(yes,no,1,0) IfRepeats=0:PlayJustHinted(yes,no,0,0.3)
IfRepeats=0:PlayJustHinted(no,no,1,0.4) IfRepeats=0:PlayJustHinted(no,no,2,0.2)
TellSteer(0.25) TellSteer(0.6) TellSteer(1) TellSteer(0.6,4) TellSteer(1,4)
TellSteer(0.6,1,yes) TellSteer(0.6,4,yes) IfMisplays>0:TellSteer(0.25)
IfMisplays>0:TellSteer(0.25,4) IfMisplays>0:TellSteer(0.25,1,yes)
IfMisplays>1:TellSteer(0.25,4,yes) IfMisplays>0:PlayProbablySafe(0.4)
IfMisplays>1:PlayProbablySafe(0.3) IfMisplays>0:PlayProbablySafe(0.6)
IfMisplays>0&Turn<8:TellSteer(0.25) IfMisplays>0&Turn<14:TellSteer(0.25)
IfMisplays>0&Turn<14:TellSteer(0.25,4) IfMisplays>0&Turn<14:PlayProbablySafe(0.4)
IfRepeats=0:PlayFirstHinted(1,0.2) IfRepeats=0:PlayFirstHinted(1,0.05)
IfRepeats=0:PlayFirstHinted(2,0) IfRepeats<2:PlayFirstHinted(1,0.3) PlayFirstHinted(1,0.4)
IfRepeats=0:PlayJustHinted(yes,no,1,0.2) IfRepeats=0:PlayJustHinted(yes,no,0,0.2)
TellToSave IfTokens>3:TellToSave TellMostInformation(new)
"""


def rule_set(name: str) -> tuple[str, ...]:
    """The genes of a set: 50 ``old``, 72 ``new``, 105 ``elites``, ``tamaya``, or of a file."""
    sizes = {"old": N_OLD, "new": N_NEW, "elites": N_ELITES}
    if name in sizes:
        return tuple(str(step) for step in gene_table()[: sizes[name]])
    if name == "tamaya":
        return (*rule_set("new"), *_OWN.split())
    path = Path(name)
    if not path.is_file():
        raise RuleListError(f"unknown rule set {name!r}: expected {', '.join(SETS)} or a file")
    lists = parse_rules(path.read_text(encoding="utf-8")).lists
    return tuple(dict.fromkeys(str(step) for steps in lists for step in steps))


def checked_genes(genes: Sequence[str]) -> tuple[str, ...]:
    """Genes in their usual spelling, at least two and all different."""
    texts = tuple(str(parse_step(gene)) for gene in genes)
    for text in texts:
        if texts.count(text) > 1:
            raise RuleListError(f"rule {text!r} is in the set twice")
    if len(texts) < 2:
        raise RuleListError("a rule set needs at least two rules")
    return texts
