"""Which agents take part: named pools of partners, lists of agents, and suitable rules.

``W`` is the pool of Walton-Rivers et al. 2017, ``C`` that of Canaan et al. 2018 as it was run.
"""

from collections.abc import Sequence
from typing import Any

from tamaya.lookup import agent_file, all_agents, find_agent
from tamaya.player import AgentError, Player
from tamaya.rules import Rules

_WALTON_RIVERS = (
    "iggi",
    "internal",
    "outer",
    "legal-random",
    "van-den-bergh",
    "flawed",
    "piers",
)

POOLS: dict[str, tuple[str, ...]] = {
    "W": _WALTON_RIVERS,
    # With the card-counting bug of the framework's first version, which the 2017 figures contain.
    "W-2017": tuple(f"{name}:ghosts=true" for name in _WALTON_RIVERS),
    # The labels were mixed up: "Internal" was a sample agent, and "Outer" was Internal.
    "C": ("iggi-c", "sample", "internal", "legal-random", "van-den-bergh-c", "flawed", "piers"),
}


def pool_of(text: str, tables: Sequence[Rules] = ()) -> tuple[str, ...]:
    """Agents of a named pool, of a list such as ``random,example``, or ``all``.

    ``all`` omits slow agents and those that do not suit every one of the tables; a list may contain
    it, as ``all,adaptive`` does. Separate agents with spaces if their parameters contain commas.
    A name may not occur twice in a list, but ``all`` may stand next to agents that it contains:
    they take part once.
    """
    if not text.strip():
        raise AgentError("the pool is empty: it needs W, C, all, or a list of agents")
    named = POOLS.get(text) or (text.split() if " " in text else text.split(","))
    _check_distinct(named)
    if "all" not in named:
        return checked_agents(named)
    quick = [
        player.name
        for player in all_agents()
        if not player.is_slow and all(suits(player, rules) for rules in tables)
    ]
    others = [name for name in named if name != "all" and name not in quick]
    return checked_agents([*quick, *others])


def pool_text(names: Sequence[str]) -> str:
    """A list of agents as ``pool_of`` reads it."""
    if any("," in name for name in names):
        return " ".join(names) + (" " if len(names) == 1 else "")
    return ",".join(names)


def checked_agents(names: Sequence[str]) -> tuple[str, ...]:
    """Agents, checked to exist and to be named once each."""
    for name in names:
        find_agent(name)
    _check_distinct(names)
    if not names:
        raise AgentError("a pool needs at least one agent")
    return tuple(names)


def _check_distinct(names: Sequence[str]) -> None:
    for name in names:
        if list(names).count(name) > 1:
            raise AgentError(f"agent {name!r} is named twice" if name != "all" else
                             "a pool names 'all' twice")  # fmt: skip


def suits(player: Player, rules: Rules) -> bool:
    """Whether an agent supports the number of players and is made for these rules."""
    return player.plays_with(rules.players) and not unmet_rules(player, rules)


def unmet_rules(player: Player, rules: Rules) -> dict[str, Any]:
    """The rules that an agent is made for, where they differ from these."""
    return {name: value for name, value in player.made_for.items() if getattr(rules, name) != value}


def packaged_agent(text: str) -> Player | None:
    """The agent of a text if it is known without running a user's file."""
    if agent_file(text) is not None:
        return None
    try:
        return find_agent(text)
    except AgentError:
        return None
