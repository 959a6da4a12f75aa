"""Every learner comes close to the best that is possible on Hanabi-Very-Small, in minutes."""

from pathlib import Path
from runpy import run_path

import pytest

pytest.importorskip("torch")

VERY_SMALL = run_path(str(Path(__file__).parents[2] / "benchmarks" / "very_small.py"))


def test_open_hands_are_an_upper_bound():
    """Exact; below 5, as the order of the deck alone can lose a card."""
    assert VERY_SMALL["with_open_hands"]() == pytest.approx(4.929, abs=5e-4)


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", VERY_SMALL["TURNS"])
def test_hanabi_very_small_is_nearly_solved(algorithm):
    mean, _ = VERY_SMALL["score"](algorithm, 1, VERY_SMALL["TURNS"][algorithm], 4000)
    assert mean > 0.9 * VERY_SMALL["with_open_hands"]()
