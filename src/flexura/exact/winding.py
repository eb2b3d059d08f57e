"""The argument principle: how many roots of det(K + s C + s^2 M) a circle holds, from the turns of its phase.

The determinant is that of D times those of everything that was condensed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from flexura.exact.dynamic_stiffness import DynamicStiffness

Array = NDArray[np.float64]
_POINTS = 48
_DEPTH = 14
_STEP = 1e-7


def zeros_inside(stiffness: DynamicStiffness, centre: complex, radius: float) -> int:
    """Roots inside |s - centre| < radius, with their multiplicities.

    A step along the circle is halved until the rate of the phase, measured by a tiny step, says that it turns by less
    than one.
    """
    angles = np.linspace(0, 2 * np.pi, _POINTS + 1)
    phases, rates = _phases(stiffness, centre, radius, angles)
    for _ in range(_DEPTH):
        turn = np.maximum(rates[1:], rates[:-1]) * np.diff(angles)
        wide = np.flatnonzero((turn > 1.2) | (np.abs(_wrapped(np.diff(phases))) > 1.2))
        if not len(wide):
            break
        middle = (angles[wide] + angles[wide + 1]) / 2
        new, rate = _phases(stiffness, centre, radius, middle)
        angles = np.insert(angles, wide + 1, middle)
        phases, rates = np.insert(phases, wide + 1, new), np.insert(rates, wide + 1, rate)
    return round(float(_wrapped(np.diff(phases)).sum() / (2 * np.pi)))


def _phases(stiffness: DynamicStiffness, centre: complex, radius: float, angles: Array) -> tuple[Array, Array]:
    """The phase of the determinant, and how fast it turns along the circle."""
    s = centre + radius * np.exp(1j * np.concatenate([angles, angles + _STEP]))
    s = np.append(s, abs(centre) + radius)  # the same cut for every call
    D, condensed = stiffness(s, s * s, even=True)
    units = stiffness.units
    phase = (condensed + np.angle(np.linalg.slogdet(D * units[:, None] * units)[0]))[:-1]
    first, second = phase[: len(angles)], phase[len(angles) :]
    return first, np.abs(_wrapped(second - first)) / _STEP


def _wrapped(steps: Array) -> Array:
    return (steps + np.pi) % (2 * np.pi) - np.pi
