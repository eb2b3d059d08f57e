"""Frequency responses, one or several in one picture: magnitude and phase over frequency, or Nyquist's curve."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from flexura.errors import FlexuraError
from flexura.show.plots.style import COLOURS, figure, quiet

UNITS = {"rad/s": 1.0, "Hz": 2 * np.pi}
"""Of frequencies in pictures, in rad/s."""
_SCALES = ("log", "dB", "linear")


class _Curve(NamedTuple):
    """One response over increasing frequencies in rad/s, and what it is called."""

    omega: NDArray[np.float64]
    values: NDArray[np.complex128]
    name: str


def draw_response(
    values: Any, omega: Any = None, label: str | None = None, unit: str = "rad/s", scale: str = "log"
) -> Any:
    """Responses of fx.frequency_response know their frequencies; a plain array needs `omega` in rad/s.

    Several fields, outputs or loads are several lines, and so is a list of responses. `unit` of the frequencies is
    "rad/s" or "Hz", `scale` of the magnitudes "log", "dB" or "linear".
    """
    if unit not in UNITS:
        raise FlexuraError(f"unit is {unit!r}", advice=f"use one of {', '.join(UNITS)}")
    if scale not in _SCALES:
        raise FlexuraError(f"scale is {scale!r}", advice=f"use one of {', '.join(_SCALES)}")
    curves = _curves(values, omega)
    made = figure(6.4, 4.8)
    above, below = made.subplots(2, 1, sharex=True, height_ratios=(2, 1))
    for i, curve in enumerate(curves):
        name = curve.name if len(curves) > 1 else ""
        _draw_column(above, below, curve.omega / UNITS[unit], curve.values, COLOURS[i % len(COLOURS)], name, scale)
        for resonance in curve.omega[~np.isfinite(curve.values)]:
            above.axvline(resonance / UNITS[unit], color=COLOURS[1], linewidth=0.8, linestyle=":")
    if len(curves) > 1:
        above.legend(fontsize=9, frameon=False)
    below.set_ylim(-200, 180)
    below.set_yticks([-180, -90, 0, 90, 180])
    points = np.unique(np.concatenate([curve.omega for curve in curves]))
    if len(points) > 1 and points[0] > 0 and points[-1] / points[0] > 30:
        above.set_xscale("log")
    for axes in (above, below):
        quiet(axes)
    above.set_ylabel("magnitude in dB" if scale == "dB" else "magnitude")
    above.set_title(_title(values, label), fontsize=10)
    below.set_ylabel("phase in degrees")
    below.set_xlabel(f"frequency in {unit}")
    made.align_ylabels([above, below])
    return made


def draw_nyquist(values: Any, omega: Any = None, label: str | None = None) -> Any:
    """The curves that responses run through in the complex plane as the frequency grows."""
    curves = _curves(values, omega)
    made = figure(5.2, 5.2)
    axes = made.subplots()
    for i, curve in enumerate(curves):
        X = curve.values[np.isfinite(curve.values)]
        axes.plot(X.real, X.imag, color=COLOURS[i % len(COLOURS)], linewidth=1.4, label=curve.name or None)
        axes.plot(X.real[:1], X.imag[:1], "o", color=COLOURS[i % len(COLOURS)], markersize=4)
    if len(curves) > 1:
        axes.legend(fontsize=9, frameon=False)
    axes.axhline(0.0, color="0.8", linewidth=0.8, zorder=0)
    axes.axvline(0.0, color="0.8", linewidth=0.8, zorder=0)
    axes.set_aspect("equal", adjustable="datalim")
    quiet(axes)
    axes.set_xlabel("real part")
    axes.set_ylabel("imaginary part")
    axes.set_title(_title(values, label), fontsize=10)
    return made


def _title(values: Any, label: str | None) -> str:
    return label or getattr(values, "label", "") or "frequency response"


def _curves(values: Any, omega: Any) -> list[_Curve]:
    if isinstance(values, list | tuple) and any(hasattr(one, "omega") for one in values):
        return [curve for k, one in enumerate(values) for curve in _named(_curves(one, omega), one, k)]
    given = getattr(values, "omega", None) if omega is None else omega
    points = None if given is None else np.asarray(given, dtype=np.float64)
    response = np.asarray(values, dtype=np.complex128)
    if points is None or points.ndim != 1 or points.shape != response.shape[:1]:
        raise FlexuraError(
            "The picture of a frequency response needs one frequency for each value",
            advice="write fx.plot(response, omega=omega)",
        )
    order, flat = np.argsort(points), response.reshape(len(points), -1)
    names = getattr(values, "fields", ()) or getattr(values, "columns", ())
    if len(names) != flat.shape[1]:
        names = tuple(map(str, range(flat.shape[1])))
    return [_Curve(points[order], column[order], name) for column, name in zip(flat.T, names, strict=True)]


def _named(curves: list[_Curve], response: Any, k: int) -> list[_Curve]:
    """Curves of one of several responses, which say themselves what they are."""
    plain = len(curves) == 1 and curves[0].name == "0"
    return [curve._replace(name=getattr(response, "label", "") or str(k)) if plain else curve for curve in curves]


def _draw_column(above: Any, below: Any, points: Any, response: Any, colour: str, name: str, scale: str) -> None:
    finite = np.isfinite(response)
    size = np.where(finite, np.abs(np.where(finite, response, 0)), np.nan)
    size = size if scale == "linear" else np.where(size > 0, size, np.nan)
    draw = above.semilogy if scale == "log" else above.plot
    draw(points, 20 * np.log10(size) if scale == "dB" else size, color=colour, linewidth=1.4, label=name or None)
    phase = np.degrees(np.angle(np.where(finite, response, np.nan)))
    phase = np.where(phase > 170, phase - 360, phase)  # opposite phase is -180, not now one and now the other
    below.plot(points, _broken(phase), color=colour, linewidth=1.2)


def _broken(phase: Any) -> Any:
    """Without the lines that jump by a full turn."""
    found = np.array(phase)
    jumps = np.flatnonzero(np.abs(np.diff(found)) > 300)
    found[jumps] = np.nan
    return found
