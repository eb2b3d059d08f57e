"""The argument principle: how many roots of det(K + s C + s^2 M) a circle holds, from the turns of its phase."""

from __future__ import annotations

import numpy as np
import scipy.linalg
from numpy.typing import NDArray

from flexura.exact.pencil import Pencil

Array = NDArray[np.float64]
Points = NDArray[np.complex128]
_POINTS = 48
_DEPTH = 14


def zeros_inside(pencil: Pencil, centre: complex, radius: float) -> int:
    """Roots inside |s - centre| < radius, with their multiplicities.

    A step along the circle is halved until the rate of the phase, tr(Q^-1 dQ/ds), says that it turns by less than one.
    """
    angles = np.linspace(0, 2 * np.pi, _POINTS + 1)
    phases, rates = _phases(pencil, centre + radius * np.exp(1j * angles), radius)
    for _ in range(_DEPTH):
        turn = np.maximum(rates[1:], rates[:-1]) * np.diff(angles)
        wide = np.flatnonzero((turn > 1.2) | (np.abs(_wrapped(np.diff(phases))) > 1.2))
        if not len(wide):
            break
        middle = (angles[wide] + angles[wide + 1]) / 2
        new, rate = _phases(pencil, centre + radius * np.exp(1j * middle), radius)
        angles = np.insert(angles, wide + 1, middle)
        phases, rates = np.insert(phases, wide + 1, new), np.insert(rates, wide + 1, rate)
    return round(float(_wrapped(np.diff(phases)).sum() / (2 * np.pi)))


def _phases(pencil: Pencil, s: Points, radius: float) -> tuple[Array, Array]:
    """The phase of det Q, and how fast it turns along the circle."""
    phases, rates = np.zeros(len(s)), np.zeros(len(s))
    _, C, M = (one if pencil.dense else one.toarray() for one in pencil.matrices)
    for i, one in enumerate(s):
        Q = pencil.at(complex(one), complex(one) ** 2)
        Q = Q if pencil.dense else Q.toarray()
        lu, pivots = scipy.linalg.lu_factor(Q, check_finite=False)
        swaps = int((pivots != np.arange(len(Q))).sum())
        phases[i] = np.angle(np.diagonal(lu)).sum() + np.pi * swaps
        rates[i] = abs(np.trace(scipy.linalg.lu_solve((lu, pivots), C + 2 * one * M, check_finite=False))) * radius
    return phases, rates


def _wrapped(steps: Array) -> Array:
    return (steps + np.pi) % (2 * np.pi) - np.pi
