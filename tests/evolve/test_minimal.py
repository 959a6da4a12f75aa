"""The ballast of a chromosome is dropped, and nothing else."""

import numpy as np

from evolution import GENES, SMALL
from tamaya.evolve.minimal import rules_that_fire


def test_rules_behind_one_that_always_moves_are_dropped():
    order = [GENES.index(name) for name in ("PlaySafeCard", "LegalRandom")]
    rest = [gene for gene in range(len(GENES)) if gene not in order]
    fired = rules_that_fire(SMALL, np.array(order + rest), 20, 1)
    assert [str(step) for step in fired] == ["PlaySafeCard", "LegalRandom"]
