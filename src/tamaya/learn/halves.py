"""The contents of compact checkpoints: moments in half precision, and counts.

The running means of squared gradients are stored as their square roots, which is how an optimiser
uses them: squares would be too small for half precision. Means and roots that are still too small,
below 6e-8, are negligible next to the epsilons that the optimisers add to the roots, 1e-5 or more.
"""

import numpy as np

from tamaya.checked_files import Arrays, check_array

MOST = 1 << 53  # of a count
LARGEST = float(np.finfo(np.float16).max)


def halved_moments(means: np.ndarray, squares: np.ndarray) -> Arrays:
    """Running means of gradients and of their squares in half precision."""
    with np.errstate(over="ignore"):  # a state with infinities is not written
        return {"means": means.astype(np.float16), "roots": np.sqrt(squares).astype(np.float16)}


def whole_moments(arrays: Arrays, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Restore n running means of gradients and of their squares from half precision."""
    means, roots = (check_array(arrays, name, "f", (n,)).astype(np.float32)
                    for name in ("means", "roots"))  # fmt: skip
    if (roots < 0).any():
        raise ValueError("'roots' has negative numbers")
    if (roots > LARGEST).any():
        raise ValueError("'roots' has numbers that half precision does not have")
    return means, roots * roots


def count_of(arrays: Arrays, name: str) -> int:
    """A count of a learner."""
    count = int(check_array(arrays, name, "iu", ()))
    if count < 0:
        raise ValueError(f"{name!r} should be at least 0, not {count}")
    if count > MOST:
        raise ValueError(f"{name!r} should be at most {MOST}, not {count}")
    return count


def amount_of(arrays: Arrays, name: str) -> float:
    """A number of a learner that cannot be negative."""
    amount = float(check_array(arrays, name, "f", ()))
    if amount < 0:
        raise ValueError(f"{name!r} should be at least 0, not {amount}")
    return amount
