"""How a result was made: the command line that prints its figures again."""

import json
import shlex
from collections.abc import Sequence

from tamaya.arena.published import load_table
from tamaya.report.markup import Html, element, fold, join, number, table
from tamaya.report.selection import Figure, Result


def command_lines(result: Result) -> list[str]:
    """The commands that print a result again, usually one; ready to paste into a shell."""
    config = result["config"]
    protocol = result["protocol"]
    if protocol == "selfplay":
        return _selfplay_lines(result)
    if protocol == "crossplay":
        document = result["document"]
        return [_line("crossplay", *document["agents"], "-p", document["players"],
                      "-n", config["games"], "--seed", config["seed"],
                      *_rules(_without_players(config["rules"])))]  # fmt: skip
    if protocol == "mixed":
        return [_line("mixed", config["agent"], "--pool", _pool(config["pool"]),
                      "-p", config["players"], "-n", config["games"], "--seed", config["seed"],
                      "--rules", config["rules"])]  # fmt: skip
    if protocol == "adhoc":
        return [_line("adhoc", config["agent"], "--pool", _pool(config["pool"]),
                      "-p", config["players"], "-n", config["trials"], "--seed", config["seed"],
                      *_rules(config["rules"]))]  # fmt: skip
    if protocol == "behaviour":
        return [_line("behaviour", config["agent"], "-p", config["players"], "-n", config["games"],
                      "--seed", config["seed"], *_rules(config["rules"]))]  # fmt: skip
    if protocol == "training":
        return [_line("curves", *config["sources"])]
    if protocol == "reproduce":
        return [_line("reproduce", config["table"], "-n", config["games"],
                      "--seed", config["seed"])]  # fmt: skip
    return []


def made_block(figures: Sequence[Figure]) -> Html:
    """The fold under a section that says how each of its figures was made."""
    results = {figure.result["id"]: figure.result for figure in figures}
    ordered = [results[key] for key in sorted(results)]
    rows = [
        [
            result["id"],
            join(element("code", line) for line in _known_lines(result)),
            result["version"],
            result["config"].get("seed"),
            _rules_of(result) or "standard",
            _games_of(result),
            result["created"][:16].replace("T", " "),
            f"{number(result['seconds'], 1)} s" if result["seconds"] else "not kept",
        ]
        for result in ordered
    ]
    columns = ["result", "command that prints it again", "version", "seed", "rules", "games",
               "made", "computing"]  # fmt: skip
    content = table("The results in the store behind this section", columns, rows, left=3, head=-1)
    return fold("How these figures were made", content, class_="made")


def _known_lines(result: Result) -> list[str]:
    """The commands, or the settings as they are if another version kept them differently."""
    try:
        return command_lines(result)
    except KeyError:
        return [json.dumps(result["config"])]


def _line(*words: object) -> str:
    return shlex.join(("tamaya", *(str(word) for word in words)))


def _rules(text: str) -> list[str]:
    return ["--rules", text] if text else []


def _pool(names: Sequence[str]) -> str:
    """Partners as an option; parameters of an agent contain commas, then spaces separate."""
    if any("," in name for name in names):
        return " ".join(names) + (" " if len(names) == 1 else "")
    return ",".join(names)


def _without_players(rules: str) -> str:
    """Rules as the option takes them: without players, and without a hand size that is usual."""
    options = dict(part.split("=", 1) for part in rules.split())
    usual = "5" if options.pop("players") in ("2", "3") else "4"
    if options.get("hand_size") == usual:
        del options["hand_size"]
    return " ".join(f"{key}={value}" for key, value in options.items())


def _selfplay_lines(result: Result) -> list[str]:
    """One command, or one per number of players if a run ended early at its standard error."""
    config, rows = result["config"], result["document"]["results"]
    rest = ["--seed", config["seed"], *_rules(config["rules"])]
    lines = []
    if any(row["games"] != config["games"] for row in rows):
        lines = [_line("selfplay", config["agent"], "-p", row["players"], "-n", row["games"], *rest)
                 for row in rows]  # fmt: skip
    if against := config.get("against"):
        rest += ["--against", against]
    if against or not lines:
        lines.append(_line("selfplay", config["agent"], "-p", config["players"],
                           "-n", config["games"], *rest))  # fmt: skip
    return lines


def _rules_of(result: Result) -> str:
    """Rules that differ from the standard; those of a published table are in its file."""
    if result["protocol"] == "reproduce":
        try:
            return load_table(result["config"]["table"]).rules
        except ValueError:
            return "of the table"
    rules = result["config"].get("rules", "")
    return _without_players(rules) if result["protocol"] == "crossplay" else rules


def _games_of(result: Result) -> str:
    """Games or trials, and of what."""
    config = result["config"]
    if result["protocol"] == "training":
        return "see the table"
    per = {"selfplay": "per size", "crossplay": "per cell", "mixed": "per cell", "behaviour": "",
           "adhoc": "per partner", "reproduce": "per match"}[result["protocol"]]  # fmt: skip
    games = config.get("games", config.get("trials", 0))
    return f"{games:,} {per}".strip() if games else "as in the paper"
