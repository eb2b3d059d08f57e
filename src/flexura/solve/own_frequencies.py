"""Frequencies at which a response is worth looking at, where none are given: from the roots of the system itself.

>>> own_frequencies(equations, {"EI": 50.0})        # rad/s, dense about each resonance

A resonance is as wide as its root is damped, so points stand about it in halves of that width; where nothing damps it,
they come near, but never upon it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.solve.modes import modes

Array = NDArray[np.float64]
_MODES, _BETWEEN = 8, 200
_BELOW, _ABOVE = 0.1, 1.3  # of the lowest and of the highest frequency
_WIDTHS = 2.0 ** np.arange(-2, 13)
_NARROW = 1e-6  # of a frequency: how near points come where nothing damps
_WIDE = (0.01, 100.0)  # about roots that do not swing


def own_frequencies(system: Any, values: Mapping[str, Any] | None = None) -> Array:
    """Increasing frequencies in rad/s over the lowest resonances."""
    roots = np.asarray(modes(system, _MODES, values).eigenvalues)
    roots = roots[np.abs(roots) > 0]
    swinging = roots[np.abs(roots.imag) > 0]
    sizes = np.abs(swinging.imag) if len(swinging) else np.abs(roots)
    if not len(sizes):
        return np.geomspace(*_WIDE, _BETWEEN)
    below, above = (_BELOW, _ABOVE) if len(swinging) else _WIDE
    low, high = below * sizes.min(), above * sizes.max()
    points = [np.geomspace(low, high, _BETWEEN)]
    for s in swinging:
        centre, width = abs(s.imag), max(abs(s.real), _NARROW * abs(s))
        damped = abs(s.real) > _NARROW * abs(s)
        points += [centre + width * _WIDTHS, centre - width * _WIDTHS, np.array([centre] if damped else [])]
    found = np.unique(np.concatenate(points))
    sharp = [abs(s.imag) for s in swinging if abs(s.real) <= _NARROW * abs(s)]
    near = [np.abs(found - one) < _NARROW / 8 * one for one in sharp]
    kept = (found >= low) & (found <= high) & ~np.any(near, axis=0) if near else (found >= low) & (found <= high)
    return np.asarray(found[kept], dtype=np.float64)
