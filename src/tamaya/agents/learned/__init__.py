"""Learned players: networks that were trained by ``tamaya.learn``, played without torch."""

from pathlib import Path
from typing import TYPE_CHECKING

from tamaya.registry import register_loader

if TYPE_CHECKING:
    from tamaya.player import Player


def _load(path: Path) -> "Player":
    from tamaya.agents.learned.kinds import network_file

    return network_file(path)


register_loader(".npz", _load)
