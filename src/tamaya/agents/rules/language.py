"""The language of rule lists.

    PlaySafeCard, IfLives>1:PlayProbablySafe(0.6), PlayJustHinted(single=yes, lives=2), LegalRandom
    faithful=false, [2] TellUnambiguous(no), ... [3-5] PlaySafeCard, ...

A list is rules separated by commas or new lines. A rule has positional or named arguments, and may
be preceded by conditions. ``[2]`` or ``[3-5]`` begins the list for those numbers of players.
``faithful=false`` fixes the bugs of the original programs. ``#`` begins a comment.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from math import isfinite

import numpy as np

from tamaya.agent import AgentError, parse_players
from tamaya.agents.rules.conditions import FIELDS, HAIL_MARY, RELATIONS
from tamaya.agents.rules.rule import LINE, MAX_CONDITIONS, RULES, Rule, rule_at
from tamaya.rules import MAX_PLAYERS

ALIASES = {
    "PlayProbablySafeCard": "PlayProbablySafe",
    "DiscardProbablyUselessCard": "DiscardProbablyUseless",
    "TellUnambiguous1": "TellUnambiguous",
}
SIZES = tuple(range(2, MAX_PLAYERS + 1))
_CONDITION = re.compile(r"([A-Za-z]+)\s*(<=|>=|!=|<|>|=)\s*(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)")
# Rule lists may come from untrusted users: no pattern may take more than linear time.
_MARK = re.compile(r"[,\n]+|[()]")
_OPTION = re.compile(r"(?!if[^:]*:)([a-z_]+)\s*+=\s*+(.*)")  # but no condition in small letters
_SECTION = re.compile(r"\[([^\[\]]*)\]")


class RuleListError(AgentError):
    """A text that is not a rule list; names the token."""


@dataclass(frozen=True)
class Condition:
    """A comparison of public information with a number."""

    field: int
    relation: int = 0
    bound: float = 0.0

    def __str__(self) -> str:
        if self.field == HAIL_MARY:
            return "HailMary"
        return (
            f"{FIELDS[self.field].capitalize()}{RELATIONS[self.relation]}{_number_text(self.bound)}"
        )


@dataclass(frozen=True)
class Step:
    """One entry of a rule list: a rule, its arguments, and its conditions."""

    rule: Rule
    arguments: tuple[float, ...]
    conditions: tuple[Condition, ...] = ()

    def __str__(self) -> str:
        given = list(zip(self.rule.parameters.values(), self.arguments, strict=True))
        while given and float(given[-1][0]) == given[-1][1]:
            given.pop()
        texts = [_argument_text(default, value) for default, value in given]
        brackets = f"({','.join(texts)})" if texts else ""
        when = f"If{'&'.join(map(str, self.conditions))}:" if self.conditions else ""
        return when + self.rule.name + brackets

    def line(self, faithful: bool) -> np.ndarray:
        """The step in the interpreter's form; compiles the rule."""
        line = np.zeros(1, LINE)
        line["rule"] = self.rule.address()
        line["gate"] = self.rule.gate
        line["faithful"] = faithful
        line["n_conditions"] = len(self.conditions)
        for k, condition in enumerate(self.conditions):
            line["field"][0, k] = condition.field
            line["relation"][0, k] = condition.relation
            line["bound"][0, k] = condition.bound
        line["args"][0, : len(self.arguments)] = self.arguments
        return line


def step_of(line: np.record) -> Step:
    """The step of a line of a program."""
    rule = rule_at(int(line["rule"]))
    conditions = tuple(
        Condition(int(line["field"][k]), int(line["relation"][k]), float(line["bound"][k]))
        for k in range(int(line["n_conditions"]))
    )
    return Step(rule, tuple(line["args"][: len(rule.parameters)].tolist()), conditions)


def _argument_text(default: float | int | bool, value: float) -> str:
    if isinstance(default, bool):
        return "yes" if value else "no"
    return _number_text(value)


def _number_text(value: float) -> str:
    """A number that is read back exactly, without a point if it is whole."""
    return str(int(value)) if value == int(value) else repr(value)


Steps = tuple[Step, ...]


@dataclass(frozen=True)
class RuleList:
    """Rule lists by number of players, and the options given with them."""

    lists: tuple[Steps, ...]  # for 2, 3, 4 and 5 players
    options: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        if len(set(self.lists)) == 1:
            return steps_text(self.lists[0])
        parts = []
        start = 0
        for k in range(1, len(SIZES) + 1):
            if k == len(SIZES) or self.lists[k] != self.lists[start]:
                sizes = f"{SIZES[start]}-{SIZES[k - 1]}" if k - 1 > start else f"{SIZES[start]}"
                parts.append(f"[{sizes}]" + steps_text(self.lists[start]))
                start = k
        return ",".join(parts)


def steps_text(steps: Sequence[Step]) -> str:
    """Steps in one line."""
    return ",".join(map(str, steps))


def parse_rules(text: str) -> RuleList:
    """The rule lists of a text; RuleListError names the bad token and the nearest rule."""
    text = re.sub(r"#[^\n]*", "", text)
    lists: dict[int, Steps] = {}
    options: list[tuple[str, str]] = []
    for sizes, body in _sections(text):
        steps = []
        for item in _items(body):
            if option := _OPTION.fullmatch(item):
                options.append((option[1], option[2].strip()))
            else:
                steps.append(parse_step(item))
        if sizes is None:
            if steps:
                lists.update(dict.fromkeys(SIZES, tuple(steps)))
            continue
        for size in sizes:
            if size in lists:
                raise RuleListError(f"two rule lists for {size} players")
            lists[size] = tuple(steps)
    missing = [size for size in SIZES if not lists.get(size)]
    if missing:
        raise RuleListError(f"no rules for {missing[0]} players" if lists else "no rules at all")
    return RuleList(tuple(lists[size] for size in SIZES), tuple(options))


def _sections(text: str) -> Iterator[tuple[Sequence[int] | None, str]]:
    """Numbers of players and the text of their list; None for what comes before the first."""
    parts = _SECTION.split(text)
    if len(parts) > 1 and not all(_OPTION.fullmatch(item) for item in _items(parts[0])):
        raise RuleListError(f"rules before the first section: {parts[0].strip()!r}")
    yield None, parts[0]
    for head, body in zip(parts[1::2], parts[2::2], strict=True):
        try:
            low, high = parse_players(head.removesuffix("players").strip())
        except AgentError:
            raise RuleListError(
                f"[{head}] is not a number of players: expected [2], or a range like [3-5]"
            ) from None
        yield range(low, high + 1), body


def _items(text: str) -> list[str]:
    """The parts between commas and line ends, except those inside brackets."""
    items, end, is_inside = list[str](), len(text), False
    for mark in reversed(list(_MARK.finditer(text))):
        if mark[0] in "()":
            is_inside = mark[0] == ")"
        elif not is_inside:
            items.append(text[mark.end() : end])
            end = mark.start()
    items.append(text[:end])
    return [item.strip() for item in reversed(items) if item.strip()]


def parse_step(text: str) -> Step:
    """One rule with its arguments and conditions."""
    conditions: tuple[Condition, ...] = ()
    body = text
    if re.match(r"(?i)if", text) and ":" in text:
        head, _, body = text.partition(":")
        conditions = tuple(_parse_condition(part, text) for part in head[2:].split("&"))
        if len(conditions) > MAX_CONDITIONS:
            raise RuleListError(f"{text!r} has more than {MAX_CONDITIONS} conditions")
    shape = re.fullmatch(r"\s*([A-Za-z][A-Za-z0-9]*)\s*(?:\((.*)\))?\s*", body, re.DOTALL)
    if shape is None:
        raise RuleListError(f"{body.strip()!r} is not a rule: expected Name or Name(arguments)")
    rule = find_rule(shape[1])
    return Step(rule, _parse_arguments(rule, shape[2] or "", text), conditions)


def find_rule(name: str) -> Rule:
    """The rule with a name, ignoring case; the error suggests the nearest."""
    from tamaya.agents.rules import library  # noqa: F401  (fills RULES)

    known = {other.lower(): other for other in (*RULES, *ALIASES)}
    found = known.get(name.lower())
    if found is None:
        close = get_close_matches(name.lower(), known, 1, 0.5)
        hint = f", did you mean {known[close[0]]!r}?" if close else "; `tamaya rules` lists all"
        raise RuleListError(f"unknown rule {name!r}{hint}")
    return RULES[ALIASES.get(found, found)]


def _parse_condition(text: str, whole: str) -> Condition:
    text = text.strip()
    if text.lower() == "hailmary":
        return Condition(HAIL_MARY)
    shape = _CONDITION.fullmatch(text)
    name = shape[1].lower() if shape else ""
    if shape is None or name not in FIELDS[:HAIL_MARY]:
        fields = ", ".join(field.capitalize() for field in FIELDS[:HAIL_MARY])
        raise RuleListError(
            f"{text!r} in {whole!r} is not a condition: expected HailMary, or one of {fields} "
            f"compared with a number"
        )
    bound = float(shape[3])
    if not isfinite(bound):
        raise RuleListError(f"{shape[3][:20]!r} in {text[:40]!r} is too large a number")
    return Condition(FIELDS.index(name), RELATIONS.index(shape[2]), bound)


def _parse_arguments(rule: Rule, text: str, whole: str) -> tuple[float, ...]:
    """Positional or named arguments; a truth value may be given by its name alone."""
    values = {name: float(default) for name, default in rule.parameters.items()}
    names = list(values)
    given: set[str] = set()
    for place, item in enumerate(filter(None, map(str.strip, text.split(",")))):
        name, equals, value = (part.strip() for part in item.partition("="))
        if not equals and isinstance(rule.parameters.get(name), bool):
            value = "yes"
        elif not equals:
            if place >= len(names):
                takes = ", ".join(names) or "no arguments"
                raise RuleListError(f"{item!r} in {whole!r} is too much: {rule.name} takes {takes}")
            name, value = names[place], item
        if name not in values:
            known = ", ".join(names) or "none"
            raise RuleListError(f"{rule.name} has no argument {name!r} (in {whole!r}): "
                                f"it has {known}")  # fmt: skip
        if name in given:
            raise RuleListError(f"{name!r} is given twice in {whole!r}")
        given.add(name)
        values[name] = _number(rule, name, value, whole)
    return tuple(values.values())


def _number(rule: Rule, name: str, text: str, whole: str) -> float:
    default = rule.parameters[name]
    if isinstance(default, bool):
        truth = {"yes": 1.0, "true": 1.0, "1": 1.0, "no": 0.0, "false": 0.0, "0": 0.0}
        if text.lower() in truth:
            return truth[text.lower()]
        raise RuleListError(f"{text!r} in {whole!r} must be yes or no ({name} of {rule.name})")
    try:
        value = float(int(text) if isinstance(default, int) else float(text))
        if not isfinite(value):
            raise ValueError
        return value
    except (ValueError, OverflowError):
        kind = "a whole number" if isinstance(default, int) else "a number"
        raise RuleListError(
            f"{text!r} in {whole!r} must be {kind} ({name} of {rule.name})"
        ) from None
