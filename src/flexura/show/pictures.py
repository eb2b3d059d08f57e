"""Figures as the files that documents hold: the same figure is the same bytes, whenever it is written.

>>> svg(figure), picture(figure, "pdf")
"""

from __future__ import annotations

import io
from typing import Any


def picture(figure: Any, kind: str) -> bytes:
    """The figure as "svg", "pdf" or "png", without a date."""
    import matplotlib

    written = io.BytesIO()
    undated = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {}}[kind]
    with matplotlib.rc_context({"svg.hashsalt": "flexura", "svg.fonttype": "path"}):
        figure.savefig(written, format=kind, dpi=200, metadata=undated)
    return written.getvalue()


def svg(figure: Any) -> str:
    """The figure as the text of an SVG file, letters as outlines."""
    return picture(figure, "svg").decode()
