"""A short game with a blunder that everybody can see, and how tests bring it to a server."""

import json
from functools import cache
from typing import Any

from tamaya.game import Game
from tamaya.moves import move_text, parse_move
from tamaya.replays import to_json
from tamaya.rules import Rules

RULES = Rules(players=2, colours=2, lives=1)


@cache
def blunder() -> Game:
    """Ben knows that he holds red 1 twice, plays one, and then the other on the last life."""
    for seed in range(1000):
        game = Game(RULES, seed)
        twins = [slot for slot in range(5) if game.record.card[1, slot] == 0]
        if len(twins) != 2 or 4 in twins or not _can_tell_more(game):
            continue
        for move in ("h1R", "d4", "h11"):
            _make(game, move)
        for slot in reversed(twins):
            _make(game, f"p{slot}")
            if game.status == "running":
                _make(game, "d0")
        assert game.status == "out of lives"
        return game
    raise AssertionError("no deal has two red ones in one hand")


def _can_tell_more(game: Game) -> bool:
    """Whether the first player may hint both, and the second has something else to discard."""
    legal = {move_text(game.rules, move) for move in game.legal_moves}
    return {"h1R", "h11"} <= legal


def _make(game: Game, move: str) -> None:
    game.apply(parse_move(game.rules, move))


def document(names: tuple[str, ...] = ("Ann", "Ben"), **more: Any) -> str:
    """The game as a text that people paste."""
    return json.dumps({**to_json(blunder(), list(names)), **more})


def brought(page: Any, server: Any, text: str = "") -> str:
    """The id of the game, brought in as the page would; it may be here already."""
    body = json.dumps({"text": text or document()})
    headers = {"X-Tamaya": "1", "Content-Type": "application/json"}
    answer = page.request.post(f"{server.address}/api/games", data=body, headers=headers)
    assert answer.ok, answer.text()
    return str(answer.json()["id"])
