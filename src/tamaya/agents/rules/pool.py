"""The agents of the competition framework, and its evolved ones, as rule lists."""

from tamaya.agents.rules.family import RuleAgent
from tamaya.agents.rules.genes import chromosome_text
from tamaya.registry import register

WR, CANAAN, ELITES = "Walton-Rivers 2017", "Canaan 2018", "Canaan 2019"
_VAN_DEN_BERGH = "IfLives>1:PlayProbablySafe(0.6),IfLives<=1:PlaySafeCard,DiscardProbablyUseless(1)"
_INTERNAL = "PlaySafeCard,OsawaDiscard,TellPlayableCard,TellRandomly,DiscardRandomly"

LISTS: dict[str, tuple[str, str]] = {
    "iggi": (
        WR,
        "PlayIfCertain,PlaySafeCard,TellAnyoneAboutUsefulCard,OsawaDiscard,DiscardOldestFirst,"
        "TellRandomly",
    ),
    "internal": (WR, _INTERNAL),
    "outer": (WR, "PlaySafeCard,OsawaDiscard,TellPlayableCardOuter,TellUnknown,DiscardRandomly"),
    "legal-random": (WR, "LegalRandom"),
    "van-den-bergh": (
        WR,
        f"{_VAN_DEN_BERGH},TellAnyoneAboutUsefulCard,TellMostInformation(new),"
        "DiscardProbablyUseless(0)",
    ),
    "flawed": (
        WR,
        "PlaySafeCard,PlayProbablySafe(0.25),TellRandomly,OsawaDiscard,DiscardOldestFirst,"
        "DiscardRandomly",
    ),
    "piers": (
        WR,
        "IfHailMary:PlayProbablySafe(0),PlaySafeCard,IfLives>1:PlayProbablySafe(0.6),"
        "TellAnyoneAboutUsefulCard,IfTokens<4:TellDispensable,OsawaDiscard,DiscardOldestFirst,"
        "TellRandomly,DiscardRandomly",
    ),
    # As the paper's own code ran them: pool C.
    "iggi-c": (
        CANAAN,
        "PlayIfCertain,PlaySafeCard,TellAnyoneAboutUsefulCard,OsawaDiscard,DiscardOldestFirst,"
        "LegalRandom",
    ),
    "van-den-bergh-c": (
        CANAAN,
        f"{_VAN_DEN_BERGH},TellAnyoneAboutUsefulCard,TellAnyoneAboutUselessCard,"
        "TellMostInformation,DiscardProbablyUseless(0)",
    ),
    "sample": (WR, "PlaySafeCard,TellRandomly,DiscardRandomly"),
    # Others of the framework.
    "cautious": (
        WR,
        "PlayIfCertain,PlaySafeCard,TellAnyoneAboutUsefulCard,OsawaDiscard,DiscardRandomly,"
        "TellRandomly",
    ),
    "risky": (
        WR,
        "PlayIfCertain,PlayProbablySafe(0.75),TellAnyoneAboutUsefulCard,OsawaDiscard,"
        "DiscardOldestFirst",
    ),
    "iggi-2": (
        WR,
        "IfHailMary:PlayProbablySafe(0),PlayIfCertain,PlaySafeCard,IfLives>1:PlayProbablySafe(0.6),"
        "OsawaDiscard,TellAnyoneAboutOldestUsefulCard,CompleteTellUsefulCard,"
        "DiscardOldestNoInfoFirst,DiscardOldestFirst,TellMostInformation(new),TellRandomly",
    ),
    "clivej": (
        WR,
        "TryToUnBlock,PlaySafeCard,TellIllInformed,OsawaDiscard,CompleteTellUsefulCard,"
        "TellAnyoneAboutUsefulCard,TellAnyoneAboutUselessCard,TellMostInformation(new),"
        "DiscardUnidentifiedCard,DiscardHighest",
    ),
    "self-recognition": (
        WR,
        "PlayIfCertain,DiscardIfCertain,TellPlayableCardOuter,TellUnknown,DiscardRandomly",
    ),
    "osawa-random": ("Osawa 2015", "OsawaRandom"),
}

# Genes as published, by numbers of players.
CHROMOSOMES: dict[str, tuple[str, dict[str, str]]] = {
    "mirror-old": (CANAAN, {"2-5":
        "46,8,2,13,25,38,1,36,27,26,12,17,14,11,48,19,15,3,10,33,30,34,44,29,49,6,28,47,37,39,9,43,"
        "45,42,21,22,24,23,35,20,4,40,41,7,32,0,5,31,16,18"}),
    "mixed-old": (CANAAN, {"2-5":
        "47,46,13,10,8,32,36,27,15,22,31,41,21,18,35,28,9,49,14,39,24,5,0,7,1,29,23,20,37,43,17,42,"
        "30,12,2,40,4,6,26,33,11,45,3,16,19,38,44,25,34,48"}),
    "mirror-situational": (CANAAN, {
        "2":
        "68,7,63,8,67,66,52,35,36,51,33,13,54,16,48,37,69,19,4,5,44,61,27,49,34,39,18,46,0,59,65,29,"
        "3,23,70,24,58,38,42,32,6,56,9,14,41,30,11,45,43,21,2,15,1,50,26,62,28,57,22,64,20,10,31,55,"
        "40,47,60,71,17,53,12,25",
        "3-5":
        "63,41,50,7,67,29,32,0,39,35,54,38,13,45,16,40,55,19,46,12,58,25,24,14,56,49,61,28,44,2,53,"
        "20,60,27,43,66,68,33,15,23,1,3,71,30,21,69,52,59,6,36,31,51,9,11,37,17,10,5,70,62,42,22,8,"
        "48,18,34,65,4,47,26,64,57"}),
    "mixed-situational": (CANAAN, {
        "2": "67,69,62,57,46,8,33,36,19,44,54,26",
        "3-5": "46,10,7,67,45,29,4,71,17,43,19"}),
    "nyu-game-lab": (ELITES, {
        "2": "67,103,7,35,101,52,77,53,16,28,23,27,37,43,101",
        "3": "7,50,59,67,0,36,24,97,52,69,23,72,3,28,31",
        "4": "8,54,50,60,46,68,58,1,29,41,93,95,71,3,94",
        "5": "64,50,58,7,25,68,21,29,30,54,99,28,31,14,71"}),
}  # fmt: skip

DESCRIPTIONS = {
    "iggi": "Plays safe cards, tells others about useful ones, discards the oldest.",
    "internal": "Plays safe cards, discards useless ones, tells the next seat about playable ones.",
    "outer": "Like internal, but tells what is not known yet.",
    "legal-random": "Plays any legal move, all equally likely.",
    "van-den-bergh": "Plays likely cards while it has lives, discards what is most likely useless.",
    "flawed": "Plays cards that are playable with a probability of one in four.",
    "piers": "IGGI with likelier plays while it has lives and hints of useless cards.",
    "iggi-c": "IGGI with a random move at the end, as in the pool of Canaan et al.",
    "van-den-bergh-c": "Van den Bergh with other hints, as in the pool of Canaan et al.",
    "sample": "Plays safe cards, otherwise tells and discards at random.",
    "cautious": "IGGI that discards at random.",
    "risky": "Plays cards that are playable with a probability of three in four.",
    "iggi-2": "IGGI that completes hints and discards what it knows nothing about.",
    "clivej": "Keeps tokens flowing, informs those who know least.",
    "self-recognition": "Acts only on cards it knows completely.",
    "osawa-random": "Three hints, four discards and three plays in ten moves, legal or not.",
}

for _name, (_source, _text) in LISTS.items():
    register(RuleAgent(_name, _text, source=_source, description=DESCRIPTIONS[_name],
                       files=[__file__]))  # fmt: skip

for _name, (_source, _genes) in CHROMOSOMES.items():
    _lists = ",".join(f"[{_size}]{chromosome_text(_text)}" for _size, _text in _genes.items())
    register(RuleAgent(_name, _lists, source=_source, description="An evolved list, as published.",
                       files=[__file__]))  # fmt: skip
