"""Writes the golden games again: `PYTHONPATH=src:tests python tests/golden/regenerate.py`.

Each game is its text (``.txt``) and a transcript turn by turn (``.turns``). Look at the
differences before keeping them, and correct ``ENDINGS`` in ``test_position.py`` if they are meant.
"""

from pathlib import Path

from support import transcript
from tamaya.game import Game
from tamaya.rules import Rules
from tamaya.table import play

HERE = Path(__file__).parent

# Name: rules, agent, how the game must end; the first such game of the seed is taken.
GAMES = {
    "two-players": ("players=2", "certainty", "out of cards"),
    "five-players": ("players=5 random_start=true", "certainty", "out of cards"),
    "bomb-out": ("players=3", "example", "out of lives"),
    "perfect": ("players=2 colours=2 hand_size=4", "certainty", "complete"),
    "variations": (
        "players=4 colours=4 ranks=4 bomb=keep empty_hints=true discard_at_full=true "
        "refill=in_place lives=2",
        "random",
        "out of lives",
    ),
    "all-dealt": ("players=5 colours=1 hand_size=2 tokens=3 lives=1", "example", "out of cards"),
    "seers": ("players=3 observation=seer", "certainty", "out of cards"),
}


def golden_game(rules: Rules, agent: str, status: str) -> Game:
    """The first game of seed 0 that ends as wanted."""
    played = play(agent, rules, 1000, record=True)
    games = (played.game(k) for k in range(1000))
    return next(game for game in games if game.status == status)


def main() -> None:
    """Write all of them and print how they end."""
    for name, (rules, agent, status) in GAMES.items():
        game = golden_game(Rules.parse(rules), agent, status)
        game.save(HERE / f"{name}.txt")
        (HERE / f"{name}.turns").write_text(transcript(game), encoding="utf-8")
        print(f'    "{name}": ({game.score}, "{game.status}"),')


if __name__ == "__main__":
    main()
