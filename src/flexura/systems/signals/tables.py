"""Where tables over time are not smooth: steps end there, so that none reaches across."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def kinks(times: Array, values: Array) -> list[float]:
    """The inner points of a table at which its straight pieces turn."""
    slopes = np.diff(values, axis=0) / np.diff(times).reshape(-1, *([1] * (values.ndim - 1)))
    turns = np.abs(np.diff(slopes, axis=0)).reshape(len(times) - 2, -1).max(axis=1, initial=0.0)
    found: list[float] = times[1:-1][turns > 1e-9 * np.abs(slopes).max(initial=0.0)].tolist()
    return found
