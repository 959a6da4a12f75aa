"""Games and views as SVG drawings on light and dark: what a notebook shows of them.

``Game`` and the views that it returns draw themselves; ``table_svg`` returns the drawing of any
record as text.
"""

import numpy as np

from tamaya.drawing.table import table_svg
from tamaya.records import VIEW

__all__ = ["DRAWN_VIEW", "DrawnView", "table_svg"]


class DrawnView(np.record):  # type: ignore[misc]
    """A view that notebooks draw; to kernels it is like any other."""

    def _repr_html_(self) -> str | None:
        # NumPy makes the records inside a record of the same class: an event is not a view.
        return table_svg(self) if self.dtype == VIEW else None


DRAWN_VIEW = np.dtype((DrawnView, VIEW))
