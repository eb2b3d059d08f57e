"""Where functions of time are not smooth: steps end there, so that none reaches across.

>>> jumps(lambda t: float(t < 0.3), 0.0, 1.0)        # [0.3]
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
_SAMPLES = 1000


def jumps(function: Callable[[float], Any], start: float, end: float) -> list[float]:
    """Where a function of time jumps: halving an interval around a jump leaves the change as large as it was."""
    times = np.linspace(start, end, _SAMPLES + 1)
    values = np.array([np.atleast_1d(np.asarray(function(float(t)), dtype=np.float64)).ravel() for t in times])
    changes = np.abs(np.diff(values, axis=0)).max(axis=1)
    usual = np.median(changes) if len(changes) else 0.0
    suspects = np.flatnonzero(changes > 5 * usual + 1e-9 * np.abs(values).max(initial=0.0))
    found = (_bisected(function, float(times[i]), float(times[i + 1]), float(changes[i])) for i in suspects)
    return [t for t in found if t is not None]


def _bisected(function: Callable[[float], Any], low: float, high: float, change: float) -> float | None:
    left, right = (np.asarray(function(t), dtype=np.float64) for t in (low, high))
    for _ in range(60):
        middle = (low + high) / 2
        if middle in (low, high) or np.abs(right - left).max() < 0.05 * change:
            break
        value = np.asarray(function(middle), dtype=np.float64)
        if np.abs(value - left).max() >= np.abs(right - value).max():
            high, right = middle, value
        else:
            low, left = middle, value
    return high if np.abs(right - left).max() >= 0.05 * change else None


def kinks(times: Array, values: Array) -> list[float]:
    """The inner points of a table at which its straight pieces turn."""
    slopes = np.diff(values, axis=0) / np.diff(times).reshape(-1, *([1] * (values.ndim - 1)))
    turns = np.abs(np.diff(slopes, axis=0)).reshape(len(times) - 2, -1).max(axis=1, initial=0.0)
    return [float(t) for t in times[1:-1][turns > 1e-9 * np.abs(slopes).max(initial=0.0)]]
