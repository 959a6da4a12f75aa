"""Rule agents: ordered lists of small rules, of which the first that applies makes the move."""

from pathlib import Path
from typing import TYPE_CHECKING

from tamaya.registry import register_loader

if TYPE_CHECKING:
    from tamaya.player import Player


def _load(path: Path) -> "Player":
    from tamaya.agents.rules.family import rule_file

    return rule_file(path)


register_loader(".rules", _load)
