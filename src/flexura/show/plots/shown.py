"""A figure that a notebook shows where it is the last thing of a cell, without magic words before.

>>> ShownFigure(figsize=(6, 4))._repr_png_()
"""

from __future__ import annotations

from matplotlib.figure import Figure

from flexura.show.pictures import picture


class ShownFigure(Figure):
    """Matplotlib's, which says what it looks like."""

    def _repr_png_(self) -> bytes:
        return picture(self, "png")
