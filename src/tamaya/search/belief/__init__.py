"""Exact beliefs: which hands a seat may hold, given what the others did and would have done.

From the bottom up: ``hands`` (packed hands, expanding and weighting them), ``past`` (earlier
positions, as the movers saw them), ``filtering`` (hands that would have led to other moves),
``blueprints`` (what is asked of any blueprint; ``lanes`` for batch agents), ``support`` (all of it
together), ``public`` (common knowledge where all seats search).
"""

import warnings
from importlib import import_module
from typing import Any

_BEFORE = "tamaya.search.sampling.sampler"  # which had this name in 0.1.0


def __getattr__(name: str) -> Any:
    """Names that the module of this name had in 0.1.0."""
    found = getattr(import_module(_BEFORE), name, None) if not name.startswith("_") else None
    if found is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    warnings.warn(f"{__name__}.{name} is now in {_BEFORE}", DeprecationWarning, stacklevel=2)
    return found
