"""The family of rule agents: a text becomes a program, a compiled loop runs it.

    rules:PlaySafeCard,IfLives>1:PlayProbablySafe(0.6),TellAnyoneAboutUsefulCard,DiscardOldestFirst
    path/to/agent.rules

If no rule applies, a faithful agent gives up, because the original program crashes there; with
``faithful=false`` it hints or discards at random.
"""

import re
from pathlib import Path
from typing import Any

import numpy as np

from tamaya.agent import Agent, AgentError, Params
from tamaya.agents.rules.conditions import holds_for, may_discard
from tamaya.agents.rules.discard_rules import discard_randomly
from tamaya.agents.rules.facts import note_facts
from tamaya.agents.rules.hint_rules import tell_randomly
from tamaya.agents.rules.language import (
    SIZES,
    RuleList,
    RuleListError,
    Step,
    parse_rules,
    step_of,
)
from tamaya.agents.rules.other_rules import legal_random
from tamaya.agents.rules.rule import DISCARDS, LINE, SCRATCH, TELLS
from tamaya.compiled import hot
from tamaya.dispatch import call_act
from tamaya.moves import GIVE_UP, NO_MOVE
from tamaya.records import record
from tamaya.registry import register
from tamaya.rules import MAX_PLAYERS

MAX_LINES = 320  # of all lists of an agent together
_SAYS = re.compile(r"^(name|source|description) *=(.*)$", re.MULTILINE)  # only in files

PROGRAM = record([
    ("faithful", np.int64),                 # give up where the original crashed
    ("ghosts", np.int64),                   # count own used cards as not seen, see note_facts
    ("first", np.int64, MAX_PLAYERS + 1),   # [players] -> first line of the list
    ("n", np.int64, MAX_PLAYERS + 1),       # [players] -> lines of the list
    ("measured", np.float64, 4),            # see tamaya.agents.rules.measured
    ("lines", LINE, MAX_LINES),
])  # fmt: skip

fallback_tell, fallback_discard, fallback_any = map(
    hot, (tell_randomly, discard_randomly, legal_random)
)


@hot
def is_admitted(view, memory, line):
    """Whether a rule is tried: by its kind, and by its conditions."""
    if line.gate == TELLS and view.tokens == 0:
        return False
    if line.gate == DISCARDS and not may_discard(view):
        return False
    return line.n_conditions == 0 or holds_for(view, memory, line)


@hot
def fall_back(view, memory, line):
    """The move when no rule applies: a hint, else a discard, else a random move."""
    move = NO_MOVE
    if view.tokens > 0:
        move = fallback_tell(view, memory, line)
    if move == NO_MOVE and may_discard(view):
        move = fallback_discard(view, memory, line)
    return fallback_any(view, memory, line) if move == NO_MOVE else move


@hot
def decide(view, memory, params):
    """The move of the first rule that applies; its index is stored in ``memory.fired``."""
    note_facts(view, memory, params.ghosts)
    first = params.first[view.players]
    for k in range(first, first + params.n[view.players]):
        line = params.lines[k]
        if is_admitted(view, memory, line):
            move = call_act(line.rule, view, memory, line)
            if move != NO_MOVE:
                memory.fired = k - first
                return move
    memory.fired = -1
    return GIVE_UP if params.faithful else fall_back(view, memory, params.lines[0])


def act(view, memory, params):
    """Makes the move of the first rule of a list that applies."""
    return decide(view, memory, params)


class RuleParams(Params):
    """Rule lists and how to run them."""

    def __init__(self, rules: RuleList, faithful: bool = True) -> None:
        super().__init__({"faithful": faithful, "ghosts": False})
        self.rules = rules

    def with_rules(self, rules: RuleList) -> "RuleParams":
        """Other lists, with the options that they name."""
        other = self.changed(dict(rules.options))
        other.rules = rules
        return other

    def record(self) -> np.ndarray:
        """The program that the interpreter runs."""
        program = program_of(self.rules, bool(self.values["faithful"]))
        program["ghosts"] = self.values["ghosts"]
        return program


class RuleAgent(Agent):
    """An agent that follows rule lists."""

    params: RuleParams

    def __init__(self, name: str, rules: RuleList | str, **options: Any) -> None:
        rules = parse_rules(rules) if isinstance(rules, str) else rules
        params = RuleParams(rules, bool(options.pop("faithful", True)))
        super().__init__(name, act, memory=SCRATCH, params=params, **options)
        self.explain_function = explain

    @property
    def rules(self) -> RuleList:
        """The lists, one per number of players."""
        return self.params.rules

    @property
    def description(self) -> str:
        """Its own description, else the number of its rules."""
        n_rules = max(len(steps) for steps in self.rules.lists)
        return self._description or f"Follows a list of {n_rules} rules."

    @property
    def identity(self) -> str:
        """The lists themselves, regardless of their file."""
        return f"{self.spec} {self.values} {self.rules}"

    def steps(self, players: int) -> tuple[Step, ...]:
        """The list for a number of players."""
        return self.rules.lists[SIZES.index(players)]


class AnyRules(RuleAgent):
    """The family ``rules:...`` itself, whose parameters are a rule list."""

    def with_text(self, text: str) -> Agent:
        """The agent of a rule list."""
        return self._variant(params=self.params.with_rules(parse_rules(text)), _description="")

    @property
    def spec(self) -> str:
        """The whole list, as commands accept it."""
        changed = [f",{key}={str(value).lower()}" for key, value in self.values.items()
                   if value != self.defaults[key]]  # fmt: skip
        return f"rules:{self.rules}{''.join(changed)}"


def program_of(rules: RuleList, faithful: bool) -> np.ndarray:
    """Rule lists in the interpreter's form; identical lists share their lines."""
    program = np.zeros(1, PROGRAM)
    program["faithful"] = faithful
    places: dict[tuple[Step, ...], int] = {}
    used = 0
    for players, steps in zip(SIZES, rules.lists, strict=True):
        if steps not in places:
            if used + len(steps) > MAX_LINES:
                raise RuleListError(f"more than {MAX_LINES} rules in the lists of one agent")
            for k, step in enumerate(steps):
                program["lines"][0, used + k] = step.line(faithful)[0]
            places[steps] = used
            used += len(steps)
        program["first"][0, players] = places[steps]
        program["n"][0, players] = len(steps)
    return program


def explain(view: np.record, memory: np.record, params: np.record) -> list[tuple[str, Any]]:
    """The rules before the one that makes the move, and that one."""
    scratch = np.zeros(1, memory.dtype)
    scratch[0] = memory
    decide(view, scratch[0], params)
    fired = int(scratch[0]["fired"])
    if fired < 0:
        return [("no rule applies", "")]
    lines = params["lines"][int(params["first"][int(view.players)]) :]
    return [
        (f"{k + 1} {step_of(lines[k])}", "applies" if k == fired else "does not apply")
        for k in range(fired + 1)
    ]


def rule_file(path: Path) -> RuleAgent:
    """The agent of a file of rules; errors name the file."""
    said: dict[str, str] = {}

    def note(option: re.Match[str]) -> str:
        said[option[1]] = option[2].strip()
        return ""

    try:
        # The description in a file extends to the end of the line, commas included.
        text = re.sub(_SAYS, note, path.read_text(encoding="utf-8"))
        rules = parse_rules(text)
        agent = RuleAgent(said.pop("name", path.stem), rules, files=[path], **said)
        agent.params = agent.params.preset(agent.name, dict(rules.options))
        return agent
    except OSError:
        raise AgentError(f"rule file {path} does not exist") from None
    except (AgentError, UnicodeDecodeError) as error:
        raise RuleListError(f"rule file {path}: {error}") from None


register(
    AnyRules(
        "rules",
        "PlaySafeCard,TellAnyoneAboutUsefulCard,OsawaDiscard,DiscardOldestFirst,TellRandomly",
        source="Canaan 2018",
        description="Follows your own list of rules, as in rules:PlaySafeCard,TellRandomly.",
    )
)
