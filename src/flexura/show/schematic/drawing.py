"""`fx.plot(model)`: the schematic as a Matplotlib figure, whose groups carry the names of the parts.

>>> fx.plot(model, "model.svg")
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from flexura.derivation.equations.equations import Equations
from flexura.show.plots.style import figure
from flexura.show.schematic.labels import SIZE
from flexura.show.schematic.sheet import Drawn, Sheet, Stroke
from flexura.show.schematic.sketch import sketch

_MARGIN = 10.0
_INCH = 72.0


def draw_schematic(equations: Equations, values: Mapping[str, Any] | None = None, dimensions: bool = False) -> Any:
    """The reference configuration with everything that is in the model; `values` give lengths that have none."""
    return drawn(sketch(equations, values, dimensions))


def drawn(sheet: Sheet) -> Any:
    """A sheet as a figure, one point of the sheet a point of the page."""
    low, high = sheet.bounds
    low, high = low - _MARGIN, high + _MARGIN
    if sheet.notes:
        low = low - np.array([0.0, 12.0])
    wide, tall = np.maximum(high - low, 1.0)
    made = figure(wide / _INCH, tall / _INCH)
    made.set_layout_engine("none")
    axes = made.add_axes((0, 0, 1, 1))
    axes.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), aspect="equal")
    axes.set_axis_off()
    for thing in sheet.things:
        _draw(axes, thing)
    if sheet.notes:
        axes.text(low[0] + _MARGIN, low[1] + 5, "; ".join(sheet.notes), fontsize=7, color="#777777", clip_on=False)
    return made


def _draw(axes: Any, thing: Drawn) -> None:
    for number, stroke in enumerate(thing.strokes):
        _stroke(axes, stroke, thing.name if number == 0 else f"{thing.name}.{number}")
    for number, one in enumerate(thing.labels):
        x, y = one.at if one.centre is None else one.centre
        axes.text(
            x, y, one.text, color=one.colour, fontsize=SIZE, ha="center", va="center_baseline", zorder=9,
            gid=f"{thing.name}.label{number or ''}",
        )  # fmt: skip


def _stroke(axes: Any, stroke: Stroke, name: str) -> None:
    from matplotlib.patches import FancyArrowPatch, PathPatch
    from matplotlib.path import Path

    style = (0, (3, 2)) if stroke.dashed else "solid"
    if stroke.head:
        path = Path(stroke.points)
        patch: Any = FancyArrowPatch(path=path, arrowstyle="-|>,head_length=4,head_width=2", shrinkA=0, shrinkB=0)
    else:
        patch = PathPatch(Path(stroke.points, closed=False))
        if stroke.closed:
            patch = PathPatch(Path(np.concatenate([stroke.points, stroke.points[:1]]), closed=True))
    patch.set(
        edgecolor=stroke.colour, facecolor=stroke.fill or (stroke.colour if stroke.head else "none"),
        linewidth=stroke.width, linestyle=style, capstyle="round", zorder=stroke.level, gid=name,
    )  # fmt: skip
    axes.add_patch(patch)
