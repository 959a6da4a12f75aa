"""Rules as commands take them: table sizes in one text, all other options in another."""

from dataclasses import replace

from tamaya.player import parse_players
from tamaya.rules import Rules, RulesError


def player_counts(text: str) -> list[int]:
    """Parse table sizes such as ``3``, ``2-5`` or ``2,4``."""
    counts: list[int] = []
    for part in text.split(","):
        low, high = parse_players(part.strip())
        counts += [n for n in range(low, high + 1) if n not in counts]
    return counts


def rules_for(players: int, text: str) -> Rules:
    """The rules of a text for a number of players."""
    if "players=" in text:
        raise RulesError("set the number of players with --players, not with --rules")
    rules = Rules.parse(text)
    size = rules.hand_size if "hand_size=" in text else 0
    return replace(rules, players=players, hand_size=size)


def tables_of(players: str, rules: str) -> list[Rules]:
    """The rules of every table size of a text."""
    return [rules_for(count, rules) for count in player_counts(players)]


def rule_text(rules: Rules) -> str:
    """Differences from the standard rules, without the number of players; may be empty."""
    usual = Rules(players=rules.players)
    hidden = {"players", "hand_size"} if rules.hand_size == usual.hand_size else {"players"}
    parts = rules.to_text().split()
    return " ".join(part for part in parts if part.partition("=")[0] not in hidden)


def options_text(options: dict[str, object]) -> str:
    """Options by name as a text that ``Rules.parse`` reads."""
    return " ".join(f"{name}={str(value).lower()}" for name, value in options.items())
