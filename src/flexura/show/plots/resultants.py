"""Stress resultants along members, drawn as engineers draw them: ordinates across the bars, or lines over x.

>>> fx.plot(fx.resultants(frame, x), which="Mz"), fx.plot(fx.resultants(frame, x), which="N Vy Mz", along=True)
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.errors import FlexuraError
from flexura.show.plots.frame import plane_of
from flexura.show.plots.style import COLOURS, REFERENCE, figure, number, quiet
from flexura.structures.moving.frame import BeamFrame
from flexura.structures.moving.resultants import Resultants

Array = NDArray[np.float64]

_UNITS = {"N": "N", "Vy": "N", "Vz": "N", "T": "N m", "My": "N m", "Mz": "N m"}


def draw_resultants(
    found: Resultants,
    which: str | None = None,
    along: bool | None = None,
    view: str | None = None,
    scale: float | None = None,
) -> Any:
    """Each of `which` ("Mz", "N Vy Mz"; by default those that are not zero) in a picture of its own.

    They stand across the bars of the frame, in the plane in which it is widest or in `view`; or, with `along=True`, as
    lines over the distance along the members, one after the other, as for a frame in one line by default. `scale` is
    the length drawn for one unit (m/N, m/(N m)); by default the largest is an eighth of the frame.
    """
    frame = found.frame
    if frame is None:
        raise FlexuraError("These resultants do not know their frame", advice="take those that fx.resultants gives")
    names = _chosen(found, which)
    straight = bool(np.linalg.matrix_rank(frame.nodes - frame.nodes[0], tol=1e-9 * np.ptp(frame.nodes)) < 2)
    over_x = (straight and view is None) if along is None else along
    made = figure(6.4, (1.2 + 1.5 * len(names)) if over_x else 0.6 + 4.4 * len(names))
    rows = made.subplots(len(names), 1, squeeze=False, sharex=over_x)[:, 0]
    for axes, name in zip(rows, names, strict=True):
        quiet(axes)
        values = np.asarray(getattr(found, name))
        if over_x:
            _lines(axes, found, frame, name, values)
        else:
            _across(axes, frame, found, name, values, plane_of(frame, view), scale)
    if over_x:
        rows[-1].set_xlabel("distance along the members in m")
    return made


def _chosen(found: Resultants, which: str | None) -> list[str]:
    if which is not None:
        names = which.replace(",", " ").split()
        wrong = [one for one in names if one not in _UNITS]
        if wrong or not names:
            raise FlexuraError(f"which is {which!r}", advice=f"name some of {' '.join(_UNITS)}")
        return names
    largest = {kind: max(float(np.abs(getattr(found, one)).max()) for one in _UNITS if _UNITS[one] == kind)
               for kind in ("N", "N m")}  # fmt: skip
    there = [one for one in _UNITS if np.abs(getattr(found, one)).max() > 1e-9 * largest[_UNITS[one]]]
    return there or ["N"]


def _lines(axes: Any, found: Resultants, frame: BeamFrame, name: str, values: Array) -> None:
    """Over the distance travelled along the members, which go on where the last one ended."""
    start = 0.0
    for e in _in_line(frame):
        x = start + found.x[e]
        axes.plot(x, values[e], color=COLOURS[0], linewidth=1.6)
        axes.fill_between(x, values[e], color=COLOURS[0], alpha=0.12, linewidth=0)
        start += float(frame.lengths[e])
    axes.axhline(0, color="black", linewidth=0.8)
    axes.set_ylabel(f"{name} in {_UNITS[name]}")


def _in_line(frame: BeamFrame) -> list[int]:
    """Elements in the order of their places along the line that the frame is, or in their own order."""
    centred = frame.ends.mean(axis=1) - frame.nodes[0]
    if np.linalg.matrix_rank(frame.nodes - frame.nodes[0], tol=1e-9 * np.ptp(frame.nodes)) > 1:
        return list(range(len(frame.elements)))
    return [int(e) for e in np.argsort(centred @ frame.axes[0, 0], kind="stable")]


def _across(
    axes: Any, frame: BeamFrame, found: Resultants, name: str, values: Array, plane: Any, scale: float | None
) -> None:
    """Ordinates across the bars in the plane of the picture; their sign is that of the bar's own left."""
    pick = list(plane)
    ends = frame.ends[:, :, pick]
    along = ends[:, 1] - ends[:, 0]
    size = np.linalg.norm(along, axis=1, keepdims=True)
    along = np.where(size > 1e-9 * frame.lengths[:, None], along / np.maximum(size, 1e-300), [1.0, 0.0])
    left = np.column_stack([-along[:, 1], along[:, 0]])
    largest = float(np.abs(values).max())
    if scale is None:
        scale = 0.125 * float(np.ptp(frame.nodes, axis=0).max()) / largest if largest else 1.0
    for e, x in enumerate(found.x):
        base = ends[e, 0] + (x / frame.lengths[e])[:, None] * (ends[e, 1] - ends[e, 0])
        tips = base + scale * values[e][:, None] * left[e]
        outline = np.concatenate([base, tips[::-1]])
        axes.fill(outline[:, 0], outline[:, 1], color=COLOURS[0], alpha=0.15, linewidth=0)
        axes.plot(tips[:, 0], tips[:, 1], color=COLOURS[0], linewidth=1.4)
        axes.plot(ends[e, :, 0], ends[e, :, 1], color="black", linewidth=1.8)
        for k in (0, -1):
            axes.plot(*zip(base[k], tips[k], strict=True), color=REFERENCE, linewidth=0.8)
    _mark_largest(axes, ends, found, frame, values, scale * left)
    axes.set_aspect("equal", adjustable="box")
    axes.set_xlabel(f"{'xyz'[plane[0]]} in m")
    axes.set_ylabel(f"{'xyz'[plane[1]]} in m")
    axes.set_title(f"{name}, largest {number(largest)} {_UNITS[name]}", fontsize=10)


def _mark_largest(axes: Any, ends: Array, found: Resultants, frame: BeamFrame, values: Array, unit: Array) -> None:
    e, k = np.unravel_index(np.argmax(np.abs(values)), values.shape)
    place = ends[e, 0] + found.x[e, k] / frame.lengths[e] * (ends[e, 1] - ends[e, 0]) + values[e, k] * unit[e]
    axes.annotate(number(float(values[e, k])), place, xytext=(4, 4), textcoords="offset points", fontsize=9)
    axes.plot(*place, "o", color=COLOURS[0], markersize=3.5)
