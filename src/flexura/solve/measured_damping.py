"""Damping from measurements: the logarithmic decrement of a decay, the half-power width of a resonance.

>>> fx.logarithmic_decrement(t, x).damping_ratio, fx.half_power(omega, response).damping_ratios
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

from flexura.arguments import Measured, checked_methods
from flexura.errors import FlexuraError
from flexura.systems.signals.signal import real_array

Array = NDArray[np.float64]


@checked_methods
@dataclass(frozen=True, eq=False)
class Decrement:
    """`decrement` is ln(x_k/x_(k+1)); `damping_ratio`, the damped `frequency` in rad/s, and the peaks it is from.

    `scatter` is the standard deviation of the decrement from one peak to the next: large where more than one mode
    swings, or damping is not viscous.
    """

    decrement: float
    damping_ratio: float
    frequency: float
    scatter: float
    times: Array
    peaks: Array


@checked_methods
@dataclass(frozen=True, eq=False)
class HalfPower:
    """Resonances of a response: `frequencies` of the peaks in rad/s, `damping_ratios`, and `widths` of the bands."""

    frequencies: Array
    damping_ratios: Array
    widths: Array


def logarithmic_decrement(t: Measured, x: Any, rest: float = 0.0) -> Decrement:
    """The decrement of a free decay x(t) about `rest`: a line through the logarithms of its maxima.

    Maxima are found on a cubic spline through the points. delta = 2 pi zeta/sqrt(1 - zeta^2).

    >>> fx.logarithmic_decrement(run.t, run["q1"]).damping_ratio
    """
    times = real_array(t, "t", "give times in s", "s").ravel()
    values = real_array(x, "x", "give the decaying motion at each time").ravel() - rest
    if len(times) != len(values) or len(times) < 8 or np.any(np.diff(times) <= 0):
        raise FlexuraError("t and x are no history", advice="give increasing times and as many values, 8 or more")
    spline = CubicSpline(times, values)
    at = spline.derivative().roots(extrapolate=False)
    at = at[(spline(at, 2) < 0) & (spline(at) > 0)]
    if len(at) < 2:
        raise FlexuraError("The motion has fewer than two maxima", advice="give a longer decay, or another rest")
    peaks = spline(at)
    falls = -np.diff(np.log(peaks))
    delta = float(-np.polyfit(np.arange(len(peaks)), np.log(peaks), 1)[0])
    period = float((at[-1] - at[0]) / (len(at) - 1))
    zeta = delta / float(np.hypot(2 * np.pi, delta))
    return Decrement(delta, zeta, 2 * np.pi / period, float(falls.std()), at, np.asarray(peaks))


def half_power(omega: Measured, response: Any) -> HalfPower:
    """Damping ratios by the half-power method: the width at |peak|/sqrt(2), of each resonance of a receptance.

    For one lightly damped mode the squares of the ends differ by 4 zeta omega^2 (1 - zeta^2)^(1/2): this is solved for
    zeta, not width/(2 omega). Peaks that overlap are left out.

    >>> fx.half_power(omega, fx.frequency_response(equations, omega, "F", "q1")).damping_ratios
    """
    w = real_array(omega, "omega", "give frequencies in rad/s", "rad/s").ravel()
    size = np.abs(np.asarray(response)).ravel()
    if len(w) != len(size) or len(w) < 8 or np.any(np.diff(w) <= 0):
        raise FlexuraError(
            "omega and response are no curve", advice="give increasing frequencies and one response at each, 8 or more"
        )
    spline = CubicSpline(w, size**2)
    tops = spline.derivative().roots(extrapolate=False)
    tops = tops[spline(tops, 2) < 0]
    found = []
    for top in tops:
        level = CubicSpline(w, size**2 - spline(top) / 2).roots(extrapolate=False)
        below, above = level[level < top], level[level > top]
        if not len(below) or not len(above) or np.any((tops > below[-1]) & (tops < above[0]) & (tops != top)):
            continue
        squares = (above[0] ** 2 - below[-1] ** 2) / (2 * (above[0] ** 2 + below[-1] ** 2))
        # omega_2^2 - omega_1^2 = 4 zeta sqrt(1 - zeta^2) omega_n^2, their sum is 2 omega_n^2 (1 - 2 zeta^2)
        found.append((top, float(np.sin(np.arctan(2 * squares) / 2)), above[0] - below[-1]))
    if not found:
        raise FlexuraError(
            "No resonance falls to half its power on both sides",
            advice="give more frequencies about the peak, or fit the response with fx.sensitivity",
        )
    table = np.array(found)
    return HalfPower(table[:, 0], table[:, 1], table[:, 2])
