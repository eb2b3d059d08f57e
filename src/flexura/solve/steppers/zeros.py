"""All zeros of a smooth function in a step, pairs that lie close together and double ones too.

>>> zeros_between(lambda t: (t - 0.4) ** 2 - 1e-6, 0.0, 1.0, 0.16, 0.36, 0.0)        # [0.399, 0.401]

The function is followed by a polynomial through Chebyshev points, as many as it takes. Between the extrema of that
polynomial the function rises or falls, so that no pair of zeros can hide.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.polynomial.chebyshev import chebder, chebpts1, chebroots, chebval, chebvander
from numpy.typing import NDArray
from scipy.optimize import brentq, minimize_scalar

from flexura.solve.steppers.mechanics import State

Array = NDArray[np.float64]
Values = Callable[[Array], Array]
_POINTS = (8, 16, 32, 64, 128)
_FOLLOWED = 1e-4  # of the largest coefficient, that the last two may be


@lru_cache(maxsize=8)
def _points(count: int) -> tuple[Array, Array]:
    """Chebyshev points, and the matrix that makes coefficients of values there."""
    x = chebpts1(count)
    return np.asarray(x), np.asarray(np.linalg.inv(chebvander(x, count - 1)), dtype=np.float64)


@lru_cache(maxsize=1)
def _hermite() -> tuple[Array, Array]:
    """Values and slopes at the first Chebyshev points from value, slope and curvature at 0 and at 1."""
    s = (1 + _points(_POINTS[0])[0]) / 2
    powers, k = s[:, None] ** np.arange(6), np.arange(6)
    ends = np.zeros((6, 6))
    ends[0, 0] = ends[1, 1] = 1.0
    ends[2, 2] = 2.0
    ends[3], ends[4], ends[5] = 1.0, k, k * (k - 1)
    slopes = np.hstack([np.zeros((len(s), 1)), powers[:, :5] * k[1:]])
    inverse = np.linalg.inv(ends)
    return powers @ inverse, slopes @ inverse


def quintic(old: State, new: State) -> list[tuple[float, Array, Array]]:
    """States inside a step, from those at its ends: quick, and good enough to see what stays away from zero."""
    h, (values, slopes) = new.t - old.t, _hermite()
    data = np.array([old.q, h * old.v, h * h * old.a, new.q, h * new.v, h * h * new.a])
    times = old.t + h * (1 + _points(_POINTS[0])[0]) / 2
    return list(zip(times.tolist(), values @ data, slopes @ data / h, strict=True))


def away_from_zero(values: Array) -> bool:
    """Whether the polynomial through values at the first Chebyshev points has no zero, nor comes near one."""
    coefficients = _points(len(values))[1] @ values
    return bool(np.abs(coefficients[1:]).sum() < 0.99 * abs(coefficients[0]))


def zeros_between(values: Values, start: float, end: float, first: float, last: float, grazes: float) -> list[float]:
    """Zeros after the start and up to the end, ascending; an extremum within `grazes` of zero counts once.

    `values` are those at many times; `first` and `last` those at the start and at the end.
    """

    known = {start: first, end: last}  # as signs are read from them, whatever rounding says

    def value(t: float) -> float:
        return known[t] if t in known else float(values(np.array([t]))[0])

    found = []
    points = [(start, first), *_extrema(values, value, start, end), (end, last)]
    for k, ((a, before), (b, after)) in enumerate(pairwise(points)):
        if before * after < 0:
            found.append(float(brentq(value, a, b, xtol=1e-14 * max(1.0, abs(b)))))
        inner = k < len(points) - 2
        if inner and abs(after) <= grazes and before * after >= 0 and points[k + 2][1] * before > 0:
            found.append(b)
        if not inner and after == 0 and before != 0:
            found.append(b)
    return sorted(found)


def _extrema(
    values: Values, value: Callable[[float], float], start: float, end: float
) -> Iterator[tuple[float, float]]:
    """Where the function turns, and what it is there."""
    for count in _POINTS:
        x, to_coefficients = _points(count)
        coefficients = to_coefficients @ values(start + (end - start) * (1 + x) / 2)
        size = np.abs(coefficients).max(initial=0.0)
        if np.abs(coefficients[-2:]).max() <= _FOLLOWED * size:
            break
    if np.abs(coefficients[1:]).sum() < 0.9 * abs(coefficients[0]):  # it stays away from zero
        return
    slopes = chebder(coefficients)
    kept = np.flatnonzero(np.abs(slopes) > 1e-13 * np.abs(slopes).max(initial=0.0))
    if not len(kept) or kept[-1] == 0:
        return
    roots = chebroots(slopes[: kept[-1] + 1])
    turns = np.sort(roots.real[(np.abs(roots.imag) < 1e-3) & (np.abs(roots.real) < 1)])
    times = start + (end - start) * (1 + turns) / 2
    between = np.concatenate([[start], (times[1:] + times[:-1]) / 2, [end]])
    width = 0.05 * (end - start)
    for k, (t, e) in enumerate(zip(times.tolist(), chebval(turns, coefficients).tolist(), strict=True)):
        low, high = max(float(between[k]), t - width), min(float(between[k + 1]), t + width)
        yield (t, e) if abs(e) > 100 * _FOLLOWED * size else _sharpened(value, low, high, t)


def _sharpened(value: Callable[[float], float], low: float, high: float, t: float) -> tuple[float, float]:
    """An extremum close to zero, found again in the function itself."""
    e = value(t)
    bend = value(low) - 2 * e + value(high)
    sign = 1.0 if bend >= 0 else -1.0
    found = minimize_scalar(lambda s: sign * value(s), bounds=(low, high), method="bounded", options={"xatol": 1e-12})
    best = value(float(found.x))
    return (float(found.x), best) if sign * best < sign * e else (t, e)
