"""Families of agents: which agents are variants of one idea.

What is measured with unknown partners leaves out a whole family, because the variants of a partner
play nearly as it does. An agent that is not listed belongs to the family whose name its own name
begins with, as ``sparta-40ms`` does, or else to a family of its own.
"""

from collections.abc import Collection
from functools import cache

from tamaya.agent import Agent
from tamaya.player import AgentError
from tamaya.registry import find_agent

FAMILIES: dict[str, tuple[str, ...]] = {
    "basic": ("random", "first-legal", "example", "legal-random", "osawa-random"),
    "osawa": ("internal", "outer", "self-recognition"),
    "iggi": ("iggi", "iggi-2", "iggi-c", "rules", "cautious", "piers", "sample", "risky", "clivej"),
    "van-den-bergh": ("van-den-bergh", "van-den-bergh-c", "flawed", "bergh-2015",
                      "bergh-2015-mc"),
    "evolved": ("mirror-old", "mirror-situational", "mixed-old", "mixed-situational",
                "nyu-game-lab"),
    "tamaya": ("tamaya-mirror", "tamaya-mixed"),
    "bouzy": ("certainty", "confidence"),
    "hat": ("hatbot", "hat-recommendation", "hat-information", "cox-information"),
    "information": ("wtfwthat", "wtfwthat-2018", "information"),
    "smartbot": ("smartbot", "smartbot-refined"),
    "fireflower": ("fireflower", "fireflower-careful"),
    "ppo": ("ppo",),
    "rainbow": ("rainbow",),
    "acha": ("acha",),
    "eger": (),
    "human": (),
    "seer": ("seer-recommendation", "seer-information"),
    "search": ("search",),
    "flat-mc": ("flat-mc",),
    "mcts": ("mcts",),
    "predictor-mcts": ("predictor-mcts",),
    "ris-mcts": ("ris-mcts",),
    "sparta": ("sparta",),
    "adaptive": ("adaptive",),
}  # fmt: skip

CODES = ("hat", "information")  # families whose hints do not mean what they say
SAME = {"rules": "iggi"}  # agents that by default are another one
FAMILY_OF = {name: family for family, names in FAMILIES.items() for name in names}


def family_of(text: str) -> str:
    """The family of the agent of a text; parameters make no difference."""
    name = text.partition(":")[0]
    if name in FAMILY_OF:
        return FAMILY_OF[name]
    fitting = [family for family in FAMILIES if name == family or name.startswith(f"{family}-")]
    return max(fitting, key=len, default=name)


def checked_families(names: Collection[str]) -> tuple[str, ...]:
    """Names of families in order, after a check that they exist."""
    for name in names:
        if name not in FAMILIES:
            raise AgentError(f"there is no family {name!r}: families are {', '.join(FAMILIES)}")
    return tuple(family for family in FAMILIES if family in names)


@cache
def library(players: int, without: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The agents that can be recognised at a table: quick ones made for the standard rules.

    Those that are the same as another one are left out.
    """
    found = []
    for name, family in FAMILY_OF.items():
        if family in without or name in SAME or name == "adaptive":
            continue
        player = find_agent(name)
        is_quick = isinstance(player, Agent) and not player.is_slow
        if is_quick and player.plays_with(players) and not player.made_for:
            found.append(name)
    return tuple(found)
