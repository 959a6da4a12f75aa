"""How strong agents are, from the results in the store only; unmeasured figures are omitted.

Self-play under the standard rules counts, by table size; of several results the one with the most
games, of equal ones the newest.
"""

from typing import Any

from tamaya.arena.protocols import UnreadableResult, read_result
from tamaya.arena.protocols.selfplay import PROTOCOL, Result
from tamaya.arena.tally import without_nan
from tamaya.rules import Rules
from tamaya.store.database import Store

Strength = dict[str, dict[str, Any]]  # by table size


def strengths_in(store: Store) -> dict[str, Strength]:
    """Mean score, standard error and games of agents, by name and table size."""
    found: dict[str, Strength] = {}
    for stored in store.results(PROTOCOL.name):
        try:
            result = read_result(stored)
        except UnreadableResult:
            continue
        assert isinstance(result, Result)
        for rules, summary in zip(result.tables, result.summaries, strict=True):
            if rules != Rules(players=rules.players):
                continue
            sizes = found.setdefault(result.config.agent, {})
            known = sizes.get(str(rules.players))
            if known is None or summary.games >= known["games"]:
                row = {"mean": summary.mean, "se": summary.se, "games": summary.games}
                sizes[str(rules.players)] = without_nan(row)
    return found
