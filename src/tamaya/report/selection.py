"""Which figures of the store a report shows: the newest of each kind.

A *figure* is one thing to show with the result it comes from. Self-play and ad-hoc results hold
several, one per number of players or partner, and each is replaced by a newer one on its own.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from tamaya.rules import Rules

Result = dict[str, Any]  # a row of the store: id, protocol, name, config, document, ...

_SUMMARY = ("games", "mean", "se", "sd", "perfect", "perfect_interval", "bombed",
            "mean_points_kept", "histogram")  # fmt: skip
_COMPARISON = ("games", "mean", "other", "difference", "se")
_CROSSTABLE = ("agents", "games", "seed", "means", "errors", "statistics")
_EVALUATION = ("games_per_cell", "mean", "se", "by_players", "cells", "partners", "seed")
_TEAM = ("partner", "trials", "mean", "se", "bombed", "prepared", "partner_selfplay", "seed")
_BEHAVIOUR = ("counts", "labels", "conditional", "marginal", "rates", "turns_per_game",
              "hints_per_game", "play_success", "lives_lost_per_game", "playable_hint_precision",
              "touched_playable", "discarded_critical_per_game", "seed")  # fmt: skip
_CURVE = ("name", "algorithm", "preset", "rules", "seed", "turns", "cpu_seconds", "points", "best",
          "test")  # fmt: skip
_REPRODUCED = ("row", "players", "hand_size", "published", "measured", "se", "games", "z", "status")


@dataclass(frozen=True)
class Figure:
    """Something to show: its data, the table it was played at, and the result that holds it."""

    result: Result
    players: int  # 0 where several or none
    rules: str  # what differs from the standard rules, without the number of players
    max_score: int
    data: dict[str, Any]


@dataclass
class Selection:
    """Figures by the section that shows them, and the results that no section can show."""

    selfplay: list[Figure] = field(default_factory=list)
    comparisons: list[Figure] = field(default_factory=list)
    crosstables: list[Figure] = field(default_factory=list)
    mixed: list[Figure] = field(default_factory=list)
    adhoc: list[Figure] = field(default_factory=list)
    behaviour: list[Figure] = field(default_factory=list)
    training: list[Figure] = field(default_factory=list)
    reproduced: list[Figure] = field(default_factory=list)
    unread: list[tuple[Result, str]] = field(default_factory=list)  # with the reason


def select(results: Sequence[Result]) -> Selection:
    """The newest figure of every kind, from results in the order of their making."""
    selection = Selection()
    chosen: dict[str, dict[tuple, Figure]] = {}
    for result in results:
        reader = _READERS.get(result["protocol"])
        if reader is None:
            selection.unread.append((result, "the report has no section for this protocol"))
            continue
        try:
            found = list(reader(result))
        except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
            selection.unread.append((result, f"not understood: {type(error).__name__} {error}"))
            continue
        for kind, key, figure in found:
            chosen.setdefault(kind, {})[key] = figure
    for kind, figures in chosen.items():
        setattr(selection, kind, list(figures.values()))
    selection.crosstables = _without_parts(selection.crosstables)
    return selection


def rule_text(rules: Rules) -> str:
    """What differs from the standard rules; empty if nothing does."""
    usual = Rules(players=rules.players)
    hidden = {"players", "hand_size"} if rules.hand_size == usual.hand_size else {"players"}
    parts = rules.to_text().split()
    return " ".join(part for part in parts if part.partition("=")[0] not in hidden)


_Found = Iterator[tuple[str, tuple, Figure]]


def _figure(result: Result, rules: Rules, data: dict[str, Any], needed: tuple[str, ...]) -> Figure:
    """A figure whose data have everything that its section will ask for."""
    missing = [key for key in needed if key not in data]
    if missing:
        raise KeyError(", ".join(missing))
    return Figure(result, rules.players, rule_text(rules), rules.max_score, data)


def _selfplay(result: Result) -> _Found:
    document = result["document"]
    agent, options = document["agent"], document["rules"]
    against = result["config"].get("against", "")
    sizes = {}
    for row in document["results"]:
        sizes[row["players"]] = row["hand_size"]
        rules = Rules(players=row["players"], hand_size=row["hand_size"], **options)
        data = {**row, "agent": agent, "seed": document["seed"]}
        figure = _figure(result, rules, data, _SUMMARY)
        yield "selfplay", (agent, rules), figure
    for row in document.get("comparisons", ()):
        rules = Rules(players=row["players"], hand_size=sizes[row["players"]], **options)
        data = {**row, "agent": agent, "against": against, "seed": document["seed"]}
        yield "comparisons", (agent, against, rules), _figure(result, rules, data, _COMPARISON)


def _crossplay(result: Result) -> _Found:
    document = result["document"]
    rules = Rules.from_mapping(document["rules"])
    figure = _figure(result, rules, document, _CROSSTABLE)
    yield "crosstables", (frozenset(document["agents"]), rules), figure


def _mixed(result: Result) -> _Found:
    document = result["document"]
    rules = Rules.parse(document["rules"])
    for part in ("mirror", "mixed"):
        _figure(result, rules, document[part], _EVALUATION)
    sizes = tuple(row["players"] for row in document["mirror"]["by_players"])
    text = rule_text(rules)
    figure = Figure(result, 0, text, rules.max_score, document)
    yield "mixed", (document["agent"], document["pool"], sizes, text), figure


def _adhoc(result: Result) -> _Found:
    for team in result["document"]["teams"]:
        rules = Rules.from_mapping(team["rules"])
        yield "adhoc", (team["agent"], team["partner"], rules), _figure(result, rules, team, _TEAM)


def _behaviour(result: Result) -> _Found:
    document = result["document"]
    rules = Rules.from_mapping(document["rules"])
    figure = _figure(result, rules, document, _BEHAVIOUR)
    yield "behaviour", (document["agent"], rules), figure


def _training(result: Result) -> _Found:
    for curve in result["document"]["curves"]:
        rules = Rules.parse(curve["rules"])
        key = curve["name"], curve["algorithm"], curve["seed"], rules
        yield "training", key, _figure(result, rules, curve, _CURVE)


def _reproduce(result: Result) -> _Found:
    document = result["document"]
    for row in document["rows"]:
        missing = [key for key in _REPRODUCED if key not in row]
        if missing:
            raise KeyError(", ".join(missing))
    yield "reproduced", (document["table"],), Figure(result, 0, "", 25, document)


_READERS: dict[str, Callable[[Result], _Found]] = {
    "selfplay": _selfplay,
    "crossplay": _crossplay,
    "mixed": _mixed,
    "adhoc": _adhoc,
    "behaviour": _behaviour,
    "training": _training,
    "reproduce": _reproduce,
}


def _without_parts(tables: list[Figure]) -> list[Figure]:
    """Crosstables without those whose agents are all in a newer one under the same rules."""

    def is_part(table: Figure, other: Figure) -> bool:
        return (
            other.result["id"] > table.result["id"]
            and (other.players, other.rules) == (table.players, table.rules)
            and set(table.data["agents"]) <= set(other.data["agents"])
        )

    return [table for table in tables if not any(is_part(table, other) for other in tables)]
