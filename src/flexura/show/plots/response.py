"""A frequency response: magnitude and phase over frequency."""

from __future__ import annotations

from typing import Any

import numpy as np

from flexura.errors import FlexuraError
from flexura.show.plots.style import COLOURS, figure, quiet


def draw_response(values: Any, omega: Any = None, label: str | None = None) -> Any:
    """`omega` in rad/s; a response of fx.frequency_response knows its own. Several fields are several lines."""
    own = getattr(values, "omega", None)
    given = own if omega is None else omega
    points = None if given is None else np.asarray(given, dtype=np.float64)
    response = np.asarray(values, dtype=np.complex128)
    if points is None or points.ndim != 1 or points.shape != response.shape[:1] or response.ndim > 2:
        raise FlexuraError(
            "The picture of a frequency response needs one frequency for each value",
            advice="write fx.plot(response, omega=omega)",
        )
    order = np.argsort(points)
    points, response = points[order], response[order]
    made = figure(6.4, 4.8)
    above, below = made.subplots(2, 1, sharex=True, height_ratios=(2, 1))
    names = getattr(values, "fields", ()) or tuple(map(str, range(response.shape[-1])))
    for i, column in enumerate(response.reshape(len(points), -1).T):
        _draw_column(above, below, points, column, COLOURS[i % len(COLOURS)], names[i] if response.ndim > 1 else "")
    for one in points[~np.isfinite(response.reshape(len(points), -1)).all(axis=1)]:
        above.axvline(one, color=COLOURS[1], linewidth=0.8, linestyle=":")
    if response.ndim > 1:
        above.legend(fontsize=9, frameon=False)
    below.set_ylim(-200, 180)
    below.set_yticks([-180, -90, 0, 90, 180])
    if len(points) > 1 and points[0] > 0 and points[-1] / points[0] > 30:
        above.set_xscale("log")
    for axes in (above, below):
        quiet(axes)
    above.set_ylabel("magnitude")
    above.set_title(label or getattr(values, "label", "") or "frequency response", fontsize=10)
    below.set_ylabel("phase in degrees")
    below.set_xlabel("frequency in rad/s")
    made.align_ylabels([above, below])
    return made


def _draw_column(above: Any, below: Any, points: Any, response: Any, colour: str, name: str) -> None:
    finite = np.isfinite(response)
    size = np.where(finite, np.abs(np.where(finite, response, 0)), np.nan)
    above.semilogy(points, np.where(size > 0, size, np.nan), color=colour, linewidth=1.4, label=name or None)
    phase = np.degrees(np.angle(np.where(finite, response, np.nan)))
    phase = np.where(phase > 170, phase - 360, phase)  # opposite phase is -180, not now one and now the other
    below.plot(points, _broken(phase), color=colour, linewidth=1.2)


def _broken(phase: Any) -> Any:
    """Without the lines that jump by a full turn."""
    found = np.array(phase)
    jumps = np.flatnonzero(np.abs(np.diff(found)) > 300)
    found[jumps] = np.nan
    return found
