"""Masks written by one vector store compared with a plain loop, and their share of encoding time.

Run `python benchmarks/encoders.py`; all times are CPU time of one core.
"""

import numpy as np
from timing import N_POSITIONS, nanoseconds, positions

from tamaya.compiled import hot
from tamaya.encoding import encode_hle, hle_length
from tamaya.rules import Rules
from tamaya.simd_masks import write_full_mask


@hot
def write_plain(out, at, mask):
    """Write a mask entry by entry."""
    for card in range(25):
        out[at + card] = (mask >> card) & 1


@hot
def all_vector(games, out):
    """Masks of all slots of all games, as vector stores."""
    for game in games:
        at = 0
        for seat in range(game.players):
            for slot in range(game.hand_size):
                write_full_mask(out, at, game.possible[seat, slot])
                at += 35


@hot
def all_plain(games, out):
    """Masks of all slots of all games, by the plain loop."""
    for game in games:
        at = 0
        for seat in range(game.players):
            for slot in range(game.hand_size):
                write_plain(out, at, game.possible[seat, slot])
                at += 35


@hot
def all_encoded(games, out):
    """The mover's whole vector in all games."""
    for game in games:
        encode_hle(game, game.mover, out)


def main() -> None:
    """Print the table."""
    print("players  entries   vector store   plain loop   ratio   all masks   whole vector   share")
    for players in (2, 5):
        rules = Rules(players=players)
        games = positions(players)
        n_slots = players * rules.hand_size
        for dtype in (np.uint8, np.float32):
            out = np.zeros(hle_length(rules), dtype)
            vector = nanoseconds(all_vector, games, out, per=N_POSITIONS * n_slots)
            plain = nanoseconds(all_plain, games, out, per=N_POSITIONS * n_slots)
            whole = nanoseconds(all_encoded, games, out)
            share = 100 * vector * n_slots / whole
            print(
                f"{players:7}  {np.dtype(dtype).name:8} {vector:9.1f} ns {plain:9.1f} ns "
                f"{plain / vector:7.1f} {vector * n_slots:8.0f} ns {whole:11.0f} ns {share:6.0f} %"
            )


if __name__ == "__main__":
    main()
