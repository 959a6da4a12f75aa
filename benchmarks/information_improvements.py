"""What each improvement of the information player is worth, on the same deals.

For each number of players: the original plus one improvement, and the information player without
one. Differences are paired, with their standard errors.

Run `python benchmarks/information_improvements.py [GAMES [SEED [PLAYERS]]]`.
"""

import sys

import numpy as np

from tamaya.agents.wtfwthat.settings import ORIGINAL, TUNED
from tamaya.rules import Rules
from tamaya.table import play

# What turns each improvement on or off: the parameters that it consists of.
IMPROVEMENTS = {
    "A discard what costs least": ("losses",),
    "B hint before a risky discard": ("risk", "risk_tokens"),
    "C plays are messages": ("plays",),
    "D deduce from recognised cards": ("deduce",),
    "E guess in the last round": ("guess",),
    "F ask by the expected board": ("project",),
    "G fourth kind of hint": ("odds",),
    "H words after answers": ("told",),
    "I search of the last turns": ("endgame",),
    "J discard to draw": ("dig", "waiting"),
    "K weigh moves": ("weigh",),
    "limits of tokens": ("limit", "late_limit"),
}
DEFAULTS = [20_000, 100]  # games and seed
VALUES_OF_LOSSES = ("spare", "seen", "tempo")  # A and B share them


def scores(agent: str, players: int, games: int, seed: int) -> np.ndarray:
    """Scores of an agent with itself."""
    played = play(agent, Rules(players=players), games, seed=seed, threads=1)
    return played.results["score"].astype(float)


def spec(name: str, values: dict[str, float]) -> str:
    """Text of an agent with parameters."""
    items = [f"{key}={int(value) if type(value) is bool else value}"
             for key, value in values.items()]  # fmt: skip
    return f"{name}:{','.join(items)}"


def difference(scores: np.ndarray, base: np.ndarray) -> str:
    """Mean and standard error of a paired difference."""
    gain = scores - base
    return f"{gain.mean():+8.4f} ± {gain.std() / len(gain) ** 0.5:.4f}"


def main() -> None:
    """Print the tables."""
    arguments = [int(text) for text in sys.argv[1:]]
    games, seed = arguments[:2] + DEFAULTS[len(arguments[:2]) :]
    sizes = arguments[2:] or list(TUNED)
    for players in sizes:
        tuned = TUNED[players]
        original = scores("wtfwthat", players, games, seed)
        ours = scores("information", players, games, seed)
        print(f"\n{players} players, {games} games of seed {seed}: wtfwthat {original.mean():.4f}, "
              f"information {ours.mean():.4f}, {difference(ours, original).strip()}")  # fmt: skip
        print(f"{'':32}{'original with it':>22}{'information without':>22}")
        for name, keys in IMPROVEMENTS.items():
            if all(tuned[key] == ORIGINAL[key] for key in keys):
                continue
            with_it = {key: tuned[key] for key in (*keys, *VALUES_OF_LOSSES)}
            without = {key: ORIGINAL[key] for key in keys}
            alone = scores(spec("wtfwthat", with_it), players, games, seed)
            rest = scores(spec("information", without), players, games, seed)
            print(f"{name:32}{difference(alone, original):>22}{difference(rest, ours):>22}")


if __name__ == "__main__":
    main()
