"""Frequencies against a parameter, usually a speed, as branches that stay together through crossings.

    >>> chart = fx.campbell(equations, "Omega", over=np.linspace(0, 12, 25), count=4, values={"EI": 1.0})
    >>> chart.values, chart.frequencies[:, 0], chart.unstable

Branches start as the first modes at the first value and are followed by their eigenvalues and shapes: among the modes
at the next value, each branch takes the one that continues it best (a linear assignment over all branches).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.optimize
from numpy.typing import NDArray

from flexura.analyse.modes import Modes, modes
from flexura.equations.equations import Equations
from flexura.errors import FlexuraError
from flexura.exact.shapes import Shape

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]
_POINTS = 9


@dataclass(frozen=True)
class Campbell:
    """`frequencies` and `eigenvalues` (values, branches) over the `values` of a parameter.

    `unstable` says where an eigenvalue grows, Re s > 0. A frequency is |s|; `speed`: the parameter is one, in rad/s.
    """

    parameter: str
    values: Array
    eigenvalues: Complex
    speed: bool = False

    @property
    def frequencies(self) -> Array:
        """|s| of every branch, in rad/s."""
        return np.abs(self.eigenvalues)

    @property
    def unstable(self) -> NDArray[np.bool_]:
        """Where a branch grows: (values, branches)."""
        size = np.maximum(np.abs(self.eigenvalues), 1e-9 * np.abs(self.eigenvalues).max(initial=0.0))
        return np.asarray(self.eigenvalues.real > 1e-9 * size)

    def crossings(self, order: float = 1.0) -> list[tuple[float, int]]:
        """Where a branch has `order` times the value as its frequency, as (value, branch), between the given values.

        They are the critical speeds if the parameter is a speed in rad/s; each is interpolated by a straight line.
        """
        gap = self.frequencies - order * self.values[:, None]
        found = []
        for branch in range(gap.shape[1]):
            for i in np.flatnonzero(np.diff(np.sign(gap[:, branch])) != 0):
                a, b = gap[i, branch], gap[i + 1, branch]
                found.append((float(self.values[i] + (self.values[i + 1] - self.values[i]) * a / (a - b)), branch))
        return sorted(found)

    def __len__(self) -> int:
        return len(self.values)


def campbell(
    linear: Callable[[float], Equations],
    parameter: str,
    over: Any,
    count: int = 6,
    values: Mapping[str, Any] | None = None,
) -> Campbell:
    """The first `count` branches over the values of one parameter; `linear` gives the linear equations at each."""
    places = np.atleast_1d(np.asarray(over, dtype=np.float64))
    if places.ndim != 1 or not len(places) or not np.all(np.isfinite(places)):
        raise FlexuraError(f"The values of {parameter} to go over must be a list of finite numbers.")
    chart: list[Complex] = []
    branches = _Branches()
    for place in map(float, places):
        found = modes(linear(place), count + max(3, count // 2), {**(values or {}), parameter: place})
        chart.append(branches.follow(found, count))
    return Campbell(parameter, places, np.array(chart))


class _Branches:
    """The eigenvalues and shapes of the branches at the last two values."""

    def __init__(self) -> None:
        self.s: list[Complex] = []
        self.shapes: Complex | None = None

    def follow(self, found: Modes, count: int) -> Complex:
        """The eigenvalues at the next value, in the order of the branches."""
        which = _without_mirrors(found.eigenvalues)
        s, shapes = found.eigenvalues[which], _vectors(found, which)
        if self.shapes is None:
            chosen = np.arange(min(count, len(s)))
        else:
            if len(s) < len(self.s[-1]):
                raise FlexuraError("Fewer modes were found than there are branches; ask for fewer with count=.")
            expected = self.s[-1] if len(self.s) < 2 else 2 * self.s[-1] - self.s[-2]
            apart = np.abs(expected[:, None] - s[None, :]) / np.maximum(np.abs(self.s[-1]), 1e-12)[:, None].clip(
                1e-3 * np.abs(s).max()
            )
            unlike = 1 - np.abs(self.shapes.conj() @ shapes.T) ** 2
            _, chosen = scipy.optimize.linear_sum_assignment(np.minimum(apart, 3.0) + unlike)
        self.s, self.shapes = [*self.s[-1:], s[chosen]], shapes[chosen]
        return np.asarray(s[chosen])


def _without_mirrors(s: Complex) -> list[int]:
    """Of a pair of real roots -a, a, which a frequency becomes where it turns unstable, only a."""
    kept = []
    for k, one in enumerate(s):
        mirrored = one.imag == 0 and one.real < 0 and bool(np.any(np.abs(s + one) <= 1e-9 * abs(one)))
        if not mirrored:
            kept.append(k)
    return kept


def _vectors(found: Modes, which: list[int]) -> Complex:
    """Shapes as unit vectors: coordinates, and fields at a few places."""
    rows = np.array([_vector(found.shape(k)) for k in which], dtype=np.complex128)
    size = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(size > 0, size, 1.0))


def _vector(shape: Shape) -> Complex:
    parts = [np.asarray(list(shape.coordinates.values()), dtype=np.complex128)]
    for one in shape.fields.values():
        parts.append(np.asarray(one(np.linspace(*one.span, _POINTS)), dtype=np.complex128))
    return np.concatenate(parts)
