"""Which agents may be asked for over the network: names from a list, never texts.

``find_agent("search:blueprint=/tmp/x.py")`` runs that file, so no text from the network may be
passed to it unchecked. A ``GuestList`` contains the agents of the package, those of the files that
were named when the server was started, and copies of agents of runs. It accepts a name and separate
parameters: numbers within bounds, truth values, names of the same list, and rule lists, which
it reads itself.
"""

import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import Any

import tamaya
from tamaya.player import AgentError, Player, check_players
from tamaya.rules import Rules
from tamaya.web.snapshots import find_snapshot

PACKAGE = Path(tamaya.__file__).resolve().parent
# What a guest may set of the package's own agents; the cost of a search is bounded by the first.
BOUNDS: dict[str, tuple[float, float]] = {
    "samples": (1, 2000), "ms": (0, 5000), "stretch": (1, 4), "rollout": (0, 160),
    "margin": (0, 5), "errors": (0, 10), "trust": (0, 1), "recent": (0, 20), "hints": (0, 2),
    "c": (0, 10), "useless": (0, 1), "idle": (0, 1), "doubt": (0, 1),
}  # fmt: skip
ROLLOUTS = (1, 10_000)  # where samples are rollouts of all moves together, not deals
WIDE = (-1e6, 1e6)  # for agents of the host's own files
MAX_RULES = 40  # of a list
MAX_RULE_TEXT = 4000  # characters
RULES = "rules"  # the agent and its parameter

CODE, LEARNED, SLOW, WEAK = "code", "learned", "slow", "weak"
_HEAVY = ("agents.fireflower", "agents.learned")  # 2,000 samples take up to three minutes
_SWIFT = "adapt"  # it imagines deals, but takes milliseconds per move
_WEAK = ("random", "first-legal", "legal-random", "osawa-random", "flawed")
# Descriptions for players, where an agent's own description is for researchers.
_FOR_PEOPLE = {
    "adaptive": "It finds out how you play, and responds to it.",
    "tamaya-mixed": (
        "Its hints mean what they say, and it takes yours so. Evolved for all partners."
    ),
}
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_+-]{0,39}")  # no dot, colon or slash: never a file


class GuestError(ValueError):
    """An agent that is not on the list, or parameters that it does not take here."""

    def __init__(self, text: str, place: str = "agent") -> None:
        super().__init__(text)
        self.text, self.place = text, place


def register_files(texts: Sequence[str]) -> list[Player]:
    """Register the agents of files by their names, so that no path leaves the server.

    The texts are as every command takes them: ``path/to/file.py``, ``file.py:name``,
    ``file.rules``, ``file.npz``. Servers and engines both do this when they start.
    """
    from tamaya.lookup import agent_file, all_agents, find_agent
    from tamaya.registry import register, registered

    ours = {player.name for player in all_agents() if is_of_package(player)}
    found: dict[str, Player] = {}
    for text in texts:
        if agent_file(text) is None:
            raise GuestError(f"{text!r} is not a file of an agent: expected .py, .rules or .npz")
        try:
            player = find_agent(text)
        except AgentError as error:
            raise GuestError(str(error)) from None
        if not _NAME.fullmatch(player.name):
            raise GuestError(f"{text}: its agent is called {player.name!r}: expected letters, "
                             f"digits, - and _ only")  # fmt: skip
        if player.name in ours or player.name in found:
            whose = "of the package" if player.name in ours else "of another file"
            raise GuestError(f"{text}: there is an agent {player.name!r} {whose} already")
        known = registered().get(player.name)
        is_known = known is not None and known.identity == player.identity
        found[player.name] = known if known is not None and is_known else register(player)
    return list(found.values())


def is_of_package(player: Player) -> bool:
    """Whether an agent comes with the package; rule files run its code, but lie elsewhere."""
    return all(file.is_relative_to(PACKAGE) for file in player.files)


def bounds_of(player: Player, key: str) -> tuple[float, float] | None:
    """Bounds of a parameter over the network, None if it is not for guests."""
    if not is_of_package(player):
        return WIDE
    if key == "samples" and player.name.startswith("sparta"):
        return ROLLOUTS
    return BOUNDS.get(key)


class GuestList:
    """The agents that people may play with."""

    def __init__(self, files: Sequence[str] = ()) -> None:
        self.files = tuple(files)

    @cached_property
    def _players(self) -> dict[str, Player]:
        """Agents by name; importing all of them takes a second, so that it is done at need."""
        from tamaya.lookup import all_agents

        own = register_files(self.files)
        ours = [player for player in all_agents() if is_of_package(player)]
        return {player.name: player for player in (*ours, *own)}

    def load(self) -> None:
        """Import all agents now; GuestError names a file that has none."""
        self._players  # noqa: B018

    def admit(self, name: object, params: object = None, rules: Rules | None = None) -> str:
        """The text by which engines find an agent; GuestError says what is wrong.

        With ``rules`` the agent must also be one for such a table.
        """
        player = self._named(name, "agent")
        if params is None:
            params = {}
        if not isinstance(params, Mapping):
            raise GuestError("parameters are an object of names and values", "params")
        if player.name == RULES:
            made = _of_rule_list(player, params)
        else:
            keys = [self._key(player, key) for key in params]
            values = {key: self._value(player, key, params[key]) for key in keys}
            self._bound_time(player, values)
            try:
                made = player.with_params(values)
            except AgentError as error:
                raise GuestError(str(error), "params") from None
        if rules is not None:
            check_table(made, rules)
        return made.spec

    def _named(self, name: object, place: str) -> Player:
        """The agent of a name."""
        if not isinstance(name, str):
            raise GuestError("an agent is asked for by its name, a text", place)
        if name not in self._players:
            if (copied := find_snapshot(name)) is not None:
                return copied
            close = get_close_matches(name[:40], self._players, 1)
            hint = f", did you mean {close[0]!r}?" if close else ""
            raise GuestError(f"there is no agent {name[:40]!r} here{hint}", place)
        return self._players[name]

    def _key(self, player: Player, key: object) -> str:
        """The name of a parameter that guests may set."""
        if not isinstance(key, str) or key not in player.settings:
            known = ", ".join(self._offered(player)) or "none"
            raise GuestError(f"agent {player.name!r} has no parameter {str(key)[:40]!r}: "
                             f"it has {known}", f"params.{str(key)[:40]}")  # fmt: skip
        if key not in self._offered(player):
            raise GuestError(f"parameter {key!r} of {player.name!r} cannot be changed here",
                             f"params.{key}")  # fmt: skip
        return key

    def _offered(self, player: Player) -> dict[str, dict[str, Any]]:
        """The parameters of an agent that guests may set, as the page shows them."""
        if player.name == RULES:
            return {RULES: {"name": RULES, "kind": "rules", "default": "", "most": MAX_RULES}}
        offered: dict[str, dict[str, Any]] = {}
        for key, value in player.settings.items():
            row: dict[str, Any] = {"name": key, "default": value}
            if isinstance(value, bool):
                offered[key] = {**row, "kind": "truth"}
            elif isinstance(value, str):
                offered[key] = {**row, "kind": "agent"}
            elif bounds := bounds_of(player, key):
                kind = "whole" if isinstance(value, int) else "number"
                offered[key] = {**row, "kind": kind, "least": bounds[0], "most": bounds[1]}
        return offered

    def _value(self, player: Player, key: str, value: object) -> int | float | bool | str:
        """A value of a parameter, of the right kind and within its bounds."""
        row, place = self._offered(player)[key], f"params.{key}"
        if row["kind"] == "agent":
            return self._nested(player, key, value)
        if row["kind"] == "truth":
            if not isinstance(value, bool):
                raise GuestError(f"parameter {key!r} must be true or false", place)
            return value
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        low, high = row["least"], row["most"]
        if not isinstance(value, int | float) or not is_number or not low <= value <= high:
            raise GuestError(f"parameter {key!r} must be a number from {low:g} to {high:g}", place)
        if row["kind"] == "whole" and value != int(value):
            raise GuestError(f"parameter {key!r} must be a whole number", place)
        return int(value) if row["kind"] == "whole" else float(value)

    def _nested(self, player: Player, key: str, value: object) -> str:
        """An agent as a parameter of another: quick, compiled, and on the list."""
        from tamaya.agent import Agent
        from tamaya.agents.rules.family import RuleAgent
        from tamaya.search.proposals import WORDS

        place = f"params.{key}"
        words = (player.settings[key], *(WORDS if key == "moves" else ()))
        if isinstance(value, str) and value in words:
            return value  # the default may be a text with parameters, but one of our own
        other = self._named(value, place)
        kind = RuleAgent if key == "moves" else Agent
        if not isinstance(other, kind) or other.is_slow or other.made_for or other.name == RULES:
            raise GuestError(f"agent {other.name!r} cannot be the {key} of {player.name!r}", place)
        return other.name

    def _bound_time(self, player: Player, values: dict[str, int | float | bool | str]) -> None:
        """Use a time limit where a blueprint is too slow for a number of samples."""
        others = [self._players.get(str(value)) for value in values.values()]
        is_heavy = any(other is not None and _is_heavy(other) for other in others)
        if is_heavy and "ms" in player.settings and not values.get("ms", player.settings["ms"]):
            values["ms"] = float(BOUNDS["ms"][1])

    def catalogue(self, rules: Rules | None = None) -> list[dict[str, Any]]:
        """What the page shows of the agents for a table, by default for one of any size."""
        return [self._row(player) for player in self._players.values() if fits(player, rules)]

    def _row(self, player: Player) -> dict[str, Any]:
        return {
            "name": player.name,
            "family": _family(player),
            "players": list(player.players),
            "tags": tags_of(player),
            "description": _FOR_PEOPLE.get(player.name, player.description),
            "source": player.source,
            "explains": getattr(player, "explain_function", None) is not None,
            "params": list(self._offered(player).values()),
        }

    def quick(self, rules: Rules) -> dict[str, bool]:
        """Agents that answer at once and do not move at random, and whether they use a code."""
        from tamaya.replays.blueprints import speaks_code

        return {
            player.name: speaks_code(player)
            for player in self._players.values()
            if fits(player, rules) and not player.is_slow and player.name not in _WEAK
        }

    def tags(self, name: str) -> list[str]:
        """The tags of an agent of the list, also of one with parameters."""
        return tags_of(self._named(name.partition(":")[0], "agent"))


def check_table(player: Player, rules: Rules) -> None:
    """Refuse an agent that is not made for a table."""
    try:
        check_players(player, rules.players)
    except AgentError as error:
        raise GuestError(str(error)) from None
    if not fits(player, rules):
        wanted = ", ".join(f"{key}={value}" for key, value in player.made_for.items())
        raise GuestError(f"agent {player.name!r} is made for other rules: {wanted}".lower())


def fits(player: Player, rules: Rules | None) -> bool:
    """Whether an agent is made for some rules, by default the standard ones at any size."""
    table = rules or Rules()
    if rules is not None and not player.plays_with(rules.players):
        return False
    return all(getattr(table, key) == value for key, value in player.made_for.items())


def tags_of(player: Player) -> list[str]:
    """What people should know before they play with an agent."""
    from tamaya.replays.blueprints import speaks_code

    return [tag for tag, holds in (
        (CODE, speaks_code(player)), (LEARNED, room_of(player).startswith("agents.learned")),
        (SLOW, player.is_slow and not room_of(player).startswith(_SWIFT)),
        (WEAK, player.name in _WEAK),
    ) if holds]  # fmt: skip


def room_of(player: Player) -> str:
    """The module of an agent of the package, without its first name."""
    return player.act_function.__module__.removeprefix("tamaya.") if is_of_package(player) else ""


def _is_heavy(player: Player) -> bool:
    """Whether its moves take so long that a search over it may take minutes; who knows of files."""
    return not is_of_package(player) or room_of(player).startswith(_HEAVY)


def _family(player: Player) -> str:
    """The family that the page lists an agent under."""
    rooms = room_of(player).split(".")
    families = {"agents": rooms[1] if len(rooms) > 1 else "", "search": "search", "adapt": "adapt"}
    return families.get(rooms[0], "file")


def _of_rule_list(player: Player, params: Mapping[Any, Any]) -> Player:
    """The agent that follows a rule list."""
    from tamaya.agents.rules.family import RuleAgent
    from tamaya.agents.rules.language import SIZES

    for key in params:
        if key != RULES:
            raise GuestError(f"agent {RULES!r} has no parameter {str(key)[:40]!r}: it has {RULES}",
                             f"params.{str(key)[:40]}")  # fmt: skip
    place, text = f"params.{RULES}", params.get(RULES, "")
    if not isinstance(text, str) or len(text) > MAX_RULE_TEXT:
        raise GuestError(f"a rule list is a text of at most {MAX_RULE_TEXT} characters", place)
    if not text:
        return player
    try:
        made = player.with_text(text)
    except AgentError as error:
        raise GuestError(str(error), place) from None
    assert isinstance(made, RuleAgent)
    longest = max(len(made.steps(players)) for players in SIZES)
    if longest > MAX_RULES:
        raise GuestError(f"a rule list has at most {MAX_RULES} rules, not {longest}", place)
    return made
