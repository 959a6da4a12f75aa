"""Named pools of partners: the seven agents of the competition papers, as lists of specs.

``W`` is the pool of Walton-Rivers et al. 2017, ``C`` that of Canaan et al. 2018 as it was run.
"""

from collections.abc import Sequence

from tamaya.agent import AgentError
from tamaya.registry import all_agents, find_agent

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
    # With the card-counting fault of the framework's first version, as the numbers of 2017 have it.
    "W-2017": tuple(f"{name}:ghosts=true" for name in _WALTON_RIVERS),
    # Labels were mixed up: what is called Internal was a sample agent, and Outer was Internal.
    "C": ("iggi-c", "sample", "internal", "legal-random", "van-den-bergh-c", "flawed", "piers"),
}


def pool_of(text: str) -> tuple[str, ...]:
    """Agents of a named pool, of a list such as ``random,example``, or ``all`` but the slow ones.

    Parameters of an agent contain commas too; separate agents with spaces then.
    """
    if text == "all":
        return tuple(p.name for p in all_agents() if not getattr(p, "is_slow", False))
    return checked_agents(POOLS.get(text) or (text.split() if " " in text else text.split(",")))


def checked_agents(names: Sequence[str]) -> tuple[str, ...]:
    """Agents that exist and are named once each."""
    for name in names:
        find_agent(name)
        if list(names).count(name) > 1:
            raise AgentError(f"agent {name!r} is named twice")
    if not names:
        raise AgentError("a pool needs at least one agent")
    return tuple(names)
