"""Derivatives by a parameter of what is made of it smoothly: matrices, loads, starts; to rounding, by eighth order.

>>> slope, error = by_parameter(matrices, 2.0)         # d(matrices)/dp at p = 2, and what it may be off by

The answers themselves (responses, motions) are never differenced: they turn sharply where matrices do not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.errors import FlexuraError

Array = NDArray[Any]
STEPS = (1, 2, 3, 4, -1, -2, -3, -4)
NEAR = (1, -1, 2, -2)
_EIGHTH = {1: 4 / 5, 2: -1 / 5, 3: 4 / 105, 4: -1 / 280}
_FOURTH = {1: 2 / 3, 2: -1 / 12}
_SIXTH = {1: 3 / 4, 2: -3 / 20, 3: 1 / 60, 4: 0.0}
_SHARE = 0.01  # of a parameter: a step
_ROUGH = 1e-5
_STRAIGHT = 4e-16  # of the largest entry: what rounding may bend


def step_of(value: float) -> float:
    """How far a parameter is moved; one that is zero by what a unit of it is."""
    return _SHARE * abs(value) if value else _SHARE


def shifted(values: Mapping[str, Any] | None, name: str, value: float, k: int) -> dict[str, Any]:
    """The values with one parameter k steps away."""
    return {**(values or {}), name: value + k * step_of(value)}


def slope_of(found: Mapping[int, Array], h: float) -> Array:
    """The derivative from what was found so many steps away, up to two or up to four of them."""
    weights = _EIGHTH if 3 in found else _FOURTH
    return np.asarray(sum(weight * (found[k] - found[-k]) for k, weight in weights.items()) / h)


def slopes_of(found: Mapping[int, Sequence[Array]], h: float, name: str) -> tuple[list[Array], float]:
    """The same of several arrays, and the largest they may be off by, as a part of each."""
    slopes, error = [], 0.0
    for i in range(len(found[1])):
        column = {k: np.asarray(one[i]) for k, one in found.items()}
        if len({one.shape for one in column.values()}) > 1:
            raise _rough(name)
        slope = slope_of(column, h)
        lower = _SIXTH if 3 in found else {1: 1 / 2}
        rough = sum(weight * (column[k] - column[-k]) for k, weight in lower.items()) / h
        size = max(float(np.abs(slope).max(initial=0.0)), 1e-12 * float(np.abs(column[1]).max(initial=0.0)) / h, 1e-300)
        error = max(error, float(np.abs(slope - rough).max(initial=0.0)) / size)
        slopes.append(slope)
    if error > _ROUGH:
        raise _rough(name)
    return slopes, error


def by_parameter(make: Callable[[int], Sequence[Array]], value: float, name: str) -> tuple[list[Array], float]:
    """The derivatives of what `make(k)` gives k steps away; of what is straight or a parabola two pairs are enough."""
    found = {k: make(k) for k in NEAR}
    h = step_of(value)
    if straight(found):
        return [(a - b) / (4 * h) for a, b in zip(found[2], found[-2], strict=True)], 0.0
    return slopes_of({**found, **{k: make(k) for k in STEPS if abs(k) > 2}}, h, name)


def straight(found: Mapping[int, Sequence[Array]]) -> bool:
    """Whether arrays are straight lines or parabolas over a parameter, as far as two steps to both sides tell."""
    near, far = ([(a - b) / (2 * k) for a, b in zip(found[k], found[-k], strict=True)] for k in (1, 2))
    sizes = [float(np.abs(one).max(initial=0.0)) for one in found[1]]
    apart = [float(np.abs(a - b).max(initial=0.0)) for a, b in zip(near, far, strict=True)]
    return all(gap <= _STRAIGHT * size for gap, size in zip(apart, sizes, strict=True))


def _rough(name: str) -> FlexuraError:
    return FlexuraError(
        f"The system does not change smoothly with {name} near its value",
        advice="ask for another value, or compare two answers",
    )
