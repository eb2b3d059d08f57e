"""The argument principle: how many roots of det(K + s C + s^2 M) a circle holds, from the turns of its phase.

The determinant is that of D times those of everything that was condensed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from flexura.exact.dynamic_stiffness import DynamicStiffness
from flexura.exact.line_stiffness import LineStiffness

Array = NDArray[np.float64]
_POINTS = 48
_DEPTH = 14
_STEP = 1e-7


def zeros_inside(stiffness: DynamicStiffness, centre: complex, radius: float) -> int:
    """Roots inside |s - centre| < radius, with their multiplicities.

    A step along the circle is halved until the rate of the phase, measured by a tiny step, says that it turns by less
    than one. Around a real centre the lower half turns as the upper does.
    """
    turn = np.pi if complex(centre).imag == 0 else 2 * np.pi
    angles = np.linspace(0, turn, round(_POINTS * turn / (2 * np.pi)) + 1)
    levels = stiffness.levels(centre + radius * np.exp(1j * np.linspace(0, turn, 4 * _POINTS + 1)))
    phases, rates = _phases(stiffness, centre, radius, angles, levels)
    for _ in range(_DEPTH):
        steps = np.maximum(rates[1:], rates[:-1]) * np.diff(angles)
        wide = np.flatnonzero((steps > 1.2) | (np.abs(_wrapped(np.diff(phases))) > 1.2))
        if not len(wide):
            break
        middle = (angles[wide] + angles[wide + 1]) / 2
        new, rate = _phases(stiffness, centre, radius, middle, levels)
        angles = np.insert(angles, wide + 1, middle)
        phases, rates = np.insert(phases, wide + 1, new), np.insert(rates, wide + 1, rate)
    return round(float(_wrapped(np.diff(phases)).sum() / turn))


def _phases(
    stiffness: DynamicStiffness, centre: complex, radius: float, angles: Array, levels: dict[LineStiffness, int]
) -> tuple[Array, Array]:
    """The phase of the determinant, and how fast it turns along the circle; all lines cut alike everywhere on it."""
    s = centre + radius * np.exp(1j * np.concatenate([angles, angles + _STEP]))
    D, condensed = stiffness.determinants(s, levels)
    unit = 1 / np.sqrt(stiffness.sizes(s * s).T)
    phase = condensed + np.angle(np.linalg.slogdet(D * unit[:, :, None] * unit[:, None, :])[0])
    first, second = phase[: len(angles)], phase[len(angles) :]
    return first, np.abs(_wrapped(second - first)) / _STEP


def _wrapped(steps: Array) -> Array:
    return (steps + np.pi) % (2 * np.pi) - np.pi
