"""Games and views as SVG drawings, for light and dark backgrounds, as shown in notebooks.

``Game`` and the views that it returns display themselves; ``table_svg`` returns the drawing of any
record as text.
"""

from tamaya.drawing.table import table_svg

__all__ = ["table_svg"]
