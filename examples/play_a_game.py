"""Play one game, print it move by move, and save a picture of its end.

python examples/play_a_game.py
"""

from pathlib import Path
from tempfile import mkdtemp

from tamaya import Rules, play
from tamaya.moves import move_phrase

AGENTS = ["smartbot", "smartbot", "smartbot"]

rules = Rules(players=3)
played = play(AGENTS, rules, games=1, seed=4, record=True)  # game 0 of seed 4, always the same
finished = played.game(0)

for turn, move in enumerate(finished.moves):
    position = finished.at(turn)
    print(f"{turn + 1:2}  seat {position.mover}: {move_phrase(rules, move)}")
print(finished)

picture = Path(mkdtemp()) / "end.svg"
picture.write_text(finished.svg(names=AGENTS), encoding="utf-8")
print(f"score {finished.score}, {finished.status}; picture in {picture}")
