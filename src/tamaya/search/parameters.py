"""One vocabulary for the parameters of all search agents.

    blueprint   the agent that moves in imagined games, in brackets if it has commas or colons
    samples     budget of a decision; ms, if not 0, limits it in milliseconds instead
    margin      points by which another move must beat the blueprint's
    errors      and standard errors of the difference, also used to drop moves
    trust       that team-mates follow the blueprint, 0 to 1; recent, over how many last moves
    rollout     plies that the blueprint plays on
    keep        imagined bomb-outs keep their points, whatever the rules say

Each agent declares those it supports, and its own. Earlier names are accepted everywhere.
"""

from collections.abc import Callable, Mapping
from typing import Any

from tamaya.agent import Value
from tamaya.search.blueprint import BlueprintAgent, Nested, blueprint_agent

LEAST: dict[str, Value] = {
    "samples": 1, "ms": 0.0, "margin": 0.0, "errors": 0.0, "trust": 0.0, "recent": 0,
    "rollout": 0, "depth": 0, "c": 0.0, "stretch": 1, "hints": 0, "replies": 0,
}  # fmt: skip
MOST: dict[str, Value] = {
    "samples": 10**9, "ms": 86_400_000.0, "margin": 1000.0, "errors": 100.0, "trust": 1.0,
    "recent": 1000, "rollout": 1000, "depth": 100, "c": 1000.0, "stretch": 100, "hints": 2,
    "replies": 10**6,
}  # fmt: skip
ALIASES = {"policy": "blueprint", "iterations": "samples", "delta": "margin"}


def search_agent(
    name: str,
    *,
    params: Mapping[str, Value],
    nested: Mapping[str, Nested] | None = None,
    most: Mapping[str, Value] | None = None,
    source: str = "",
) -> Callable[[Callable[..., Any]], BlueprintAgent]:
    """Turn an ``act`` function into a search agent and register it; ``most`` replaces bounds."""
    known = {*params, *(nested or {})}
    return blueprint_agent(
        name,
        nested=nested or {},
        params=params,
        source=source,
        slow=True,
        least={key: value for key, value in LEAST.items() if key in known},
        most={**{key: value for key, value in MOST.items() if key in known}, **(most or {})},
        aliases={old: new for old, new in ALIASES.items() if new in known},
    )
