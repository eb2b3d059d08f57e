"""What all pictures share: a figure, colours that are told apart in grey too, and axes that say their units."""

from __future__ import annotations

from typing import Any

COLOURS = ("#1f4e79", "#c55a11", "#2e7d32", "#7b3294", "#8c6d00", "#b2182b", "#3b8ea5", "#555555")
REFERENCE = "#9a9a9a"
BAD = "#b2182b"


def figure(width: float, height: float) -> Any:
    """An empty figure in inches, which belongs to nobody but the caller."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    from flexura.show.plots.shown import ShownFigure

    made = ShownFigure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(made)
    return made


def quiet(axes: Any) -> None:
    """Few lines: no frame above and to the right, a faint grid."""
    axes.spines["top"].set_visible(False)
    axes.spines["right"].set_visible(False)
    axes.grid(True, color="#e6e6e6", linewidth=0.6)
    axes.set_axisbelow(True)


def number(value: float) -> str:
    """A number as a label shows it."""
    return f"{value:.4g}"
