"""Tables over time: how they are given, and where they are not smooth, so that no step reaches across."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.errors import FlexuraError
from flexura.symbolic.dimensions import in_si

Array = NDArray[np.float64]


def is_record(value: Any) -> bool:
    """Whether something is a pair whose second part is an array."""
    return isinstance(value, tuple) and len(value) == 2 and np.ndim(value[1]) >= 1


def record_of(value: Any, what: str, times: Array) -> tuple[Array, Array]:
    """Times and numbers of a record: (times, numbers), (time step, numbers) from t = 0, or numbers on `times`."""
    if not is_record(value):
        return times, _real(value, what)
    when, numbers = _real(value[0], what), _real(value[1], what)
    if when.ndim == 0 and when > 0 and np.isfinite(when):
        when = np.asarray(float(when) * np.arange(len(numbers)), dtype=np.float64)
    if when.shape != numbers.shape[:1] or len(when) < 2 or not np.all(np.diff(when) > 0):
        raise FlexuraError(
            f"{what} is a record of {len(numbers)} numbers whose times do not increase, or are not as many",
            advice="give (times, numbers), or (time step, numbers)",
        )
    return when, numbers


def _real(value: Any, what: str) -> Array:
    found = np.asarray(in_si(value, what))
    if found.dtype.kind not in "iuf" or not np.all(np.isfinite(found)):
        raise FlexuraError(f"{what} holds what is no finite number", advice="give an array of finite real numbers")
    return found.astype(np.float64)


def kinks(times: Array, values: Array) -> list[float]:
    """The inner points of a table at which its straight pieces turn."""
    slopes = np.diff(values, axis=0) / np.diff(times).reshape(-1, *([1] * (values.ndim - 1)))
    turns = np.abs(np.diff(slopes, axis=0)).reshape(len(times) - 2, -1).max(axis=1, initial=0.0)
    found: list[float] = times[1:-1][turns > 1e-9 * np.abs(slopes).max(initial=0.0)].tolist()
    return found
