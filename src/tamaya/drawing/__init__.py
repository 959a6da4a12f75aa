"""Games and views as SVG drawings on light and dark: what a notebook shows of them.

``Game`` and the views that it returns draw themselves; ``table_svg`` returns the drawing of any
record as text.
"""

from tamaya.drawing.table import table_svg

__all__ = ["table_svg"]
